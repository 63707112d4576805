// The report of gross gaming revenue and its duties: by operator, country, currency and product line.
import { Refusal } from '../../../core/refusal.ts';
import type { ReportColumn, ReportRow } from '../../../core/reports/document.ts';
import { differenceOf } from '../../../core/sums.ts';
import { dutyOn } from '../../../core/tax/duty.ts';
import { openPath } from '../../../core/totals/open.ts';
import { accountWire } from '../../../core/transaction.ts';
import type { Needs } from '../../kernel/needs.ts';
import { type ReportRun, reportKind } from '../../kernel/report.ts';
import { type AmountSums, accrualTotals, amountTotals, taxTotals } from '../totals-reads.ts';
import { checkMonth, MonthParameters, monthOfTotals, type TotalsMonth } from './month.ts';

const text = (name: string, title: string): ReportColumn => ({ name, title, type: 'text' });
const money = (name: string, title: string): ReportColumn => ({ name, title, type: 'money' });
const count = (name: string, title: string): ReportColumn => ({ name, title, type: 'count' });
const place = [
  text('clientId', 'Operator'),
  text('countryCode', 'Country'),
  text('currency', 'Currency'),
  text('productLine', 'Product line'),
];
const dimensions = ['account', 'country', 'currency', 'productLine'] as const;
type Dimension = (typeof dimensions)[number];
type Placed = Readonly<Record<Dimension, string>>;

const placeCells = (run: ReportRun, p: Placed) => [
  accountWire(run.psp, p.account),
  p.country,
  p.currency,
  p.productLine,
];

export const ggrDutyReport = reportKind({
  name: 'ggrDuty',
  title: 'Gross gaming revenue and duty',
  summary: 'Wagers, payouts, gross gaming revenue and duties of a month by operator, country and product line.',
  audience: ['psp', 'client', 'operator'],
  parameters: MonthParameters,
  check: checkMonth,
  async run(run, s: Needs<'reference' | 'rates'>) {
    const month = await monthOfTotals(s, run);
    const revenue = await revenueRows(run, month);
    run.progress(1, 3);
    const duty = await dutyRows(s, run, month);
    run.progress(2, 3);
    const taxes = await taxTotals(run.db, { ...month.filter, verdict: 'RECORDED' }, [...dimensions, 'kind', 'rule']);
    run.progress(3, 3);
    return {
      title: `Gross gaming revenue and duty of ${run.concerned.name}, ${month.period.name}`,
      facts: month.facts,
      provisional: month.provisional,
      sections: [
        {
          name: 'revenue',
          title: 'Gross gaming revenue',
          note: 'Wagers less payouts, each on the day it was recorded. A payout counts in its own month, whenever its wager was placed.',
          columns: [
            ...place,
            count('wagers', 'Wagers'),
            money('stakes', 'Staked'),
            count('payouts', 'Payouts'),
            money('paid', 'Paid out'),
            money('ggr', 'Gross gaming revenue'),
          ],
          rows: revenue,
          chart: { kind: 'bar', label: 'productLine', values: ['ggr'] },
        },
        {
          name: 'duty',
          title: 'Duties due by return',
          note: 'On what the records contributed to each base; opens to the wagers, or to the payouts where these alone contribute. A loss bears no duty; losses carried forward, free amounts and bands are not applied.',
          columns: [
            ...place,
            text('taxCode', 'Tax'),
            text('rule', 'Rule'),
            text('base', 'Base'),
            text('confidence', 'Confidence of the rule'),
            { name: 'rate', title: 'Rate', type: 'percent' },
            money('contribution', 'Base of the month'),
            money('duty', 'Duty'),
          ],
          rows: duty,
        },
        {
          name: 'withinEvents',
          title: 'Taxes within wagers and payouts',
          columns: [
            ...place,
            text('kind', 'Operation'),
            text('taxCode', 'Tax'),
            text('rule', 'Rule'),
            count('count', 'Records'),
            money('taxable', 'Taxable'),
            money('tax', 'Tax'),
          ],
          rows: taxes.map((t): ReportRow => {
            const open = openPath({ ...month.filter, ...t, taxRule: t.rule });
            return {
              cells: [
                ...placeCells(run, t),
                t.kind,
                s.rates.book.rule(t.rule)?.rule.taxCode ?? null,
                t.rule,
                String(t.count),
                t.taxable,
                t.tax,
              ],
              ...(open === undefined ? {} : { open }),
            };
          }),
        },
      ],
    };
  },
});

async function revenueRows(run: ReportRun, { filter }: TotalsMonth): Promise<ReportRow[]> {
  const lines = new Map<string, { wagers?: AmountSums<Dimension>; payouts?: AmountSums<Dimension> }>();
  for (const kind of ['captureWager', 'capturePayout'] as const)
    for (const a of await amountTotals(run.db, { ...filter, kind }, dimensions)) {
      const key = JSON.stringify(dimensions.map((d) => a[d]));
      const line = lines.get(key) ?? {};
      line[kind === 'captureWager' ? 'wagers' : 'payouts'] = a;
      lines.set(key, line);
    }
  return [...lines]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { wagers, payouts }]) => {
      const at = (wagers ?? payouts) as AmountSums<Dimension>;
      const [staked, paid] = [wagers?.gross ?? '0', payouts?.gross ?? '0'];
      const open = openPath({ ...filter, ...at, kind: wagers ? 'captureWager' : 'capturePayout' });
      return {
        cells: [
          ...placeCells(run, at),
          String(wagers?.count ?? 0),
          staked,
          String(payouts?.count ?? 0),
          paid,
          differenceOf(staked, paid),
        ],
        ...(open === undefined ? {} : { open }),
      };
    });
}

/** Bases that only payouts contribute to; all others count wagers. */
const ofPayouts: ReadonlySet<string> = new Set(['PAYOUT', 'WINNINGS']);

async function dutyRows(
  s: Needs<'reference' | 'rates'>,
  run: ReportRun,
  { filter, period }: TotalsMonth,
): Promise<ReportRow[]> {
  const { rates, reference } = s;
  const sums = await accrualTotals(run.db, filter, [...dimensions, 'rule']);
  return sums.map((a): ReportRow => {
    const rule = rates.book.rule(a.rule)?.rule;
    const asset = reference.asset(a.currency, period.last, true);
    const kind = rule && ofPayouts.has(rule.base) ? 'capturePayout' : 'captureWager';
    const open = openPath({ ...filter, ...a, kind });
    const duty = rule && dutyOn(rule, a.contribution, asset instanceof Refusal ? 2 : asset.decimals);
    return {
      cells: [
        ...placeCells(run, a),
        rule?.taxCode ?? null,
        a.rule,
        rule?.base ?? null,
        rule?.confidence ?? null,
        rule?.rate ?? null,
        a.contribution,
        duty ?? null,
      ],
      ...(open === undefined ? {} : { open }),
    };
  });
}
