// Compares a declared figure with the computed one: the difference and what it means. Exact. Pure.
import { type Decimal, decimal, divideRounded, formatUnits, pow10 } from '../money.ts';
import { plainOf } from '../sums.ts';

export const comparisonFindings = {
  EQUAL: 'Declared as computed.',
  WITHIN_ROUNDING: 'Differs by less than the smallest unit of each declared figure.',
  UNDER: 'Less was declared than computed.',
  OVER: 'More was declared than computed.',
  NOT_DECLARED: 'Nothing was declared.',
  NOTHING_DUE: 'Nothing is due, and nothing was declared.',
  NOT_COMPUTED: 'Declared, and no record is behind it.',
} as const;
type ComparisonFinding = keyof typeof comparisonFindings;

export interface Comparison {
  /** Declared minus computed, plain decimal text; null if nothing was declared. */
  readonly variance: string | null;
  /** The variance in per cent of the computed figure, with two decimals; null also if that figure is zero. */
  readonly percent: string | null;
  readonly finding: ComparisonFinding;
}

/**
 * @param computed undefined if the figure has no records
 * @param decimals decimals of the smallest unit in which the figure is declared
 * @param parts number of declared figures that were added up, each rounded separately
 */
export function compare(
  computed: string | undefined,
  declared: string | null,
  decimals: number,
  parts = 1,
): Comparison {
  const b = decimal(computed ?? '0');
  if (declared === null)
    return { variance: null, percent: null, finding: b.units === 0n ? 'NOTHING_DUE' : 'NOT_DECLARED' };
  const a = decimal(declared);
  const scale = Math.max(a.scale, b.scale, decimals);
  const base = at(b, scale);
  const units = at(a, scale) - base;
  return {
    variance: plainOf({ units, scale }),
    percent: base === 0n ? null : formatUnits(divideRounded(units * 10_000n, base, 'HALF_UP'), 2),
    finding: findingOf(units, computed, BigInt(parts) * pow10(scale - decimals)),
  };
}

/** Decimals in which minutes and megabytes are shown, and declared at least. */
const hundredths = 2;

/**
 * Compares declared minutes or megabytes with what the units of the records come to. That may have no end, so it is shown in as
 * many decimals as were declared, with the variance; the finding is about the exact figure.
 * @param units seconds or kilobytes; undefined if the figure has no records
 * @param per units of a minute or megabyte
 */
export function compareQuantity(
  units: string | undefined,
  per: bigint,
  declared: string,
): Comparison & { readonly computed: string | null } {
  const a = decimal(declared);
  const computed = units === undefined ? undefined : quotient(units, per, Math.max(hundredths, a.scale));
  const shown = { ...compare(computed, declared, hundredths), computed: computed ?? null };
  if (units === undefined || shown.finding === 'EQUAL') return shown;
  const b = decimal(units);
  const scale = Math.max(a.scale, b.scale);
  const off = at({ ...a, units: a.units * per }, scale) - at(b, scale);
  return { ...shown, finding: findingOf(off * pow10(hundredths), computed, per * pow10(scale)) };
}

const at = (d: Decimal, scale: number): bigint => d.units * pow10(scale - d.scale);

function findingOf(units: bigint, computed: string | undefined, unit: bigint): ComparisonFinding {
  if (units === 0n) return 'EQUAL';
  if (computed === undefined) return 'NOT_COMPUTED';
  if (units > -unit && units < unit) return 'WITHIN_ROUNDING';
  return units < 0n ? 'UNDER' : 'OVER';
}

/** @param units plain decimal text */
function quotient(units: string, per: bigint, decimals: number): string {
  const d = decimal(units);
  return formatUnits(divideRounded(d.units * pow10(decimals), pow10(d.scale) * per, 'HALF_UP'), decimals);
}

export const secondsPerMinute = 60n;
export const kilobytesPerMegabyte = 1024n;

/** Seconds as minutes, with two decimals. */
export const minutesOf = (seconds: bigint): string => quotient(String(seconds), secondsPerMinute, hundredths);

/** Kilobytes as megabytes of 1,024 kilobytes, with two decimals. */
export const megabytesOf = (kilobytes: string): string => quotient(kilobytes, kilobytesPerMegabyte, hundredths);
