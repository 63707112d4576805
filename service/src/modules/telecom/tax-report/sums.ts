// Sums over lines of the analysis' totals, grouped by a key that each section chooses.
import { sumOf } from '../../../core/sums.ts';
import type { TotalLine } from '../analysis/sums.ts';

export interface Summed<K = readonly string[]> {
  readonly key: K;
  /** Rules of the tax lines. */
  readonly ruleIds: readonly string[];
  readonly records: number;
  readonly answered: number;
  readonly seconds: bigint;
  /** Plain decimal text. */
  readonly dataKb: string;
  readonly cost: string;
  readonly taxable: string;
  readonly quantity: string;
  readonly tax: string;
}

/** Groups in the order in which their keys first occur. */
export function sumBy<K extends readonly string[]>(
  lines: readonly TotalLine[],
  keyOf: (l: TotalLine) => K,
): Summed<K>[] {
  const groups = new Map<string, { key: K; lines: TotalLine[] }>();
  for (const l of lines) {
    const key = keyOf(l);
    const id = JSON.stringify(key);
    const group = groups.get(id);
    if (group) group.lines.push(l);
    else groups.set(id, { key, lines: [l] });
  }
  return [...groups.values()].map((g) => ({ key: g.key, ...sumOfLines(g.lines) }));
}

/** Adds lines up. A record is counted once on the lines of records, and once for each tax on the lines of taxes. */
export function sumOfLines(lines: readonly TotalLine[]): Omit<Summed, 'key'> {
  const total = (of: 'dataKb' | 'cost' | 'taxable' | 'quantity' | 'tax'): string => sumOf(lines.map((l) => l[of]));
  return {
    ruleIds: [...new Set(lines.map((l) => l.ruleId))].filter((id) => id !== '').sort(),
    records: lines.reduce((n, l) => n + l.records, 0),
    answered: lines.reduce((n, l) => n + l.answered, 0),
    seconds: lines.reduce((n, l) => n + BigInt(l.seconds), 0n),
    dataKb: total('dataKb'),
    cost: total('cost'),
    taxable: total('taxable'),
    quantity: total('quantity'),
    tax: total('tax'),
  };
}
