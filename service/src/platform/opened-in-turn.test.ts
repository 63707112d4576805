// Connections are opened one after another: a rush of short statements opens few, long ones get one each, and nobody waits for
// a server that opens none.
import { afterAll, describe, expect, inject, it } from 'vitest';
import { inDatabase } from '../../test/support/database.ts';
import { Pool } from './database.ts';
import { makeLog } from './log.ts';
import { OpenedInTurn } from './opened-in-turn.ts';

const log = makeLog('silent');
const pools: Pool[] = [];
const poolTo = (url: string, max: number) => {
  const pool = new Pool(url, { max, log, connectMs: 30_000 });
  pools.push(pool);
  return pool;
};
afterAll(() => Promise.all(pools.map((p) => p.end())));
const server = () => inDatabase(inject('serverUrl'), 'postgres');
const pidsOf = async (answers: Promise<{ pid: number }[]>[]) =>
  new Set((await Promise.all(answers)).map((rows) => rows[0]?.pid)).size;

describe('a pool', () => {
  it('opens a connection for each of as many long statements as it may have', async () => {
    const pool = poolTo(server(), 4);
    // Each waits for the others: with fewer connections none would end.
    const together = `SELECT pg_backend_pid() AS pid FROM (SELECT pg_advisory_lock_shared(77, 4)) l, pg_sleep_until_four() s`;
    await pool.query(
      `CREATE OR REPLACE FUNCTION pg_sleep_until_four() RETURNS int LANGUAGE plpgsql AS $$
       BEGIN
         LOOP
           EXIT WHEN (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND classid = 77 AND objid = 4 AND granted) >= 4;
           PERFORM pg_sleep(0.02);
         END LOOP;
         RETURN 1;
       END $$`,
    );
    expect(await pidsOf(Array.from({ length: 4 }, () => pool.query<{ pid: number }>(together)))).toBe(4);
    await pool.query('DROP FUNCTION pg_sleep_until_four()');
  });

  it('answers all of a rush, also one in which each needs a second connection', async () => {
    const pool = poolTo(server(), 6);
    const rush = Array.from({ length: 200 }, () => pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid'));
    expect(await pidsOf(rush)).toBeLessThanOrEqual(6);
    const nested = Array.from({ length: 3 }, () =>
      pool.transaction(async (tx) => [...(await tx.query('SELECT 1')), ...(await pool.query('SELECT 2'))]),
    );
    expect((await Promise.all(nested)).map((rows) => rows.length)).toEqual([2, 2, 2]);
  });

  it('goes on after statements that failed, and after connections that were lost', async () => {
    const pool = poolTo(server(), 2);
    for (let i = 0; i < 5; i++) {
      await expect(pool.query('SELECT 1 / 0')).rejects.toThrow('division by zero');
      await expect(pool.query('SELECT pg_terminate_backend(pg_backend_pid())')).rejects.toThrow();
    }
    expect(await Promise.all(Array.from({ length: 8 }, () => pool.query('SELECT 1 AS n')))).toHaveLength(8);
  });

  it('has everybody know at once that nothing answers', async () => {
    const pool = poolTo('postgres://nobody@127.0.0.1:9/none', 3);
    const asked = await Promise.allSettled(Array.from({ length: 20 }, () => pool.query('SELECT 1')));
    expect(asked.map((a) => a.status)).toEqual(Array(20).fill('rejected'));
  });
});

describe('turns', () => {
  it('are had by one more than connections are open', async () => {
    const turns = new OpenedInTurn();
    expect(turns.begin()).toBeUndefined();
    const began: string[] = [];
    const wait = (name: string) => turns.begin()?.then(() => began.push(name));
    const waiting = [wait('second'), wait('third')];
    await Promise.resolve();
    expect(began).toEqual([]);
    turns.opened();
    await Promise.resolve();
    expect(began).toEqual(['second']);
    turns.end();
    await Promise.all(waiting);
    expect(began).toEqual(['second', 'third']);
  });

  it('are given to all who wait where a further connection could not be opened, and to none where the first could not', async () => {
    const turns = new OpenedInTurn();
    turns.begin();
    const refused = turns.begin();
    turns.failed(new Error('nothing answers'));
    turns.end();
    await expect(refused).rejects.toThrow('nothing answers');
    turns.end();
    expect(turns.begin()).toBeUndefined();
    turns.opened();
    turns.begin();
    const [a, b] = [turns.begin(), turns.begin()];
    turns.failed(new Error('too many connections'));
    turns.end();
    await expect(Promise.all([a, b])).resolves.toEqual([undefined, undefined]);
  });
});
