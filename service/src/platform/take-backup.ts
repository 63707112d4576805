// A backup of the embedded database while it is used: PostgreSQL's files as they are copied, and all that was logged
// from before the first was read until after the last, from which a start makes one consistent state. With them what
// else the data folder needs.
import { constants } from 'node:fs';
import { access, type FileHandle, open, readdir, readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import type pg from 'pg';
import { Refusal, refuse } from '../core/refusal.ts';
import { archiveFormat, type Cover, type Manifest, type Part, writeArchive } from './backup-archive.ts';
import { Pool } from './database.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import type { Log } from './log.ts';
import { randomSecret } from './random.ts';

export interface BackupOptions {
  readonly dataDir: string;
  readonly file: string;
  readonly withMasterKey: boolean;
  /** Version of Assay. */
  readonly version: string;
  readonly now: Date;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Bytes of the database's files read so far, and how many there are about. */
  progress(done: number, total: number): void;
}

/** One backup of a server at a time. */
const lock = 727_477;

/** @throws Refusal where there is nothing to back up, or no place for it */
export async function takeBackup(o: BackupOptions): Promise<Manifest> {
  const file = resolve(o.file);
  await mayBegin(o, file);
  const server = await startEmbeddedPostgres(o.dataDir, o.log);
  try {
    // The connection is the backup's life: when it ends, the server forgets the backup and keeps no more log for it.
    const pool = new Pool(server.adminUrl, { max: 1, log: o.log });
    try {
      return await pool
        .withClient((c) => copyAll(c, o, file))
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
  } finally {
    await server.stop();
  }
}

async function mayBegin({ dataDir, withMasterKey }: BackupOptions, file: string): Promise<void> {
  const stands = (path: string) =>
    stat(path).then(
      () => true,
      () => false,
    );
  if (!(await stands(join(dataDir, 'postgres', 'PG_VERSION'))))
    throw refuse('NOT_FOUND', `${dataDir} holds no embedded database; DATA_DIR names the folder of the service`);
  if (withMasterKey && !(await stands(join(dataDir, 'secrets', 'master.key'))))
    throw refuse('NOT_FOUND', `${dataDir} holds no master key: it is given by ASSAY_MASTER_KEY; keep it where that is`);
  if (await stands(file)) throw refuse('STATE_CONFLICT', `${file} exists already; name another file`);
  const folder = await realpath(dirname(file)).catch(() => undefined);
  if (folder === undefined) throw refuse('NOT_FOUND', `there is no folder ${dirname(file)}`);
  if (!relative(await realpath(dataDir), folder).startsWith('..'))
    throw refuse('STATE_CONFLICT', `${file} is within DATA_DIR, and lost with it; name a file elsewhere`);
  await access(folder, constants.W_OK);
}

interface Row {
  readonly [name: string]: string;
}

async function copyAll(c: pg.PoolClient, o: BackupOptions, file: string): Promise<Manifest> {
  const one = async (text: string, values: unknown[] = []) => (await c.query<Row>(text, values)).rows[0] as Row;
  if (!(await one('SELECT pg_try_advisory_lock($1) AS mine', [lock])).mine)
    throw refuse('STATE_CONFLICT', 'another backup of this database is being made; wait for its end');
  if ((await c.query("SELECT 1 FROM pg_tablespace WHERE spcname NOT IN ('pg_default', 'pg_global')")).rows.length > 0)
    throw refuse('STATE_CONFLICT', 'the database has tablespaces outside DATA_DIR; back it up with pg_basebackup');
  // From here on no log is thrown away; the slot goes with the connection.
  const slot = `assay_backup_${randomSecret(6).toString('hex')}`;
  await c.query('SELECT pg_create_physical_replication_slot($1, true, true)', [slot]);
  const begun = await one("SELECT pg_backup_start('assay backup', true)::text AS lsn");
  const cover: Cover = {
    format: archiveFormat,
    assay: o.version,
    postgres: (await one("SELECT current_setting('server_version') AS v")).v as string,
    madeAt: o.now.toISOString(),
    migrations: (await c.query('SELECT name, hash FROM migrations ORDER BY name')).rows,
    startLsn: begun.lsn as string,
    masterKey: o.withMasterKey,
  };
  const pgData = await realpath(join(o.dataDir, 'postgres'));
  async function* parts(): AsyncGenerator<Part, { stopLsn: string }> {
    yield* databaseFiles(pgData, o);
    // Before the end of the log, so that none of them knows more than the database: a checkpoint of entries that are
    // not there would stop the sealing, a call detail file put away without its records would be lost. And a file
    // moves on from one of these folders to the next, never back: whoever looks in their order meets it.
    for (const name of ['status', 'incoming', 'processing', 'archive'])
      yield* tree(join(o.dataDir, 'cdr', name), `cdr/${name}`);
    yield* tree(join(o.dataDir, 'checkpoints'), 'checkpoints');
    yield* secretFiles(o);
    const stop = await one(
      `SELECT lsn::text, labelfile, pg_walfile_name($1::pg_lsn) AS first, pg_walfile_name(lsn - 1) AS last,
         ((pg_split_walfile_name(pg_walfile_name(lsn - 1))).segment_number
           - (pg_split_walfile_name(pg_walfile_name($1::pg_lsn))).segment_number + 1)::int AS files
       FROM pg_backup_stop(false)`,
      [begun.lsn],
    );
    yield* logFiles(pgData, stop);
    yield text('postgres/backup_label', stop.labelfile as string, o.now);
    return { stopLsn: stop.lsn as string };
  }
  return writeArchive(file, { cover, parts }, o.signal);
}

/** Folders that a start fills anew, and files of one run of the server. */
const emptied =
  /^(pg_wal(\/\w+)?|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans|.*\bpgsql_tmp)$/;
const leftOut =
  /^(postmaster\.(pid|opts)|server\.log|backup_label(\.old)?|tablespace_map(\.old)?|half-.*)$|(^|\/)(pg_internal\.init.*|t\d+_\d+(_\w+)?(\.\d+)?)$/;
const control = 'global/pg_control';

async function* databaseFiles(pgData: string, o: BackupOptions): AsyncGenerator<Part> {
  const wanted = (path: string) => !leftOut.test(path) && path !== control && !emptied.test(dirname(path));
  const deeper = (path: string) => !emptied.test(path) || path === 'pg_wal';
  let total = 0;
  for await (const f of walk(pgData, deeper)) if (wanted(f.path)) total += f.size;
  let done = 0;
  yield folder('postgres', 0o700, o.now);
  for await (const f of walk(pgData, deeper)) {
    if (f.folder) {
      if (!leftOut.test(f.path)) yield folder(`postgres/${f.path}`, 0o700, f.mtime);
      continue;
    }
    if (!wanted(f.path)) continue;
    const part = await whole(join(pgData, f.path), `postgres/${f.path}`);
    if (part) yield part;
    done += f.size;
    o.progress(done, total);
  }
  yield text(`postgres/${control}`, await stable(join(pgData, control)), o.now);
}

/** The server may be writing it: as it stood at two looks in a row. */
async function stable(path: string): Promise<Buffer> {
  for (let before = await readFile(path); ; ) {
    const again = await readFile(path);
    if (again.equals(before)) return again;
    before = again;
  }
}

/** @throws when the log is not whole */
async function* logFiles(pgData: string, { first, last, files }: Row): AsyncGenerator<Part> {
  const names = (await readdir(join(pgData, 'pg_wal')))
    .filter((n) => /^[0-9A-F]{24}$/.test(n) && n >= (first as string) && n <= (last as string))
    .sort();
  if (names.length !== Number(files)) throw new Error(`the log from ${first} to ${last} is not whole`);
  for (const n of names) yield (await whole(join(pgData, 'pg_wal', n), `postgres/pg_wal/${n}`)) as Part;
}

async function* secretFiles({ dataDir, withMasterKey, now }: BackupOptions): AsyncGenerator<Part> {
  yield folder('secrets', 0o700, now);
  for (const name of (await readdir(join(dataDir, 'secrets'))).sort()) {
    if (name !== 'postgres.json' && !/^sftp_host_\w+_key$/.test(name) && !(withMasterKey && name === 'master.key'))
      continue;
    const part = await whole(join(dataDir, 'secrets', name), `secrets/${name}`);
    if (part) yield { ...part, mode: 0o600 };
  }
}

async function* tree(root: string, path: string): AsyncGenerator<Part> {
  for await (const f of walk(root, () => true)) {
    if (f.folder) yield folder(join(path, f.path), f.mode, f.mtime);
    else {
      const part = await whole(join(root, f.path), `${path}/${f.path}`);
      if (part) yield part;
    }
  }
}

interface Found {
  /** Below the root, with `/`. */
  readonly path: string;
  readonly folder: boolean;
  readonly size: number;
  readonly mode: number;
  readonly mtime: Date;
}

/** Folders before what they hold; what goes meanwhile is left out, and links are. */
async function* walk(root: string, deeper: (path: string) => boolean, below = ''): AsyncGenerator<Found> {
  const entries = await readdir(join(root, below), { withFileTypes: true }).catch(orGone);
  for (const entry of (entries ?? []).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (!entry.isFile() && !entry.isDirectory()) continue;
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    const s = await stat(join(root, path)).catch(orGone);
    if (!s) continue;
    yield { path, folder: entry.isDirectory(), size: s.size, mode: s.mode & 0o777, mtime: s.mtime };
    if (entry.isDirectory() && deeper(path)) yield* walk(root, deeper, path);
  }
}

function orGone(e: NodeJS.ErrnoException): undefined {
  if (e.code === 'ENOENT') return undefined;
  throw e;
}

const folder = (path: string, mode: number, mtime: Date): Part => ({ path: path.replaceAll('\\', '/'), mode, mtime });

const text = (path: string, content: string | Buffer, mtime: Date): Part => {
  const bytes = Buffer.from(content);
  return { path, mode: 0o600, mtime, size: bytes.length, content: [bytes] };
};

const chunkBytes = 1 << 18;

/**
 * A file at the size it has when it is opened: what is added later the log tells, and what is cut off meanwhile it
 * will cut off again. Undefined where it has gone.
 */
async function whole(file: string, path: string): Promise<Part | undefined> {
  const handle = await open(file, 'r').catch(orGone);
  if (!handle) return undefined;
  const s = await handle.stat();
  async function* content(handle: FileHandle): AsyncGenerator<Buffer> {
    try {
      for (let at = 0; at < s.size; ) {
        const chunk = Buffer.alloc(Math.min(chunkBytes, s.size - at));
        const { bytesRead } = await handle.read(chunk, 0, chunk.length, at);
        // Past the end of one that was cut off there are zeros.
        yield bytesRead === 0 ? chunk : chunk.subarray(0, bytesRead);
        at += bytesRead === 0 ? chunk.length : bytesRead;
      }
    } finally {
      await handle.close();
    }
  }
  return { path, mode: s.mode & 0o777, mtime: s.mtime, size: s.size, content: content(handle) };
}
