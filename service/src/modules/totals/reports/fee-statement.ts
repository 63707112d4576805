// The report of a month's fees: the service's own and the PSP's, by client, fee row and operation, minus those of
// chargebacks.

import { byKey, type Grouped, groupedBy } from '../../../core/grouped.ts';
import { type Column, clientId, code, count, money, section, sumsOver, text } from '../../../core/reports/table.ts';
import { said } from '../../../core/said.ts';
import { differenceOf } from '../../../core/sums.ts';
import { openPath } from '../../../core/totals/open.ts';
import type { Needs } from '../../kernel/needs.ts';
import { reportKind } from '../../kernel/report.ts';
import { PeriodParameters } from '../../kernel/report-period.ts';
import { type AmountSums, amountTotals } from '../totals-reads.ts';
import { monthOfTotals, readMonth } from './month.ts';

const by = ['account', 'currency', 'kind', 'rule'] as const;
type Sums = AmountSums<(typeof by)[number] | 'verdict'>;
type Line = Grouped<Sums, (typeof by)[number]>;
type Fee = 'processingFee' | 'transactionFee' | 'transactionVat';

const sums = (l: Line, verdict: string) => l.rows.find((r) => r.verdict === verdict);
const own = (l: Line, fee: Fee) => sums(l, 'APPROVED')?.[fee] ?? '0';
const returned = (l: Line, fee: Fee) =>
  differenceOf(sums(l, 'CHARGED_BACK')?.[fee] ?? '0', sums(l, 'REVERSED')?.[fee] ?? '0');
const due = (l: Line, fee: Fee) => differenceOf(own(l, fee), returned(l, fee));

const figures: readonly Column<Line>[] = [
  money('gross', 'Gross', (l) => sums(l, 'APPROVED')?.gross ?? '0'),
  money('processingFee', 'Processing fees', (l) => own(l, 'processingFee')),
  money('transactionFee', 'PSP fees', (l) => own(l, 'transactionFee')),
  money('transactionVat', 'Tax on fees of sales', (l) => own(l, 'transactionVat')),
  money('processingFeeReturned', 'Processing fees, charged back', (l) => returned(l, 'processingFee')),
  money('transactionFeeReturned', 'PSP fees, charged back', (l) => returned(l, 'transactionFee')),
  money('transactionVatReturned', 'Tax on fees of sales, charged back', (l) => returned(l, 'transactionVat')),
  money('processingFeeDue', 'Processing fees due', (l) => due(l, 'processingFee')),
  money('transactionFeeDue', 'PSP fees due', (l) => due(l, 'transactionFee')),
];

export const feeStatementReport = reportKind({
  name: 'feeStatement',
  title: 'Fee statement',
  summary: 'Fees of a month by client, currency, operation and fee row, less those of chargebacks.',
  audience: ['psp', 'client', 'operator'],
  parameters: PeriodParameters,
  read: readMonth,
  async run(run, s: Needs<'reference' | 'rates'>, period) {
    const month = await monthOfTotals(run, s, period);
    const found: Sums[] = [];
    for (const [n, verdict] of ['APPROVED', 'CHARGED_BACK', 'REVERSED'].entries()) {
      found.push(...(await amountTotals(run.db, { ...month.filter, verdict }, [...by, 'verdict'])));
      run.progress(n + 1, 3);
    }
    const lines = groupedBy(found, by).sort(byKey);
    const place = [clientId(run.psp), text('currency', 'Currency', (r: { readonly currency: string }) => r.currency)];
    return {
      title: said`Fee statement of ${run.concerned.name}, ${period.name}`,
      facts: month.facts,
      provisional: month.provisional,
      sections: [
        section(groupedBy(lines, ['account', 'currency']), {
          name: 'byClient',
          title: 'By client',
          note: "Days are those of each country's own calendar. Deposits and withdrawals bear the tax on their fees within their tax: the VAT return has it by rule.",
          columns: [...place, ...sumsOver(figures)],
          open: ({ account, currency }) => openPath({ ...month.filter, account, currency, verdict: 'APPROVED' }),
          chart: { kind: 'bar', label: 'clientId', values: ['processingFeeDue'] },
        }),
        section(lines, {
          name: 'byFee',
          title: 'By operation and fee row',
          columns: [
            ...place,
            code('kind', 'Operation'),
            text('fee', 'Fee row', (l) => l.rule || null),
            count('count', 'Transactions', (l) => sums(l, 'APPROVED')?.count ?? 0),
            count('countReturned', 'Chargebacks', (l) => sums(l, 'CHARGED_BACK')?.count ?? 0),
            ...figures,
          ],
          open: ({ rule, rows, ...of }) =>
            openPath({ ...month.filter, ...of, verdict: rows[0]?.verdict, feeRule: rule }),
        }),
      ],
    };
  },
});
