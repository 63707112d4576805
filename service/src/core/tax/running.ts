// Taxes whose law counts what a client or customer was charged before, in the same day, month or year: the tax of one
// more amount, exact in the decision. Pure; knows no records.
import { decimal } from '../money.ts';
import type { Asset } from '../reference.ts';
import type { ChosenRule } from './book.ts';
import { type Charged, charge, inUnits, percentage } from './charge.ts';
import { sumDays } from './person-sums.ts';
import type { SummedOver, TaxRule } from './rule.ts';

/** What was counted before, in the asset's smallest unit. */
export interface Running {
  readonly base: bigint;
  readonly records: number;
  /** Whether the limit was reached in an earlier period, where the law holds somebody to that. */
  readonly reached: boolean;
}

export const nothingYet: Running = { base: 0n, records: 0, reached: false };

type Counting = Pick<ChosenRule, 'rule' | 'ownRate' | 'currency'>;
type CountedRule = TaxRule & { readonly summedOver: SummedOver & { readonly of: NonNullable<SummedOver['of']> } };

/** Whether the decision counts, and not a report later. */
export const isCounted = (r: TaxRule): r is CountedRule => r.summedOver?.of !== undefined;

/** Whether a limit that is reached frees nothing: from then on all is taxed, and nothing of what came before. */
const isReached = (r: TaxRule): boolean => r.summedOver?.from === 'REACHED';

/** What a rule adds to its sum: all that was paid where a limit is to be reached, else what it taxes. */
export const countedAmount = (r: TaxRule, base: bigint, paid: bigint): bigint => (isReached(r) ? paid : base);

/**
 * The tax of one more amount. The taxes of all amounts of a sum are together the tax of the sum, in any order, but for
 * limits that have to be reached: there the order decides.
 * @param paid all that was paid, which such limits are compared with
 * @returns undefined if the rule's amounts are in another currency
 */
export function chargeMore(
  c: Counting,
  base: bigint,
  paid: bigint,
  before: Running,
  asset: Asset | undefined,
): Charged | undefined {
  if (asset?.code !== c.currency) return undefined;
  if (isReached(c.rule))
    return hasReached(c.rule, paid, before, asset)
      ? { taxable: base, tax: percentage(base, c.ownRate, c.rule) }
      : { taxable: 0n, tax: 0n };
  const then = before.base <= 0n ? { taxable: 0n, tax: 0n } : charge(c, before.base, asset);
  const now = charge(c, (before.base > 0n ? before.base : 0n) + base, asset);
  return then && now && { taxable: now.taxable - then.taxable, tax: now.tax - then.tax };
}

/** Whether the limit is reached with this amount, or was before. */
export function hasReached(
  r: Pick<TaxRule, 'threshold' | 'atLeast' | 'summedOver'>,
  paid: bigint,
  before: Running,
  asset: Asset,
): boolean {
  if (before.reached) return true;
  const sum = before.base + paid;
  const units = (text: string): bigint => inUnits(decimal(text), asset.decimals);
  return (
    (r.threshold === undefined || sum > units(r.threshold)) &&
    (r.atLeast === undefined || sum >= units(r.atLeast)) &&
    before.records + 1 >= (r.summedOver?.minRecords ?? 0)
  );
}

/** Names the sum that a rule counts in on a local day. A rule that follows another one of the same tax continues its sum. */
export const sumName = (jurisdiction: string, r: CountedRule, currency: string, day: string): string =>
  [jurisdiction, r.taxCode, r.summedOver.per, sumDays(r.summedOver, day).first, currency].join(' ');

/** Names the note that a limit was reached, where that holds from then on. */
export const onwardsName = (jurisdiction: string, r: CountedRule, currency: string): string | undefined =>
  r.summedOver.onwards ? [jurisdiction, r.taxCode, 'REACHED', currency].join(' ') : undefined;
