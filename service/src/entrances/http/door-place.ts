// The place of the service's door on this machine. The service opens it and the command line finds it; the folder's rights
// decide who may enter.
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
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

/** Doors to the database that the settings name; of killed processes too. */
export async function doorsOf(settings: Settings): Promise<string[]> {
  const folder = doorFolder(settings.dataDir);
  const names = await readdir(folder).catch(() => []);
  return names.filter((n) => n.startsWith(doorPrefix(settings))).map((n) => join(folder, n));
}
