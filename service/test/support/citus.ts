// The databases of a test run on a Citus cluster, where CITUS_URL names one: the database `assay` on its coordinator,
// which knows the workers. A database cannot be cloned there, so a file's database is emptied and used by the next one.
import { shippedCountries } from '../../src/modules/rates/index.ts';
import { Pool } from '../../src/platform/database.ts';
import { makeLog } from '../../src/platform/log.ts';
import { migrate } from '../../src/platform/migrate.ts';
import { inDatabase, startRates, type TestDatabase, testsBegin } from './database.ts';

/** URL of the coordinator's owner; undefined for the embedded server. */
export const citus = process.env.CITUS_URL;

const log = makeLog('silent');
/** Databases of this process that no file uses, migrated. */
const free: string[] = [];
let made = 0;

export async function createOnCluster(url: string, migrated: boolean): Promise<TestDatabase> {
  const known = migrated ? free.pop() : undefined;
  const name = known ?? (await create(url));
  const admin = new Pool(inDatabase(url, name), { max: 2, log });
  if (known !== undefined) await admin.query(`TRUNCATE ${(await tablesOf(admin)).join(', ')}`);
  else if (migrated) await migrate(admin, new Date(testsBegin));
  if (migrated) await startRates(admin, shippedCountries());
  return {
    url: inDatabase(url, name),
    admin,
    async drop() {
      await admin.end();
      if (migrated) free.push(name);
    },
  };
}

/** The servers; the coordinator is the last. */
export async function serversOf(url: string) {
  const home = new Pool(url, { max: 1, log });
  const nodes = await home.query<{ host: string; port: number; coordinator: boolean }>(
    'SELECT nodename AS host, nodeport AS port, groupid = 0 AS coordinator FROM pg_dist_node ORDER BY groupid DESC',
  );
  await home.end();
  return nodes.map((n) => ({ ...n, at: Object.assign(new URL(url), { hostname: n.host, port: String(n.port) }).href }));
}

/** A place of a database of a cluster, the worker that has it, and a place that this worker has not. */
export async function placesOf(url: string) {
  const home = new Pool(url, { max: 1, log });
  const rows = await home.query<{ place: string; host: string; port: number }>(
    `SELECT s.shardid::text AS place, nodename AS host, nodeport AS port FROM pg_dist_shard s
       JOIN pg_dist_placement USING (shardid) JOIN pg_dist_node USING (groupid)
     WHERE logicalrelid = 'journal_heads'::regclass ORDER BY shardid`,
  );
  await home.end();
  const [first] = rows;
  const elsewhere = rows.find((r) => r.host !== first?.host || r.port !== first?.port);
  if (!first || !elsewhere) throw new Error('the cluster has no two workers with places');
  const at = Object.assign(new URL(url), { hostname: first.host, port: String(first.port) }).href;
  const server = new Pool(at, { max: 1, log });
  return { place: first.place, server, elsewhere: elsewhere.place, end: () => server.end() };
}

/**
 * Has all who know the workers from a database's catalogue reach them by way of proxies; there are none on another server.
 * @param start makes one for a worker, which gets the names of the commits of places
 * @returns the proxies, and what leads to the workers themselves again
 */
export async function workersBehind<P extends { readonly url: string }>(
  { url, admin }: Pick<TestDatabase, 'url' | 'admin'>,
  start: (worker: string, commits: readonly string[]) => Promise<P>,
): Promise<{ proxies: P[]; leave(): Promise<void> }> {
  if (citus === undefined) return { proxies: [], leave: async () => undefined };
  const commits = await admin.query<{ name: string }>(
    "SELECT 'commit_at_' || shardid AS name FROM pg_dist_shard WHERE logicalrelid = 'journal_heads'::regclass",
  );
  const names = commits.map((c) => c.name);
  const workers = (await serversOf(url)).filter((s) => !s.coordinator);
  const proxies = await Promise.all(workers.map((w) => start(w.at, names)));
  const move = (from: { host: string; port: number }, to: { host: string; port: number }) =>
    admin.query('SELECT citus_update_node(nodeid, $3, $4) FROM pg_dist_node WHERE nodename = $1 AND nodeport = $2', [
      from.host,
      from.port,
      to.host,
      to.port,
    ]);
  const at = proxies.map((p) => ({ host: new URL(p.url).hostname, port: Number(new URL(p.url).port) }));
  for (const [i, w] of workers.entries()) await move(w, at[i] as { host: string; port: number });
  return {
    proxies,
    leave: async () => {
      for (const [i, w] of workers.entries()) await move(at[i] as { host: string; port: number }, w);
    },
  };
}

/** The first of these ids whose rows would lie together with a PSP's. */
export async function withPsp(db: Pool, psp: string, ids: readonly string[]): Promise<string> {
  const place = (id: string) => `get_shard_id_for_distribution_column('journal_heads', ${id})`;
  const rows = await db.query<{ id: string }>(
    `SELECT id FROM unnest($2::uuid[]) AS id WHERE ${place('id')} = ${place('$1::uuid')}`,
    [psp, ids],
  );
  if (!rows[0]) throw new Error(`none of ${ids.length} ids lies with ${psp}`);
  return rows[0].id;
}

/** Drops the databases of a run, whose number is that of its main process: each has a worker of its own on each server. */
export async function dropAll(url: string, run: number): Promise<void> {
  for (const { at } of (await serversOf(url)).toReversed()) {
    const server = new Pool(inDatabase(at, 'postgres'), { max: 1, log });
    const names = await server.query<{ name: string }>(
      `SELECT datname AS name FROM pg_database WHERE datname LIKE 't\\_${run}\\_%'`,
    );
    for (const { name } of names) await server.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await server.end();
  }
}

/** Creates a database on all servers. */
async function create(url: string): Promise<string> {
  const name = `t_${process.ppid}_${process.pid}_${Date.now().toString(36)}_${made++}`;
  const nodes = await serversOf(url);
  for (const n of nodes) {
    const { at } = n;
    for (const [db, text] of [
      ['postgres', `CREATE DATABASE ${name}`],
      [name, 'CREATE EXTENSION citus'],
    ] as const) {
      const pool = new Pool(inDatabase(at, db), { max: 1, log });
      await pool.query(text);
      if (n.coordinator && db === name) {
        await pool.query('SELECT citus_set_coordinator_host($1, $2)', [n.host, n.port]);
        for (const w of nodes) if (!w.coordinator) await pool.query('SELECT citus_add_node($1, $2)', [w.host, w.port]);
        // By a trigger a test has a commit end in a fault.
        await pool.query(`ALTER DATABASE ${name} SET citus.enable_unsafe_triggers = on`);
      }
      await pool.end();
    }
  }
  return name;
}

/** All but that of the migrations. */
export async function tablesOf(admin: Pool): Promise<string[]> {
  const tables = await admin.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
       AND NOT relispartition AND relname <> 'migrations'`,
  );
  return tables.map((t) => t.name);
}
