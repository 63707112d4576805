// Exact sums of decimals. An amount has at most 38 digits; a sum may have more and is still exact.
import { type Decimal, decimal, formatUnits, pow10, wireNumber } from './money.ts';

const plainText = /^-?\d+(\.\d+)?$/;

/** @throws if the text is not a plain decimal */
function read(text: string): Decimal {
  if (!plainText.test(text)) throw new Error(`not a plain decimal: ${text.slice(0, 60)}`);
  return decimal(text);
}

export const nothing: Decimal = { units: 0n, scale: 0 };

export function plus(a: Decimal, b: Decimal): Decimal {
  if (a.scale === b.scale) return { units: a.units + b.units, scale: a.scale };
  const scale = Math.max(a.scale, b.scale);
  return { units: a.units * pow10(scale - a.scale) + b.units * pow10(scale - b.scale), scale };
}

/** Plain decimal text without trailing zeros. */
export function plainOf({ units, scale }: Decimal): string {
  const text = formatUnits(units, scale);
  if (scale === 0) return text;
  let end = text.length;
  while (text.charCodeAt(end - 1) === 48) end--;
  return text.slice(0, text.charCodeAt(end - 1) === 46 ? end - 1 : end);
}

/** Sum of plain decimal texts, without trailing zeros. */
export const sumOf = (texts: readonly string[]): string =>
  plainOf(texts.reduce((sum, t) => plus(sum, read(t)), nothing));

export const negated = (text: string): string => {
  const { units, scale } = read(text);
  return plainOf({ units: -units, scale });
};

export const differenceOf = (a: string, b: string): string => sumOf([a, negated(b)]);
/** The same without trailing zeros. */
export const plain = (text: string): string => sumOf([text]);
export const isNegative = (text: string): boolean => read(text).units < 0n;
export const isZero = (text: string): boolean => read(text).units === 0n;

/** A sum as a JSON number that reads back as the same decimal. */
export const wireSum = (text: string): number => (text.length <= 38 ? wireNumber(text) : JSON.rawJSON(plain(text)));
