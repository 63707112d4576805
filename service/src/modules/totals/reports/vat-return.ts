// The VAT return of one country and month: VAT only, by rule, minus what chargebacks return; and every other tax in a
// section of its own. Taxes are never added together: each has a base and a return of its own.

import { byKey, type Grouped, groupedBy } from '../../../core/grouped.ts';
import type { SaidSection } from '../../../core/reports/document.ts';
import {
  type Column,
  code,
  count,
  date,
  money,
  percent,
  section,
  sumsOver,
  text,
} from '../../../core/reports/table.ts';
import { phrase, said } from '../../../core/said.ts';
import { differenceOf, plain } from '../../../core/sums.ts';
import { isOfClient } from '../../../core/tax/duty.ts';
import { taxName } from '../../../core/tax/tax-names.ts';
import { bearsTax } from '../../../core/totals/figures.ts';
import { openPath } from '../../../core/totals/open.ts';
import { type AdjustedDays, adjustmentsMade, adjustmentsTakenBack } from '../../corrections/index.ts';
import type { Needs } from '../../kernel/needs.ts';
import { reportKind } from '../../kernel/report.ts';
import { amountTotals, type TaxSums, type TotalsFilter, taxTotals } from '../totals-reads.ts';
import { CountryMonthParameters, monthOfTotals, readMonth } from './month.ts';

/** Sums of one rule, currency and operation by verdict. */
type Line = Grouped<TaxSums<'currency' | 'kind' | 'verdict' | 'rule'>, 'currency' | 'kind' | 'rule'> & {
  readonly taxCode: string;
};

const currency = text('currency', 'Currency');
const reversed = (l: Line) => l.rows.find((r) => r.verdict === 'REVERSED');
const returned = (l: Line) => l.rows.find((r) => r.verdict === 'CHARGED_BACK');
const charged = (l: Line) => l.rows.find((r) => r !== returned(l) && r !== reversed(l));
const back = (l: Line, figure: 'taxable' | 'tax') =>
  differenceOf(returned(l)?.[figure] ?? '0', reversed(l)?.[figure] ?? '0');
const taxes: readonly Column<Line>[] = [
  money('taxable', 'Taxable', (l) => charged(l)?.taxable ?? '0'),
  money('tax', 'Tax', (l) => charged(l)?.tax ?? '0'),
];
const dues: readonly Column<Line>[] = [
  money('taxableReturned', 'Taxable, charged back', (l) => back(l, 'taxable')),
  money('taxReturned', 'Tax, charged back', (l) => back(l, 'tax')),
  money('taxDue', 'Tax due', (l) => differenceOf(charged(l)?.tax ?? '0', back(l, 'tax'))),
];

export const vatReturnReport = reportKind({
  name: 'vatReturn',
  title: 'VAT return',
  summary:
    'VAT of a country and month by rule, less that of chargebacks, and beside it every other tax under its own heading.',
  audience: ['psp', 'client', 'operator'],
  parameters: CountryMonthParameters,
  read: readMonth,
  async run(run, s: Needs<'reference' | 'rates'>, period) {
    const { filter, facts, provisional } = await monthOfTotals(run, s, period);
    const sums = await taxTotals(run.db, filter, ['currency', 'kind', 'verdict', 'rule']);
    const isOwn = (l: { readonly rule: string }) => {
      const rule = ruleOf(s, l);
      return filter.account === undefined || rule === undefined || isOfClient(rule);
    };
    const lines = groupedBy(
      sums.filter((l) => bearsTax(l.verdict) && isOwn(l)),
      ['currency', 'rule', 'kind'],
    )
      .sort(byKey)
      .map((l): Line => ({ ...l, taxCode: ruleOf(s, l)?.taxCode ?? 'UNKNOWN' }));
    run.progress(1, 3);
    const states = await amountTotals(run.db, filter, ['currency', 'kind', 'verdict']);
    run.progress(2, 3);
    const { psp, account, country } = filter;
    const made = { from: new Date(period.from).toISOString(), to: new Date(period.to).toISOString() };
    const adjustments = await adjustmentsMade(run.db, { psp, account, country, made });
    const takenBack = await adjustmentsTakenBack(run.db, { psp, account, country, made });
    run.progress(3, 3);
    const isVat = (l: Line) => taxName(l.taxCode).kind === 'VALUE_ADDED';
    const others = [...new Set(lines.filter((l) => !isVat(l)).map((l) => l.taxCode))].sort();
    return {
      title: said`VAT return of ${run.concerned.name}, ${country}, ${period.name}`,
      facts,
      provisional,
      sections: [
        dueSection(s, lines.filter(isVat), {
          name: 'due',
          title: 'VAT due',
          note: 'VAT within transactions, wagers and payouts, less that of chargebacks; a chargeback that is reversed is taken off again in its month. Taxable is what a rate above zero was charged on; other taxes have sections of their own. Taxes on calls are in the report cdrTax.',
        }),
        ruleSection(s, filter, lines.filter(isVat), { name: 'byRule', title: 'VAT by rule' }),
        ...others.flatMap((code): SaidSection[] => {
          const own = lines.filter((l) => l.taxCode === code);
          const name = phrase(taxName(code).name);
          return [
            dueSection(s, own, {
              name: sectionName(code),
              title: said`${name} due`,
              note: said`Not part of the VAT return: ${name} is paid over on a return of its own.`,
            }),
            ruleSection(s, filter, own, { name: `${sectionName(code)}ByRule`, title: said`${name} by rule` }),
          ];
        }),
        section(states, {
          name: 'byVerdict',
          title: 'Records by verdict',
          note: 'Taxes of all kinds together. Declined and unverified transactions bear no tax; those charged back are among the approved ones as well.',
          columns: [
            currency,
            code('kind', 'Operation'),
            code('verdict', 'Verdict'),
            count('count', 'Records'),
            money('gross', 'Gross'),
            money('vat', 'Tax', (a) => (bearsTax(a.verdict) ? a.vat : '0')),
            money('transactionVat', 'Tax on fees', (a) => (bearsTax(a.verdict) ? a.transactionVat : '0')),
          ],
          open: (a) => openPath({ ...filter, ...a }),
        }),
        adjustmentSection(adjustments, {
          name: 'adjustments',
          title: 'Adjusting entries made in the month',
          note: 'From rate corrections, on transactions of the days named; not within the other sections. The report rateCorrection has them by rule and client.',
        }),
        adjustmentSection(takenBack, {
          name: 'adjustmentsTakenBack',
          title: 'Adjusting entries taken back in the month',
          note: 'Of transactions that were charged back, declined or decided again after they were adjusted: what these return as recorded, and this, is the tax as corrected. Where the chargeback was reversed they stand again, with their own sign.',
        }),
      ],
    };
  },
});

