// Data folders with a migrated database and no account, copied from the one that the run has made. A start on one of
// them saves initdb, all migrations and the loading of the rates, which tests of first starts hold.
import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Access, writeAccess } from '../../src/platform/embedded-postgres.ts';
import { makeLog } from '../../src/platform/log.ts';
import { chooseAddress, identify } from '../../src/platform/postgres-programs.ts';

/**
 * @param made the run's own, as server.ts provides it; without one nothing is copied, and a start makes all of it
 * @param dataDir an empty folder
 */
export async function fillFolder(made: string, dataDir: string): Promise<void> {
  if (made === '') return;
  chmodSync(dataDir, 0o711);
  execFileSync('cp', ['-a', join(made, 'postgres'), join(made, 'secrets'), dataDir]);
  const file = join(dataDir, 'secrets', 'postgres.json');
  const access = JSON.parse(readFileSync(file, 'utf8')) as Access;
  // The socket's folder is below the data folder, whose path the access names.
  writeAccess(file, { ...access, ...(await chooseAddress(dataDir, identify(dataDir, makeLog('silent')))) });
}
