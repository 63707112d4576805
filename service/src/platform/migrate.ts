// Brings the schema up to date: plain SQL files, forward only, each in its own transaction and recorded with its hash.
// One that begins with `-- in steps` processes many rows, some at a time, while others use the database; one that
// begins with `-- names statements` has each statement it names run separately, outside a transaction. Refuses a
// database that a newer version has migrated, or whose migrations were changed.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { type DatabaseTraits, whyUnusable } from '../core/usable-database.ts';
import { type CommitForm, commitForm } from './batch-parameters.ts';
import type { CommitFunction } from './commit-function.ts';
import { type Database, databaseOn, Pool } from './database.ts';
import { distribute, isDistributed } from './distribution.ts';
import { installJobs } from './jobs.ts';
import type { Log } from './log.ts';
import { installPlaceFunctions } from './place-functions.ts';
import { watchStart } from './slow-start.ts';
import { statementsOf } from './sql-statements.ts';

/** In a data folder while a backup is restored into it. */
export const restoreMark = (dataDir: string): string => join(dataDir, 'restoring');

const folder = join(import.meta.dirname, '..', '..', 'migrations');

interface Migration {
  readonly name: string;
  readonly sql: string;
  readonly hash: string;
}

/** Names of this version's migrations, in order. */
export const knownMigrations = (): string[] =>
  readdirSync(folder)
    .filter((f) => /^\d{4}-.+\.sql$/.test(f))
    .sort();

const migrations = (): Migration[] =>
  knownMigrations().map((name) => {
    const sql = readFileSync(join(folder, name), 'utf8');
    return { name, sql, hash: createHash('sha256').update(sql).digest('hex') };
  });

/** A migration of the backup that this version lacks or has in another form; undefined if it can create that schema. */
export function unknownMigration(wanted: readonly Pick<Migration, 'name' | 'hash'>[]): string | undefined {
  const hashes = new Map(migrations().map((m) => [m.name, m.hash]));
  return wanted.find((m) => hashes.get(m.name) !== m.hash)?.name;
}

/**
 * Creates the schema of exactly these migrations in an empty database, within the caller's transaction: the schema of a
 * backup's rows.
 */
export async function makeSchema(
  c: pg.PoolClient,
  names: readonly string[],
  months: readonly string[],
  appPassword: string | undefined,
): Promise<void> {
  await prepare(c, appPassword);
  for (const m of migrations().filter((m) => names.includes(m.name))) {
    if (m.sql.startsWith('-- in steps')) await runSteps(c, m, undefined);
    // Nobody else uses the tables yet, and an index cannot be created concurrently inside a transaction.
    else if (m.sql.startsWith('-- names statements')) await runNamed(c, m, (s) => s.replace(' CONCURRENTLY', ''));
    else await c.query(m.sql);
  }
  for (const month of months) await c.query('SELECT ensure_partitions($1, 1)', [month]);
}

/**
 * Creates the database named in `adminUrl` if it is missing (embedded server only).
 * @param serverUrl the same server's `postgres` database
 */
export async function ensureDatabase(serverUrl: string, name: string, log: Log): Promise<void> {
  const pool = new Pool(serverUrl, { max: 1, log });
  try {
    const exists = async () => (await pool.query('SELECT 1 FROM pg_database WHERE datname = $1', [name])).length > 0;
    if (await exists()) return;
    try {
      await pool.query(`CREATE DATABASE "${name}"`);
    } catch (e) {
      // Another process starting at the same time may have been faster.
      if (!(await exists())) throw e;
    }
  } finally {
    await pool.end();
  }
}

export interface MigrateOptions {
  /**
   * Gives the role `assay_app` a login of its own (embedded server); without it the owner's connections switch to that
   * role.
   */
  readonly appPassword?: string | undefined;
  /** Receives what it waits for; requires a second connection. */
  readonly log?: Log | undefined;
  readonly form?: CommitForm;
  /** Nothing is migrated during an unfinished restore into this folder. */
  readonly dataDir?: string | undefined;
}

/**
 * Runs the missing migrations, one process at a time.
 * @returns the names of the migrations that were run
 */
