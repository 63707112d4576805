// An account's id as it is shown. Accounts repeat from call to call, so that what is shown is cached.
import { type AccountId, type PspId, toWire } from './ids.ts';

const shownAccounts = new Map<string, string>();

/** An account's id in wire form: a PSP is the account whose id equals its tenant's. */
export function accountWire(psp: PspId, account: AccountId): string {
  let shown = shownAccounts.get(account);
  if (shown === undefined) {
    shown = toWire(account === psp ? 'psp' : 'client', account);
    // Accounts repeat from call to call; the table is cleared before it grows large.
    if (shownAccounts.size >= 10_000) shownAccounts.clear();
    shownAccounts.set(account, shown);
  }
  return shown;
}
