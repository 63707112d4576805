// Benchmark of webhook deliveries: how many per second to one receiver and to a hundred, how much dead receivers slow
// the others, and the time from an event's commit to its delivery. Prints figures; never part of the tests.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { type App, makeApp } from '../service/src/app.ts';
import { createAccount } from '../service/src/modules/accounts/administer.ts';
import { system } from '../service/src/modules/kernel/principal.ts';
import { Pool } from '../service/src/platform/database.ts';
import { startEmbeddedPostgres } from '../service/src/platform/embedded-postgres.ts';
import { makeLog } from '../service/src/platform/log.ts';
import { ensureDatabase } from '../service/src/platform/migrate.ts';
import { readSettings } from '../service/src/settings.ts';
import { quantile } from './quantile.ts';
import { tell } from './row.ts';

const option = (name: string, otherwise: number) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : Number(process.argv[at + 1]);
};
const events = option('events', 20_000);
const singles = option('singles', 300);

const log = makeLog('error');
const dir = mkdtempSync(join(tmpdir(), 'assay-bench-'));
const server = await startEmbeddedPostgres(dir, log);
process.on('exit', () => rmSync(dir, { recursive: true, force: true }));
const urlOf = (name: string) => server.adminUrl.replace(/\/assay(\?|$)/, `/${name}$1`);

class Receivers {
  readonly ports: readonly number[];
  readonly #child: ChildProcess;
  readonly #lines: Interface;

  private constructor(ports: readonly number[], child: ChildProcess, lines: Interface) {
    this.ports = ports;
    this.#child = child;
    this.#lines = lines;
  }

  static async start(count: number, dead: number): Promise<Receivers> {
    const child = spawn(
      process.execPath,
      [join(import.meta.dirname, 'receivers.ts'), JSON.stringify({ count, dead })],
      { stdio: ['pipe', 'pipe', 'inherit'] },
    );
    const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
    const first = await new Promise<string>((resolve) => lines.once('line', resolve));
    return new Receivers(JSON.parse(first).ports, child, lines);
  }

