// The folder that DATA_DIR names, and what is in it: made where it is missing. What fails is reported with the setting.
import { accessSync, constants, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** @throws an error that names the setting, if the folder cannot be made */
export const makeDataDir = (dataDir: string): void =>
  named(dataDir, () => void mkdirSync(dataDir, { recursive: true }));

/** A folder in it for this user alone. @throws an error that names the setting, if it cannot be made or written to */
export const makeInDataDir = (dataDir: string, name: string): string =>
  named(dataDir, () => {
    const folder = join(dataDir, name);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK);
    return folder;
  });

function named<T>(dataDir: string, make: () => T): T {
  try {
    return make();
  } catch (cause) {
    throw new Error(`DATA_DIR: the folder ${dataDir} cannot be made or written to`, { cause });
  }
}
