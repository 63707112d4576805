// The tax in a periodic return on the period's contributions to its base. Pure.
import { divideRounded, formatUnits, pow10, ratio } from '../money.ts';
import { isNegative, plain } from '../sums.ts';
import type { TaxRule } from './rule.ts';

/**
 * @param base sum of contributions, decimal text; a loss bears no tax and is not carried forward here
 * @param decimals decimals of the currency
 * @returns undefined if the rule has no rate
 */
export function dutyOn(
  rule: Pick<TaxRule, 'rate' | 'base' | 'rounding'>,
  base: string,
  decimals: number,
): string | undefined {
  if (rule.rate === undefined) return undefined;
  if (isNegative(base)) return '0';
  const { n, d } = ratio(rule.rate);
  const point = base.indexOf('.');
  const scale = point < 0 ? 0 : base.length - point - 1;
  const units = BigInt(base.replace('.', ''));
  // Contained in the stake: the tax is r/(1+r) of it.
  const whole = rule.base === 'STAKE_INCLUSIVE' ? d * 100n + n : d * 100n;
  return plain(formatUnits(divideRounded(units * n * pow10(decimals), whole * pow10(scale), rule.rounding), decimals));
}
