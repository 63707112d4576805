// verifyTransaction on a Citus cluster beside one PostgreSQL, by turns. CITUS_URL names an empty database on the coordinator,
// whose servers run on this machine. Prints requests a second and processor time per request of each server; never part
// of the tests.
import { Pool } from '../service/src/platform/database.ts';
import { cpuMs, load, log, option, type Place, pidsOf, prepare, serve, stopPostgres } from './stage.ts';

const url = process.env.CITUS_URL;
if (url === undefined) throw new Error('CITUS_URL names no cluster');
const rounds = option('rounds', 3);
const how = {
  connections: option('connections', 64),
  seconds: option('seconds', 10),
  warmSeconds: option('warm', 4),
};

/** Number of each server's main process; its user must be a superuser. */
const servers: { name: string; main: number }[] = [];
const home = new Pool(url, { max: 1, log });
const nodes = await home.query<{ host: string; port: number; coordinator: boolean }>(
  'SELECT nodename AS host, nodeport AS port, groupid = 0 AS coordinator FROM pg_dist_node ORDER BY groupid',
);
await home.end();
for (const n of nodes) {
  const at = new Pool(Object.assign(new URL(url), { hostname: n.host, port: String(n.port) }).href, { max: 1, log });
  const [r] = await at.query<{ main: number }>(
    "SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int AS main",
  );
  servers.push({ name: n.coordinator ? 'coordinator' : `worker ${servers.length}`, main: r?.main as number });
  await at.end();
}

const plain = await prepare('bench_plain');
const cluster = await prepare('bench_cluster', url);
const turn = (name: string, place: Place, cpu: { name: string; main: number }[]) =>
  serve('real', place, async (port, pid) => {
    const before = cpu.map((s) => cpuMs(pidsOf(s.main)));
    const r = await load(port, pid, place.apiKey, how);
    const each = cpu.map((s, i) => {
      const us = ((cpuMs(pidsOf(s.main)) - (before[i] as number)) * 1000) / Math.max(1, r.sent);
      return `${s.name} ${us.toFixed(0)} µs`;
    });
    console.log(
      `${name.padEnd(8)} ${r.perSecond.toFixed(0).padStart(6)}/s   p50 ${r.p50.toFixed(1)} ms   p99 ${r.p99.toFixed(1)} ms   CPU node ${r.nodeUs?.toFixed(0)} µs, ${each.length > 0 ? each.join(', ') : `postgres ${r.postgresUs?.toFixed(0)} µs`}${r.failed ? `   ${r.failed} FAILED` : ''}`,
    );
  });
for (let i = 0; i < rounds; i++) {
  await turn('plain', plain, []);
  await turn('citus', cluster, servers);
}
await stopPostgres();
