// A migration on a cluster is sent statement by statement; a semicolon within a text, a body or a comment ends none.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { knownMigrations } from './migrate.ts';
import { statementsOf } from './sql-statements.ts';

it.each<[string, string[]]>([
  ['SELECT 1;SELECT 2', ['SELECT 1', 'SELECT 2']],
  ["SELECT ';', 'it''s; one';\n", ["SELECT ';', 'it''s; one'"]],
  ['SELECT ";" FROM "a;b"; SELECT 1 - 1 / 2', ['SELECT ";" FROM "a;b"', 'SELECT 1 - 1 / 2']],
  ['DO $$ BEGIN a; b; END $$; SELECT 1', ['DO $$ BEGIN a; b; END $$', 'SELECT 1']],
  ['DO $x$ a; $$ ; $$ $x$;SELECT $1', ['DO $x$ a; $$ ; $$ $x$', 'SELECT $1']],
  ['-- first; of all\nSELECT 1; -- and; last', ['-- first; of all\nSELECT 1']],
  ["/* it's; nothing */ SELECT 1", ["/* it's; nothing */ SELECT 1"]],
  ["-- it's nothing", []],
])('%j is %j', (sql, statements) => expect(statementsOf(sql)).toEqual(statements));

it('each statement of each migration begins with a command', () => {
  const begins = knownMigrations().flatMap((name) =>
    statementsOf(readFileSync(join(import.meta.dirname, '../../migrations', name), 'utf8')).map(
      (s) => /^(\w+)/.exec(s.replaceAll(/^(?:\s*--[^\n]*\n?)+|^\s+/g, '').trim())?.[1],
    ),
  );
  const commands = [
    'ALTER',
    'COMMENT',
    'CREATE',
    'DELETE',
    'DO',
    'DROP',
    'GRANT',
    'INSERT',
    'LOCK',
    'REVOKE',
    'SELECT',
    'SET',
    'UPDATE',
    'WITH',
  ];
  expect([...new Set(begins)].filter((b) => !commands.includes(b as string))).toEqual([]);
});
