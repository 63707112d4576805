// Data folders with a migrated database and no account, copied from the one that the run has made. A start on one of
// them saves initdb, all migrations and the loading of the rates, which tests of first starts hold.
import { execFileSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @param made the run's own, as server.ts provides it; without one nothing is copied, and a start makes all of it
 * @param dataDir an empty folder
 */
export function fillFolder(made: string, dataDir: string): void {
  if (made === '') return;
  chmodSync(dataDir, 0o711);
  execFileSync('cp', ['-a', join(made, 'postgres'), join(made, 'secrets'), dataDir]);
}
