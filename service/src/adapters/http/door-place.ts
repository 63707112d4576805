// The place of the service's door on this machine. The service opens it and the command line finds it; the folder's rights
// decide who may enter.
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { basename, join, resolve } from 'node:path';
import type { Settings } from '../../settings.ts';

/** Names the person at the keyboard, as encodeURIComponent writes it. */
export const operatorHeader = 'x-assay-operator';

/** Bytes of a socket's path: 104 on macOS, 108 on Linux, with what ends it. */
const longestPath = 103;

export const fits = (path: string): boolean => Buffer.byteLength(path) <= longestPath;

export const doorFolder = (dataDir: string): string => resolve(dataDir, 'door');

/** How the names of doors to a database begin: who has another database of the same folder in mind finds none of them. */
export const doorPrefix = ({ database }: Pick<Settings, 'database'>): string =>
  `${createHash('sha256').update(database).digest('hex').slice(0, 16)}-`;

/** Doors of the folder, to whichever database; of killed processes too. */
export async function doorsIn(dataDir: string): Promise<string[]> {
  const folder = doorFolder(dataDir);
  const names = await readdir(folder).catch(() => []);
  return names.map((n) => join(folder, n));
}

/** Those to the database that the settings name. */
export const doorsOf = async (settings: Settings): Promise<string[]> =>
  (await doorsIn(settings.dataDir)).filter((path) => basename(path).startsWith(doorPrefix(settings)));

/** The first of the doors at which a service listens. */
export async function firstOpen(doors: readonly string[]): Promise<string | undefined> {
  for (const path of doors) {
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect(path, () => resolve(true)).on('error', () => resolve(false));
      socket.unref();
    });
    if (open) return path;
  }
  return undefined;
}
