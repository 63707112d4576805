// Restores a backup into an empty database and an empty data folder. The backup is read to its end before anything is
// written; then its schema and rows are restored in one transaction, and the database is migrated.
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { finished } from 'node:stream/promises';
import type pg from 'pg';
import pgCopy from 'pg-copy-streams';
import { refuse } from '../core/refusal.ts';
import type { Cover, Head, Manifest } from './backup-file.ts';
import { databaseOn, Pool, transactionOn } from './database.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';
import type { Log } from './log.ts';
import { ensureDatabase, hasSchema, makeSchema, migrate, restoreMark, unknownMigration } from './migrate.ts';
import { identify } from './postgres-programs.ts';
import { BadBackup, readBackup, type Sink } from './read-backup.ts';
import { syncPath } from './sync-path.ts';
import { named, readTables, withConnection } from './take-backup.ts';

export interface CheckOptions {
  readonly file: string;
  readonly signal: AbortSignal;
  /** Called with the bytes of the file read so far, and its size. */
  progress(what: 'checked' | 'restored', done: number, total: number): void;
}

export interface RestoreOptions extends CheckOptions {
  /** Absolute path. */
  readonly dataDir: string;
  /** Undefined for the embedded database. */
  readonly databaseUrl: string | undefined;
  readonly now: Date;
  readonly log: Log;
}

/** Reads a backup to its end and says whether it can be restored here. @throws BadBackup, Refusal */
export async function checkBackup({ file, signal, progress }: CheckOptions): Promise<Manifest> {
  const total = statSync(file).size;
  const cover = (c: Cover) => expectKnown(file, c);
  return readBackup(file, { cover, read: (done) => progress('checked', done, total) }, signal);
}

/** @throws STATE_CONFLICT if a later version made the backup */
function expectKnown(file: string, cover: Cover): void {
  const unknown = unknownMigration(cover.migrations);
  if (unknown !== undefined)
    throw refuse(
      'STATE_CONFLICT',
      `${file} was made by a newer version of Assay (${unknown} is not known here); restore it with version ${cover.assay} or a later one`,
    );
}

/** @throws BadBackup, Refusal; folder and database are then unchanged */
export async function restoreBackup(o: RestoreOptions): Promise<Manifest> {
  const manifest = await checkBackup(o);
  const clear = claim(o.dataDir, o.databaseUrl === undefined, o.log);
  let embedded: EmbeddedPostgres | undefined;
  let restored = false;
  try {
    if (o.databaseUrl === undefined) {
      embedded = await startEmbeddedPostgres(o.dataDir, o.log);
      await ensureDatabase(embedded.adminUrl.replace(/\/assay(\?|$)/, '/postgres$1'), 'assay', o.log);
    }
    const pool = new Pool(embedded?.adminUrl ?? (o.databaseUrl as string), { max: 2, log: o.log });
    try {
      await pool.withClient((c) => withConnection(c, () => fill(c, o, manifest, embedded?.appPassword)));
      restored = true;
      await migrate(pool, o.now, { appPassword: embedded?.appPassword, log: o.log, dataDir: o.dataDir });
      // Without statistics, PostgreSQL would plan queries as if the tables were empty.
      await pool.query('ANALYZE');
    } finally {
      await pool.end();
    }
    return manifest;
  } catch (e) {
    if (restored)
      throw new Error('the backup is restored, but not brought up to date; start the service', { cause: e });
    throw e;
  } finally {
    await embedded?.stop(restored ? 'fast' : 'immediate');
    if (!restored) clear();
  }
}

/**
 * Marks the folder as being restored, so that no service starts on it. The folder of a killed restore is used again.
 * @returns a function that puts the folder back into its previous state
 */
function claim(dataDir: string, embedded: boolean, log: Log): () => void {
  const existed = existsSync(dataDir);
  const held = existed ? readdirSync(dataDir) : [];
  const mark = restoreMark(dataDir);
  if (existsSync(mark)) {
    for (const name of ['cdr', 'checkpoints']) rmSync(join(dataDir, name), { recursive: true, force: true });
    return () => undefined;
  }
  if (held.length > 0)
    throw refuse(
      'STATE_CONFLICT',
      `${dataDir} is not empty (${held.slice(0, 3).join(', ')}${held.length > 3 ? ' …' : ''}); restore into a folder that is missing or empty`,
    );
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(mark, '', { mode: 0o600, flush: true });
  const postgres = join(dataDir, 'postgres');
  const clear = () => {
    // If the service runs as root, this may be a link to a folder elsewhere.
    const pgData = existsSync(postgres) ? realpathSync(postgres) : undefined;
    if (pgData !== undefined) rmSync(pgData, { recursive: true, force: true });
    for (const name of readdirSync(dataDir)) rmSync(join(dataDir, name), { recursive: true, force: true });
    if (!existed) rmSync(dataDir, { recursive: true });
  };
  if (!embedded) return clear;
  identify(dataDir, log);
  if (existsSync(postgres) && readdirSync(postgres).length > 0) {
    const found = realpathSync(postgres);
    // Removes the link, not its target.
    rmSync(postgres);
    clear();
    throw refuse('STATE_CONFLICT', `${found} still holds the database of an earlier ${dataDir}; move it away`);
  }
  return clear;
}

