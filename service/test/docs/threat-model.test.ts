// The threat model names the test behind each statement: a test of exactly that name must exist.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const folder = join(import.meta.dirname, '../../../docs/reference');
const page = readFileSync(join(folder, 'threat-model.md'), 'utf8');
const rows = page.split('\n').filter((line) => /^\| \d+ \|/.test(line));
const testsOf = (text: string) =>
  [...text.matchAll(/\[([^\]]+)\]\(([^)]+\.test\.ts)\)/g)].map((m) => [m[1], m[2]] as [string, string]);

describe('the threat model', () => {
  it('has the ten statements, each with tests', () => {
    expect(rows.map((r) => Number(r.split('|')[1]))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(rows.filter((r) => testsOf(r).length < 2)).toEqual([]);
  });

  it.each(testsOf(page))('names a test that is there: %s', (title, path) => {
    expect(existsSync(join(folder, path)), path).toBe(true);
    // Titles in quotes of any kind, with what the quotes make it write.
    const text = readFileSync(join(folder, path), 'utf8').replaceAll("\\'", "'");
    expect(
      ["'", '"', '`'].some((q) => text.includes(`${q}${title}${q}`)),
      title,
    ).toBe(true);
  });

  it('leads from each boundary to a statement', () => {
    const named = [...page.matchAll(/^\|[^|]*\| [STRIDE, ]+:[^|]*\|[^|]*\|([^|]*)\|$/gm)].map((m) => m[1] as string);
    expect(named.length).toBeGreaterThan(10);
    for (const cell of named) expect(cell.trim()).toMatch(/^\d+(, \d+)*$/);
  });
});
