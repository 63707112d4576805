// The sections that compare declared figures with computed ones: the taxes of the month, then figure by figure.

import { type Comparison, comparisonFindings } from '../../../core/cdr/comparison.ts';
import type { DeclaredLine } from '../../../core/cdr/declaration.ts';
import type { PspId } from '../../../core/ids.ts';
import type { SaidSection } from '../../../core/reports/document.ts';
import { code, decimal, money, percent, section, text } from '../../../core/reports/table.ts';
import { phrase, said } from '../../../core/said.ts';
import type { TotalLine } from '../analysis/sums.ts';
import { type Operators, openRecords, operator } from './columns.ts';
import { all, compareFigures, compareTaxes, type DecimalsOf, linesBehind } from './compare.ts';

export interface OperatorMonth {
  readonly account: string;
  readonly period: string;
  /** Totals of the month's own records; `late` has those of late records of closed months. */
  readonly lines: readonly TotalLine[];
  readonly late: readonly TotalLine[];
  /** Undefined if the operator declared nothing. */
  readonly declared: readonly DeclaredLine[] | undefined;
}

const currency = text('currency', 'Currency');
const compared = [
  decimal('declared', 'Declared'),
  decimal('variance', 'Variance'),
  percent('variancePercent', 'Variance in per cent', (c: Comparison) => c.percent),
  code('finding', 'Finding'),
];

const variances = said`The variance is declared minus computed, and its per cent of the computed figure: below zero, too little was declared.`;

const onTaxes = said`Due is the tax of the month and its late adjustments, rounded once; compared is the exact tax of the month alone. What is due by return the operator owes beside its calls. ${variances}`;
const onMonths = said`What is computed and declared is of the month in each operator's country; days, files, answers and findings on calls are of the period above.`;

export const summarySection = (o: Operators, months: readonly OperatorMonth[], decimalsOf: DecimalsOf): SaidSection =>
  section(
    months.flatMap((m) =>
      compareTaxes(m.lines, m.late, m.declared ?? [], decimalsOf).map((t) => ({ ...t, account: m.account, m })),
    ),
    {
      name: 'summary',
      title: 'Taxes of the month',
      note: o.single ? onTaxes : said`${onTaxes} ${onMonths}`,
      columns: [
        ...operator(o),
        text('taxCode', 'Tax code'),
        code('method', 'How it is due'),
        currency,
        money('computed', 'Computed'),
        money('late', 'Late adjustments'),
        money('due', 'Due'),
        ...compared,
        text('note', 'Note', ({ m, finding }) =>
          m.declared || finding === 'NOTHING_DUE'
            ? phrase(comparisonFindings[finding])
            : said`The operator declared nothing for this month.`,
        ),
      ],
      open: (t) => openFigure(o.psp, t.m, { ...t, class: all }),
    },
  );

export const declaredSection = (o: Operators, months: readonly OperatorMonth[], decimalsOf: DecimalsOf): SaidSection =>
  section(
    months.flatMap((m) =>
      compareFigures(m.lines, m.declared ?? [], decimalsOf).map((f) => ({ ...f, account: m.account, m })),
    ),
    {
      name: 'declared',
      title: 'Declared and computed figures',
      note: said`Each figure that was declared, and each tax that was not though records bear it; ${all} stands for all classes, or for all taxes that calls bear together. ${variances}`,
      columns: [
        ...operator(o),
        code('class', 'Class'),
        text('taxCode', 'Tax code', (f) => f.taxCode || null),
        text('figure', 'Figure'),
        currency,
        decimal('computed', 'Computed'),
        ...compared,
        text('note', 'Note', (f) => phrase(comparisonFindings[f.finding])),
      ],
      open: (f) => openFigure(o.psp, f.m, f),
    },
  );

/**
 * Path of the records behind a figure: by its class, and by currency and rule if all of them have the same.
 * @returns undefined if there are none
 */
function openFigure(
  psp: PspId,
  { account, period, lines }: OperatorMonth,
  f: { readonly class: string; readonly taxCode: string; readonly currency: string },
): string | undefined {
  const behind = linesBehind(lines, f);
  const [first] = behind;
  if (!first) return undefined;
  const only = (of: 'currency' | 'ruleId') => (behind.every((l) => l[of] === first[of]) && first[of]) || undefined;
  return openRecords(psp, {
    ...{ account, period, callPeriod: period, class: f.class === all ? undefined : f.class },
    ...{ currency: only('currency'), ruleId: only('ruleId') },
  });
}
