// What readers receive of an entry, and what the compiler requires of writers.
import { describe, expect, it } from 'vitest';
import { parseExactly, UnknownEntry } from '../core/entry.ts';
import type { Entry } from '../modules/kernel/journal.ts';
import { readEntry, unknownSchema } from './read.ts';

const body = (more: object) =>
  JSON.stringify({
    ...more,
    id: 'evt_1',
    timestamp: '2026-11-21T10:00:00.000Z',
    version: 1,
    data: { period: '2026-10' },
  });
const known = ['cdr.period_closed/1', 'cdr.declared/1'] as const;

describe('an entry', () => {
  it('is read where its schema is one of those that the reader names', () => {
    const entry = readEntry(body({ schema: 'cdr.period_closed/1', type: 'cdr.period_closed' }), known);
    expect(entry.type === 'cdr.period_closed' && entry.data.period).toBe('2026-10');
  });

  it('of version 0.1, which names no schema, is read as version 1 of its kind', () => {
    expect(readEntry(body({ type: 'cdr.period_closed' }), known).data.period).toBe('2026-10');
  });

  it.each([
    ['another version', { schema: 'cdr.period_closed/2', type: 'cdr.period_closed' }],
    ['another kind', { schema: 'wager.created/1', type: 'wager.created' }],
    ['another kind of version 0.1', { type: 'wager.created' }],
    ['no kind', {}],
  ])('of %s is not read, and the error names its schema', (_, more) => {
    const reading = () => readEntry(body(more), known);
    expect(reading).toThrow(UnknownEntry);
    expect(reading).toThrow(`'${'schema' in more ? more.schema : `${'type' in more ? more.type : undefined}/1`}'`);
  });

  it('is known or not by the beginning of its text', () => {
    expect(unknownSchema(body({ schema: 'wager.created/1' }))).toBeUndefined();
    expect(unknownSchema(body({ type: 'wager.created' }))).toBeUndefined();
    expect(unknownSchema(body({ schema: 'wager.created/2' }))).toBe('wager.created/2');
  });

  it('keeps its numbers digit by digit for whoever asks for that', () => {
    const text = body({ type: 'cdr.period_closed' }).replace('"2026-10"', '12345678901234567890.10');
    expect(JSON.stringify(readEntry(text, known, parseExactly))).toBe(text);
  });
});

it('is refused by the compiler where it is not as its schema says', () => {
  const about = { psp: 'p', account: 'a', resourceId: 'r', version: 1 };
  const data = { clientId: 'cli_1', period: '2026-10', country: 'NG' };
  const right: Entry<'cdr.period_closed'> = { ...about, kind: 'cdr.period_closed', data };
  // @ts-expect-error a field is missing
  const without: Entry<'cdr.period_closed'> = { ...about, kind: 'cdr.period_closed', data: { period: '2026-10' } };
  // @ts-expect-error a field is of another type
  const other: Entry<'cdr.period_closed'> = { ...about, kind: 'cdr.period_closed', data: { ...data, period: 202610 } };
  // @ts-expect-error evidence is missing
  const bare: Entry<'subject.erased'> = { ...about, kind: 'subject.erased', data: { subjects: [] } };
  expect([right, without, other, bare]).toHaveLength(4);
});
