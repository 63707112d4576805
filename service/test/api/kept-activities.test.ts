// What the reader of the risk book keeps of activities between two readings: they are read again whenever somebody else may have
// changed them, and counts stay exact with two processes that read by turns.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decimal } from '../../src/core/money.ts';
import { bucketsWithin, count, newActivity, readActivity } from '../../src/core/risk/activity.ts';
import { activityName } from '../../src/core/risk/watch.ts';
import { KeptActivities } from '../../src/modules/risk/kept-activities.ts';
import { type ActivityKey, riskReader } from '../../src/modules/risk/watch-store.ts';
import { type Database, Pool } from '../../src/platform/database.ts';
import { makeLog } from '../../src/platform/log.ts';
import { type Account, makeDatabase, makeTestApp, type TestApp, type TestDatabase } from '../support/app.ts';
import { readersAtEnd } from '../support/journal.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await makeDatabase();
});
afterAll(() => database?.drop());

const at = Date.parse('2026-11-21T10:00:00Z');
const month = 30 * 86_400_000;
const countOf = (text: string, now: number) =>
  bucketsWithin(readActivity(text), '30d', now).reduce(
    (n, b) => n + [...b.cells.values()].reduce((m, c) => m + c.count, 0),
    0,
  );

describe('activities that were stored', () => {
  let pool: Pool;
  beforeAll(() => {
    pool = new Pool(database.url, { max: 2, log: makeLog('silent') });
  });
  afterAll(() => pool?.end());
  const psp = '0193fb1e-8a00-7000-8000-000000000001';
  const keys: ActivityKey[] = ['a', 'b'].map((key) => ({ psp, of: 'client', key }));
  const journal = (from: number, to: number) => [{ psp, entries: [], between: { from, to } }];

  /** Counts one record of each key, as the reader does. @returns how many activities were read from the database */
  async function read(kept: KeptActivities, journals: Parameters<KeptActivities['load']>[1], fails = false) {
    let found = 0;
    const watched = (tx: Database): Database => ({
      query: async <R extends object>(text: string, values?: readonly unknown[]) => {
        const rows = await tx.query<R>(text, values);
        if (text.includes('JOIN risk_activity')) found += rows.length;
        return rows;
      },
      afterCommit: (act) => tx.afterCommit?.(act),
    });
    const done = pool.transaction(async (tx) => {
      const { activities, store } = await kept.load(watched(tx), journals, keys);
      for (const k of keys) {
        const name = activityName(psp, k.of, k.key);
        const a = activities.get(name) ?? newActivity(at);
        activities.set(name, a);
        count(a, { kind: 'verifyTransaction', at, amount: decimal('1.5'), currency: 'NGN' }, []);
      }
      await store();
      if (fails) throw new Error('it could not be committed');
    });
    await (fails ? expect(done).rejects.toThrow('it could not be committed') : done);
    return found;
  }
  const stored = async () =>
    (await pool.query<{ state: string }>('SELECT state FROM risk_activity WHERE psp_id = $1', [psp])).map((r) =>
      countOf(r.state, at),
    );

  it('are not read again by the reader that goes on where it stopped', async () => {
    const kept = new KeptActivities();
    expect(await read(kept, journal(0, 4))).toBe(0);
    expect(await read(kept, journal(4, 9))).toBe(0);
    expect(await read(kept, journal(9, 10))).toBe(0);
    expect(await stored()).toEqual([3, 3]);
  });

  it('are read again once another process has read on', async () => {
    const [mine, others] = [new KeptActivities(), new KeptActivities()];
    expect(await read(mine, journal(10, 12))).toBe(2);
    expect(await read(others, journal(12, 13))).toBe(2);
    expect(await read(mine, journal(13, 14))).toBe(2);
    expect(await read(mine, journal(14, 15))).toBe(0);
    expect(await stored()).toEqual([7, 7]);
  });

  it('are as they were if a reading was not committed', async () => {
    const kept = new KeptActivities();
    await read(kept, journal(15, 16));
    await read(kept, journal(16, 17), true);
    expect(await read(kept, journal(16, 18))).toBe(0);
    expect(await stored()).toEqual([9, 9]);
  });

  it('are read while an entry is set aside, which any process may read later without moving a cursor', async () => {
    const [mine, others] = [new KeptActivities(), new KeptActivities()];
    await read(mine, journal(18, 19));
    await pool.query("INSERT INTO journal_set_aside (psp_id, reader, seq, error) VALUES ($1, $2, 3, 'broken')", [
      psp,
      riskReader,
    ]);
    expect(await read(mine, journal(19, 20))).toBe(2);
    await pool.query('DELETE FROM journal_set_aside');
    expect(await read(others, [{ psp, entries: [] }])).toBe(2);
    expect(await read(mine, journal(20, 21))).toBe(2);
    expect(await stored()).toEqual([13, 13]);
  });
});

it('each sale is counted once, with two processes that read the same journals', async () => {
  const env = { ASSAY_MASTER_KEY: '5d'.repeat(32) };
  const apps: TestApp[] = [await makeTestApp({ database, env })];
  apps.push(await makeTestApp({ database, env }));
  const [first] = apps as [TestApp, TestApp];
  const psps = [await first.makePsp(), await first.makePsp()];
  const clients: Account[] = [];
  for (let i = 0; i < 8; i++) clients.push(await first.makeClient(psps[i % 2] as Account));
  let sold = 0;
  for (let round = 0; round < 20; round++)
    await Promise.all(
      apps.flatMap((app, n) =>
        clients.map(async (client, i) => {
          if ((round + i + n) % 3 === 0) return;
          const totalAmount = 100 + i;
          const body = {
            ref: `k-${++sold}`,
            totalAmount,
            currency: 'NGN',
            countryCode: 'NG',
            paymentMethods: { card: totalAmount },
            transactionFee: 1,
          };
          const r = await app.post('/v1/transaction/verifyTransaction', body, client.apiKey);
          expect(r.status, r.text).toBe(200);
        }),
      ),
    );
  for (const app of apps) await readersAtEnd(app, [riskReader]);
  const ids = clients.map((c) => c.uuid);
  const rows = await database.admin.query<{ key: string; state: string }>(
    "SELECT key, state FROM risk_activity WHERE dimension = 'client' AND key = ANY ($1)",
    [ids],
  );
  const recorded = await database.admin.query<{ key: string; n: number }>(
    'SELECT account_id AS key, count(*)::int AS n FROM transactions WHERE account_id = ANY ($1::uuid[]) GROUP BY account_id',
    [ids],
  );
  const counted = rows.map((r) => [r.key, countOf(r.state, first.now() + month / 60)]);
  expect(Object.fromEntries(counted)).toEqual(Object.fromEntries(recorded.map((r) => [r.key, r.n])));
  expect(recorded.reduce((n, r) => n + r.n, 0)).toBe(sold);
  // The first one made the database's services; each stops its own.
  for (const app of apps.toReversed()) await app.app.stop();
});