  ask(what: 'arrived'): Promise<{ arrived: number; lastAt: number }>;
  ask(what: 'seen'): Promise<{ seen: [string, number][] }>;
  ask(what: string): Promise<unknown> {
    const answer = new Promise<string>((resolve) => this.#lines.once('line', resolve));
    this.#child.stdin?.write(`${what}\n`);
    return answer.then((line) => JSON.parse(line));
  }

  stop(): void {
    this.#child.stdin?.end();
  }
}

/** Prepares a database with a subscribed client for each receiver, and a service that is not started yet. */
async function stage(name: string, receivers: Receivers) {
  await ensureDatabase(urlOf('postgres'), name, log);
  const settings = readSettings({
    PORT: '0',
    DATA_DIR: join(dir, name),
    DATABASE_URL: urlOf(name),
    WEBHOOK_ALLOW_HTTP: 'true',
    CDR_SFTP: 'off',
    CDR_PICKUP_CRON: 'off',
    LOG_LEVEL: 'error',
    RATE_PER_SECOND: '1000000',
    RATE_BURST: '1000000',
  });
  const app = await makeApp({ settings, log });
  const s = app.services;
  const make = (kind: 'psp' | 'client', n: string, psp?: string) => {
    const id = s.ids.next();
    const classification = psp ? { classification: 'ECOMM_LOCAL' } : {};
    return createAccount(s, system, { psp: psp ?? id, id, kind, name: n, country: 'NG', ...classification }, s.clock());
  };
  const psp = await make('psp', 'Bench Pay');
  const clients = [];
  for (const [i, port] of receivers.ports.entries()) {
    const client = await make('client', `Client ${i}`, psp.account.id);
    clients.push({ ...client, url: `http://127.0.0.1:${port}/hook` });
  }
  return { app, clients };
}

type Stage = Awaited<ReturnType<typeof stage>>;

async function post(address: string, path: string, key: string, body: unknown): Promise<number> {
  const r = await fetch(`${address}${path}`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await r.text();
  if (r.status !== 200) throw new Error(`${path} answered ${r.status}: ${text}`);
  return performance.timeOrigin + performance.now();
}

const sale = (ref: string) => ({
  ref,
  totalAmount: 107.5,
  currency: 'NGN',
  countryCode: 'NG',
  paymentMethods: { card: 107.5 },
  transactionFee: 1.5,
});

async function subscribe(app: App, { clients }: Stage): Promise<string> {
  const address = await app.listen();
  for (const c of clients) await post(address, '/v1/client/subscribeToClient', c.apiKey, { webhookUrl: c.url });
  return address;
}

/** Copies one delivered event to all clients until there are enough, each due immediately. */
async function fill(name: string, count: number): Promise<void> {
  const pool = new Pool(urlOf(name), { max: 1, log });
  await pool.query(
    `WITH w AS (SELECT psp_id, id, account_id, row_number() OVER (ORDER BY id) - 1 AS k FROM webhooks),
          one AS (SELECT body FROM webhook_events LIMIT 1),
          n AS (SELECT k, uuidv7() AS event, uuidv7() AS delivery FROM generate_series(0, $1::int - 1) k),
          pairs AS (SELECT n.event, n.delivery, w.psp_id, w.id, w.account_id FROM n JOIN w ON w.k = n.k % (SELECT count(*) FROM w)),
          e AS (INSERT INTO webhook_events (psp_id, id, account_id, type, seq, body, created_at)
                SELECT psp_id, event, account_id, 'transaction.created', NULL, one.body, now() FROM pairs, one)
     INSERT INTO webhook_deliveries (psp_id, id, webhook_id, event_id, state, attempts, next_at, created_at)
     SELECT psp_id, delivery, id, event, 'pending', 0, now(), now() FROM pairs`,
    [count],
  );
  await pool.query('VACUUM ANALYZE webhook_deliveries');
  await pool.end();
}

/** Deliveries per second to the live ones of `count` receivers. */
async function throughput(count: number, dead: number): Promise<number> {
  const receivers = await Receivers.start(count, dead);
  const name = `hooks_${count}_${dead}`;
  const first = await stage(name, receivers);
  const address = await subscribe(first.app, first);
  await post(address, '/v1/transaction/verifyTransaction', first.clients.at(-1)?.apiKey as string, sale('first'));
  await until(receivers, count - dead + 1);
  await first.app.stop();
  const before = (await receivers.ask('arrived')).arrived;
  await fill(name, events);
  const app = await makeApp({ settings: first.app.services.settings, log });
  const started = performance.timeOrigin + performance.now();
  await app.listen();
  const wanted = before + Math.floor(events * (1 - dead / count));
  const { lastAt } = await until(receivers, wanted);
  await app.stop();
  receivers.stop();
  return ((wanted - before) * 1000) / (lastAt - started);
}

async function until(receivers: Receivers, wanted: number) {
  for (;;) {
    const now = await receivers.ask('arrived');
    if (now.arrived >= wanted) return now;
    await pause(20);
  }
}

/** Milliseconds from a request's reply, which follows its commit, to arrival at the receiver. */
async function latency(): Promise<number[]> {
  const receivers = await Receivers.start(1, 0);
  const { app, clients } = await stage('hooks_latency', receivers);
  const address = await subscribe(app, { app, clients });
  const key = clients[0]?.apiKey as string;
  const answered = new Map<string, number>();
  for (let i = 0; i < singles; i++) {
    answered.set(`s-${i}`, await post(address, '/v1/transaction/verifyTransaction', key, sale(`s-${i}`)));
    await pause(10);
  }
  await until(receivers, singles + 1);
  const { seen } = await receivers.ask('seen');
  await app.stop();
  receivers.stop();
  const all = seen.flatMap(([ref, at]) => (answered.has(ref) ? [at - (answered.get(ref) as number)] : []));
  return all.slice(20);
}

const one = await throughput(1, 0);
tell({ what: 'webhooks to one receiver', value: one, digits: 0, unit: '/s', atLeast: 2000 });
const hundred = await throughput(100, 0);
tell({ what: 'webhooks to a hundred receivers', value: hundred, digits: 0, unit: '/s', atLeast: 2000 });
const some = await throughput(100, 10);
tell({ what: 'webhooks to 90 beside 10 dead ones, to those to a hundred', value: some / hundred, atLeast: 0.9 });
const ms = await latency();
const note = `p99 ${quantile(ms, 0.99).toFixed(1)} ms`;
tell({ what: 'from commit to receiver, p50', value: quantile(ms, 0.5), digits: 1, unit: 'ms', atMost: 20, note });
await server.stop();
