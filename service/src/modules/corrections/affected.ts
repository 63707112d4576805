// Compares recorded transactions with the rules in force now, for the dates that decided them: by the tax profile that the client
// has now for that day, which may have been set later, and by the classification that it had then.
import { Refusal } from '../../core/refusal.ts';
import { differenceOf } from '../../core/sums.ts';
import { lineChanges, type TaxedAs, type TaxedLine, taxedBy } from '../../core/tax/correction.ts';
import { profileOn } from '../../core/tax/supplier.ts';
import type { Needs } from '../kernel/needs.ts';
import { partIn, type TaxDetails } from '../kernel/tax-details.ts';
import type { Range, Recorded } from './adjustment-store.ts';

export interface Assessed {
  readonly recorded: Recorded;
  /** Taxes by the current rules; undefined if these have none for it. */
  readonly after: TaxedAs | undefined;
  /** Why there are none. */
  readonly reason: string | undefined;
  /** Empty if nothing differs. */
  readonly changes: readonly TaxedLine[];
}

export function assess(s: Needs<'reference' | 'rates'>, recorded: Recorded): Assessed {
  const { transaction: t, classification, profiles, taxable, stands } = recorded;
  const none = (reason: string): Assessed => ({ recorded, after: undefined, reason, changes: [] });
  const { date } = t.evidence;
  const asset = s.reference.asset(t.currency, date, t.kind.startsWith('crypto'));
  if (asset instanceof Refusal) return none(asset.message);
  const { mcc, taxDetails } = JSON.parse(t.request) as { mcc?: unknown; taxDetails?: TaxDetails };
  const after = taxedBy(s.rates.book, {
    kind: t.kind,
    country: t.country,
    classification,
    mcc: mcc === undefined ? undefined : String(mcc),
    supply: taxDetails?.category,
    subdivision: partIn(t.country, taxDetails),
    profile: profileOn(profiles, t.country, date),
    date,
    asset: { ...asset, decimals: t.evidence.decimals ?? asset.shipped ?? asset.decimals },
    amount: t.amount,
    taxable,
    transactionFee: t.transactionFee,
    processingFee: t.processingFee,
    reckoning: t.evidence.reckoning,
    evidence: t.evidence,
  });
  if (after instanceof Refusal) return none(after.message);
  return { recorded, after, reason: undefined, changes: lineChanges(stands, after) };
}

/** Whether a correction of the range adjusts it. */
export const isAffected = (
  a: Assessed,
  { rule, duty }: Pick<Range, 'rule' | 'duty'>,
): a is Assessed & { after: TaxedAs } =>
  a.after !== undefined && a.changes.length > 0 && (!duty || a.changes.some((c) => c.rule === rule));

/** The change of each amount. */
export const deltaOf = (before: TaxedAs, after: TaxedAs) => ({
  vatAmount: differenceOf(after.vatAmount, before.vatAmount),
  transactionVat: differenceOf(after.transactionVat, before.transactionVat),
  remainder: differenceOf(after.remainder, before.remainder),
});
