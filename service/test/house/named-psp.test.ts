// A cluster runs a statement where a PSP's rows are if it sees in each part of it which PSP that is. It does not follow the
// PSP of an outer row into what is looked up for each row; found by running the service on one.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { records } from '../../src/records/index.ts';
import { readSources, serviceRoot } from './sources.ts';

/** The texts in parentheses after these words. */
function bodiesAfter(sql: string, words: RegExp): string[] {
  return [...sql.matchAll(words)].map((m) => {
    const from = m.index + m[0].length;
    let depth = 1;
    let at = from;
    for (; at < sql.length && depth > 0; at++) depth += sql[at] === '(' ? 1 : sql[at] === ')' ? -1 : 0;
    return sql.slice(from, at - 1);
  });
}

const named = (sql: string) => sql.match(/psp_id = \$\d|\bofOnly\(/g)?.length ?? 0;
const names = (sql: string, alias: string) =>
  new RegExp(`\\b${alias}\\.psp_id = \\$\\d|ofOnly\\('${alias}\\.psp_id'|\\bof\\('${alias}'`).test(sql);

/** @returns what is wrong with a statement, or part of one */
function faults(sql: string): string[] {
  const joined = bodiesAfter(sql, /\bEXISTS\s*\(/g)
    .filter((b) => /\bJOIN\b/.test(b) && named(b) < (b.match(/\b(?:FROM|JOIN)\b/g)?.length ?? 0))
    .map(() => 'joins tables for each row, without the PSP of each');
  const locking = /\bFOR (?:NO KEY )?(?:UPDATE|SHARE)\b/.test(sql)
    ? bodiesAfter(sql, /\bEXISTS\s*\(/g)
        .filter((b) => b.includes('psp_id') && named(b) === 0)
        .map(() => 'locks rows by what it looks up for each, without the PSP of that')
    : [];
  const outer = [...sql.matchAll(/\b(\w+)\.psp_id = (\w+)\.psp_id/g)]
    .filter(([, own = '', of = '']) => {
      const isRead = new RegExp(`\\bFROM\\s+(?!accounts\\b)\\S+\\s+(?:AS )?${own}\\b`).test(sql);
      const isHere = new RegExp(`[\\w})]\\s+(?:AS )?${of}\\b(?!\\.)`).test(sql);
      return isRead && !isHere && !names(sql, own);
    })
    .map(([, own = '', of = '']) => `takes the PSP of ${own} from ${of}, which is not in this text`);
  return [...joined, ...locking, ...outer];
}

/** Of one line: rows are locked there, whichever PSP has them. */
const locksAny = /\bFROM (\w+)\b(?!.*\bpsp_id\b).*\bFOR (?:NO KEY )?(?:UPDATE|SHARE)\b/g;

const others: Readonly<Record<string, string>> = {
  'modules/telecom/analysis/analysis.ts': 'heads are part of the statement: only the journal is a table there',
  'modules/authorities/overseen-store.ts':
    'of all PSPs that an authority oversees; api/authorities.test.ts was run on a cluster',
};

describe('a statement', () => {
  it('names the PSP in what it looks up for each row', () => {
    const found = readSources().sources.flatMap(({ path, text }) =>
      [...text.matchAll(/`((?:[^`\\]|\\.)*)`/g)]
        .map((m) => m[1] as string)
        .filter((sql) => /\bSELECT\b/.test(sql) && sql.includes('psp_id'))
        .flatMap((sql) => faults(sql).map((f) => ({ path, f }))),
    );
    expect(found.filter(({ path }) => !(path in others))).toEqual([]);
    expect(Object.keys(others).filter((path) => !found.some((f) => f.path === path))).toEqual([]);
  });

  it('of a test names the PSP whose rows it locks, unless each server has them', () => {
    const copied = records.filter((r) => 'everywhere' in r).map((r): string => r.table);
    const folder = join(serviceRoot, 'test');
    const found = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((f) => f.endsWith('.ts'))
      .flatMap((f) =>
        readFileSync(join(folder, f), 'utf8')
          .matchAll(locksAny)
          .map((m) => [f, m[1] ?? ''])
          .toArray(),
      )
      .filter(([, table = '']) => !copied.includes(table));
    expect(found).toEqual([]);
  });

  it.each([
    [
      'SELECT k.o FROM unnest($1) k JOIN wagers w ON w.psp_id = k.p WHERE NOT EXISTS (SELECT FROM lookups a JOIN lookups b ON b.psp_id = k.p WHERE a.psp_id = k.p)',
      1,
    ],
    [
      'SELECT EXISTS (SELECT FROM cdr_withdrawals w WHERE w.psp_id = c.psp_id AND w.id = c.id) FROM cdrs c WHERE c.psp_id = $1 FOR UPDATE',
      1,
    ],
    ['SELECT j.body FROM journal j WHERE j.psp_id = t.psp_id AND j.resource_id = t.account_id', 1],
    ['SELECT j.body FROM journal j WHERE j.psp_id = $1 AND j.resource_id = t.account_id', 0],
    ['SELECT t.id FROM refs r JOIN transactions t ON t.psp_id = r.psp_id WHERE r.psp_id = $1', 0],
    ['SELECT 1 WHERE EXISTS (SELECT FROM chargebacks c JOIN disputes d ON d.psp_id = $1 WHERE c.psp_id = $1)', 0],
  ])('would be found: %j', (sql, count) => expect(faults(sql)).toHaveLength(count));
});
