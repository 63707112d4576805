// Common to all commands: help, exit codes, one JSON document, and no output on the wrong stream.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeOutput } from '../../src/adapters/cli/output.ts';
import { assayWith, surroundings } from './run.ts';

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'assay-usage-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe('assay', () => {
  it('documents its exit codes in its help, of the program and of every group', async () => {
    const assay = assayWith({ DATA_DIR: dir });
    const [whole, part] = await Promise.all([assay('--help'), assay('key', 'rotate', '--help')]);
    for (const r of [whole, part]) {
      expect(r.exitCode).toBe(0);
      expect(r.stdout).toMatch(/Exit codes:\n {2}0 {2}done\n {2}1 {2}fault.*\n {2}2 {2}usage.*\n {2}3 {2}refused/);
    }
    expect(whole.stdout).toMatch(/psp[\s\S]*client[\s\S]*key[\s\S]*operator[\s\S]*standing[\s\S]*migrate[\s\S]*tax/);
    expect(part.stdout).toContain('--grace-hours <n>');
  });

  it.each([
    ['an unknown command', ['sing'], "unknown command 'sing'"],
    ['an unknown command that asks for help', ['hold', '--help'], "unknown command 'hold'"],
    ['a missing argument', ['client', 'show'], "missing required argument 'id'"],
    ['a number out of range', ['psp', 'list', '--limit', '0'], 'A whole number from 1 to 1000000 is expected.'],
  ])('ends with 2 on %s and touches nothing', async (_what, args, says) => {
    const r = await assayWith({ DATA_DIR: join(dir, 'none') })(...args, '--json');
    expect([r.exitCode, r.stdout]).toEqual([2, '']);
    expect(r.stderr).toContain(says);
  });

  it('ends with 1 where no database answers, and says so in the document and to the person', async () => {
    const assay = assayWith({ DATA_DIR: dir, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' });
    const r = await assay('psp', 'list', '--json');
    expect(r.exitCode).toBe(1);
    expect(r.json()).toEqual({ success: false, code: 'FAULT', message: expect.stringContaining('ECONNREFUSED') });
    expect(r.stderr).toContain('ECONNREFUSED');
  });

  it('ends with 1 on a setting that is not allowed, and names it', async () => {
    const r = await assayWith({ DATA_DIR: dir, PORT: 'eighty' })('migrate');
    expect([r.exitCode, r.stdout]).toEqual([1, '']);
    expect(r.stderr).toContain('PORT must be a whole number');
  });
});

describe('a file or folder', () => {
  it.each([
    ['restore', ['restore', 'none.backup']],
    ['restore --check', ['restore', 'none.backup', '--check']],
    ['tax check', ['tax', 'check', '--folder', 'none']],
    ['tax load', ['tax', 'load', 'none.json', '--reason', 'x']],
    ['risk check', ['risk', 'check', 'none.json']],
  ])('that is not there ends %s with 2, and is named as it was given', async (_what, args) => {
    const r = await assayWith({ DATA_DIR: join(dir, 'none') })(...args);
    expect([r.exitCode, r.stdout]).toEqual([2, '']);
    expect(r.stderr).toMatch(/^assay: none(\.backup|\.json)? cannot be read: ENOENT/);
  });

  it('that DATA_DIR cannot be is named with the setting', async () => {
    const file = join(dir, 'file');
    writeFileSync(file, '');
    for (const path of [file, join(file, 'data')]) {
      const r = await assayWith({ DATA_DIR: path })('psp', 'list');
      expect([r.exitCode, r.stdout]).toEqual([1, '']);
      expect(r.stderr).toContain(`assay: DATA_DIR: the folder ${path} cannot be made or written to; because E`);
    }
  });
});

describe('a list that may have more', () => {
  it.each([
    ['cdr', 'files'],
    ['cdr', 'declarations'],
    ['report', 'list'],
    ['report', 'schedule', 'list'],
  ])('takes the --cursor that it names: %s %s %s', async (...words) => {
    const { stdout } = await assayWith({ DATA_DIR: dir })(...words, '--help');
    expect(stdout).toMatch(/--limit <n>[\s\S]*--cursor <cursor>/);
  });
});

describe('a JSON document', () => {
  it('is the same for a program, and steers no terminal', () => {
    const name = 'a\u202eb\u009bc\u001b[31m\u2028';
    const { around, written } = surroundings({});
    makeOutput(true, around).result({ name }, () => undefined);
    expect(JSON.parse(written.stdout)).toEqual({ name });
    expect(written.stdout).toMatch(/^[\n\x20-\x7e]*$/);
  });
});

describe('tables', () => {
  it('keep their columns where names hold accents and emoji, and write out what would steer the terminal', () => {
    const { around, written } = surroundings({});
    const out = makeOutput(false, around);
    out.table(
      [
        ['Žluťoučký', '1'],
        ['E\u0301lan', '10'],
        ['\u001b[31mred', '2'],
        ['a\u202eb\nc', '3'],
      ],
      [
        { title: 'Name', value: (r: string[]) => r[0] },
        { title: 'N', value: (r: string[]) => r[1], right: true },
      ],
    );
    expect(written.stdout).toBe(
      [
        'Name              N',
        '---------------  --',
        'Žluťoučký         1',
        'E\u0301lan             10',
        '[U+001B][31mred   2',
        'a[U+202E]b c      3',
        '',
      ].join('\n'),
    );
  });
});
