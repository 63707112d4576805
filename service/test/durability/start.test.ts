// First starts under difficulties: two processes at the same moment, and starts that are killed. The next start
// completes what is unfinished, and nothing is created twice. A lock held by the test stops a start at an exact point,
// where it is killed.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Pool } from '../../src/platform/database.ts';
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres.ts';
import { makeLog } from '../../src/platform/log.ts';
import { ensureDatabase, migrate } from '../../src/platform/migrate.ts';
import { makeDatabase, makeEmptyDatabase } from '../support/app.ts';
import { until } from './support/conditions.ts';
import { Client } from './support/history.ts';
import { ownerPool, postmaster } from './support/postgres-process.ts';
import { type ServiceProcess, Stage } from './support/service-process.ts';

const stage = new Stage();
const client = new Client();
afterAll(async () => {
  client.close();
  await stage.end();
});

const log = makeLog('silent');
const migrations = readdirSync(join(import.meta.dirname, '..', '..', 'migrations')).sort();

/** A database nobody has used, on the run's server, and the settings of processes on it. */
async function emptyDatabase(): Promise<{ env: Record<string, string>; db: Pool }> {
  const { url, admin: db, drop } = await makeEmptyDatabase();
  stage.defer(drop);
  return { env: { DATABASE_URL: url, DATA_DIR: stage.folder(), ASSAY_MASTER_KEY: '5a'.repeat(32) }, db };
}

/** But for what builds an index while others work, which waits a moment for their transactions. */
const waiting = `FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock' AND wait_event <> 'virtualxid'`;

/** Starts two processes and lets neither pass `lock` before both have come there, and one of them has said `what` if that is asked. */
async function startBoth(
  envs: readonly Readonly<Record<string, string>>[],
  db: Pool,
  lock: string,
  what = '',
): Promise<ServiceProcess[]> {
  const both = await db.withClient(async (c) => {
    await c.query('BEGIN');
    try {
      await c.query(lock);
      const spawned = envs.map((env) => stage.spawn(env));
      const started = Promise.all(spawned.map((s) => stage.ready(s)));
      const all = until(
        `both wait for: ${lock}`,
        async () =>
          spawned.some((s) => s.output().includes(what)) && (await db.query(`SELECT 1 ${waiting}`)).length >= 2,
      );
      all.catch(() => undefined);
      await Promise.race([all, started]);
      return started;
    } finally {
      await c.query('ROLLBACK');
    }
  });
  return both;
}

/** Starts a process and kills it at a moment before it is ready. */
async function killWhen(
  env: Readonly<Record<string, string>>,
  what: string,
  reached: () => boolean | Promise<boolean>,
): Promise<void> {
  const { child, exited, output } = stage.spawn(env);
  let gone = false;
  exited.then(() => {
    gone = true;
  });
  await until(`the start comes to: ${what}`, async () => gone || (await reached()));
  expect(gone, output()).toBe(false);
  child.kill('SIGKILL');
  await exited;
  expect(output()).not.toContain('Assay is ready');
}

/**
 * Starts a process, lets it come to where it needs what `lock` holds, and kills it there.
 * @param outcome whether the statement it died in goes on without it, as it may when a process alone is lost
 */
async function killAt(
  env: Readonly<Record<string, string>>,
  db: Pool,
  lock: string,
  outcome: 'statement goes on' | 'statement is lost' = 'statement goes on',
): Promise<void> {
  await db.withClient(async (c) => {
    await c.query('BEGIN');
    try {
      await c.query(lock);
      await killWhen(env, lock, async () => (await db.query(`SELECT 1 ${waiting}`)).length > 0);
      if (outcome === 'statement is lost') await db.query(`SELECT pg_terminate_backend(pid) ${waiting}`);
    } finally {
      await c.query('ROLLBACK');
    }
  });
}

const ready = async (s: ServiceProcess) => (await client.call(s.address, 'GET', '/health/ready', {})).status;
const applied = async (db: Pool) => (await db.query('SELECT name FROM migrations ORDER BY name')).map((r) => r.name);
/** Everything a finished start has made, but for moments, keys and ids. */
const made = async (db: Pool) => ({
  columns: await db.query(
    `SELECT table_name, column_name, data_type FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name !~ '_\\d{6}$' ORDER BY 1, 2`,
  ),
  functions: await db.query("SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace ORDER BY 1"),
  countries: await db.query(
    'SELECT jurisdiction, hash, origin FROM tax_countries WHERE superseded_at IS NULL ORDER BY 1',
  ),
  rules: await db.query('SELECT rule_id, slot FROM tax_rules WHERE upper_inf(recorded) ORDER BY 1'),
});
/** What a start on the run's template finds: a database that was made without trouble. */
async function madeInPeace() {
  const template = await makeDatabase();
  try {
    return await made(template.admin);
  } finally {
    await template.drop();
  }
}