export async function migrate(
  admin: Pool,
  now: Date,
  { appPassword, log, form = commitForm, dataDir }: MigrateOptions = {},
): Promise<string[]> {
  const ran = await admin.withClient(async (c) => {
    const { rows } = await c.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const unwatch = log && watchStart(admin, rows[0]?.pid as number, log);
    return migrateOn(c, now, { form, appPassword, log, dataDir }).finally(() => unwatch?.());
  });
  await installJobs(admin);
  return ran;
}

async function migrateOn(
  c: pg.PoolClient,
  now: Date,
  { form = commitForm, appPassword, log, dataDir }: MigrateOptions,
): Promise<string[]> {
  await lockMigrations(c);
  try {
    if (dataDir !== undefined) await expectRestored(c, dataDir);
    await prepare(c, appPassword);
    const done = new Map(
      (await c.query<{ name: string; hash: string }>('SELECT name, hash FROM migrations')).rows.map((r) => [
        r.name,
        r.hash,
      ]),
    );
    const all = migrations();
    const distributed = await isDistributed(databaseOn(c));
    for (const name of done.keys())
      if (!all.some((m) => m.name === name))
        throw new Error(
          `the database was migrated by a newer version of Assay (${name} is not known here); start that version or a later one`,
        );
    const ran: string[] = [];
    for (const m of all) {
      const hash = done.get(m.name);
      if (hash === m.hash) continue;
      if (hash !== undefined)
        throw new Error(
          `migration ${m.name} was changed after it had been applied; bring back the file as it was released`,
        );
      const run = m.sql.startsWith('-- in steps')
        ? (m: Migration) => runSteps(c, m, log)
        : m.sql.startsWith('-- names statements')
          ? (m: Migration) => runNamed(c, m)
          : undefined;
      try {
        await run?.(m);
        await c.query('BEGIN');
        if (!run) for (const s of distributed ? statementsOf(m.sql) : [m.sql]) await c.query(s);
        await c.query('INSERT INTO migrations (name, hash) VALUES ($1, $2)', [m.name, m.hash]);
        await c.query('COMMIT');
      } catch (e) {
        await c.query('ROLLBACK');
        throw new Error(`migration ${m.name} failed`, { cause: e });
      }
      ran.push(m.name);
    }
    await installCommitFunction(databaseOn(c), form.function);
    // This month's partitions were created three months ago: no start waits for them.
    await ensurePartitions(databaseOn(c), now);
    if (distributed) {
      await distribute(databaseOn(c));
      await installPlaceFunctions(databaseOn(c), form.function);
    }
    return ran;
  } finally {
    await c.query('SELECT pg_advisory_unlock(727475)');
  }
}

/** @throws if a restore was interrupted before it committed its rows, and with them the tables */
async function expectRestored(c: pg.PoolClient, dataDir: string): Promise<void> {
  if (!existsSync(restoreMark(dataDir))) return;
  if (!(await hasSchema(c)))
    throw new Error(`a restore into ${dataDir} was cut off; run \`assay restore\` with the same backup again`);
  rmSync(restoreMark(dataDir), { force: true });
}

/** Whether Assay has tables in the database. */
export async function hasSchema(c: pg.ClientBase): Promise<boolean> {
  const { rows } = await c.query<{ has: boolean }>("SELECT to_regclass('public.migrations') IS NOT NULL AS has");
  return rows[0]?.has === true;
}

/** @throws with what to do, where the database cannot hold the service's tables */
async function expectUsable(c: pg.PoolClient): Promise<void> {
  const { rows } = await c.query<DatabaseTraits>(
    `SELECT current_setting('server_version_num')::int AS version, pg_is_in_recovery() AS standby,
       current_setting('transaction_read_only') = 'off' AS "takesWrites", current_setting('server_encoding') AS encoding`,
  );
  const why = whyUnusable(rows[0] as DatabaseTraits);
  if (why !== undefined) throw new Error(why);
}

/** The service's role, and the table of migrations that were run. */
async function prepare(c: pg.PoolClient, appPassword: string | undefined): Promise<void> {
  await expectUsable(c);
  // Limits that are meant for the service's statements would end a migration of large tables in its middle.
  await c.query(
    `SELECT set_config(name, '0', false) FROM pg_settings
     WHERE name IN ('statement_timeout', 'idle_in_transaction_session_timeout', 'idle_session_timeout', 'transaction_timeout')`,
  );
  const role = await c.query("SELECT 1 FROM pg_roles WHERE rolname = 'assay_app'");
  if (role.rowCount === 0) await c.query('CREATE ROLE assay_app NOLOGIN');
  if (appPassword) await c.query(`ALTER ROLE assay_app LOGIN PASSWORD '${appPassword.replaceAll("'", "''")}'`);
  else await joinAppRole(c);
  await c.query(
    'CREATE TABLE IF NOT EXISTS migrations (name text PRIMARY KEY, hash text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())',
  );
  await c.query('GRANT SELECT ON migrations TO assay_app');
}

