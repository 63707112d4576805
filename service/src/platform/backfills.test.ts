// A backfill processes each row once, however often its processes are killed and however many run it.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../../test/durability/support/conditions.ts';
import { makeDatabase, type TestDatabase } from '../../test/support/app.ts';
import { type Backfill, Backfills } from './backfills.ts';
import { BackgroundPauses } from './background-pauses.ts';
import { makeLog } from './log.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await makeDatabase();
  await database.admin.query('CREATE TABLE seen (backfill text, n integer)');
});
afterAll(() => database.drop());

const steps = 40;
/** Records each number up to forty. @param before called at each step, to inject failures */
const counting = (name: string, before: (n: number) => void = () => undefined): Backfill => ({
  name,
  async step(tx, reached) {
    const n = Number(reached) + 1;
    if (n > steps) return undefined;
    await tx.query('INSERT INTO seen (backfill, n) VALUES ($1, $2)', [name, n]);
    before(n);
    return String(n);
  },
});
const run = (backfill: Backfill) => {
  const made = new Backfills({
    pool: database.admin,
    log: makeLog('silent'),
    backgroundPauses: new BackgroundPauses(() => 0),
    backfills: [backfill],
  });
  made.start();
  return made;
};
const ended = (name: string) =>
  until(`${name} has ended`, async () => {
    const [row] = await database.admin.query<{ ended: boolean }>('SELECT ended FROM backfills WHERE name = $1', [name]);
    return row?.ended;
  });
const seen = async (name: string) =>
  (await database.admin.query<{ n: number }>('SELECT n FROM seen WHERE backfill = $1 ORDER BY n', [name])).map(
    (r) => r.n,
  );
const each = Array.from({ length: steps }, (_, i) => i + 1);

it('continues where another process was killed, and does no step twice', async () => {
  const name = 'killed';
  let reached = 0;
  const first = run(
    counting(name, (n) => {
      reached = n;
      if (n === 7) throw new Error('killed');
    }),
  );
  await until('it was killed', () => reached === 7);
  await first.stop();
  expect(await seen(name)).toEqual(each.slice(0, 6));
  const second = run(counting(name));
  await ended(name);
  await second.stop();
  expect(await seen(name)).toEqual(each);
});

it('is done once by several processes', async () => {
  const name = 'several';
  const processes = [run(counting(name)), run(counting(name)), run(counting(name))];
  await ended(name);
  await Promise.all(processes.map((p) => p.stop()));
  expect(await seen(name)).toEqual(each);
});

it('is not begun again after its end', async () => {
  const name = 'once';
  await run(counting(name)).stop();
  const first = run(counting(name));
  await ended(name);
  await first.stop();
  let asked = false;
  const later = run({ name, step: async () => void (asked = true) });
  // If one after it ran in the same pass, the first was skipped.
  const other = run(counting('after once'));
  await ended('after once');
  await Promise.all([later.stop(), other.stop()]);
  expect([asked, await seen(name)]).toEqual([false, each]);
});
