// A read that PostgreSQL ends to resolve a deadlock has done nothing: it is sent once more, and if that fails too the
// caller is told to repeat the request, instead of being told of a fault.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faultRefusal } from '../../src/adapters/http/fault-refusal.ts';
import { gaveWay } from '../../src/platform/database-away.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { issueKey } from '../support/guarantees.ts';
import { until } from './support/conditions.ts';

let t: TestApp;
let psp: Account;
beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
});
afterAll(() => t?.stop());

const waiting = async (table: string): Promise<boolean> => {
  const [r] = await t.database.admin.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM pg_locks l JOIN pg_database d ON d.oid = l.database AND d.datname = current_database()
     WHERE NOT l.granted AND l.relation = $1::regclass AND l.mode = $2`,
    [table, 'AccessShareLock'],
  );
  return (r?.n ?? 0) > 0;
};

/** The answer to a request whose read of its key was the victim; undefined if this session was. */
async function readInDeadlock() {
  // Nobody has read this key yet. Its statement takes api_keys, then accounts.
  const { apiKey } = await issueKey(t, psp);
  let asked: ReturnType<TestApp['get']> | undefined;
  try {
    await t.database.admin.transaction(async (tx) => {
      await tx.query('LOCK TABLE accounts IN ACCESS EXCLUSIVE MODE');
      asked = t.get('/v1/tax/rates?country=NG', apiKey);
      await until('the read waits', () => waiting('accounts'));
      // Who waited first looks first whether there is a deadlock, and gives way.
      await tx.query('LOCK TABLE api_keys IN ACCESS EXCLUSIVE MODE');
    });
  } catch (e) {
    if (!gaveWay(e)) throw e;
    await asked;
    return undefined;
  }
  return asked;
}

describe('the victim of a deadlock', () => {
  it('is asked again while a key is read, and the request answered', async () => {
    // Of the two PostgreSQL ends whoever looks while there is a deadlock: on a busy machine that may be this session.
    let answer = await readInDeadlock();
    for (let tries = 1; answer === undefined && tries < 20; tries++) answer = await readInDeadlock();
    expect([answer?.status, answer?.text.slice(0, 15)]).toEqual([200, '{"success":true']);
    const [r] = await t.database.admin.query<{ n: number }>(
      'SELECT deadlocks::int AS n FROM pg_stat_database WHERE datname = current_database()',
    );
    expect(r?.n).toBeGreaterThan(0);
  });

  it.each(['40P01', '40001'])('is no fault if it fails again (%s)', (code) => {
    const e = Object.assign(new Error('deadlock detected'), { code });
    expect([gaveWay(e), gaveWay(new Error('while reading', { cause: e })), gaveWay(new Error('else'))]).toEqual([
      true,
      true,
      false,
    ]);
    expect(faultRefusal(e, 1)).toMatchObject({ code: 'UNKNOWN_OUTCOME', retryAfterS: 1 });
  });
});
