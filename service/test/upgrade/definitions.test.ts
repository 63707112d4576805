// The definitions of records compared with a real database: a start reports differences, and values that are read have
// the types of the definitions.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ColumnType } from '../../src/records/column.ts';
import { records } from '../../src/records/index.ts';
import { tableOf } from '../../src/records/table.ts';
import { makeDatabase, makeTestApp, type TestDatabase } from '../support/app.ts';
import { aCall } from '../support/calls.ts';
import { analysed } from '../support/cdr-analysis.ts';
import { contentOf } from '../support/guarantees.ts';

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

describe('an analysis of call detail records', () => {
  it('is compared at the start as records are', async () => {
    await database.admin.query(
      'ALTER TABLE cdr_analyses DROP COLUMN withdrawn_in; ALTER TABLE cdr_totals ALTER COLUMN records TYPE numeric',
    );
    await expect(makeTestApp({ database })).rejects.toThrow(
      /: cdr_analyses has no column withdrawn_in; cdr_totals\.records is numeric, not int8$/,
    );
  });

  it('is written to tables that a newer version gave columns', async () => {
    const t = await makeTestApp({ database });
    try {
      await database.admin.query('ALTER TABLE cdr_analyses ADD COLUMN more text');
      await database.admin.query('ALTER TABLE cdr_totals ADD COLUMN more text');
      const psp = await t.makePsp();
      contentOf(await t.post('/v1/telecom/recordCDR', { ...aCall, cdr_id: 'CDR-1' }, psp.apiKey));
      await analysed(t, psp);
      expect(await database.admin.query('SELECT more FROM cdr_analyses')).toEqual([{ more: null }]);
      expect((await database.admin.query('SELECT 1 FROM cdr_totals')).length).toBeGreaterThan(0);
    } finally {
      await t.stop();
    }
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
    for (const definition of records) expect(await tableOf(definition).read(database.admin, 'LIMIT 0')).toEqual([]);
  });
});