type Head = Pick<SaidSection, 'name' | 'title' | 'note'>;

/** WHT as wht, SALES_TAX as salesTax. */
const sectionName = (code: string): string =>
  code.toLowerCase().replace(/[^a-z0-9]+(.)?/g, (_, next: string | undefined) => next?.toUpperCase() ?? '');

const ruleOf = (s: Needs<'rates'>, { rule }: { readonly rule: string }) => s.rates.book.rule(rule)?.rule;

const adjustmentSection = (rows: readonly AdjustedDays[], head: Head): SaidSection =>
  section(rows, {
    ...head,
    columns: [
      currency,
      date('firstDay', 'First day', (a) => a.first),
      date('lastDay', 'Last day', (a) => a.last),
      count('count', 'Adjustments', (a) => a.n),
      money('vat', 'Tax', (a) => plain(a.vat)),
      money('transactionVat', 'Tax on fees', (a) => plain(a.transactionVat)),
    ],
  });

/** One row per tax and currency: the rules of one tax never share a base within a record. */
function dueSection(s: Needs<'rates'>, lines: readonly Line[], head: Head): SaidSection {
  const isZeroRate = (l: Line) => /^0+(\.0*)?$/.test(ruleOf(s, l)?.rate ?? '');
  const isFree = (l: Line) => isZeroRate(l) && ['EXEMPT', 'ZERO_RATED'].includes(ruleOf(s, l)?.reason ?? '');
  return section(groupedBy(lines, ['currency', 'taxCode']).sort(byKey), {
    ...head,
    columns: [
      currency,
      text('taxCode', 'Tax code'),
      ...sumsOver([...taxes, ...dues], (l) => !isZeroRate(l)),
      ...sumsOver([money('untaxed', 'Exempt or zero-rated', (l: Line) => charged(l)?.taxable ?? '0')], isFree),
    ],
  });
}

const ruleSection = (s: Needs<'rates'>, filter: TotalsFilter, lines: readonly Line[], head: Head): SaidSection =>
  section(lines, {
    ...head,
    columns: [
      currency,
      text('taxCode', 'Tax code'),
      text('rule', 'Rule'),
      percent('rate', 'Rate', (l) => ruleOf(s, l)?.rate),
      code('category', 'Category', (l) => ruleOf(s, l)?.category),
      code('confidence', 'Confidence of the rule', (l) => ruleOf(s, l)?.confidence),
      code('kind', 'Operation'),
      count('count', 'Records', (l) => charged(l)?.count ?? 0),
      ...taxes,
      count('countReturned', 'Chargebacks', (l) => returned(l)?.count ?? 0),
      ...dues,
    ],
    open: (l) => {
      const verdict = (charged(l) ?? returned(l) ?? reversed(l))?.verdict;
      return openPath({ ...filter, currency: l.currency, kind: l.kind, taxRule: l.rule, verdict });
    },
    chart: { kind: 'bar', label: 'rule', values: ['taxDue'] },
  });
