// The benchmark of following many journals: what an entry costs where each of many PSPs has one verify at a time, and
// what PSPs cost that do nothing. CPU comes from /proc, so that it survives a busy machine; the connection that watches
// is left out.
import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from '../service/src/platform/database.ts';
import { makePsps } from './accounts.ts';
import { cpuMs } from './processor-time.ts';
import { median } from './quantile.ts';
import { caughtUp } from './readers.ts';
import { tell } from './row.ts';
import { asStarted, log, option, postgresPids, prepare, type Running, stopPostgres } from './stage.ts';

const psps = option('psps', 300);
const rounds = option('rounds', 6);
const idlePsps = option('idle', 10_000);
const idleSeconds = option('seconds', 20);

/** Of the service: its shape as ROLE has it. */
const role = process.env.ROLE ?? '';
const nodeMs = (s: Running) => cpuMs(['supervise', 'all', 'serve', 'follow'].flatMap((r) => s.pids(r)));

const place = await prepare('bench_follower');
const pool = new Pool(place.url, { max: 1, log });
const [watcher] = await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');

/** CPU of PostgreSQL in milliseconds: of the connections that commit decisions, and of all others. */
async function postgresMs(): Promise<{ committing: number; others: number }> {
  const rows = await pool.query<{ pid: number }>(
    "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%commit_batch%' AND pid <> pg_backend_pid()",
  );
  const committing = new Set(rows.map((r) => r.pid));
  const pids = postgresPids().filter((pid) => pid !== watcher?.pid);
  return {
    committing: cpuMs([...committing]),
    others: cpuMs(pids.filter((pid) => !committing.has(pid))),
  };
}

let sent = 0;
async function verify(port: number, key: string): Promise<void> {
  const body = `{"ref":"f-${++sent}","totalAmount":107.50,"currency":"NGN","countryCode":"NG","paymentMethods":{"card":107.50},"transactionFee":1.50,"mcc":"5732"}`;
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const r = await fetch(`http://127.0.0.1:${port}/v1/transaction/verifyTransaction`, { method: 'POST', headers, body });
  if (r.status !== 200) throw new Error(`a verify was answered ${r.status}: ${await r.text()}`);
  await r.arrayBuffer();
}

async function oneEach(port: number, keys: readonly string[]): Promise<void> {
  const left = [...keys];
  const one = async () => {
    for (let key = left.pop(); key !== undefined; key = left.pop()) await verify(port, key);
  };
  await Promise.all(Array.from({ length: 16 }, one));
}

const keys = await makePsps(place, psps);
await asStarted(place, { ROLE: role }, async (service) => {
  const { port } = service;
  // A new process first compiles what it runs, and PostgreSQL's connections plan.
  for (let i = 0; i < 3; i++) {
    await oneEach(port, keys);
    await caughtUp(pool);
  }
  const us = { committing: [] as number[], others: [] as number[], node: [] as number[] };
  const toEnd: number[] = [];
  for (let i = 0; i < rounds; i++) {
    const before = { ...(await postgresMs()), node: nodeMs(service) };
    await oneEach(port, keys);
    toEnd.push(await caughtUp(pool));
    const after = { ...(await postgresMs()), node: nodeMs(service) };
    for (const k of ['committing', 'others', 'node'] as const) us[k].push(((after[k] - before[k]) * 1000) / psps);
  }
  const [committing, others, node] = [median(us.committing), median(us.others), median(us.node)];
  const what = `${psps} PSPs, one verify each: PostgreSQL an entry`;
  const of = `${others.toFixed(0)} not by the connections that commit; all read ${(median(toEnd) / 1000).toFixed(2)} s after the last`;
  tell({ what, value: committing + others, digits: 0, unit: 'µs', atMost: 500, note: of });
  tell({ what: 'the same, Node', value: node, digits: 0, unit: 'µs' });
});

/** Shares of a core, in percent, of a service to which nobody sends anything. */
const idle = () =>
  asStarted(place, { ROLE: role }, async (service) => {
    await pause(idleSeconds * 500);
    const before = { ...(await postgresMs()), node: nodeMs(service) };
    await pause(idleSeconds * 1000);
    const after = { ...(await postgresMs()), node: nodeMs(service) };
    const share = (ms: number) => ms / idleSeconds / 10;
    const postgres = after.committing + after.others - before.committing - before.others;
    return { postgres: share(postgres), node: share(after.node - before.node) };
  });

if (idlePsps > 0) {
  const few = await idle();
  await pool.query(
    `WITH h AS (INSERT INTO journal_heads SELECT uuidv7(), 1 FROM generate_series(1, $1::integer) RETURNING psp_id),
       j AS (INSERT INTO journal SELECT psp_id, 1, uuidv7(), 'client.updated', psp_id, psp_id, '{}' FROM h)
     INSERT INTO journal_cursors (psp_id, reader, seq)
     SELECT h.psp_id, r.reader, 1 FROM h CROSS JOIN (SELECT DISTINCT reader FROM journal_cursors) r`,
    [idlePsps],
  );
  await pool.query('VACUUM ANALYZE journal_heads');
  await pool.query('VACUUM ANALYZE journal_cursors');
  const many = await idle();
  const what = `${idlePsps} idle PSPs`;
  const note = `${psps} idle PSPs: PostgreSQL ${few.postgres.toFixed(1)}, Node ${few.node.toFixed(1)}`;
  tell({ what: `${what}: PostgreSQL, of a core`, value: many.postgres, digits: 1, unit: '%', atMost: 2, note });
  tell({ what: `${what}: Node, of a core`, value: many.node, digits: 1, unit: '%', atMost: 2 });
  const more = many.postgres + many.node - few.postgres - few.node;
  tell({ what: `${what}: both, more than with ${psps}`, value: more, digits: 1, unit: '%', atMost: 2 });
}
await pool.end();
await stopPostgres();
