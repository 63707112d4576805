// Names that may stand in a drop.
import { describe, expect, it } from 'vitest';
import { isDropName, isFinished, isPartial, isStatus } from './names.ts';

describe('a name', () => {
  it.each([
    'a.csv',
    'CDR_MTN_20261121100000_0001.csv',
    'Größe 1 (2).csv',
    'x.csv.filepart',
    '日本.csv',
    'تماس\u200cها.csv',
  ])('%j may stand in a drop', (name) => expect(isDropName(name)).toBe(true));

  it.each([
    '',
    '.',
    '..',
    '.a.csv',
    'a/b.csv',
    'a\\b.csv',
    'a\0.csv',
    'a\n.csv',
    ' a.csv',
    'a.csv ',
    '\u202ea.csv',
    'a\u2066b.csv',
    'a\u200bb.csv',
    '\ufffd.csv',
    `${'ü'.repeat(99)}.csv`,
  ])('%j may not', (name) => expect(isDropName(name)).toBe(false));

  it('of a status file is longer than that of its file, by its suffix', () => {
    const longest = `${'a'.repeat(196)}.csv`;
    expect([longest, `${longest}.12345.json`].map((n) => isDropName(n))).toEqual([true, false]);
    expect(isDropName(`${longest}.12345.json`, 'status')).toBe(true);
  });

  it('is finished, under way or a status by its ending alone', () => {
    expect(['a.csv', 'a.CSV', 'a.csv.part', '.csv', 'csv'].map(isFinished)).toEqual([true, true, false, false, false]);
    expect(['a.part', 'a.csv.tmp', 'a.filepart', 'a.parts'].map(isPartial)).toEqual([true, true, true, false]);
    expect(['a.csv.json', 'a.json', 'a.csv', 'json'].map(isStatus)).toEqual([true, true, false, false]);
  });
});
