// Benchmark of ROLE: the service in one process (all), and in one that serves beside one that follows, by turns in one run.
// Verify at full load and at the same half load, the time from a reply to the webhook at its receiver, CPU by process, and
// memory. Prints figures; never part of the tests.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from '../service/src/platform/database.ts';
import { makePsps } from './accounts.ts';
import { cpuMs } from './processor-time.ts';
import { median, quantile } from './quantile.ts';
import { caughtUp } from './readers.ts';
import { tell } from './row.ts';
import { asStarted, load, loadAsked, log, option, prepare, type Running, stopPostgres } from './stage.ts';

const rounds = option('rounds', 3);
const how = loadAsked(8, 4);
const singles = option('singles', 150);

const place = await prepare('bench_roles');
/** Of a PSP beside the one of the load. */
const [hooked] = (await makePsps(place, 1)) as [string];
const pool = new Pool(place.url, { max: 1, log });
const receivers = spawn(
  process.execPath,
  [join(import.meta.dirname, 'receivers.ts'), JSON.stringify({ count: 1, dead: 0 })],
  {
    stdio: ['pipe', 'pipe', 'inherit'],
  },
);
const lines = createInterface({ input: receivers.stdout });
const line = () => new Promise<string>((resolve) => lines.once('line', resolve));
const {
  ports: [hook],
} = JSON.parse(await line()) as { ports: number[] };

async function post(port: number, path: string, body: unknown): Promise<number> {
  const r = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { 'x-api-key': hooked, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  await r.arrayBuffer();
  if (r.status !== 200) throw new Error(`${path} was answered ${r.status}`);
  return performance.timeOrigin + performance.now();
}

let sent = 0;
/** Milliseconds from each reply, which follows its commit, to the receiver. */
async function toReceiver(port: number): Promise<number[]> {
  const answered = new Map<string, number>();
  for (let i = 0; i < singles; i++) {
    const ref = `hook-${++sent}`;
    const sale = { totalAmount: 107.5, currency: 'NGN', countryCode: 'NG', paymentMethods: {}, transactionFee: 1.5 };
    answered.set(ref, await post(port, '/v1/transaction/verifyTransaction', { ref, ...sale }));
    await pause(20);
  }
  await caughtUp(pool);
  await pause(500);
  receivers.stdin.write('seen\n');
  const { seen } = JSON.parse(await line()) as { seen: [string, number][] };
  return seen.flatMap(([ref, at]) => (answered.has(ref) ? [at - (answered.get(ref) as number)] : [])).slice(20);
}

/** Megabytes: resident, and with each shared page counted for its share. */
function memory(pid: number): { rss: number; pss: number } {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const of = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1]) / 1024;
  return { rss: of('Rss'), pss: of('Pss') };
}

const kinds = ['supervise', 'all', 'serve', 'follow'];
const half = { rate: 0 };
async function measure(role: string, s: Running): Promise<Record<string, number>> {
  const idle = kinds.flatMap((k) => s.pids(k).map((pid) => [k, memory(pid)] as const));
  const node = s.pids(role === '' ? 'serve' : role);
  const full = await load(s.port, node, place.apiKey, how);
  const behindMs = await caughtUp(pool);
  half.rate ||= full.perSecond / 2;
  const before = { follow: cpuMs(s.pids('follow')), supervise: cpuMs(s.pids('supervise')) };
  const at = await load(s.port, node, place.apiKey, how, half.rate);
  await caughtUp(pool);
  const us = (k: 'follow' | 'supervise') => ((cpuMs(s.pids(k)) - before[k]) * 1000) / at.sent;
  const after = kinds.flatMap((k) => s.pids(k).map((pid) => [k, memory(pid)] as const));
  const hooks = await toReceiver(s.port);
  return {
    'full/s': full.perSecond,
    'full p50': full.p50,
    'full p99': full.p99,
    'full node µs': full.nodeUs as number,
    'full pg µs': full.postgresUs as number,
    'readers behind ms': behindMs,
    'half p50': at.p50,
    'half p99': at.p99,
    'half node µs': at.nodeUs as number,
    'half follow µs': us('follow'),
    'half supervise µs': us('supervise'),
    'half pg µs': at.postgresUs as number,
    'hook p50': quantile(hooks, 0.5),
    'hook p99': quantile(hooks, 0.99),
    ...Object.fromEntries(
      idle.flatMap(([k, m]) => [
        [`${k} RSS at start`, m.rss],
        [`${k} PSS at start`, m.pss],
      ]),
    ),
    ...Object.fromEntries(
      after.flatMap(([k, m]) => [
        [`${k} RSS loaded`, m.rss],
        [`${k} PSS loaded`, m.pss],
      ]),
    ),
  };
}

const results = new Map<string, Record<string, number>[]>([
  ['all', []],
  ['', []],
]);
let subscribed = false;
for (let i = 0; i < rounds; i++)
  for (const [role, all] of i % 2 === 0 ? [...results] : [...results].reverse())
    await asStarted(place, { ROLE: role, WEBHOOK_ALLOW_HTTP: 'true' }, async (service) => {
      // What the load records is another PSP's, and not delivered.
      if (!subscribed) {
        await post(service.port, '/v1/client/subscribeToClient', { webhookUrl: `http://127.0.0.1:${hook}/hook` });
        subscribed = true;
      }
      all.push(await measure(role, service));
    });
for (const [role, all] of results) {
  console.log(role || 'serve and follow');
  for (const name of Object.keys(all[0] as object)) {
    const values = all.map((r) => r[name] as number);
    console.log(
      `  ${name.padEnd(24)} ${quantile(values, 0.5).toFixed(1).padStart(9)}   (${values.map((v) => v.toFixed(1)).join(', ')})`,
    );
  }
}
const middle = (role: string, name: string) => median((results.get(role) ?? []).map((r) => r[name] as number));
const compared = (name: string) => middle('', name) / middle('all', name);
tell({ what: 'serve and follow to all in one process: verify at full load', value: compared('full/s') });
tell({ what: 'the same, p99 at half load', value: compared('half p99') });
tell({ what: 'the same, p50 from commit to receiver', value: compared('hook p50') });
const pss = ['supervise', 'serve', 'follow'].reduce((sum, k) => sum + middle('', `${k} PSS loaded`), 0);
tell({ what: 'serve and follow: memory after load', value: pss, digits: 0, unit: 'MB' });
receivers.stdin.end();
await pool.end();
await stopPostgres();
