// What a return corrects of periods that were filed before: each line of today, less what was filed and what later
// returns corrected already. Pure.
import { groupedBy } from '../grouped.ts';
import { isZero, negated, sumOf } from '../sums.ts';

/** Amounts in the form's currency, and in the line's own; decimal text. */
export interface LineFigures {
  readonly taxable: string;
  readonly tax: string;
  readonly foreignTaxable: string;
  readonly foreignTax: string;
}

/** The sums of a rule, operation and currency. */
export interface SummedLine extends LineFigures {
  readonly rule: string;
  /** Absent for a tax of the period as a whole. */
  readonly operation?: string | undefined;
  readonly currency: string;
}

/** A line as filed: of the return's own period, or a correction of the period it names. */
export interface FiledLine extends SummedLine {
  readonly period?: string | undefined;
}

export interface FiledReturn {
  readonly period: string;
  readonly lines: readonly FiledLine[];
}

export interface Correction extends SummedLine {
  readonly period: string;
}

const figureNames = ['taxable', 'tax', 'foreignTaxable', 'foreignTax'] as const satisfies (keyof LineFigures)[];

/** One line for each period, rule, operation and currency, sorted; those that come to nothing are left out. */
export const summedLines = <L extends FiledLine>(lines: readonly L[]): FiledLine[] =>
  groupedBy(
    lines.map((l) => ({ ...l, period: l.period, operation: l.operation })),
    ['period', 'rule', 'operation', 'currency'],
  )
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ period, rule, operation, currency, rows }) => ({
      ...(period === undefined ? {} : { period }),
      rule,
      ...(operation === undefined ? {} : { operation }),
      currency,
      ...(Object.fromEntries(figureNames.map((f) => [f, sumOf(rows.map((r) => r[f]))])) as unknown as LineFigures),
    }))
    .filter((l) => figureNames.some((f) => !isZero(l[f])));

const less = (l: SummedLine): SummedLine => ({
  ...l,
  ...(Object.fromEntries(figureNames.map((f) => [f, negated(l[f])])) as unknown as LineFigures),
});

/**
 * The corrections of one filed period.
 * @param today its lines as they are today
 * @param filings all returns of the same form and account, the period's own among them
 */
export function correctionsOf(
  period: string,
  today: readonly SummedLine[],
  filings: readonly FiledReturn[],
): Correction[] {
  const declared = filings.flatMap((f) =>
    f.lines.filter((l) => (l.period === undefined ? f.period === period : l.period === period)),
  );
  const bare = ({ period: _, ...l }: FiledLine): SummedLine => l;
  return summedLines([...today, ...declared.map((l) => less(bare(l)))]).map((l) => ({ ...l, period }));
}
