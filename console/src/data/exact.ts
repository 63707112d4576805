// Exact sums of decimal text in whole units of the last digit: shows that parts add up to a whole, and where a bar of a
// chart begins and ends. No displayed amount is rounded here.
const form = /^(-?)(\d+)(?:\.(\d+))?$/;

const scaleOf = (amount: string): number => form.exec(amount)?.[3]?.length ?? 0;

/** 10.75 at scale 3 is 10750n; undefined for text that is not a plain decimal. */
function unitsOf(amount: string, scale: number): bigint | undefined {
  const parts = form.exec(amount);
  if (!parts) return undefined;
  const [, sign, whole, fraction = ''] = parts;
  const units = BigInt(`${whole}${fraction.padEnd(scale, '0')}`);
  return sign ? -units : units;
}

function allUnits(amounts: readonly string[]): bigint[] | undefined {
  const scale = Math.max(0, ...amounts.map(scaleOf));
  const units = amounts.map((a) => unitsOf(a, scale));
  return units.some((u) => u === undefined) ? undefined : (units as bigint[]);
}

/** Whether the parts sum exactly to the whole. */
export function sumsTo(parts: readonly string[], whole: string): boolean {
  const units = allUnits([whole, ...parts]);
  if (!units) return false;
  const [total, ...rest] = units as [bigint, ...bigint[]];
  return rest.reduce((a, b) => a + b, 0n) === total;
}

export const isZero = (amount: string): boolean => /^-?0+(\.0+)?$/.test(amount);

export interface Stretch {
  /** Percent of the whole, from the left; for drawing only. */
  readonly from: number;
  readonly to: number;
}

/**
 * Positions of the parts when they are laid from the right end of the whole to its left, for drawing only. Positions
 * are truncated to hundredths of a percent, finer than a screen shows.
 */
export function laidOut(whole: string, parts: readonly string[]): Stretch[] {
  const units = allUnits([whole, ...parts]);
  const total = units?.[0];
  if (!units || total === undefined || total <= 0n) return parts.map(() => ({ from: 0, to: 0 }));
  const percent = (u: bigint) => Math.min(100, Math.max(0, Number((u * 10_000n) / total) / 100));
  let end = total;
  return units.slice(1).map((part) => {
    const begin = end - part;
    const stretch = { from: percent(begin < end ? begin : end), to: percent(begin < end ? end : begin) };
    end = begin;
    return stretch;
  });
}
