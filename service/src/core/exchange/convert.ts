// Converts amounts of money exactly: an amount times a fraction, rounded once.
import { decimal, divideRounded, formatUnits, pow10, type Ratio } from '../money.ts';

/**
 * An amount in another currency, rounded half up (away from zero) to its decimals.
 * @param amount plain decimal text, may be negative
 * @param rate units of the other currency for one unit
 * @param decimals of the other currency
 */
export function convert(amount: string, rate: Ratio, decimals: number): string {
  const { units, scale } = decimal(amount);
  return formatUnits(divideRounded(units * rate.n * pow10(decimals), pow10(scale) * rate.d, 'HALF_UP'), decimals);
}
