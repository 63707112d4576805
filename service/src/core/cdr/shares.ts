// Shares and averages of call detail records as exact texts with two decimals, rounded half up.
import { type Decimal, divideRounded, formatUnits, pow10 } from '../money.ts';

const decimals = 2;

/** Per cent; null if `whole` is 0. */
export const percent = (part: number | bigint, whole: number | bigint): string | null =>
  average({ units: BigInt(part) * 100n, scale: 0 }, whole);

/** @param sum of `count` values that are not negative @returns null if `count` is 0 */
export function average(sum: Decimal, count: number | bigint): string | null {
  const n = BigInt(count);
  if (n === 0n) return null;
  return formatUnits(divideRounded(sum.units * pow10(decimals), n * pow10(sum.scale), 'HALF_UP'), decimals);
}
