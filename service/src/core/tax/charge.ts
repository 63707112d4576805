// The tax of one rule on a base: a percentage, brackets, slabs or a fixed amount, from a threshold on, between a floor and
// a cap. Exact, and rounded once. Pure.
import { type Decimal, decimal, divideRounded, least, pow10, type Ratio, ratio } from '../money.ts';
import type { Asset } from '../reference.ts';
import type { ChosenRule } from './book.ts';
import type { TaxRule } from './rule.ts';

/** A rule with the rate in its row and the currency of its amounts. */
type Charging = Pick<ChosenRule, 'rule' | 'ownRate' | 'currency'>;

/** Whether the rule names amounts of money, which are compared with the base. */
export const hasAmounts = (r: TaxRule): boolean =>
  r.base === 'TRANSACTION' ||
  r.atLeast !== undefined ||
  r.threshold !== undefined ||
  r.allowance !== undefined ||
  r.brackets !== undefined ||
  r.slabs !== undefined ||
  r.maxTax !== undefined ||
  r.minTax !== undefined;

/** Whether the amounts of the rule are compared with all payouts of a wager together. */
export const isOfWager = (r: TaxRule): boolean =>
  (r.base === 'PAYOUT' || r.base === 'WINNINGS') && hasAmounts(r) && r.summedOver === undefined && !r.eachPayment;

/** Whether the rule can be applied to amounts of this asset: no amount is converted. */
export const isComparable = (c: Charging, asset: Asset | undefined): boolean =>
  !hasAmounts(c.rule) || asset?.code === c.currency;

export interface Charged {
  readonly taxable: bigint;
  readonly tax: bigint;
}

/**
 * @param base the whole amount, including the taxes this one is charged on
 * @returns undefined if the rule's amounts are in another currency
 */
export function charge(c: Charging, base: bigint, asset: Asset | undefined): Charged | undefined {
  const r = c.rule;
  if (!hasAmounts(r)) return { taxable: base, tax: percentage(base, c.ownRate, r) };
  if (asset === undefined || asset.code !== c.currency) return undefined;
  const units = (text: string): bigint => inUnits(decimal(text), asset.decimals);
  if (r.atLeast !== undefined && base < units(r.atLeast)) return nothing;
  if (r.threshold !== undefined && base <= units(r.threshold)) return nothing;
  const allowed = r.allowance === undefined ? 0n : units(r.allowance);
  if (base <= allowed) return nothing;
  const taxable = base - allowed;
  const tax = uncapped(c, taxable, units);
  const floor = r.minTax === undefined ? 0n : units(r.minTax);
  const cap = r.maxTax === undefined ? undefined : units(r.maxTax);
  return { taxable, tax: cap !== undefined && tax > cap ? cap : tax < floor ? floor : tax };
}

const nothing: Charged = { taxable: 0n, tax: 0n };

function uncapped(c: Charging, taxable: bigint, units: (text: string) => bigint): bigint {
  const r = c.rule;
  if (r.unitAmount !== undefined) return units(r.unitAmount);
  if (r.slabs !== undefined) {
    const slab = r.slabs.find((s) => s.upTo === undefined || taxable <= units(s.upTo));
    if (slab?.amount !== undefined) return units(slab.amount);
    return percentage(taxable, percent(slab?.rate ?? '0'), r);
  }
  if (r.brackets === undefined) return percentage(taxable, c.ownRate, r);
  // All brackets over one denominator, so that the sum is rounded and not its parts.
  let [n, d, from] = [0n, 1n, 0n];
  for (const b of r.brackets) {
    const to = b.upTo === undefined ? taxable : least(taxable, units(b.upTo));
    if (to <= from) break;
    const rate = percent(b.rate);
    [n, d] = [n * rate.d + (to - from) * rate.n * d, d * rate.d];
    from = to;
  }
  return n === 0n ? 0n : divideRounded(n, d, r.rounding);
}

/** A percentage as a fraction: 7.5 is 75/1000. */
export const percent = (text: string): Ratio => {
  const { n, d } = ratio(text);
  return { n, d: d * 100n };
};

export const percentage = (base: bigint, { n, d }: Ratio, r: TaxRule): bigint =>
  n === 0n ? 0n : divideRounded(base * n, d, r.rounding);

/** Digits beyond the smallest unit are dropped. */
export const inUnits = ({ units, scale }: Decimal, decimals: number): bigint =>
  scale <= decimals ? units * pow10(decimals - scale) : units / pow10(scale - decimals);
