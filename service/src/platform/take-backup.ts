// Makes a backup of a database that is in use: the rows of all tables in one snapshot, in a form that any later version
// can restore, and the other files that the data folder needs.
import { constants } from 'node:fs';
import { access, open, readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import type pg from 'pg';
import pgCopy from 'pg-copy-streams';
import { Refusal, refuse } from '../core/refusal.ts';
import { backupFormat, type Cover, type Manifest, type Section, type Summary, writeBackup } from './backup-file.ts';
import { type Database, databaseOn, only, Pool } from './database.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import type { Log } from './log.ts';

export interface BackupOptions {
  readonly dataDir: string;
  /** Undefined for the embedded database. */
  readonly databaseUrl: string | undefined;
  readonly file: string;
  readonly withMasterKey: boolean;
  /** Version of Assay. */
  readonly version: string;
  readonly now: Date;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Called with the bytes of the tables read so far, and their approximate total. */
  progress(done: number, total: number): void;
}

/** Advisory lock, for one backup of a database at a time. */
const lock = 727_477;

/**
 * Takes it of the database that the settings name, and starts the embedded one for it if nothing runs.
 * @throws Refusal if there is nothing to back up, or the file cannot be written
 */
export async function takeBackup(o: BackupOptions): Promise<Manifest> {
  await expectPlace(o, resolve(o.file));
  const embedded = o.databaseUrl === undefined ? await startEmbeddedPostgres(o.dataDir, o.log) : undefined;
  try {
    return await backUp(embedded?.adminUrl ?? (o.databaseUrl as string), o);
  } finally {
    await embedded?.stop();
  }
}

/**
 * Takes it of a database that runs.
 * @param ownerUrl connects as the database's owner
 * @throws Refusal if there is nothing to back up, or the file cannot be written
 */
export async function backUp(ownerUrl: string, o: BackupOptions): Promise<Manifest> {
  const file = resolve(o.file);
  await expectPlace(o, file);
  const pool = new Pool(ownerUrl, { max: 1, log: o.log });
  try {
    return await pool
      .withClient((c) => withConnection(c, () => copyAll(c, o, file), o.signal))
      .catch((e: unknown) => {
        if (e instanceof Refusal) throw e;
        const full = /^(ENOSPC|EDQUOT|EFBIG)$/.test((e as NodeJS.ErrnoException).code ?? '');
        throw new Error(
          full
            ? `there is no room for ${file}; nothing is left of it`
            : 'no backup was made, and nothing is left of it',
          { cause: e },
        );
      });
  } finally {
    await pool.end();
  }
}

/**
 * Closes the connection if the work fails: it may be in the middle of a COPY, which nothing else would end. With a signal
 * also when it aborts: the work may wait for a lock.
 */
export async function withConnection<T>(c: pg.PoolClient, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const close = () => (c as pg.PoolClient & pg.Client).connection.stream.destroy();
  signal?.addEventListener('abort', close, { once: true });
  try {
    // No timeouts, since both may have to wait for a slow disk.
    await c.query(`SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET datestyle = 'ISO'`);
    return await work();
  } catch (e) {
    if (!(e instanceof Refusal)) close();
    throw e;
  } finally {
    signal?.removeEventListener('abort', close);
  }
}

async function expectPlace(o: BackupOptions, file: string): Promise<void> {
  const { dataDir, databaseUrl, withMasterKey } = o;
  const exists = (path: string) =>
    stat(path).then(
      () => true,
      () => false,
    );
  if (databaseUrl === undefined && !(await exists(join(dataDir, 'postgres', 'PG_VERSION'))))
    throw refuse('NOT_FOUND', `${dataDir} holds no embedded database; DATA_DIR names the folder of the service`);
  if (withMasterKey && !(await exists(join(dataDir, 'secrets', 'master.key'))))
    throw refuse('NOT_FOUND', `${dataDir} holds no master key: it is given by ASSAY_MASTER_KEY; keep it where that is`);
  if (await exists(file)) throw refuse('STATE_CONFLICT', `${file} exists already; name another file`);
  const folder = await realpath(dirname(file)).catch(() => undefined);
  if (folder === undefined) throw refuse('NOT_FOUND', `there is no folder ${dirname(file)}`);
  if ((await exists(dataDir)) && !relative(await realpath(dataDir), folder).startsWith('..'))
    throw refuse('STATE_CONFLICT', `${file} is within DATA_DIR, and lost with it; name a file elsewhere`);
  await access(folder, constants.W_OK);
}

export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  readonly bytes: number;
}

/** The tables of the schema, without those of extensions and of the job queue; partitions are part of their table. */
export const readTables = (db: Database): Promise<Table[]> =>
  db.query<Table>(
    `SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns,
       (SELECT sum(pg_table_size(t.relid)) FROM pg_partition_tree(c.oid) t)::float8 + pg_table_size(c.oid) AS bytes
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
     GROUP BY c.oid ORDER BY c.relname`,
  );

/** Names quoted for SQL, separated by commas. */
export const named = (names: readonly string[]): string => names.map((n) => `"${n.replaceAll('"', '""')}"`).join(', ');