describe('two processes that start at the same moment on one empty database', () => {
  it('say what is waited for, both become ready over one schema and one set of rates, and make no account nobody asked for', async () => {
    const { env, db } = await emptyDatabase();
    const envs = [env, { ...env, DATA_DIR: stage.folder() }];
    const said = 'the start waits for a lock (transactionid) of another session';
    const both = await startBoth(envs, db, 'CREATE TABLE journal_heads ()', said);
    for (const s of both) expect(await ready(s)).toBe(200);
    expect(await applied(db)).toEqual(migrations);
    expect(await made(db)).toEqual(await madeInPeace());
    expect(await db.query('SELECT 1 FROM vault_keys')).toHaveLength(2);
    // With a database of the operator's own nobody is made a demo PSP.
    expect(await db.query('SELECT 1 FROM accounts')).toEqual([]);
    both[0]?.signal('SIGTERM');
    // The terminal it was started in is closed.
    both[1]?.signal('SIGHUP');
    for (const s of both) expect(await s.exited).toEqual({ code: 0, signal: null });
  });
});

describe('a first start that is killed', () => {
  it('is completed by the next one, wherever it was killed', async () => {
    const { env, db } = await emptyDatabase();
    // Within the second migration, after all of them, and while the rates are loaded.
    await killAt(env, db, 'CREATE TABLE tax_datasets ()');
    expect(await applied(db)).toEqual(migrations.slice(0, 1));
    await killAt(env, db, 'LOCK TABLE vault_keys IN SHARE MODE');
    expect(await applied(db)).toEqual(migrations);
    await killAt(env, db, 'LOCK TABLE tax_countries IN SHARE MODE', 'statement is lost');
    expect(await db.query('SELECT 1 FROM tax_countries')).toEqual([]);

    const service = await stage.service(env);
    expect(await ready(service)).toBe(200);
    expect(await made(db)).toEqual(await madeInPeace());
    service.signal('SIGTERM');
    expect(await service.exited).toEqual({ code: 0, signal: null });
  });

  it('leaves a folder from which two processes at once make one database and one demo PSP', async () => {
    const dataDir = stage.folder();
    const env = { DATA_DIR: dataDir };
    await killWhen(env, 'the database is being made', () => readdirSync(join(dataDir, 'postgres')).length > 0);

    // As a start that was killed right after its migrations leaves it.
    const server = await startEmbeddedPostgres(dataDir, log);
    await ensureDatabase(
      server.adminUrl.replace('/assay?', '/postgres?').replace(/\/assay$/, '/postgres'),
      'assay',
      log,
    );
    const db = ownerPool(dataDir);
    await migrate(db, new Date(), { appPassword: server.appPassword });
    await killAt(env, db, 'LOCK TABLE api_keys IN SHARE MODE', 'statement is lost');
    const psps = () => db.query("SELECT id FROM accounts WHERE kind = 'psp'");
    expect(await psps()).toEqual([]);

    const both = await startBoth([env, env], db, 'LOCK TABLE api_keys IN SHARE MODE');
    await server.stop();
    const keyed = await until('one of them prints the key', () =>
      both.filter((s) => /^ {2}asy_\S+\n/m.test(s.output())),
    );
    expect(await psps()).toHaveLength(1);
    expect(keyed).toHaveLength(1);
    const key = await (keyed[0] as ServiceProcess).demoKey();
    for (const s of both)
      expect((await client.call(s.address, 'GET', '/v1/transaction', { 'x-api-key': key })).status).toBe(200);
    await db.end();
    for (const s of both) s.signal('SIGTERM');
    for (const s of both) expect(await s.exited).toEqual({ code: 0, signal: null });
    expect(postmaster(dataDir)).toBeUndefined();
  });
});

it('says which setting names a database that is not there, and not its password', async () => {
  const hidden = 'hidden';
  const { exited, output } = stage.spawn({
    DATABASE_URL: `postgres://assay_owner:${hidden}@127.0.0.1:1/assay`,
    DATA_DIR: stage.folder(),
    ASSAY_MASTER_KEY: '5a'.repeat(32),
  });
  expect((await exited).code).not.toBe(0);
  expect(output()).toContain(
    'Assay could not start: the database that DATABASE_URL names cannot be used; because connect ECONNREFUSED 127.0.0.1:1',
  );
  expect(output()).not.toContain(hidden);
});
