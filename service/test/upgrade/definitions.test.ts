// The definitions of records against a real database: a start says where the two differ, and what is read is of the types
// that the definitions give.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ColumnType } from '../../src/records/define.ts';
import { records } from '../../src/records/index.ts';
import { tableOf } from '../../src/records/table.ts';
import { makeDatabase, makeTestApp, type TestDatabase } from '../support/app.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await makeDatabase();
});
afterEach(() => database.drop());

describe('a start', () => {
  it('names each column whose type, place or obligation is not what its definition says, in one line', async () => {
    await database.admin.query(
      'ALTER TABLE reviews ALTER COLUMN version TYPE bigint, ALTER COLUMN findings DROP NOT NULL',
    );
    await database.admin.query('ALTER TABLE transaction_revisions ALTER COLUMN reason TYPE uuid USING NULL');
    await expect(makeTestApp({ database })).rejects.toThrow(
      /^the database is not what this version writes: transaction_revisions\.reason is uuid, not text; reviews\.findings takes null; reviews\.version is int8, not int4$/,
    );
  });
});

describe('what is read', () => {
  it('is of the type that a definition gives: exact amounts, days and times as text, numbers as numbers', async () => {
    const expected: Record<ColumnType, unknown> = {
      uuid: '0192d3a0-0000-7000-8000-000000000001',
      text: 'a',
      int4: 7,
      int8: 9007199254740991,
      numeric: '0.100000000000000000000000000001',
      timestamptz: '2026-11-23T01:02:03.004Z',
      date: '2026-03-29',
      bool: true,
    };
    const literals = Object.entries(expected).map(([type, v]) => `'${v}'::${type} AS "${type}"`);
    expect(await database.admin.query(`SELECT ${literals.join(', ')}`)).toEqual([expected]);
  });

  it('can be read of every kind of record, by all of its columns', async () => {
    for (const definition of records) expect(await tableOf(definition).read(database.admin, 'LIMIT 1')).toEqual([]);
  });
});
