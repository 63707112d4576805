// The benchmark of what the journal's readers cost a decision: one server takes turns of three seconds with all readers
// and with some held back. A ratio is of two neighbouring turns of the same process, so that neither the machine's slow
// spells nor the luck of a process fall on one side; the median of many is printed.
import { Pool } from '../service/src/platform/database.ts';
import { caughtUp } from './readers.ts';
import { load, log, option, prepare, type Result, serve, stopPostgres } from './stage.ts';

const rounds = option('rounds', 12);
const how = { connections: option('connections', 64), seconds: option('seconds', 3), warmSeconds: option('warm', 0.5) };

const place = await prepare('bench_readers');
const pool = new Pool(place.url, { max: 3, log });

/** Whoever holds the cursor reads the journal; the server's reader leaves it to them. */
const holdingBack = <T>(readers: readonly string[], work: () => Promise<T>): Promise<T> =>
  pool.transaction(async (tx) => {
    await tx.query('SELECT 1 FROM journal_cursors WHERE reader = ANY ($1) FOR UPDATE', [readers]);
    return work();
  });

const cpuUs = (r: Result) => (r.nodeUs as number) + (r.postgresUs as number);
const at = (xs: readonly number[], q: number) =>
  xs.toSorted((x, y) => x - y)[Math.round((xs.length - 1) * q)] as number;

const compared = [['seal'], ['totals'], ['reviews'], ['seal', 'totals', 'reviews']].map((without) => ({
  without,
  ratios: [] as number[],
  moreUs: [] as number[],
}));

await serve('real', place, async (port, pid) => {
  const turn = async (without: readonly string[]): Promise<Result> => {
    const result = await holdingBack(without, () => load(port, pid, place.apiKey, how));
    // What is left to be read must not fall on the next turn.
    await caughtUp(pool);
    return result;
  };
  // A new process first compiles what it runs.
  for (let i = 0; i < 3; i++) await turn([]);
  for (let round = 0; round < rounds; round++)
    for (const { without, ratios, moreUs } of compared) {
      // Either goes first every other time.
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
