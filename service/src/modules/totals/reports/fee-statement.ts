// The report of a month's fees: the service's own and the PSP's, by client, fee row and operation, minus those of
// chargebacks.
import type { ReportColumn } from '../../../core/reports/document.ts';
import { differenceOf, sumOf } from '../../../core/sums.ts';
import { openPath } from '../../../core/totals/open.ts';
import { accountWire } from '../../../core/transaction.ts';
import type { Needs } from '../../kernel/needs.ts';
import { reportKind } from '../../kernel/report.ts';
import { type AmountSums, amountTotals } from '../totals-reads.ts';
import { checkMonth, MonthParameters, monthOfTotals } from './month.ts';

const text = (name: string, title: string): ReportColumn => ({ name, title, type: 'text' });
const money = (name: string, title: string): ReportColumn => ({ name, title, type: 'money' });
const fees = ['processingFee', 'transactionFee', 'transactionVat'] as const;

const figures = [
  money('gross', 'Gross'),
  money('processingFee', 'Processing fees'),
  money('transactionFee', 'PSP fees'),
  money('transactionVat', 'Tax on fees'),
  money('processingFeeReturned', 'Processing fees, charged back'),
  money('transactionFeeReturned', 'PSP fees, charged back'),
  money('transactionVatReturned', 'Tax on fees, charged back'),
  money('processingFeeDue', 'Processing fees due'),
  money('transactionFeeDue', 'PSP fees due'),
];

interface Line {
  approved: AmountSums | undefined;
  returned: AmountSums | undefined;
  reversed: AmountSums | undefined;
}

const sides = { APPROVED: 'approved', CHARGED_BACK: 'returned', REVERSED: 'reversed' } as const;

export const feeStatementReport = reportKind({
  name: 'feeStatement',
  title: 'Fee statement',
  summary: 'Fees of a month by client, currency, operation and fee row, less those of chargebacks.',
  audience: ['psp', 'client', 'operator'],
  parameters: MonthParameters,
  check: checkMonth,
  async run(run, s: Needs<'reference' | 'rates'>) {
    const month = await monthOfTotals(s, run);
    const by = ['account', 'currency', 'kind', 'rule'] as const;
    const lines = new Map<string, Line>();
    for (const [n, verdict] of (['APPROVED', 'CHARGED_BACK', 'REVERSED'] as const).entries()) {
      for (const a of await amountTotals(run.db, { ...month.filter, verdict }, by)) {
        const key = JSON.stringify(by.map((d) => a[d]));
        const line = lines.get(key) ?? { approved: undefined, returned: undefined, reversed: undefined };
        line[sides[verdict]] = a;
        lines.set(key, line);
      }
      run.progress(n + 1, 3);
    }
    const rows = [...lines]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, { approved, returned, reversed }]) => {
        const [account, currency, kind, rule] = JSON.parse(key) as [string, string, string, string];
        const of = (a: AmountSums | undefined) => fees.map((f) => a?.[f] ?? '0');
        const less = (a: readonly string[], b: readonly string[]) => a.map((x, i) => differenceOf(x, b[i] as string));
        const [own, back] = [of(approved), less(of(returned), of(reversed))];
        const due = less(own, back).slice(0, 2);
        const verdict = approved ? 'APPROVED' : returned ? 'CHARGED_BACK' : 'REVERSED';
        const open = openPath({ ...month.filter, account, currency, kind, verdict, feeRule: rule });
        return {
          account,
          currency,
          amounts: [approved?.gross ?? '0', ...own, ...back, ...due],
          cells: [
            accountWire(run.psp, account),
            currency,
            kind,
            rule || null,
            String(approved?.count ?? 0),
            String(returned?.count ?? 0),
          ],
          ...(open === undefined ? {} : { open }),
        };
      });
    const totals = new Map<string, { account: string; currency: string; amounts: string[] }>();
    for (const r of rows) {
      const key = `${r.account} ${r.currency}`;
      const before = totals.get(key)?.amounts;
      const amounts = r.amounts.map((a, i) => sumOf([a, before?.[i] ?? '0']));
      totals.set(key, { account: r.account, currency: r.currency, amounts });
    }
    const client = text('clientId', 'Client');
    const currency = text('currency', 'Currency');
    return {
      title: `Fee statement of ${run.concerned.name}, ${month.period.name}`,
      facts: month.facts,
      provisional: month.provisional,
      sections: [
        {
          name: 'byClient',
          title: 'By client',
          note: "Days are those of each country's own calendar.",
          columns: [client, currency, ...figures],
          rows: [...totals.values()].map(({ account, currency, amounts }) => {
            const open = openPath({ ...month.filter, account, currency, verdict: 'APPROVED' });
            return {
              cells: [accountWire(run.psp, account), currency, ...amounts],
              ...(open === undefined ? {} : { open }),
            };
          }),
          chart: { kind: 'bar', label: 'clientId', values: ['processingFeeDue'] },
        },
        {
          name: 'byFee',
          title: 'By operation and fee row',
          columns: [
            client,
            currency,
            text('kind', 'Operation'),
            text('fee', 'Fee row'),
            { name: 'count', title: 'Transactions', type: 'count' },
            { name: 'countReturned', title: 'Chargebacks', type: 'count' },
            ...figures,
          ],
          rows: rows.map(({ cells, amounts, open }) => ({
            cells: [...cells, ...amounts],
            ...(open === undefined ? {} : { open }),
          })),
        },
      ],
    };
  },
});
