// The report of taxes of transactions in one country and month, by rule: what was charged, what chargebacks return, and
// what is left to pay over.
import type { ReportColumn, ReportRow } from '../../../core/reports/document.ts';
import { differenceOf, plain, sumOf } from '../../../core/sums.ts';
import { openPath } from '../../../core/totals/open.ts';
import { adjustmentsMade } from '../../corrections/index.ts';
import { reportKind } from '../../kernel/report.ts';
import { amountTotals, type TaxSums, taxTotals } from '../totals-reads.ts';
import { CountryMonthParameters, checkMonth, monthOfTotals } from './month.ts';

const text = (name: string, title: string): ReportColumn => ({ name, title, type: 'text' });
const money = (name: string, title: string): ReportColumn => ({ name, title, type: 'money' });
const count = (name: string, title: string): ReportColumn => ({ name, title, type: 'count' });
const currency = text('currency', 'Currency');

interface Returned {
  charged: TaxSums | undefined;
  returned: TaxSums | undefined;
}

export const vatReturnReport = reportKind({
  name: 'vatReturn',
  title: 'VAT return',
  summary:
    'Taxes of transactions in a country and month by rule, less those of chargebacks; every line opens to its rows.',
  audience: ['psp', 'client', 'operator'],
  parameters: CountryMonthParameters,
  check: checkMonth,
  async run(run) {
    const month = await monthOfTotals(run);
    const { filter } = month;
    const by = ['currency', 'kind', 'verdict', 'rule'] as const;
    const lines = new Map<string, Returned>();
    for (const t of await taxTotals(run.db, filter, by)) {
      // Declined and unverified transactions are not taxed.
      if (t.verdict === 'DECLINED' || t.verdict === 'PENDING') continue;
      const key = JSON.stringify([t.currency, t.rule, t.kind]);
      const line = lines.get(key) ?? { charged: undefined, returned: undefined };
      if (t.verdict === 'CHARGED_BACK') line.returned = t;
      else line.charged = t;
      lines.set(key, line);
    }
    run.progress(1, 3);
    const states = await amountTotals(run.db, filter, ['currency', 'kind', 'verdict']);
    run.progress(2, 3);
    const { psp, account, country } = filter;
    const { from, to } = month.period;
    const made = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
    const adjustments = await adjustmentsMade(run.db, { psp, account, country, made });
    run.progress(3, 3);
    const open = (o: { currency?: string; kind?: string; verdict?: string; rule?: string }) => {
      const path = openPath({ ...filter, ...o, taxRule: o.rule });
      return path === undefined ? {} : { open: path };
    };
    const rows = [...lines]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(
        ([key, { charged, returned }]): ReportRow & {
          currency: string;
          verdict: string | undefined;
          figures: string[];
        } => {
          const [cur, ruleId, kind] = JSON.parse(key) as [string, string, string];
          const rule = run.services.rates.book.rule(ruleId)?.rule;
          const figures = [
            charged?.taxable ?? '0',
            charged?.tax ?? '0',
            returned?.taxable ?? '0',
            returned?.tax ?? '0',
            differenceOf(charged?.tax ?? '0', returned?.tax ?? '0'),
          ];
          return {
            currency: cur,
            verdict: (charged ?? returned)?.verdict,
            figures,
            cells: [
              cur,
              rule?.taxCode ?? null,
              ruleId,
              rule?.rate ?? null,
              rule?.category ?? null,
              rule?.confidence ?? null,
              kind,
              String(charged?.count ?? 0),
              ...figures.slice(0, 2),
              String(returned?.count ?? 0),
              ...figures.slice(2),
            ],
            ...open({ ...(charged ?? returned) }),
          };
        },
      );
    const figures = [
      money('taxable', 'Taxable'),
      money('tax', 'Tax'),
      money('taxableReturned', 'Taxable, charged back'),
      money('taxReturned', 'Tax, charged back'),
      money('taxDue', 'Tax due'),
    ];
    const total = (cur: string) =>
      figures.map((_, i) => sumOf(rows.filter((r) => r.currency === cur).map((r) => r.figures[i] as string)));
    return {
      title: `VAT return of ${run.concerned.name}, ${month.country}, ${month.period.name}`,
      facts: month.facts,
      provisional: month.provisional,
      sections: [
        {
          name: 'due',
          title: 'Due',
          note: 'Taxes within transactions, wagers and payouts. Taxes due by periodic return on gaming stand in the report ggrDuty.',
          columns: [currency, ...figures],
          rows: [...new Set(rows.map((r) => r.currency))].map((cur) => {
            // No one list holds transactions and plays.
            const verdicts = new Set(rows.filter((r) => r.currency === cur).map((r) => r.verdict));
            const of = verdicts.has('RECORDED') ? {} : open({ currency: cur, verdict: 'APPROVED' });
            return { cells: [cur, ...total(cur)], ...of };
          }),
        },
        {
          name: 'byRule',
          title: 'By rule',
          columns: [
            currency,
            text('taxCode', 'Tax'),
            text('rule', 'Rule'),
            { name: 'rate', title: 'Rate', type: 'percent' },
            text('category', 'Category'),
            text('confidence', 'Confidence of the rule'),
            text('kind', 'Operation'),
            count('count', 'Records'),
            ...figures.slice(0, 2),
            count('countReturned', 'Chargebacks'),
            ...figures.slice(2),
          ],
          rows: rows.map(({ cells, open: path }) => (path === undefined ? { cells } : { cells, open: path })),
          chart: { kind: 'bar', label: 'rule', values: ['taxDue'] },
        },
        {
          name: 'byVerdict',
          title: 'Records by what became of them',
          note: 'Declined and unverified transactions bear no tax; those charged back stand among the approved ones as well.',
          columns: [
            currency,
            text('kind', 'Operation'),
            text('verdict', 'Verdict'),
            count('count', 'Records'),
            money('gross', 'Gross'),
            money('vat', 'VAT'),
            money('transactionVat', 'VAT on fees'),
          ],
          rows: states.map((a) => ({
            cells: [
              a.currency as string,
              a.kind as string,
              a.verdict as string,
              String(a.count),
              a.gross,
              a.vat,
              a.transactionVat,
            ],
            ...open({ ...a }),
          })),
        },
        {
          name: 'adjustments',
          title: 'Adjusting entries made in the month',
          note: 'Of rate corrections, on transactions of the days named; not within the other sections. The report rateCorrection has them by rule and client.',
          columns: [
            currency,
            { name: 'firstDay', title: 'First day', type: 'date' },
            { name: 'lastDay', title: 'Last day', type: 'date' },
            count('count', 'Adjustments'),
            money('vat', 'VAT'),
            money('transactionVat', 'VAT on fees'),
          ],
          rows: adjustments.map((a) => ({
            cells: [
              a.currency as string,
              a.first as string,
              a.last as string,
              String(a.n),
              plain(a.vat as string),
              plain(a.transaction_vat as string),
            ],
          })),
        },
      ],
    };
  },
});
