// Exact sums of decimals, whatever number of decimals each has.
import { type Decimal, decimal, formatUnits, pow10 } from '../money.ts';

export const nothing: Decimal = { units: 0n, scale: 0 };

export function plus(a: Decimal, b: Decimal): Decimal {
  if (a.scale === b.scale) return { units: a.units + b.units, scale: a.scale };
  const scale = Math.max(a.scale, b.scale);
  return { units: a.units * pow10(scale - a.scale) + b.units * pow10(scale - b.scale), scale };
}

/** Plain decimal text without trailing zeros. */
export function plain(units: bigint, scale: number): string {
  const text = formatUnits(units, scale);
  if (scale === 0) return text;
  let end = text.length;
  while (text.charCodeAt(end - 1) === 48) end--;
  return text.slice(0, text.charCodeAt(end - 1) === 46 ? end - 1 : end);
}

/** Of plain decimal texts. */
export function sumOf(texts: readonly string[]): string {
  if (texts.length === 1) return texts[0] as string;
  const { units, scale } = texts.reduce((sum, t) => plus(sum, decimal(t)), nothing);
  return plain(units, scale);
}
