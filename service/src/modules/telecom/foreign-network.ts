// Whether a record names another network than that of the account it is recorded for, as a file's lines are asked too.
import { isForeignByName } from '../../core/cdr/networks.ts';
import { loadNumberRanges } from '../../platform/data-files.ts';
import { knownAccount } from '../accounts/index.ts';
import type { Services } from '../kernel/services.ts';

/** @param psp and account as uuid */
export async function foreignTo(
  s: Services,
  psp: string,
  account: string,
): Promise<((network: string) => boolean | undefined) | undefined> {
  const known = await knownAccount(s, { psp, id: account });
  if (!known) return undefined;
  const ranges = loadNumberRanges();
  return (network) => isForeignByName(network, { name: known.name, country: known.country ?? undefined }, ranges);
}
