// What asking the database leaves behind in memory.
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
  ['transaction', (b: Buffer) => pool.transaction((tx) => tx.query(statement, [b]))],
] as const)('what %s has sent does not wait for a collection of the whole heap', async (_, ask) => {
  await ask(Buffer.alloc(bytes));
  young();
  const before = process.memoryUsage().arrayBuffers;
  for (let i = 0; i < 16; i++) expect(await ask(Buffer.alloc(bytes))).toEqual([{ n: bytes }]);
  young();
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 * bytes);
});
