// Two versions work on one database during an upgrade: a migration may only remove what the previous release no longer
// used. A column is added in one release and dropped, renamed or made stricter in a later one at the earliest.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { serviceRoot } from './sources.ts';

const folder = join(serviceRoot, 'migrations');
/** Their data is kept for the tests of upgrades. */
const releases = readdirSync(join(serviceRoot, 'test', 'upgrade', 'fixtures'));

/** Statements that an earlier version may not get over. */
const contracting =
  /\bDROP\s+(?:COLUMN|TABLE)\b|\bRENAME\b|\bSET\s+NOT\s+NULL\b|\bALTER\s+COLUMN\s+\w+\s+(?:SET\s+DATA\s+)?TYPE\b|\bADD\s+COLUMN\s+(?:(?!DEFAULT)[^,;])*\bNOT\s+NULL(?![^,;]*\bDEFAULT\b)/i;
const withoutComments = (sql: string) => sql.replaceAll(/--.*$/gm, '');
/** @returns what is wrong */
function fault(sql: string): string | undefined {
  if (!contracting.test(withoutComments(sql))) return undefined;
  const since = /^-- contract since (\d+\.\d+\.\d+):/m.exec(sql)?.[1];
  if (since === undefined) return 'takes something away and does not say which release does without it';
  return releases.includes(since) ? undefined : `is to come after the release ${since}`;
}

describe('a migration', () => {
  it('takes away only what a release before did without, and says which', () => {
    const faults = readdirSync(folder)
      .filter((f) => f.endsWith('.sql'))
      .flatMap((f) => fault(readFileSync(join(folder, f), 'utf8')) ?? []);
    expect(faults).toEqual([]);
  });

  it.each([
    'ALTER TABLE a DROP COLUMN b;',
    'ALTER TABLE a RENAME COLUMN b TO c;',
    'ALTER TABLE a ALTER COLUMN b TYPE bigint;',
    'ALTER TABLE a ALTER COLUMN b SET NOT NULL;',
    'ALTER TABLE a ADD COLUMN b text NOT NULL, ADD COLUMN c integer DEFAULT 0;',
    'DROP TABLE a;',
  ])('that does %j is found', (sql) => {
    expect(fault(sql)).toMatch(/does not say/);
    expect(fault(`-- contract since 99.0.0: nobody reads it\n${sql}`)).toMatch(/after the release 99\.0\.0/);
    expect(fault(`-- contract since ${releases[0]}: nobody reads it\n${sql}`)).toBeUndefined();
  });

  it.each([
    'ALTER TABLE a ADD COLUMN b text;',
    'ALTER TABLE a ADD COLUMN b integer NOT NULL DEFAULT 0;',
    'CREATE TABLE a (b text NOT NULL);',
    '-- DROP TABLE a\nSELECT 1',
  ])('that does %j is not', (sql) => expect(fault(sql)).toBeUndefined());
});

/** From here on clusters that are in use are migrated too. */
const onClusters = '0200';
/** A column with a constraint of no name, which a cluster refuses: ADD CONSTRAINT gives it one. */
const unnamed = /\bADD\s+COLUMN\s+(?:[^,;()]|\([^()]*\))*\b(?:CHECK|UNIQUE|PRIMARY\s+KEY|REFERENCES)\b/i;

describe('a migration of a cluster', () => {
  it('adds columns without a constraint in the same command', () => {
    const faults = readdirSync(folder).filter(
      (f) => f >= onClusters && unnamed.test(withoutComments(readFileSync(join(folder, f), 'utf8'))),
    );
    expect(faults).toEqual([]);
  });

  it.each([
    ["ALTER TABLE a ADD COLUMN b text NOT NULL DEFAULT 'x' CHECK (b IN ('x', 'y')), ADD COLUMN c text;", true],
    ['ALTER TABLE a ADD COLUMN b numeric(3, 2), ADD COLUMN c uuid UNIQUE;', true],
    ['ALTER TABLE a ADD COLUMN b text; ALTER TABLE a ADD CONSTRAINT c CHECK (b <> 1);', false],
    ['ALTER TABLE a ADD COLUMN b text; CREATE UNIQUE INDEX i ON a (b);', false],
  ])('would be found: %j', (sql, found) => expect(unnamed.test(sql)).toBe(found));
});
