// What the journal tells of a change of rates, and the changes of fees that give it.
import type { FeeRule } from '../../core/fee.ts';
import { toWire } from '../../core/ids.ts';
import type { Database } from '../../platform/database.ts';
import type { Entry } from '../kernel/journal.ts';
import type { Principal } from '../kernel/services.ts';
import { type CountryFile, notLive, supersedeFee } from './rates-store.ts';

/** The entry of a change. @param evidence why, and by which proposal */
export const ratesChanged = (principal: Principal, data: unknown, evidence: unknown): Entry => ({
  kind: 'rates.changed',
  psp: principal.psp,
  account: principal.account,
  resourceId: principal.account,
  version: 1,
  data,
  evidence,
});

export const taxEntry = (version: string, files: readonly CountryFile[]) => ({
  dataset: version,
  countries: files.map((f) => ({ jurisdiction: f.country.jurisdiction, hash: f.hash })),
});

export const feeEntry = (rule: FeeRule) => ({ fee: { ...rule, psp: rule.psp && toWire('psp', rule.psp) } });

/** Ends a fee row's use from now on. @returns what the journal tells of it @throws NOT_FOUND where it is not live */
export async function putFeeEnd(tx: Database, feeId: string) {
  if (!(await supersedeFee(tx, feeId))) throw notLive(feeId);
  return { feeEnded: feeId };
}
