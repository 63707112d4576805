// verifyTransaction compared with the same server without its database and with a conventional
// implementation, in one run on one machine. Prints figures and ratios; never part of the tests.
import { Pool } from '../service/src/platform/database.ts';
import { type DiskSync, diskSync } from './disk.ts';
import { median } from './quantile.ts';
import { type Behind, caughtUp, watchReaders } from './readers.ts';
import { tell } from './row.ts';
import { best, load, loadAsked, log, option, prepare, type Result, serve, show, stopPostgres } from './stage.ts';

const rounds = option('rounds', 3);
const manyRows = option('rows', 1_000_000);
const how = loadAsked(10, 3);

const fresh = await prepare('bench_fresh');
const plain = await prepare('bench_plain');
// Rounds are interleaved, so that slow moments of the machine affect all alike.
const a: Result[] = [];
const b: Result[] = [];
const c: Result[] = [];
const halves: Result[] = [];
const syncs: DiskSync[] = [];
const collections: number[] = [];
const pool = new Pool(fresh.url, { max: 2, log });
const behind = new Map<string, Behind>();
let toZeroMs = 0;
for (let i = 0; i < rounds; i++) {
  a.push(await serve('memory', fresh, (port, pid) => load(port, pid, fresh.apiKey, how)));
  await serve('real', fresh, async (port, pid, line) => {
    const collected = async () => {
      process.kill(pid, 'SIGHUP');
      return Number(JSON.parse(await line()).fullCollections);
    };
    const stop = watchReaders(pool);
    const full = await load(port, pid, fresh.apiKey, how);
    toZeroMs = Math.max(toZeroMs, await caughtUp(pool));
    for (const [reader, f] of await stop()) {
      const before = behind.get(reader);
      behind.set(reader, {
        entries: Math.max(f.entries, before?.entries ?? 0),
        seconds: Math.max(f.seconds, before?.seconds ?? 0),
      });
    }
    b.push(full);
    syncs.push(await diskSync(fresh.dataDir, 3));
    // As in a running service after its first checkpoint, PostgreSQL can then reuse files of its log.
    await pool.query('CHECKPOINT');
    const before = await collected();
    halves.push(await load(port, pid, fresh.apiKey, how, full.perSecond / 2));
    collections.push((await collected()) - before);
  });
  c.push(await serve('baseline', plain, (port, pid) => load(port, pid, plain.apiKey, how)));
}
const [ra, rb, rc] = [best(a), best(b), best(c)];
show('(a) server without the database', ra);
show('(b) verifyTransaction', rb);
show('(c) one commit per request', rc);
for (const half of halves) show('(b) at half its load', half);
for (const [reader, f] of behind)
  console.log(`reader ${reader.padEnd(27)} at most ${f.entries} entries and ${f.seconds.toFixed(2)} s behind in (b)`);
tell({ what: "all readers at the journal's end after full load", value: toZeroMs / 1000, unit: 's', atMost: 2 });

if (manyRows > 0) {
  const have = Number((await pool.query('SELECT count(*) AS n FROM transactions'))[0]?.n);
  console.log(`filling up to ${manyRows} transactions (${have} there) …`);
  await fill(pool, manyRows - have);
  await pool.query('VACUUM ANALYZE transactions');
  await pool.query('VACUUM ANALYZE refs');
  await pool.query('VACUUM ANALYZE journal');
  const catchUpMs = await serve('real', fresh, () => caughtUp(pool));
  console.log(`the readers have caught up after ${(catchUpMs / 1000).toFixed(0)} s`);
  await pool.query('VACUUM ANALYZE daily_cells');
  await pool.query('CHECKPOINT');
  const again: Result[] = [];
  const full: Result[] = [];
  const other = await prepare('bench_empty');
  for (let i = 0; i < rounds; i++) {
    again.push(await serve('real', other, (port, pid) => load(port, pid, other.apiKey, how)));
    full.push(await serve('real', fresh, (port, pid) => load(port, pid, fresh.apiKey, how)));
  }
  const rd = best(full);
  const re = best(again);
  show('(b) again, a new database', re);
  show(`(d) with ${manyRows} rows`, rd);
  const what = `verify with ${manyRows} records to a new database`;
  tell({ what, value: rd.perSecond / re.perSecond, atLeast: 0.95 });
}
tell({ what: 'verify at full load', value: rb.perSecond, digits: 0, unit: '/s' });
tell({ what: 'processor time of Node a verify', value: rb.nodeUs ?? 0, digits: 0, unit: 'µs' });
tell({ what: 'processor time of PostgreSQL a verify', value: rb.postgresUs ?? 0, digits: 0, unit: 'µs' });
tell({
  what: 'verify to the same server without its database (b/a)',
  value: rb.perSecond / ra.perSecond,
  atLeast: 0.7,
});
tell({ what: 'verify to one commit per request (b/c)', value: rb.perSecond / rc.perSecond, atLeast: 7 });
await pool.end();
tell({
  what: 'p99 at half load, the median round',
  value: median(halves.map((r) => r.p99)),
  digits: 1,
  unit: 'ms',
  atMost: 15,
  note: `the disk alone needs ${median(syncs.map((d) => d.p50)).toFixed(1)} ms for a commit, at p99 ${median(syncs.map((d) => d.p99)).toFixed(1)}`,
});
tell({
  what: 'full collections of the heap in these seconds, the median round',
  value: median(collections),
  digits: 0,
  atMost: 1,
});
await stopPostgres();

/** Copies transactions and their journal entries with new ids and refs until there are enough. */
async function fill(pool: Pool, missing: number): Promise<void> {
  if (missing <= 0) return;
  const types = await pool.query<{ a: string }>(
    "SELECT attname AS a FROM pg_attribute WHERE attrelid = 'transactions'::regclass AND attnum > 0 ORDER BY attnum",
  );
  const columns = types.map((t) => t.a);
  const value = (name: string) => (name === 'id' ? 'n.id' : name === 'ref' ? "'fill-' || n.k" : `t.${name}`);
  const chunk = 100_000;
  for (let at = 0; at < missing; at += chunk) {
    const count = Math.min(chunk, missing - at);
    await pool.query(
      `WITH n AS (SELECT k, uuidv7() AS id FROM generate_series(${at} + 1, ${at} + ${count}) k),
            t AS (SELECT * FROM transactions LIMIT 1),
            x AS (INSERT INTO transactions (${columns.join()}) SELECT ${columns.map(value).join()} FROM n, t RETURNING psp_id, id, ref, account_id),
            r AS (INSERT INTO refs SELECT psp_id, 'transaction', ref, account_id, id, 1 FROM x RETURNING 1),
            j AS (SELECT * FROM journal WHERE kind = 'transaction.created' LIMIT 1),
            h AS (UPDATE journal_heads SET seq = seq + ${count} WHERE psp_id = (SELECT psp_id FROM j) RETURNING seq)
       INSERT INTO journal SELECT j.psp_id, h.seq - ${count} + (n.k - ${at}), n.id, j.kind, j.account_id, n.id, j.body
       FROM n, j, h`,
    );
  }
}
