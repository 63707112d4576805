// The benchmark: verifyTransaction against the same server without its database and against a plain
// implementation, in one run on one machine. Prints figures and ratios; never part of the tests.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { makeApp } from '../service/src/app.ts';
import { firstStart } from '../service/src/modules/accounts/first-start.ts';
import { Pool } from '../service/src/platform/database.ts';
import { startEmbeddedPostgres } from '../service/src/platform/embedded-postgres.ts';
import { makeLog } from '../service/src/platform/log.ts';
import { ensureDatabase } from '../service/src/platform/migrate.ts';
import { readSettings } from '../service/src/settings.ts';

const option = (name: string, otherwise: number) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : Number(process.argv[at + 1]);
};
const seconds = option('seconds', 10);
const rounds = option('rounds', 2);
const manyRows = option('rows', 1_000_000);
const connections = option('connections', 64);
const warmSeconds = option('warm', 3);

interface Result {
  perSecond: number;
  failed: number;
  p50: number;
  p99: number;
  sent: number;
  /** CPU time per answered request, microseconds. */
  nodeUs?: number;
  postgresUs?: number;
}

const dir = mkdtempSync(join(tmpdir(), 'assay-bench-'));
const log = makeLog('warn');
const server = await startEmbeddedPostgres(dir, log);
const urlOf = (name: string) => server.adminUrl.replace(/\/assay(\?|$)/, `/${name}$1`);
process.on('exit', () => rmSync(dir, { recursive: true, force: true }));

async function prepare(name: string): Promise<{ url: string; apiKey: string; dataDir: string }> {
  await ensureDatabase(urlOf('postgres'), name, log);
  const dataDir = join(dir, `data-${name}`);
  mkdirSync(dataDir, { recursive: true });
  const app = await makeApp({
    settings: readSettings({
      PORT: '0',
      CDR_SFTP: 'off',
      DATA_DIR: dataDir,
      DATABASE_URL: urlOf(name),
      LOG_LEVEL: 'warn',
    }),
    log,
  });
  const made = await firstStart(app.services);
  await app.stop();
  return { url: urlOf(name), apiKey: made?.apiKey as string, dataDir };
}

async function serve<T>(
  mode: string,
  d: { url: string; dataDir: string },
  use: (port: number, pid: number) => Promise<T>,
): Promise<T> {
  const child = spawn(
    process.execPath,
    [
      ...(process.env.BENCH_NODE_ARGS?.split(' ') ?? []),
      join(import.meta.dirname, 'server.ts'),
      mode,
      d.url,
      d.dataDir,
    ],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  const lines = createInterface({ input: child.stdout });
  const port = await new Promise<number>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`the ${mode} server did not start`)));
    lines.once('line', (line) => resolve(JSON.parse(line).port));
  });
  const result = await use(port, child.pid as number);
  const gone = new Promise((r) => child.once('exit', r));
  child.stdin.end();
  await gone;
  return result;
}

/** CPU time used so far, from /proc (0 elsewhere). A backend that has ended is counted with its parent. */
function cpuMs(pids: number[]): number {
  let ticks = 0;
  for (const pid of pids)
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      ticks += Number(fields[11]) + Number(fields[12]) + Number(fields[13]) + Number(fields[14]);
    } catch {}
  return ticks * 10;
}

