// Caches of accounts and keys in a process.
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { AccessChanges } from './access-changes.ts';
import { AccountDirectory } from './accounts.ts';
import { KeyRing } from './keys.ts';

export function makeCaches(db: Database, clock: Clock, monotonic: Clock) {
  const accessChanges = new AccessChanges(db, monotonic);
  return { accessChanges, accounts: new AccountDirectory(accessChanges), keys: new KeyRing(db, clock, accessChanges) };
}
