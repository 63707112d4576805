// Benchmark of refs without order: verifyTransaction with refs that follow each other against random ones, by turns on one
// server whose PSP has ten million refs on record (`--rows`), random ones themselves. Each turn begins at a checkpoint, after
// which PostgreSQL logs whole pages: the worst case for random ones. Prints figures; never part of the tests.
import { Pool } from '../service/src/platform/database.ts';
import { caughtUp } from './readers.ts';
import { tell } from './row.ts';
import { compared, load, loadAsked, log, option, prepare, type Result, serve, show, stopPostgres } from './stage.ts';

const rows = option('rows', 10_000_000);
const rounds = option('rounds', 5);
const how = loadAsked(8, 2);

const place = await prepare('bench_refs');
const pool = new Pool(place.url, { max: 2, log });
await fill();
const ordered: Result[] = [];
const random: Result[] = [];
await serve('real', place, async (port, pid) => {
  await load(port, pid, place.apiKey, how);
  for (let i = 0; i < rounds; i++)
    for (const randomRefs of i % 2 === 0 ? [false, true] : [true, false]) {
      await caughtUp(pool);
      await pool.query('CHECKPOINT');
      const [before] = await pool.query<{ lsn: string }>('SELECT pg_current_wal_lsn() AS lsn');
      const r = await load(port, pid, place.apiKey, { ...how, randomRefs });
      const [wal] = await pool.query<{ bytes: string }>('SELECT pg_current_wal_lsn() - $1::pg_lsn AS bytes', [
        before?.lsn,
      ]);
      (randomRefs ? random : ordered).push(r);
      show(randomRefs ? 'random' : 'ordered', r, `, ${(Number(wal?.bytes) / r.sent).toFixed(0)} bytes of WAL`);
    }
});
const toOrdered = (of: (r: Result) => number | undefined) => compared(random, ordered, of);
tell({
  what: `verify with random refs to ordered ones, ${rows} on record`,
  value: toOrdered((r) => r.perSecond),
  atLeast: 0.9,
});
tell({ what: 'the same, processor time of PostgreSQL', value: toOrdered((r) => r.postgresUs) });
await pool.end();
await stopPostgres();

/** Adds random refs to the PSP's, with pages of the index as full as such refs leave them. */
async function fill(): Promise<void> {
  const chunk = 500_000;
  const started = performance.now();
  await pool.query('ALTER TABLE refs DROP CONSTRAINT refs_pkey');
  for (let at = 0; at < rows; at += chunk)
    await pool.query(
      `INSERT INTO refs (psp_id, space, ref, account_id, target_id, revision)
       SELECT id, 'transaction', gen_random_uuid()::text, id, uuidv7(), 1
       FROM accounts CROSS JOIN generate_series(1, $1::integer) WHERE kind = 'psp' AND test_of IS NULL`,
      [Math.min(chunk, rows - at)],
    );
  await pool.query('ALTER TABLE refs ADD PRIMARY KEY (psp_id, space, ref, account_id) WITH (fillfactor = 70)');
  await pool.query('VACUUM ANALYZE refs');
  const [size] = await pool.query<{ table: string; index: string }>(
    "SELECT pg_size_pretty(pg_table_size('refs')) AS table, pg_size_pretty(pg_indexes_size('refs')) AS index",
  );
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.log(`${rows} refs added in ${seconds} s: table ${size?.table}, index ${size?.index}`);
}
