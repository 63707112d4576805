// Benchmark of a Citus cluster beside plain PostgreSQL, before and after it: verifyTransaction by the keys of many PSPs, and the
// processor time that a verify takes of the service, the coordinator and the workers. All run on this machine, so the rate
// says little and the processor time what machines of their own would carry. CITUS_URL names the coordinator's database.
// Prints figures; never part of the tests.
import { Pool } from '../service/src/platform/database.ts';
import { createOnCluster, dropAll, serversOf } from '../service/test/support/citus.ts';
import { makePsps } from './accounts.ts';
import { cpuMs, parentOf, pidsOf } from './processor-time.ts';
import { median } from './quantile.ts';
import { caughtUp } from './readers.ts';
import { tell } from './row.ts';
import { load, loadAsked, log, option, prepare, type Result, serve, stopPostgres } from './stage.ts';

const psps = option('psps', 50);
const rounds = option('rounds', 3);
const how = loadAsked(8, 4);

const cluster = process.env.CITUS_URL;
if (!cluster) throw new Error("CITUS_URL names the database 'assay' on the coordinator of a cluster");
/** By their main processes; all are on this machine. */
const servers = await Promise.all(
  (await serversOf(cluster)).map(async ({ at, coordinator }) => {
    const pool = new Pool(at, { max: 1, log });
    const [backend] = await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await pool.end();
    return { pid: parentOf(backend?.pid as number) as number, coordinator };
  }),
);
const database = await createOnCluster(cluster, false);
const places = { plain: await prepare('bench_plain'), cluster: await prepare('bench_cluster', database.url) };
const keys = { plain: await makePsps(places.plain, psps), cluster: await makePsps(places.cluster, psps) };

interface Measured extends Result {
  coordinatorUs: number;
  workersUs: number;
}
const results = { plain: [] as Measured[], cluster: [] as Measured[] };
async function measure(kind: 'plain' | 'cluster'): Promise<void> {
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
// One PostgreSQL before and after each round of the cluster, because the machine's speed varies.
await measure('plain');
for (let i = 0; i < rounds; i++) {
  await measure('cluster');
  await measure('plain');
}
const middle = (kind: 'plain' | 'cluster', of: (r: Measured) => number | undefined) =>
  median(results[kind].map((r) => of(r) as number));
const perSecond = results.plain.map((r) => r.perSecond);
const rate = median(
  results.cluster.map((r, i) => r.perSecond / (((perSecond[i] as number) + (perSecond[i + 1] as number)) / 2)),
);
tell({ what: `${psps} PSPs: verify on a cluster to plain PostgreSQL, all on this machine`, value: rate });
const us = { digits: 0, unit: 'µs' } as const;
tell({ what: 'processor time of Node a verify, plain', value: middle('plain', (r) => r.nodeUs), ...us });
tell({ what: 'the same, cluster', value: middle('cluster', (r) => r.nodeUs), ...us });
tell({ what: 'processor time of PostgreSQL a verify, plain', value: middle('plain', (r) => r.postgresUs), ...us });
tell({ what: 'the same, coordinator', value: middle('cluster', (r) => r.coordinatorUs), ...us });
tell({ what: 'the same, all workers', value: middle('cluster', (r) => r.workersUs), ...us });
await database.drop();
await dropAll(cluster, process.ppid);
await stopPostgres();
