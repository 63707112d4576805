// Whether a record names another network than that of the account it is recorded for, as a file's lines are asked too.
import { isForeignByName } from '../../core/cdr/networks.ts';
import type { NumberRanges } from '../../core/cdr/number-ranges.ts';
import { loadNumberRanges } from '../../platform/data-files.ts';
import { findAccount } from '../accounts/index.ts';
import type { Services } from '../kernel/services.ts';

// Read with the first record: most services take none by REST.
let ranges: NumberRanges | undefined;

/** @param psp and account as uuid */
export async function foreignTo(
  s: Services,
  psp: string,
  account: string,
): Promise<((network: string) => boolean | undefined) | undefined> {
  const known = s.accounts.peek({ psp, id: account }) ?? (await findAccount(s.db, psp, account));
  if (!known) return undefined;
  ranges ??= loadNumberRanges();
  const names = ranges;
  return (network) => isForeignByName(network, { name: known.name, country: known.country ?? undefined }, names);
}
