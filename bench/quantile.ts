// What benchmarks say of many figures.

/** The figure that the share `q` of all lies below, 1 the greatest; 0 of none. */
export function quantile(all: readonly number[], q: number): number {
  const sorted = all.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0;
}
