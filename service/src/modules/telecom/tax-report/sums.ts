// Sums over lines of the analysis' totals, grouped by fields that each section chooses.
import { type Grouped, groupedBy } from '../../../core/grouped.ts';
import { sumOf } from '../../../core/sums.ts';
import type { TotalLine } from '../analysis/sums.ts';

/** Amounts are plain decimal text. */
export type LineSums = ReturnType<typeof sumOfLines>;

/** Groups in the order in which they first occur. */
export const sumBy = <K extends keyof TotalLine>(
  lines: readonly TotalLine[],
  ...by: readonly K[]
): (Grouped<TotalLine, K> & LineSums)[] => groupedBy(lines, by).map((g) => ({ ...g, ...sumOfLines(g.rows) }));

/** Adds lines up. A record is counted once on the lines of records, and once for each tax on the lines of taxes. */
export function sumOfLines(lines: readonly TotalLine[]) {
  const total = (of: 'dataKb' | 'cost' | 'taxable' | 'quantity' | 'tax'): string => sumOf(lines.map((l) => l[of]));
  return {
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
