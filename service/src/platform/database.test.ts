// What database queries leave in memory, here and in the server.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { inDatabase } from '../../test/support/database.ts';
import { Pool } from './database.ts';
import { makeLog } from './log.ts';

const pool = new Pool(inDatabase(inject('serverUrl'), 'postgres'), {
  max: 1,
  waitMs: 30_000,
  log: makeLog('silent'),
});
afterAll(() => pool.end());

let young: () => void;
beforeAll(() => {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as (how?: { type: 'minor' }) => void;
  setFlagsFromString('--no-expose-gc');
  gc();
  young = () => {
    for (let i = 0; i < 4; i++) gc({ type: 'minor' });
  };
});

const bytes = 1 << 20;
const statement = 'SELECT length($1::bytea) AS n';

it.each([
  ['query', (b: Buffer) => pool.query(statement, [b])],
  ['committing', (b: Buffer) => pool.committing('length', statement, [b])],
  ['prepared', (b: Buffer) => pool.prepared.query(statement, [b])],
  ['transaction', (b: Buffer) => pool.transaction((tx) => tx.query(statement, [b]))],
] as const)('what %s has sent does not wait for a collection of the whole heap', async (_, ask) => {
  const sent = 32;
  const keptOfAll = async () => {
    await ask(Buffer.alloc(bytes));
    young();
    const before = process.memoryUsage().arrayBuffers;
    for (let i = 0; i < sent; i++) expect(await ask(Buffer.alloc(bytes))).toEqual([{ n: bytes }]);
    young();
    return process.memoryUsage().arrayBuffers - before;
  };
  // A collection during a statement keeps what it sends; on a busy machine that may be each of them once, but not each time.
  const most = (sent - 4) * bytes;
  let kept = await keptOfAll();
  for (let again = 0; kept >= most && again < 2; again++) kept = await keptOfAll();
  expect(kept).toBeLessThan(most);
});

const prepared = async () =>
  (await pool.query<{ statement: string }>('SELECT statement FROM pg_prepared_statements')).map((r) => r.statement);

it('a prepared statement is parsed once by a connection, however often it is asked, and each text has its own', async () => {
  const texts = ['SELECT $1::int + 1 AS n', 'SELECT $1::int + 2 AS n'];
  for (let i = 0; i < 20; i++)
    for (const [k, text] of texts.entries()) {
      expect(await pool.prepared.query(text, [i])).toEqual([{ n: i + 1 + k }]);
      expect(await pool.prepared.transaction((tx) => tx.query(text, [i]))).toEqual([{ n: i + 1 + k }]);
    }
  expect((await prepared()).filter((s) => texts.includes(s)).toSorted()).toEqual(texts);
  await pool.query('SELECT $1::int + 3 AS n', [1]);
  expect(await prepared()).not.toContain('SELECT $1::int + 3 AS n');
});

it('a prepared statement whose table was changed is asked anew on another connection', async () => {
  const text = 'SELECT * FROM changed_under_it WHERE a = $1';
  await pool.query('DROP TABLE IF EXISTS changed_under_it');
  await pool.query('CREATE TABLE changed_under_it (a int)');
  await pool.query('INSERT INTO changed_under_it VALUES (1)');
  expect(await pool.prepared.query(text, [1])).toEqual([{ a: 1 }]);
  await pool.query("ALTER TABLE changed_under_it ADD COLUMN b text DEFAULT 'new'");
  await pool.prepared.query(text, [1]).catch(() => undefined);
  expect(await pool.prepared.query(text, [1])).toEqual([{ a: 1, b: 'new' }]);
  await pool.query('DROP TABLE changed_under_it');
});

it('texts made up without end do not fill the server with prepared statements', async () => {
  for (let i = 0; i < 700; i++)
    expect(await pool.prepared.query(`SELECT $1::int + ${i} AS n`, [1])).toEqual([{ n: i + 1 }]);
  expect((await prepared()).length).toBeLessThanOrEqual(500);
});
