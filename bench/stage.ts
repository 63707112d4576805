// Shared by benchmarks of decisions: one PostgreSQL with prepared databases, servers under test and load generators in
// separate processes, and the CPU time that these take.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { makeApp } from '../service/src/app.ts';
import { firstStart } from '../service/src/modules/accounts/first-start.ts';
import { startEmbeddedPostgres } from '../service/src/platform/embedded-postgres.ts';
import { makeLog } from '../service/src/platform/log.ts';
import { ensureDatabase } from '../service/src/platform/migrate.ts';
import { readSettings } from '../service/src/settings.ts';
import { readyAs } from '../service/test/durability/support/workers.ts';
import { cpuMs, postgresPids as pidsIn } from './processor-time.ts';
import { median } from './quantile.ts';

export const option = (name: string, otherwise: number) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : Number(process.argv[at + 1]);
};

export interface Place {
  readonly url: string;
  readonly apiKey: string;
  readonly dataDir: string;
}

export interface Load {
  readonly connections: number;
  readonly seconds: number;
  /** Seconds of load before measuring, since a new process first compiles its code. */
  readonly warmSeconds: number;
  /** Refs without order, as a client makes them from random identifiers; otherwise each follows the one before. */
  readonly randomRefs?: boolean;
  /** Where the sales are, and in which currency; Nigeria if absent. */
  readonly place?: { readonly country: string; readonly currency: string };
}

/** The load as options say, `--connections`, `--seconds` and `--warm`. */
export const loadAsked = (seconds: number, warmSeconds: number): Load => ({
  connections: option('connections', 64),
  seconds: option('seconds', seconds),
  warmSeconds: option('warm', warmSeconds),
});

export interface Result {
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
export const log = makeLog('warn');
const server = await startEmbeddedPostgres(dir, log);
const urlOf = (name: string) => server.adminUrl.replace(/\/assay(\?|$)/, `/${name}$1`);
process.on('exit', () => rmSync(dir, { recursive: true, force: true }));

/** Creates a database with a PSP and its key. @param url an empty database elsewhere */
export async function prepare(name: string, url?: string): Promise<Place> {
  if (url === undefined) await ensureDatabase(urlOf('postgres'), name, log);
  const dataDir = join(dir, `data-${name}`);
  mkdirSync(dataDir, { recursive: true });
  const app = await makeApp({
    settings: readSettings({
      PORT: '0',
      CDR_SFTP: 'off',
      DATA_DIR: dataDir,
      DATABASE_URL: url ?? urlOf(name),
      LOG_LEVEL: 'warn',
    }),
    log,
  });
  const made = await firstStart(app.services);
  await app.stop();
  return { url: url ?? urlOf(name), apiKey: made?.apiKey as string, dataDir };
}

/** Runs a server of `bench/server.ts` during `use`. @param use receives `line`, which returns the next printed line */
export async function serve<T>(
  mode: string,
  d: { url: string; dataDir: string },
  use: (port: number, pid: number, line: () => Promise<string>) => Promise<T>,
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
  const line = () => new Promise<string>((resolve) => lines.once('line', resolve));
  const result = await use(port, child.pid as number, line);
  const gone = new Promise((r) => child.once('exit', r));
  child.stdin.end();
  await gone;
  return result;
}

/** A service as an operator starts it. */
export interface Running {
  readonly port: number;
  /** The processes by what they do: serve and follow, or all; and supervise, where there is one that does. */
  pids(role: string): number[];
}

/** Runs the service as an operator starts it, during `use`. @param env settings, ROLE and WORKERS among them */
export async function asStarted<T>(
  place: Pick<Place, 'url' | 'dataDir'>,
  env: Readonly<Record<string, string>>,
  use: (service: Running) => Promise<T>,
): Promise<T> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../service/bin/start.js')], {
    env: {
      ...process.env,
      ...{ PORT: '0', CDR_SFTP: 'off', DATA_DIR: place.dataDir, DATABASE_URL: place.url, LOG_LEVEL: 'info' },
      ...{ RATE_PER_SECOND: '1000000', RATE_BURST: '1000000' },
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  child.stderr.on('data', (d) => (text += d));
  child.stdout.on('data', (d) => (text += d));
  const gone = new Promise<void>((r) => child.once('exit', () => r()));
  const single = env.ROLE !== undefined && env.ROLE !== '' && (env.WORKERS ?? '1') === '1';
  const ready = () =>
    /API\s+http\S+\n/.test(text) &&
    (single || readyAs(text, 'serve').length >= Number(env.WORKERS ?? 1)) &&
    (env.ROLE || readyAs(text, 'follow').length > 0);
  while (!ready()) {
    if (child.exitCode !== null) throw new Error(`the service did not start: ${text}`);
    await pause(50);
  }
  const pids = (role: string) =>
    role === (single ? env.ROLE : 'supervise') ? [child.pid as number] : readyAs(text, role);
  const result = await use({ port: Number(/API\s+http:\/\/[^:]+:(\d+)/.exec(text)?.[1]), pids });
  child.kill('SIGTERM');
  await gone;
  return result;
}

/** Those of the server of `prepare`. */
export const postgresPids = (): number[] => pidsIn(dir);

let runs = 0;
/**
 * @param keys one key, or several, which the requests have in turn
 * @param rate requests per second; 0 for a closed loop
 */
export async function load(
  port: number,
  pids: number | readonly number[],
  keys: string | readonly string[],
  how: Load,
  rate = 0,
): Promise<Result> {
  const file = join(dir, `keys-${++runs}`);
  writeFileSync(file, [keys].flat().join('\n'));
  const job = { port, ...how, rate, keys: file, prefix: `r${runs}-${process.pid}` };
  const before = { node: cpuMs([pids].flat()), postgres: cpuMs(postgresPids()) };
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
  // `sent` includes requests of the warm-up.
  result.nodeUs = ((cpuMs([pids].flat()) - before.node) / result.sent) * 1000;
  result.postgresUs = ((cpuMs(postgresPids()) - before.postgres) / result.sent) * 1000;
  return result;
}

export const show = (name: string, r: Result, further = '') =>
  console.log(
    `${name.padEnd(34)} ${r.perSecond.toFixed(0).padStart(7)}/s   p50 ${r.p50.toFixed(2).padStart(7)} ms   p99 ${r.p99.toFixed(2).padStart(7)} ms   CPU node ${r.nodeUs?.toFixed(0)} µs, postgres ${r.postgresUs?.toFixed(0)} µs${further}${r.failed ? `   ${r.failed} FAILED` : ''}`,
  );

/** The median over rounds of a figure, compared with the same round of another. */
export const compared = (these: readonly Result[], others: readonly Result[], of: (r: Result) => number | undefined) =>
  median(these.map((r, i) => (of(r) as number) / (of(others[i] as Result) as number)));

/** The fastest result, which slow moments of the machine affected least. */
export const best = (rs: readonly Result[]): Result => rs.reduce((a, b) => (b.perSecond > a.perSecond ? b : a));

export const stopPostgres = (): Promise<void> => server.stop();
