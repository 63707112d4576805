// Jobs at set times where the clock of the machine is set: what was missed is done once, and nothing waits for a time that a
// wrong clock showed.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Pool } from '../src/platform/database.ts';
import { Jobs } from '../src/platform/jobs.ts';
import { makeLog } from '../src/platform/log.ts';
import { until } from './durability/support/conditions.ts';
import { makeDatabase } from './support/app.ts';
import { connectMs } from './support/database.ts';

const minute = 60_000;
const year = 365 * 24 * 60 * minute;

let database: Awaited<ReturnType<typeof makeDatabase>>;
let pool: Pool;
beforeAll(async () => {
  database = await makeDatabase();
  pool = new Pool(database.url, { max: 4, log: makeLog('silent'), connectMs });
});
afterAll(async () => {
  await pool?.end();
  await database?.drop();
});

let setByMs: number;
let runs: number;
let jobs: Jobs;
const wall = () => Date.now() + setByMs;
beforeEach(() => {
  setByMs = 0;
  runs = 0;
  // Due on one day in four years: no test meets its time.
  const job = { name: 'rare', cron: '0 0 29 2 *', run: async () => void runs++ };
  jobs = new Jobs(pool, makeLog('silent'), [job], [], { wall, monotonic: () => performance.now(), lookEveryMs: 20 });
});
afterEach(() => jobs.stop());

const waiting = async () =>
  (
    (
      await database.admin.query("SELECT count(*)::int AS n FROM graphile_worker.jobs WHERE task_identifier = 'rare'")
    )[0] as { n: number }
  ).n;
/** Queues what the time of a job queues. */
async function atTime(ms: number) {
  const payload = JSON.stringify({ _cron: { ts: new Date(ms).toISOString(), backfilled: false } });
  await database.admin.query("SELECT graphile_worker.add_job('rare', payload := $1::json, max_attempts := 1)", [
    payload,
  ]);
  await until('nothing waits', async () => (await waiting()) === 0);
}
const setLast = (ms: number) =>
  database.admin.query(
    `INSERT INTO graphile_worker._private_known_crontabs (identifier, known_since, last_execution) VALUES ('rare', now(), $1)
     ON CONFLICT (identifier) DO UPDATE SET last_execution = excluded.last_execution`,
    [new Date(ms).toISOString()],
  );
const last = async () =>
  (
    (
      await database.admin.query(
        "SELECT extract(epoch FROM last_execution)::float8 * 1000 AS at FROM graphile_worker._private_known_crontabs WHERE identifier = 'rare'",
      )
    )[0] as { at: number }
  ).at;

describe('jobs at set times', () => {
  it('run once for all the times that a clock set forward has skipped, and again at the next', async () => {
    await jobs.start();
    const now = wall();
    for (const ago of [3, 2, 1]) await atTime(now - ago * minute);
    expect(runs).toBe(1);
    await atTime(wall() + minute);
    expect(runs).toBe(2);
  });

  it('run at their times after a clock was set back, though they ran later by the clock before', async () => {
    await jobs.start();
    await atTime(wall());
    setByMs = -60 * minute;
    await atTime(wall());
    expect(runs).toBe(2);
  });

  it('do not wait for a time that a wrong clock showed before the start', async () => {
    await setLast(Date.now() + year);
    await jobs.start();
    expect(await last()).toBeLessThanOrEqual(Date.now());
  });

  it('begin again when the clock is set back, and run what is queued', async () => {
    setByMs = year;
    await jobs.start();
    await setLast(wall());
    setByMs = 0;
    await until('the time is forgotten', async () => (await last()) <= Date.now());
    await atTime(wall());
    expect(runs).toBe(1);
  });

  it('leave times alone that other clocks of the same minute showed', async () => {
    const ahead = Math.floor(Date.now() / 1000) * 1000 + 5 * minute;
    await setLast(ahead);
    await jobs.start();
    expect(Math.abs((await last()) - ahead)).toBeLessThan(1000);
  });
});