async function copyAll(c: pg.PoolClient, o: BackupOptions, file: string): Promise<Manifest> {
  const db = databaseOn(c);
  if (!only(await db.query<{ mine: boolean }>('SELECT pg_try_advisory_lock($1) AS mine', [lock])).mine)
    throw refuse('STATE_CONFLICT', 'another backup of this database is being made; wait for its end');
  const tables = await readTables(db);
  if (!tables.some((t) => t.name === 'migrations'))
    throw refuse('NOT_FOUND', 'the database holds nothing of Assay; DATABASE_URL names the database of the service');
  const migrations = () => migrationsOf(db);
  await expectArchived(db);
  const cover = await coverOf(db, o);
  async function* sections(): AsyncGenerator<Section, Summary> {
    // Files are read before the snapshot, so that none is ahead of the database: a checkpoint of missing entries would
    // stop the sealing, and a call detail file archived without its records would be lost. Files move through these
    // folders in this order and never back, so none is missed.
    for (const name of ['status', 'incoming', 'processing', 'archive'].map((n) => `cdr/${n}`).concat('checkpoints'))
      yield* filesBelow(o.dataDir, name);
    yield* secretFiles(o);
    await db.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    // Locks the tables before the first query, which takes the snapshot, so that no table is altered meanwhile.
    await db.query(`LOCK TABLE ${named(tables.map((t) => t.name))} IN ACCESS SHARE MODE`);
    if (JSON.stringify(await migrations()) !== JSON.stringify(cover.migrations))
      throw new Error('the database was migrated meanwhile; make the backup again');
    const total = tables.reduce((sum, t) => sum + t.bytes, 0);
    const rows: Record<string, number> = {};
    let before = 0;
    for (const { name, columns, bytes } of tables) {
      const copy = c.query(pgCopy.to(`COPY (SELECT ${named(columns)} FROM ${named([name])}) TO STDOUT`));
      let done = 0;
      const counted = async function* () {
        for await (const chunk of copy as AsyncIterable<Buffer>) {
          done += chunk.length;
          o.progress(before + Math.min(done, bytes), total);
          yield chunk;
        }
      };
      yield { head: { table: name, columns }, content: counted() };
      rows[name] = copy.rowCount;
      before += bytes;
    }
    o.progress(total, total);
    const partitions = await db.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class
       WHERE relnamespace = 'public'::regnamespace AND relispartition AND relkind = 'r' AND relname ~ '_\\d{6}$'`,
    );
    const months = new Set(partitions.map((p) => `${p.name.slice(-6, -2)}-${p.name.slice(-2)}-01`));
    return { rows, months: [...months].sort() };
  }
  const manifest = await writeBackup(file, cover, sections(), o.signal);
  await db.query('ROLLBACK');
  await db.query('SELECT pg_advisory_unlock($1)', [lock]);
  return manifest;
}

const migrationsOf = (db: Database) =>
  db.query<{ name: string; hash: string }>('SELECT name, hash FROM migrations ORDER BY name');

/** The cover of a file with rows of this database. */
export async function coverOf(
  db: Database,
  o: { readonly version: string; readonly now: Date; readonly withMasterKey: boolean },
): Promise<Cover> {
  return {
    format: backupFormat,
    assay: o.version,
    postgres: only(await db.query<{ v: string }>("SELECT current_setting('server_version') AS v")).v,
    madeAt: o.now.toISOString(),
    migrations: await migrationsOf(db),
    masterKey: o.withMasterKey,
  };
}

/** Rows of a month that is just being archived are in no table of the schema and in no file yet. */
async function expectArchived(db: Database): Promise<void> {
  const exists = "SELECT to_regclass('public.archived_months') IS NOT NULL AS has";
  if (!only(await db.query<{ has: boolean }>(exists)).has) return;
  const [half] = await db.query<{ month: string }>(
    "SELECT to_char(month, 'YYYY-MM') AS month FROM archived_months WHERE sha256 IS NULL",
  );
  if (half)
    throw refuse(
      'STATE_CONFLICT',
      `the archive of ${half.month} is not finished, and a backup would lack its records; run \`assay archive make ${half.month}\` to its end first`,
    );
}

async function* secretFiles({ dataDir, withMasterKey }: BackupOptions): AsyncGenerator<Section> {
  const names = await readdir(join(dataDir, 'secrets')).catch(orGone);
  for (const name of (names ?? []).sort())
    if (/^sftp_host_\w+_key$/.test(name) || (withMasterKey && name === 'master.key'))
      yield* fileOf(dataDir, `secrets/${name}`);
}

/** Files below a folder of the data folder, without links and without files that are removed meanwhile. */
async function* filesBelow(dataDir: string, folder: string): AsyncGenerator<Section> {
  const entries = await readdir(join(dataDir, folder), { withFileTypes: true }).catch(orGone);
  for (const entry of (entries ?? []).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* filesBelow(dataDir, path);
    else if (entry.isFile()) yield* fileOf(dataDir, path);
  }
}

function orGone(e: NodeJS.ErrnoException): undefined {
  if (e.code === 'ENOENT') return undefined;
  throw e;
}

/** A file up to its size when it is opened; nothing if it was removed. */
async function* fileOf(dataDir: string, path: string): AsyncGenerator<Section> {
  const handle = await open(join(dataDir, path), 'r').catch(orGone);
  if (!handle) return;
  const { size, mode } = await handle.stat();
  const empty = (async function* () {})();
  // The stream closes the file at its end.
  const content = size === 0 ? empty : handle.createReadStream({ end: size - 1 });
  yield { head: { file: path, mode: mode & 0o777 }, content };
  await handle.close();
}
