// The report of gross gaming revenue and its duties: by operator, country, currency and product line.

import { byKey, type Grouped, groupedBy } from '../../../core/grouped.ts';
import { Refusal, said } from '../../../core/refusal.ts';
import { clientId, code, count, money, percent, section, text } from '../../../core/reports/table.ts';
import { differenceOf } from '../../../core/sums.ts';
import { dutyOn } from '../../../core/tax/duty.ts';
import { openPath } from '../../../core/totals/open.ts';
import type { Needs } from '../../kernel/needs.ts';
import { reportKind } from '../../kernel/report.ts';
import { PeriodParameters } from '../../kernel/report-period.ts';
import { type AmountSums, accrualTotals, amountTotals, taxTotals } from '../totals-reads.ts';
import { monthOfTotals, readMonth } from './month.ts';

const dimensions = ['account', 'country', 'currency', 'productLine'] as const;
type Sums = AmountSums<(typeof dimensions)[number] | 'kind'>;
type Line = Grouped<Sums, (typeof dimensions)[number]>;

const wagers = (l: Line) => l.rows.find((r) => r.kind === 'captureWager');
const payouts = (l: Line) => l.rows.find((r) => r.kind === 'capturePayout');
const staked = (l: Line) => wagers(l)?.gross ?? '0';
const paid = (l: Line) => payouts(l)?.gross ?? '0';

/** Bases that only payouts contribute to; all others count wagers. */
const ofPayouts: ReadonlySet<string> = new Set(['PAYOUT', 'WINNINGS']);

export const ggrDutyReport = reportKind({
  name: 'ggrDuty',
  title: 'Gross gaming revenue and duty',
  summary: 'Wagers, payouts, gross gaming revenue and duties of a month by operator, country and product line.',
  audience: ['psp', 'client', 'operator'],
  parameters: PeriodParameters,
  read: readMonth,
  async run(run, s: Needs<'reference' | 'rates'>, period) {
    const { filter, facts, provisional } = await monthOfTotals(run, s, period);
    const played: Sums[] = [];
    for (const kind of ['captureWager', 'capturePayout'])
      played.push(...(await amountTotals(run.db, { ...filter, kind }, [...dimensions, 'kind'])));
    run.progress(1, 3);
    const ruleOf = (r: { readonly rule: string }) => s.rates.book.rule(r.rule)?.rule;
    const accruals = await accrualTotals(run.db, filter, ['account', 'country', 'currency', 'rule']);
    run.progress(2, 3);
    const taxes = await taxTotals(run.db, { ...filter, verdict: 'RECORDED' }, [...dimensions, 'kind', 'rule']);
    run.progress(3, 3);
    const operator = [
      clientId(run.psp, 'Operator'),
      text('countryCode', 'Country', (r: { readonly country: string }) => r.country),
      text('currency', 'Currency'),
    ];
    const place = [...operator, text('productLine', 'Product line')];
    return {
      title: said`Gross gaming revenue and duty of ${run.concerned.name}, ${period.name}`,
      facts,
      provisional,
      sections: [
        section(groupedBy(played, dimensions).sort(byKey), {
          name: 'revenue',
          title: 'Gross gaming revenue',
          note: 'Wagers less payouts, each on the day it was recorded. A payout counts in its own month, whenever its wager was placed.',
          columns: [
            ...place,
            count('wagers', 'Wagers', (l) => wagers(l)?.count ?? 0),
            money('stakes', 'Staked', staked),
            count('payouts', 'Payouts', (l) => payouts(l)?.count ?? 0),
            money('paid', 'Paid out', paid),
            money('ggr', 'Gross gaming revenue', (l) => differenceOf(staked(l), paid(l))),
          ],
          open: ({ rows, ...of }) => openPath({ ...filter, ...of, kind: rows[0]?.kind }),
          chart: { kind: 'bar', label: 'productLine', values: ['ggr'] },
        }),
        section(accruals, {
          name: 'duty',
          title: 'Duties due by return',
          note: 'On what the records contributed to each base; opens to the wagers, or to the payouts where these alone contribute. A loss bears no duty; losses carried forward and free amounts are not applied. Each rule is of all that an operator takes in the month, over all product lines that it is for, as in its return.',
          columns: [
            ...operator,
            text('taxCode', 'Tax code', (a) => ruleOf(a)?.taxCode),
            text('rule', 'Rule'),
            code('base', 'Base', (a) => ruleOf(a)?.base),
            code('confidence', 'Confidence of the rule', (a) => ruleOf(a)?.confidence),
            percent('rate', 'Rate', (a) => ruleOf(a)?.rate),
            money('contribution', 'Base of the month'),
            money('duty', 'Duty', (a) => {
              const rule = ruleOf(a);
              // Bands are amounts of their own currency.
              const own = rule?.currency ?? s.rates.book.country(a.country)?.currency;
              if (rule?.brackets && a.currency !== own) return undefined;
              const asset = s.reference.asset(a.currency, period.last, true);
              return rule && dutyOn(rule, a.contribution, asset instanceof Refusal ? 2 : asset.decimals);
            }),
          ],
          open: (a) => {
            const kind = ofPayouts.has(ruleOf(a)?.base ?? '') ? 'capturePayout' : 'captureWager';
            return openPath({ ...filter, ...a, kind });
          },
        }),
        section(taxes, {
          name: 'withinEvents',
          title: 'Taxes within wagers and payouts',
          columns: [
            ...place,
            code('kind', 'Operation'),
            text('taxCode', 'Tax code', (t) => ruleOf(t)?.taxCode),
            text('rule', 'Rule'),
            count('count', 'Records'),
            money('taxable', 'Taxable'),
            money('tax', 'Tax'),
          ],
          open: (t) => openPath({ ...filter, ...t, taxRule: t.rule }),
        }),
      ],
    };
  },
});
