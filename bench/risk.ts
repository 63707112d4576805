// Benchmark of the risk book: what its rules and counters cost decisions, as a ratio of neighbouring turns of one service
// with and without their reader, and how long a replay of a proposed rule over a million entries takes.
import { makeApp } from '../service/src/app.ts';
import { replay } from '../service/src/modules/risk/replay.ts';
import { Pool } from '../service/src/platform/database.ts';
import { readSettings } from '../service/src/settings.ts';
import { cpuMs } from './processor-time.ts';
import { median } from './quantile.ts';
import { caughtUp } from './readers.ts';
import { tell } from './row.ts';
import { asStarted, load, loadAsked, log, option, postgresPids, prepare, type Result, stopPostgres } from './stage.ts';

const rounds = option('rounds', 8);
const rows = option('rows', 1_000_000);
const how = loadAsked(3, 0.5);
const reader = ['reviews'];

const place = await prepare('bench_risk');
const pool = new Pool(place.url, { max: 3, log });

/** Locks the reader's cursors, which stops it meanwhile. */
const withoutRules = <T>(work: () => Promise<T>): Promise<T> =>
  pool.transaction(async (tx) => {
    await tx.query('SELECT 1 FROM journal_cursors WHERE reader = ANY ($1) FOR UPDATE', [reader]);
    return work();
  });
const cpuUs = (r: Result) => (r.nodeUs as number) + (r.postgresUs as number);

const ratios: number[] = [];
const moreUs: number[] = [];
await asStarted(place, {}, async (service) => {
  const { port } = service;
  const pids = ['supervise', 'serve', 'follow'].flatMap((r) => service.pids(r));
  const turn = async (rules: boolean): Promise<Result> => {
    const loaded = () => load(port, pids, place.apiKey, how);
    const result = rules ? await loaded() : await withoutRules(loaded);
    // Unread entries must not slow the next turn.
    await caughtUp(pool);
    return result;
  };
  // A new process first compiles its code.
  for (let i = 0; i < 3; i++) await turn(true);
  for (let round = 0; round < rounds; round++) {
    // The order alternates.
    const first = await turn(round % 2 === 0);
    const second = await turn(round % 2 !== 0);
    const [all, less] = round % 2 === 0 ? [first, second] : [second, first];
    ratios.push(all.perSecond / less.perSecond);
    moreUs.push(cpuUs(all) - cpuUs(less));
  }
});
const [book] = await pool.query<{ rules: number; counters: number }>(
  `SELECT count(*) AS rules, sum((SELECT count(*) FROM json_object_keys(coalesce(rule::json->'counters', '{}')))) AS counters
   FROM risk_rules WHERE superseded_at IS NULL`,
);
tell({
  what: `verify with ${book?.rules} rules and ${book?.counters} counters / without`,
  value: median(ratios),
  atLeast: 0.9,
  note: `${median(moreUs).toFixed(0)} µs CPU more a decision`,
});

// As many entries as asked for, from those of the load: the same texts under ids and numbers of their own.
await pool.query(
  `WITH sample AS (SELECT psp_id, kind, account_id, body, row_number() OVER () AS k FROM journal
     WHERE kind = 'transaction.created' LIMIT 1000),
   head AS (SELECT h.psp_id, h.seq FROM journal_heads h JOIN sample s ON s.psp_id = h.psp_id AND s.k = 1),
   made AS (INSERT INTO journal (psp_id, seq, id, kind, account_id, resource_id, body)
     SELECT s.psp_id, h.seq + n, uuidv7(), s.kind, s.account_id, uuidv7(), s.body
     FROM head h, generate_series(1, $1::int) n JOIN sample s ON s.k = 1 + n % 1000 RETURNING 1)
   UPDATE journal_heads SET seq = seq + $1 WHERE psp_id = (SELECT psp_id FROM head)`,
  [rows],
);
await pool.query('VACUUM ANALYZE journal');
const settings = { PORT: '0', CDR_SFTP: 'off', DATA_DIR: place.dataDir, DATABASE_URL: place.url, LOG_LEVEL: 'warn' };
const app = await makeApp({ settings: readSettings(settings), log });
const inForce = app.services.riskBook.inForce.rules.find((r) => r.rule.id === 'NEW_CLIENT_FULL_SPEED');
if (!inForce) throw new Error('the starter book has no rule NEW_CLIENT_FULL_SPEED');
const proposed = { ...inForce.rule, version: 2, condition: 'client.ageDays < 14 && counters.lastDay >= 1000' };
const day = 86_400_000;
const today = Math.floor(Date.now() / day) * day;
const replayed = async () => {
  const [begun, cpu, postgres] = [performance.now(), process.cpuUsage(), cpuMs(postgresPids())];
  const r = await replay(app.services, proposed, today - day, today + day, rows);
  const { user, system } = process.cpuUsage(cpu);
  return {
    ...r,
    seconds: (performance.now() - begun) / 1000,
    cpuSeconds: (user + system) / 1_000_000,
    databaseSeconds: (cpuMs(postgresPids()) - postgres) / 1000,
  };
};
const [first, second] = [await replayed(), await replayed()];
if (first.hash !== second.hash) throw new Error('two replays of the same period gave two results');
tell({
  what: `replay of a rule over ${first.entries} entries`,
  value: Math.min(first.seconds, second.seconds),
  digits: 1,
  unit: 's',
  atMost: (30 * rows) / 1_000_000,
  note: `${first.newly.records} newly and ${first.gone.records} no longer matched, twice the same; ${second.cpuSeconds.toFixed(1)} s of processor time, and ${second.databaseSeconds.toFixed(1)} s of the database`,
});
await app.stop();
await pool.end();
await stopPostgres();
