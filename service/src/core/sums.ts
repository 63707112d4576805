// Sums of decimal texts. An amount has at most 38 digits; a sum may have more, and is none the less exact.
import { formatUnits, pow10, wireNumber } from './money.ts';

const plainText = /^-?\d+(\.\d+)?$/;

/** @throws when it is no plain decimal text */
function read(text: string): { units: bigint; scale: number } {
  if (!plainText.test(text)) throw new Error(`not a plain decimal: ${text.slice(0, 60)}`);
  const point = text.indexOf('.');
  if (point < 0) return { units: BigInt(text), scale: 0 };
  return { units: BigInt(text.slice(0, point) + text.slice(point + 1)), scale: text.length - point - 1 };
}

function write(units: bigint, scale: number): string {
  let [u, s] = [units, scale];
  while (s > 0 && u % 10n === 0n) {
    u /= 10n;
    s--;
  }
  return formatUnits(u, s);
}

/** Exact sum, without trailing zeros. */
export function sumOf(texts: readonly string[]): string {
  const list = texts.map(read);
  const scale = list.reduce((most, d) => Math.max(most, d.scale), 0);
  return write(
    list.reduce((a, d) => a + d.units * pow10(scale - d.scale), 0n),
    scale,
  );
}

export const negated = (text: string): string => {
  const { units, scale } = read(text);
  return write(-units, scale);
};

export const differenceOf = (a: string, b: string): string => sumOf([a, negated(b)]);
/** The same without trailing zeros. */
export const plain = (text: string): string => sumOf([text]);
export const isNegative = (text: string): boolean => read(text).units < 0n;
export const isZero = (text: string): boolean => read(text).units === 0n;

/** A sum as a JSON number that reads back to the same decimal. */
export const wireSum = (text: string): number => (text.length <= 38 ? wireNumber(text) : JSON.rawJSON(plain(text)));
