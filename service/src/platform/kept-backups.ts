// A folder of backups of one database: makes another, checks it, and removes those past their keeping. A file has the name
// of a backup only after it was checked; files with other names are never touched.
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { backupName, backupsPastKeeping, type Keep, momentOfBackup } from '../core/backup-retention.ts';
import type { Manifest } from './backup-file.ts';
import { checkBackup } from './restore-backup.ts';
import { syncPath } from './sync-path.ts';

/** The end of the name of a file that is being made or checked. */
const unchecked = '.unchecked';
/** A file that is not finished after so long is left of a process that died. */
const leftAfterMs = 2 * 86_400_000;

export interface KeepOptions {
  /** Absolute path. */
  readonly folder: string;
  readonly keep: Keep;
  readonly now: Date;
  readonly signal: AbortSignal;
  /** Writes a backup to this file. */
  take(file: string): Promise<Manifest>;
  checked?(done: number, total: number): void;
}

export interface Kept {
  readonly file: string;
  readonly bytes: number;
  readonly manifest: Manifest;
  /** Names of the files that were removed. */
  readonly removed: readonly string[];
}

/**
 * Makes a backup in the folder, reads it to its end, and only then removes older ones.
 * @throws what `take` throws, or BadBackup if what was written cannot be read back; nothing is left of it then
 */
export async function makeKeptBackup({ folder, keep, now, signal, take, checked }: KeepOptions): Promise<Kept> {
  const file = join(folder, backupName(now.getTime()));
  const half = `${file}${unchecked}`;
  const manifest = await take(half);
  try {
    await checkBackup({ file: half, signal, progress: (_, done, total) => checked?.(done, total) });
    await rename(half, file);
  } catch (e) {
    await rm(half, { force: true });
    throw e;
  }
  await syncPath(dirname(file));
  const names = await readdir(folder);
  const left = names.filter((name) => {
    const ms = momentOfBackup(name.replace(/\.unchecked(\.half)?$/, ''));
    return name.includes(unchecked) && ms !== undefined && ms < now.getTime() - leftAfterMs;
  });
  const removed = [...backupsPastKeeping(names, keep, now.getTime()), ...left];
  for (const name of removed) await rm(join(folder, name), { force: true });
  return { file, bytes: (await stat(file)).size, manifest, removed };
}

export interface NewestBackup {
  /** When it was begun, in milliseconds. */
  readonly madeAtMs: number;
  readonly bytes: number;
}

/**
 * The newest checked backup; undefined if there is none. One from after `nowMs`, made while the clock was wrong, would hide for
 * as long that none is made. @throws if the folder cannot be read
 */
export async function newestBackup(folder: string, nowMs: number): Promise<NewestBackup | undefined> {
  const moments = (await readdir(folder)).flatMap((name) => momentOfBackup(name) ?? []).filter((ms) => ms <= nowMs);
  if (moments.length === 0) return undefined;
  const madeAtMs = Math.max(...moments);
  return { madeAtMs, bytes: (await stat(join(folder, backupName(madeAtMs)))).size };
}