/**
 * Repeats one statement until it returns nothing, each time in a transaction of its own. A restart continues with the
 * rows not done.
 */
async function runSteps(c: pg.PoolClient, m: Migration, log: Log | undefined): Promise<void> {
  for (let steps = 1; (await c.query(m.sql)).rowCount; steps++)
    if (steps % 100 === 0) log?.info({ migration: m.name, steps }, 'the upgrade goes through many rows');
}

/**
 * Repeats a query that returns the next statement, until it returns none. An index cannot be created concurrently
 * inside a transaction; after a killed start, the query finds what is left to do.
 */
async function runNamed(c: pg.PoolClient, m: Migration, form = (statement: string) => statement): Promise<void> {
  for (;;) {
    const [next] = (await c.query<{ statement: string }>(m.sql)).rows;
    if (!next) return;
    await withoutQueue(c, form(next.statement));
  }
}

/**
 * Runs a statement that needs a lock on a table in use. If it waited behind a long read, everybody else would wait
 * behind it: it gives up soon and tries again. An index created concurrently waits without holding others up.
 */
async function withoutQueue(c: pg.PoolClient, statement: string): Promise<void> {
  if (statement.includes(' CONCURRENTLY ')) return void (await c.query(statement));
  await c.query("SET lock_timeout = '200ms'");
  for (let done = false; !done; )
    try {
      await c.query(statement);
      done = true;
    } catch (e) {
      if ((e as { code?: string }).code !== '55P03') throw e;
      await pause(500);
    }
  await c.query('SET lock_timeout = 0');
}

/** One start at a time. Waits in short steps: an index created concurrently waits for the end of each statement. */
async function lockMigrations(c: pg.PoolClient): Promise<void> {
  await c.query("SET lock_timeout = '300ms'");
  for (let locked = false; !locked; )
    try {
      await c.query('SELECT pg_advisory_lock(727475)');
      locked = true;
    } catch (e) {
      if ((e as { code?: string }).code !== '55P03') throw e;
    }
  await c.query('SET lock_timeout = 0');
}

/** This version's function exists beside those of other versions, which may be in use. */
async function installCommitFunction(db: Database, made: CommitFunction): Promise<void> {
  const found = await db.query('SELECT 1 FROM pg_proc WHERE proname = $1', [made.name]);
  // All its statements are sent together, and are therefore one transaction.
  if (found.length === 0) await db.query(made.sql);
}

/** Makes the connection's role a member of `assay_app`, which its other connections switch to. */
async function joinAppRole(c: pg.PoolClient): Promise<void> {
  const { rows } = await c.query<{ owner: string; member: boolean }>(
    "SELECT quote_ident(current_user) AS owner, pg_has_role(current_user, 'assay_app', 'SET') AS member",
  );
  if (rows[0]?.member) return;
  try {
    await c.query('GRANT assay_app TO CURRENT_USER');
  } catch (e) {
    throw new Error(
      `the role of DATABASE_URL is no member of the role assay_app and may not become one by itself; as a superuser run: GRANT assay_app TO ${rows[0]?.owner}`,
      { cause: e },
    );
  }
}

/** Every plan and every new connection pays for each partition of its table. A running service adds them as months pass. */
const monthsAhead = 3;

/**
 * Creates partitions from last month to three months ahead. May be repeated at any time.
 * @returns false if a long read blocks them; call it again then
 */
export async function ensurePartitions(db: Database, now: Date): Promise<boolean> {
  try {
    // One month per commit, so that no lock is held for long.
    for (let month = -1; month <= monthsAhead; month++) {
      const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + month, 1));
      await db.query('SELECT ensure_partitions($1, 1)', [first.toISOString().slice(0, 10)]);
    }
    return true;
  } catch (e) {
    if ((e as { code?: string }).code === '55P03') return false;
    throw e;
  }
}