/** Restores all files before the transaction of the rows commits: if the database has rows, everything is restored. */
async function fill(
  c: pg.PoolClient,
  o: RestoreOptions,
  manifest: Manifest,
  appPassword: string | undefined,
): Promise<void> {
  // An earlier restore was killed after its commit: nothing is left to do.
  if (await hasSchema(c)) {
    if (o.databaseUrl === undefined) return;
    throw refuse('STATE_CONFLICT', 'the database of DATABASE_URL is not empty; restore into one without tables');
  }
  const found = await readTables(databaseOn(c));
  if (found.length > 0)
    throw refuse(
      'STATE_CONFLICT',
      `the database is not empty (${found.map((t) => t.name).join(', ')}); restore into one without tables`,
    );
  await transactionOn(c, async (tx) => {
    await makeSchema(
      c,
      manifest.migrations.map((m) => m.name),
      manifest.months,
      appPassword,
    );
    const tables = new Map((await readTables(tx)).map((t) => [t.name, t]));
    for (const name of tables.keys())
      if (manifest.rows[name] === undefined) throw new BadBackup(`${o.file} lacks the table ${name}`);
    // Rows are restored unchanged: triggers must not alter them, and rows that migrations made are removed.
    for (const name of tables.keys()) await tx.query(`ALTER TABLE ${named([name])} DISABLE TRIGGER USER`);
    await tx.query(`TRUNCATE ${named([...tables.keys()])}`);
    const total = statSync(o.file).size;
    const section = async (head: Head): Promise<Sink | undefined> => {
      if ('file' in head) return fileSink(join(o.dataDir, head.file), head.mode);
      if (tables.has(head.table)) return tableSink(c, head, manifest.rows[head.table] as number);
      o.log.warn({ table: head.table }, 'a table that is none of Assay is not restored');
      return undefined;
    };
    await readBackup(o.file, { section, read: (done) => o.progress('restored', done, total) }, o.signal);
    // A session that was ended after the backup, because a machine was stolen or a person left, must not begin again.
    if (tables.get('sessions')?.columns.includes('ended_at'))
      await tx.query('UPDATE sessions SET ended_at = $1 WHERE ended_at IS NULL', [o.now.toISOString()]);
    for (const name of tables.keys()) await tx.query(`ALTER TABLE ${named([name])} ENABLE TRIGGER USER`);
    for (const e of readdirSync(o.dataDir, { recursive: true, withFileTypes: true }))
      if (e.isDirectory() && !/(^|\/)(postgres|run)(\/|$)/.test(join(e.parentPath, e.name).slice(o.dataDir.length)))
        await syncPath(join(e.parentPath, e.name));
    await syncPath(o.dataDir);
  });
}

async function fileSink(path: string, mode: number): Promise<Sink> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  rmSync(path, { force: true });
  const file: FileHandle = await open(path, 'wx', mode & 0o777);
  return {
    write: (chunk) => file.writeFile(chunk),
    async end() {
      await file.sync();
      await file.close();
    },
  };
}

/** @throws Error at the end, if the table received another number of rows than the backup has */
export function tableSink(c: pg.PoolClient, head: { table: string; columns: readonly string[] }, rows: number): Sink {
  const copy = c.query(pgCopy.from(`COPY ${named([head.table])} (${named(head.columns)}) FROM STDIN`));
  const done = finished(copy);
  // The next write or the end throws the error.
  done.catch(() => undefined);
  return {
    async write(chunk) {
      if (copy.errored || !copy.write(chunk)) await Promise.race([once(copy, 'drain'), done]);
    },
    async end() {
      copy.end();
      await done;
      if (copy.rowCount !== rows) throw new Error(`${head.table} took ${copy.rowCount} rows of ${rows}`);
    },
    // A COPY that is left open holds up what is asked after it, the rollback too.
    drop: () => void copy.destroy(),
  };
}