function postgresPids(): number[] {
  try {
    const postmaster = Number(readFileSync(join(dir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
    const children = readdirSync('/proc')
      .map(Number)
      .filter((pid) => {
        try {
          return (
            pid > 1 && readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1] === String(postmaster)
          );
        } catch {
          return false;
        }
      });
    return [postmaster, ...children];
  } catch {
    return [];
  }
}

let runs = 0;
async function load(port: number, pid: number, apiKey: string, rate = 0): Promise<Result> {
  const job = { port, connections, warmSeconds, seconds, rate, apiKey, prefix: `r${++runs}-${process.pid}` };
  const before = { node: cpuMs([pid]), postgres: cpuMs(postgresPids()) };
  const result = await new Promise<Result>((resolve, reject) => {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'load.ts'), JSON.stringify(job)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let out = '';
    child.stdout.on('data', (d) => (out += d));
    child.once('exit', (code) =>
      code === 0 ? resolve(JSON.parse(out)) : reject(new Error(`load ended with ${code}`)),
    );
  });
  // Requests of the warm-up count too: `sent` holds them all.
  result.nodeUs = ((cpuMs([pid]) - before.node) / result.sent) * 1000;
  result.postgresUs = ((cpuMs(postgresPids()) - before.postgres) / result.sent) * 1000;
  return result;
}

const best = (rs: Result[]) => rs.reduce((a, b) => (b.perSecond > a.perSecond ? b : a));
const show = (name: string, r: Result) =>
  console.log(
    `${name.padEnd(34)} ${r.perSecond.toFixed(0).padStart(7)}/s   p50 ${r.p50.toFixed(2).padStart(7)} ms   p99 ${r.p99.toFixed(2).padStart(7)} ms   CPU node ${r.nodeUs?.toFixed(0)} µs, postgres ${r.postgresUs?.toFixed(0)} µs${r.failed ? `   ${r.failed} FAILED` : ''}`,
  );

const fresh = await prepare('bench_fresh');
const plain = await prepare('bench_plain');
// Rounds are interleaved, so that a slow spell of the machine falls on all alike.
const a: Result[] = [];
const b: Result[] = [];
const c: Result[] = [];
const halves: Result[] = [];
for (let i = 0; i < rounds; i++) {
  a.push(await serve('memory', fresh, (port, pid) => load(port, pid, fresh.apiKey)));
  await serve('real', fresh, async (port, pid) => {
    const full = await load(port, pid, fresh.apiKey);
    b.push(full);
    halves.push(await load(port, pid, fresh.apiKey, full.perSecond / 2));
  });
  c.push(await serve('baseline', plain, (port, pid) => load(port, pid, plain.apiKey)));
}
const [ra, rb, rc] = [best(a), best(b), best(c)];
show('(a) server without the database', ra);
show('(b) verifyTransaction', rb);
show('(c) one commit per request', rc);
for (const half of halves) show('(b) at half its load', half);

if (manyRows > 0) {
  const pool = new Pool(fresh.url, { max: 1, log });
  const have = Number((await pool.query('SELECT count(*) AS n FROM transactions'))[0]?.n);
  console.log(`filling up to ${manyRows} transactions (${have} there) …`);
  await fill(pool, manyRows - have);
  await pool.query('VACUUM ANALYZE transactions');
  await pool.query('VACUUM ANALYZE refs');
  await pool.query('VACUUM ANALYZE journal');
  await pool.query('CHECKPOINT');
  await pool.end();
  const again: Result[] = [];
  const full: Result[] = [];
  const other = await prepare('bench_empty');
  for (let i = 0; i < rounds; i++) {
    again.push(await serve('real', other, (port, pid) => load(port, pid, other.apiKey)));
    full.push(await serve('real', fresh, (port, pid) => load(port, pid, fresh.apiKey)));
  }
  const rd = best(full);
  const re = best(again);
  show('(b) again, a new database', re);
  show(`(d) with ${manyRows} rows`, rd);
  console.log(`d/b  ${(rd.perSecond / re.perSecond).toFixed(2)}   (to reach 0.95)`);
}
console.log(`b/a  ${(rb.perSecond / ra.perSecond).toFixed(2)}   (to reach 0.65)`);
console.log(`b/c  ${(rb.perSecond / rc.perSecond).toFixed(2)}   (to reach 7)`);
const p99s = halves.map((r) => r.p99).sort((x, y) => x - y);
console.log(`p99 at half load, the median round  ${p99s[p99s.length >> 1]?.toFixed(1)} ms   (to reach 15)`);
await server.stop();

/** Copies transactions with new ids and refs, journal entries along, until there are enough. */
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
            h AS (UPDATE journal_heads SET seq = seq + ${count} RETURNING psp_id, seq)
       INSERT INTO journal SELECT j.psp_id, h.seq - ${count} + (n.k - ${at}), n.id, j.kind, j.account_id, n.id, j.body
       FROM n, (SELECT * FROM journal WHERE kind = 'transaction.created' LIMIT 1) j JOIN h ON h.psp_id = j.psp_id`,
    );
  }
}
