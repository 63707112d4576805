// Databases for tests and soak runs: a migrated template on a running server, and clones of it.
import { type CountryFile, RateKeeper, shippedCountries } from '../../src/modules/rates/index.ts';
import { commitForm } from '../../src/platform/batch-parameters.ts';
import { bindForm } from '../../src/platform/catalogue.ts';
import { Committer } from '../../src/platform/committer.ts';
import { loadFeeRules, loadReference } from '../../src/platform/data-files.ts';
import { Pool } from '../../src/platform/database.ts';
import { makeLog } from '../../src/platform/log.ts';
import { migrate } from '../../src/platform/migrate.ts';
import { IdMaker } from '../../src/platform/random.ts';
import { citus, createOnCluster } from './citus.ts';

export interface TestDatabase {
  /** URL for DATABASE_URL. */
  readonly url: string;
  /** A pool of the owner, to read rows and to manipulate them. */
  readonly admin: Pool;
  drop(): Promise<void>;
}

/** The URL of another database on the same server. */
export function inDatabase(url: string, name: string): string {
  return url.replace(/\/assay(\?|$)/, `/${name}$1`);
}

/** Initial time of a test's service. The template has partitions for it, so that no start creates any. */
export const testsBegin = '2026-11-21T10:00:00Z';

/**
 * Creates the migrated database from which others are cloned.
 * @param serverUrl connection of the server's owner; the database name is `assay`
 */
export async function makeTemplate(serverUrl: string, template: string): Promise<void> {
  const log = makeLog('silent');
  const server = new Pool(inDatabase(serverUrl, 'postgres'), { max: 1, log });
  await server.query(`CREATE DATABASE ${template}`);
  await server.end();
  const admin = new Pool(inDatabase(serverUrl, template), { max: 1, log });
  await migrate(admin, new Date(testsBegin));
  await startRates(admin, shippedCountries());
  await admin.end();
}

/**
 * Puts the shipped rates in force, as the start of a service does: a second before the tests begin, since the ids that two
 * makers give within one millisecond are in no order.
 */
export async function startRates(pool: Pool, shipped: readonly CountryFile[]): Promise<RateKeeper> {
  const clock = () => Date.parse(testsBegin) - 1000;
  const committer = new Committer({
    pool,
    form: await bindForm(pool, commitForm),
    log: makeLog('silent'),
    maxBatch: 1,
    maxQueue: 1,
    maxQueueAgeMs: 1000,
    monotonic: clock,
    overloaded: () => new Error('overloaded'),
    unknownOutcome: (cause) => new Error('the outcome is unknown', { cause }),
  });
  return RateKeeper.start(
    pool,
    { ids: new IdMaker(clock), clock, committer, reference: loadReference() },
    shipped,
    loadFeeRules(),
  );
}

/** Tests do much at once, on a machine that others hold too. */
export const connectMs = 120_000;

let databases = 0;

/** For making and dropping databases: one connection of the worker, since each costs PostgreSQL a new process. */
const servers = new Map<string, Pool>();

function serverOf(serverUrl: string): Pool {
  const server =
    servers.get(serverUrl) ??
    new Pool(inDatabase(serverUrl, 'postgres'), { max: 1, log: makeLog('silent'), connectMs });
  servers.set(serverUrl, server);
  return server;
}

/** @param template the database to clone; without it the new database is empty */
export async function createDatabase(serverUrl: string, template?: string): Promise<TestDatabase> {
  if (citus !== undefined) return createOnCluster(citus, template !== undefined);
  const name = `t_${process.pid}_${Date.now().toString(36)}_${databases++}`;
  const log = makeLog('silent');
  const server = serverOf(serverUrl);
  await server.query(
    `CREATE DATABASE ${name}${template === undefined ? '' : ` TEMPLATE ${template} STRATEGY file_copy`}`,
  );
  const url = inDatabase(serverUrl, name);
  const admin = new Pool(url, { max: 2, log, connectMs });
  return {
    url,
    admin,
    async drop() {
      await admin.end();
      // Not awaited: files that a process leaves behind are removed with the server's folder.
      void server.query(`DROP DATABASE ${name} WITH (FORCE)`).catch(() => undefined);
    },
  };
}
