// Benchmark of the cost of journal readers for decisions: one server alternates between three seconds with all readers
// and three seconds without some. Each ratio compares neighbouring turns of the same process, so that slow moments of
// the machine affect both; the median of many ratios is printed.
import { Pool } from '../service/src/platform/database.ts';
import { caughtUp } from './readers.ts';
import { load, log, option, prepare, type Result, serve, stopPostgres } from './stage.ts';

const rounds = option('rounds', 12);
const how = { connections: option('connections', 64), seconds: option('seconds', 3), warmSeconds: option('warm', 0.5) };

const place = await prepare('bench_readers');
const pool = new Pool(place.url, { max: 3, log });

/** Locks the cursors of readers, which stops the server's own readers meanwhile. */
const holdingBack = <T>(readers: readonly string[], work: () => Promise<T>): Promise<T> =>
  pool.transaction(async (tx) => {
    await tx.query('SELECT 1 FROM journal_cursors WHERE reader = ANY ($1) FOR UPDATE', [readers]);
    return work();
  });

const cpuUs = (r: Result) => (r.nodeUs as number) + (r.postgresUs as number);
const at = (xs: readonly number[], q: number) =>
  xs.toSorted((x, y) => x - y)[Math.round((xs.length - 1) * q)] as number;

const compared = [['seal'], ['daily-totals'], ['reviews'], ['seal', 'daily-totals', 'reviews']].map((without) => ({
  without,
  ratios: [] as number[],
  moreUs: [] as number[],
}));

await serve('real', place, async (port, pid) => {
  const turn = async (without: readonly string[]): Promise<Result> => {
    const result = await holdingBack(without, () => load(port, pid, place.apiKey, how));
    // Unread entries must not slow the next turn.
    await caughtUp(pool);
    return result;
  };
  // A new process first compiles its code.
  for (let i = 0; i < 3; i++) await turn([]);
  for (let round = 0; round < rounds; round++)
    for (const { without, ratios, moreUs } of compared) {
      // The order alternates.
      const first = await turn(round % 2 === 0 ? [] : without);
      const second = await turn(round % 2 === 0 ? without : []);
      const [all, less] = round % 2 === 0 ? [first, second] : [second, first];
      ratios.push(all.perSecond / less.perSecond);
      moreUs.push(cpuUs(all) - cpuUs(less));
    }
});
for (const { without, ratios, moreUs } of compared)
  console.log(
    `all readers / without ${without.join(' and ').padEnd(16)} ${at(ratios, 0.5).toFixed(2)}   quartiles ${at(ratios, 0.25).toFixed(2)} to ${at(ratios, 0.75).toFixed(2)} of ${ratios.length}   ${at(moreUs, 0.5).toFixed(0)} µs CPU more per decision`,
  );
console.log('to reach: all readers / without seal 0.95');
await pool.end();
await stopPostgres();
