// The sections that compare declared figures with computed ones: the taxes of the month, then figure by figure.
import { comparisonFindings } from '../../../core/cdr/comparison.ts';
import type { DeclaredLine } from '../../../core/cdr/declaration.ts';
import type { PspId } from '../../../core/ids.ts';
import type { ReportRow, ReportSection } from '../../../core/reports/document.ts';
import type { TotalLine } from '../analysis/sums.ts';
import { column, type Operators, openRecords, operatorCells, withOperator } from './columns.ts';
import { all, type ComparedFigure, compareFigures, compareTaxes, type DecimalsOf } from './compare.ts';

/** One operator's month. */
export interface OperatorMonth {
  readonly account: string;
  readonly period: string;
  /** Totals of the month's own records; `late` has those of late records of closed months. */
  readonly lines: readonly TotalLine[];
  readonly late: readonly TotalLine[];
  /** Undefined if the operator declared nothing. */
  readonly declared: readonly DeclaredLine[] | undefined;
}

const compared = [
  column('declared', 'Declared', 'decimal'),
  column('variance', 'Variance', 'decimal'),
  column('variancePercent', 'Variance in per cent', 'percent'),
  column('finding', 'Finding'),
  column('note', 'Note'),
];

const variances =
  'The variance is declared minus computed, and its per cent of the computed figure: below zero, too little was declared.';

export function summarySection(o: Operators, months: readonly OperatorMonth[], decimalsOf: DecimalsOf): ReportSection {
  return {
    name: 'summary',
    title: 'Taxes of the month',
    note: `Due is the tax of the month and its late adjustments, rounded once; compared is the exact tax of the month alone. ${variances}`,
    columns: withOperator(o, [
      column('taxCode', 'Tax'),
      column('currency', 'Currency'),
      column('computed', 'Computed', 'money'),
      column('late', 'Late adjustments', 'money'),
      column('due', 'Due', 'money'),
      ...compared,
    ]),
    rows: months.flatMap((m) =>
      compareTaxes(m.lines, m.late, m.declared ?? [], decimalsOf).map((t) => ({
        cells: [
          ...operatorCells(o, m.account),
          t.taxCode,
          t.currency,
          t.computed,
          t.late,
          t.due,
          t.declared,
          t.variance,
          t.percent,
          t.finding,
          m.declared || t.finding === 'NOTHING_DUE'
            ? comparisonFindings[t.finding]
            : 'The operator declared nothing for this month.',
        ],
        open: openRecords(o.psp, { account: m.account, period: m.period, callPeriod: m.period }),
      })),
    ),
  };
}

export function declaredSection(o: Operators, months: readonly OperatorMonth[], decimalsOf: DecimalsOf): ReportSection {
  return {
    name: 'declared',
    title: 'Declared and computed figures',
    note: `Each figure that was declared, and each tax that was not though records bear it; ${all} stands for all classes or all taxes together. ${variances}`,
    columns: withOperator(o, [
      column('class', 'Class'),
      column('taxCode', 'Tax'),
      column('figure', 'Figure'),
      column('currency', 'Currency'),
      column('computed', 'Computed', 'decimal'),
      ...compared,
    ]),
    rows: months.flatMap((m) =>
      compareFigures(m.lines, m.declared ?? [], decimalsOf).map((f): ReportRow => {
        const cells = [
          ...operatorCells(o, m.account),
          f.class,
          f.taxCode || null,
          f.figure,
          f.currency,
          f.computed,
          f.declared,
          f.variance,
          f.percent,
          f.finding,
          comparisonFindings[f.finding],
        ];
        return f.computed === null ? { cells } : { cells, open: openFigure(o.psp, m, f) };
      }),
    ),
  };
}

/** Path of the records behind a figure: those of its rule if its tax has only one, otherwise those of its class. */
function openFigure(psp: PspId, m: OperatorMonth, f: ComparedFigure): string {
  const rules = new Set(
    m.lines
      .filter((l) => l.ruleId !== '' && l.taxCode === f.taxCode && l.taxCurrency === f.currency)
      .map((l) => l.ruleId),
  );
  const [ruleId] = rules.size === 1 ? rules : [];
  return openRecords(psp, {
    account: m.account,
    period: m.period,
    callPeriod: m.period,
    class: f.class === all ? undefined : f.class,
    currency: f.taxCode === '' ? f.currency : undefined,
    ruleId,
  });
}
