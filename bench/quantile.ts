// Quantiles for benchmarks.

/** The figure below which the share `q` of all lies; the greatest for 1, and 0 for an empty list. */
export function quantile(all: readonly number[], q: number): number {
  const sorted = all.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0;
}

export const median = (all: readonly number[]): number => quantile(all, 0.5);
