// Benchmark of a Citus cluster beside plain PostgreSQL, by turns: verifyTransaction by the keys of many PSPs, and the
// processor time that a verify takes of the service, the coordinator and the workers. All run on this machine, so the rate
// says little and the processor time what machines of their own would carry. CITUS_URL names the coordinator's database.
// Prints figures; never part of the tests.
import { readFileSync } from 'node:fs';
import { makeApp } from '../service/src/app.ts';
import { createAccount } from '../service/src/modules/accounts/index.ts';
import { system } from '../service/src/modules/kernel/principal.ts';
import { Pool } from '../service/src/platform/database.ts';
import { readSettings } from '../service/src/settings.ts';
import { createOnCluster } from '../service/test/support/citus.ts';
import { quantile } from './quantile.ts';
import { caughtUp } from './readers.ts';
import { tell } from './row.ts';
import { cpuMs, load, log, option, type Place, pidsOf, prepare, type Result, serve, stopPostgres } from './stage.ts';

const psps = option('psps', 50);
const rounds = option('rounds', 3);
const how = {
  connections: option('connections', 64),
  seconds: option('seconds', 8),
  warmSeconds: option('warm', 4),
};

const cluster = process.env.CITUS_URL;
if (!cluster) throw new Error("CITUS_URL names the database 'assay' on the coordinator of a cluster");
const servers = await serversOf(cluster);
const database = await createOnCluster(cluster, false);
const places = { plain: await prepare('bench_plain'), cluster: await prepare('bench_cluster', database.url) };
const keys = { plain: await makeKeys(places.plain), cluster: await makeKeys(places.cluster) };

interface Measured extends Result {
  coordinatorUs: number;
  workersUs: number;
}
const results = { plain: [] as Measured[], cluster: [] as Measured[] };
for (let i = 0; i < rounds; i++)
  for (const kind of ['plain', 'cluster'] as const) {
    const r = await serve('real', places[kind], async (port, pid) => {
      const before = servers.map((s) => cpuMs(pidsOf(s.pid)));
      const result = await load(port, pid, keys[kind], how);
      const spent = servers.map((s, n) => ((cpuMs(pidsOf(s.pid)) - (before[n] as number)) * 1000) / result.sent);
      const sum = (coordinator: boolean) =>
        spent.reduce((all, us, n) => (servers[n]?.coordinator === coordinator ? all + us : all), 0);
      const pool = new Pool(places[kind].url, { max: 1, log });
      await caughtUp(pool);
      await pool.end();
      return { ...result, coordinatorUs: sum(true), workersUs: sum(false) };
    });
    results[kind].push(r);
    console.log(
      `${kind.padEnd(8)} ${r.perSecond.toFixed(0).padStart(6)}/s   p50 ${r.p50.toFixed(2)} ms   p99 ${r.p99.toFixed(2)} ms   CPU node ${r.nodeUs?.toFixed(0)} µs, ` +
        (kind === 'plain'
          ? `postgres ${r.postgresUs?.toFixed(0)} µs`
          : `coordinator ${r.coordinatorUs.toFixed(0)} µs, workers ${r.workersUs.toFixed(0)} µs`) +
        (r.failed ? `   ${r.failed} FAILED` : ''),
    );
  }
const middle = (kind: 'plain' | 'cluster', of: (r: Measured) => number | undefined) =>
  quantile(
    results[kind].map((r) => of(r) as number),
    0.5,
  );
const rate = middle('cluster', (r) => r.perSecond) / middle('plain', (r) => r.perSecond);
tell({ what: `${psps} PSPs: verify on a cluster to plain PostgreSQL, all on this machine`, value: rate });
const us = { digits: 0, unit: 'µs' } as const;
tell({ what: 'processor time of Node a verify, plain', value: middle('plain', (r) => r.nodeUs), ...us });
tell({ what: 'the same, cluster', value: middle('cluster', (r) => r.nodeUs), ...us });
tell({ what: 'processor time of PostgreSQL a verify, plain', value: middle('plain', (r) => r.postgresUs), ...us });
tell({ what: 'the same, coordinator', value: middle('cluster', (r) => r.coordinatorUs), ...us });
tell({ what: 'the same, all workers', value: middle('cluster', (r) => r.workersUs), ...us });
await database.drop();
await database.admin.end().catch(() => undefined);
await stopPostgres();

/** The main process of each server; all are on this machine. */
async function serversOf(url: string): Promise<{ pid: number; coordinator: boolean }[]> {
  const home = new Pool(url, { max: 1, log });
  const nodes = await home.query<{ host: string; port: number; coordinator: boolean }>(
    'SELECT nodename AS host, nodeport AS port, groupid = 0 AS coordinator FROM pg_dist_node',
  );
  await home.end();
  return Promise.all(
    nodes.map(async ({ host, port, coordinator }) => {
      const pool = new Pool(Object.assign(new URL(url), { hostname: host, port: String(port) }).href, { max: 1, log });
      const [backend] = await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      const parent = readFileSync(`/proc/${backend?.pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1];
      await pool.end();
      return { pid: Number(parent), coordinator };
    }),
  );
}

async function makeKeys(place: Place): Promise<string[]> {
  const app = await makeApp({
    settings: readSettings({ PORT: '0', CDR_SFTP: 'off', DATA_DIR: place.dataDir, DATABASE_URL: place.url }),
    log,
  });
  const made: string[] = [];
  for (let i = 0; i < psps; i++) {
    const id = app.services.ids.next();
    const n = { psp: id, id, kind: 'psp', name: `PSP ${i}`, country: 'NG' } as const;
    made.push((await createAccount(app.services, system, n, Date.now())).apiKey);
  }
  await app.stop();
  return made;
}
