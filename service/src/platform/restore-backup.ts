// Puts a backup into an empty data folder: unpacked into corners of it, checked to its last byte, and only then moved
// into place. Until the last move the folder is one that the service refuses to start on.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { refuse } from '../core/refusal.ts';
import type { Cover, Manifest } from './backup-archive.ts';
import { type Access, writeAccess } from './embedded-postgres.ts';
import type { Log } from './log.ts';
import { knownMigrations } from './migrate.ts';
import { binaries, chooseAddress, type Identity, identify, own } from './postgres-programs.ts';
import { readArchive, readCover, type Sink } from './read-archive.ts';
import { syncPath } from './sync-path.ts';

export interface RestoreOptions {
  /** Absolute. */
  readonly dataDir: string;
  readonly file: string;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Bytes of the archive read so far, and its size. */
  progress(done: number, total: number): void;
}

/** Reads a backup to its end and says whether it can be restored here. @throws BadArchive, Refusal */
export async function checkBackup({ file, signal, progress }: Omit<RestoreOptions, 'dataDir'>): Promise<Manifest> {
  await mayRestore(file, await readCover(file));
  const total = statSync(file).size;
  return readArchive(file, { read: (done) => progress(done, total) }, signal);
}

/** @throws BadArchive, Refusal; the folder is then as it was */
export async function restoreBackup(o: RestoreOptions): Promise<Manifest> {
  const { dataDir, file, log } = o;
  await mayRestore(file, await readCover(file));
  const existed = existsSync(dataDir);
  const held = existed ? readdirSync(dataDir) : [];
  if (held.length > 0)
    throw refuse(
      'STATE_CONFLICT',
      `${dataDir} is not empty (${held.slice(0, 3).join(', ')}${held.length > 3 ? ' …' : ''}); restore into a folder that is missing or empty`,
    );
  mkdirSync(dataDir, { recursive: true });
  const place = claim(dataDir, identify(dataDir, log), existed);
  try {
    const manifest = await unpack(o, place);
    await settle(o, place);
    return manifest;
  } catch (e) {
    place.clear();
    throw e;
  }
}

/** @throws where another server or a later version made it */
async function mayRestore(file: string, cover: Cover): Promise<void> {
  const here = execFileSync((await binaries()).postgres, ['--version'])
    .toString()
    .trim();
  const major = (version: string) => /(\d+)/.exec(version)?.[1];
  if (major(cover.postgres) !== major(here))
    throw refuse(
      'STATE_CONFLICT',
      `${file} holds files of PostgreSQL ${cover.postgres}, which ${here} does not read; restore it with Assay ${cover.assay}`,
    );
  const known = new Set(knownMigrations());
  const newer = cover.migrations.find((m) => !known.has(m.name));
  if (newer)
    throw refuse(
      'STATE_CONFLICT',
      `${file} was made by a newer version of Assay (${newer.name} is not known here); restore it with version ${cover.assay} or a later one`,
    );
}

/** Where things are put, all of it empty and ours. */
interface Place {
  readonly identity: Identity;
  readonly pgData: string;
  /** Corners: the server's files in its own folder, which may be on another disk, the others beside it. */
  readonly corners: { readonly postgres: string; readonly others: string };
  /** As if nothing had been there. */
  clear(): void;
}

/** Makes the folder ours: from here on neither a start nor another restore takes it for an empty one. */
function claim(dataDir: string, identity: Identity, existed: boolean): Place {
  const link = join(dataDir, 'postgres');
  mkdirSync(link, { recursive: true, mode: 0o700 });
  const pgData = realpathSync(link);
  try {
    if (readdirSync(pgData).length > 0)
      throw refuse('STATE_CONFLICT', `${pgData} still holds the database of an earlier ${dataDir}; move it away`);
    own(pgData, identity);
    writeFileSync(join(pgData, 'PG_VERSION'), 'being restored\n', { flag: 'wx' });
  } catch (e) {
    // Of a link nothing is removed that it leads to.
    if (lstatSync(link).isSymbolicLink()) rmSync(link);
    else rmdirSync(link);
    if (!existed) rmdirSync(dataDir);
    throw e;
  }
  const corners = { postgres: join(pgData, 'half-restored'), others: join(dataDir, 'restore.half') };
  return {
    identity,
    pgData,
    corners,
    clear() {
      rmSync(pgData, { recursive: true, force: true });
      for (const name of readdirSync(dataDir)) rmSync(join(dataDir, name), { recursive: true, force: true });
      if (!existed) rmdirSync(dataDir);
    },
  };
}

async function unpack({ file, signal, progress }: RestoreOptions, { identity, corners }: Place): Promise<Manifest> {
  const total = statSync(file).size;
  const target = (path: string): { path: string; ours: boolean } => {
    const ours = !/^postgres(\/|$)/.test(path);
    return { path: ours ? join(corners.others, path) : join(corners.postgres, path.slice('postgres'.length)), ours };
  };
  const folder = (path: string, mode: number, ours: boolean) => {
    if (existsSync(path)) return;
    folder(dirname(path), 0o700, ours);
    mkdirSync(path, { mode: 0o700 });
    if (ours) chmodSync(path, mode);
    else own(path, identity);
  };
  return readArchive(
    file,
    {
      folder(path, mode) {
        const to = target(path);
        folder(to.path, mode, to.ours);
      },
      file(path, mode): Sink {
        const to = target(path);
        folder(dirname(to.path), 0o700, to.ours);
        const fd = openSync(to.path, 'wx', 0o600);
        if (to.ours) chmodSync(to.path, mode);
        else own(to.path, identity);
        return {
          write(chunk) {
            for (let at = 0; at < chunk.length; ) at += writeSync(fd, chunk, at);
          },
          end: () => closeSync(fd),
        };
      },
      read: (done) => progress(done, total),
    },
    signal,
  );
}

/** Brings everything below a folder to the disk; many files at once, as a disk takes them together. */
async function syncAll(root: string): Promise<void> {
  const paths = readdirSync(root, { recursive: true, withFileTypes: true }).map((e) => join(e.parentPath, e.name));
  const worker = async () => {
    for (let path = paths.pop(); path !== undefined; path = paths.pop()) await syncPath(path);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}

/** Moves what was checked into place, last the file without which the service does not start. */
async function settle({ dataDir }: RestoreOptions, { identity, pgData, corners }: Place): Promise<void> {
  await Promise.all([syncAll(corners.postgres), syncAll(corners.others)]);
  for (const name of readdirSync(corners.postgres)) renameSync(join(corners.postgres, name), join(pgData, name));
  rmdirSync(corners.postgres);
  await syncPath(pgData);
  const accessFile = join(corners.others, 'secrets', 'postgres.json');
  const access = JSON.parse(readFileSync(accessFile, 'utf8')) as Access;
  rmSync(accessFile);
  for (const name of readdirSync(corners.others)) renameSync(join(corners.others, name), join(dataDir, name));
  rmdirSync(corners.others);
  // The passwords are the database's own; the address is of this folder.
  writeAccess(join(dataDir, 'secrets', 'postgres.json'), { ...access, ...(await chooseAddress(dataDir, identity)) });
  await syncPath(join(dataDir, 'secrets'));
  await syncPath(dataDir);
}
