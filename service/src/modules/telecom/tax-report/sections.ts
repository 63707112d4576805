// The sections of the tax report that show totals of the analysis: volumes, taxes, untaxed records, late records.
import { megabytesOf, minutesOf } from '../../../core/cdr/comparison.ts';
import { groupedBy } from '../../../core/grouped.ts';
import type { SaidSection } from '../../../core/reports/document.ts';
import { type Column, code, count, decimal, money, section, text } from '../../../core/reports/table.ts';
import { type Said, said } from '../../../core/said.ts';
import type { TotalLine } from '../analysis/sums.ts';
import { type Operators, openRecords, operator } from './columns.ts';
import { type LineSums, sumBy, sumOfLines } from './sums.ts';

const ofRecords = (l: TotalLine): boolean => l.ruleId === '';
/** What records bear; what is due by return is beside it, and never added to it. */
const ofTaxes = (l: TotalLine): boolean => l.ruleId !== '' && l.owedBy === '';
const ofReturn = (l: TotalLine): boolean => l.owedBy !== '';
/** Whether the calls are of another month than the one in which the records count. */
export const isLate = (l: TotalLine): boolean => l.callPeriod !== l.period;

const figure = ['account', 'period', 'callPeriod', 'class', 'currency'] as const;
const currency = text('currency', 'Currency');
const callPeriod = text('callPeriod', 'Month of the calls');
const volumes: readonly Column<LineSums>[] = [
  count('records', 'Records'),
  count('answered', 'Answered'),
  decimal('minutes', 'Minutes', (s) => minutesOf(s.seconds)),
  decimal('dataMb', 'Megabytes', (s) => megabytesOf(s.dataKb)),
  money('gross', 'Gross', (s) => s.cost),
];

/** @param lines totals of the month, without late records */
export const volumesSection = (o: Operators, lines: readonly TotalLine[]): SaidSection =>
  section(sumBy(lines.filter(ofRecords), ...figure), {
    name: 'volumes',
    title: 'Records, minutes, megabytes and gross by class',
    note: 'Gross is the cost before tax. Minutes and megabytes (of 1,024 kilobytes) are rounded to hundredths; a minute counts by the second.',
    columns: [...operator(o), code('class', 'Class'), currency, ...volumes, money('tax', 'Tax in this currency')],
    open: (g) => openRecords(o.psp, g),
  });

/** Tax by class and currency, over all operators of the report. */
export function taxByClassSection(lines: readonly TotalLine[]): SaidSection {
  const groups = sumBy(lines.filter(ofTaxes), 'class', 'taxCurrency');
  return section(groups, {
    name: 'taxByClass',
    title: 'Tax by class',
    columns: [code('class', 'Class'), text('currency', 'Currency', (g) => g.taxCurrency), money('tax', 'Tax')],
    chart: { kind: 'bar', label: 'class', values: ['tax'] },
  });
}

/** The quantity and unit that a tax per unit is charged on; nulls for other taxes. */
function chargedOn({ base, quantity }: Pick<TotalLine, 'base' | 'quantity'>): [string | null, string | null] {
  switch (base) {
    case 'MINUTES':
      return [minutesOf(BigInt(quantity)), 'minute'];
    case 'DATA_MB':
      return [megabytesOf(quantity), 'megabyte'];
    case 'COUNT':
      return [quantity, 'record'];
    default:
      return [null, null];
  }
}

/** Returns the rate of a rule as text, such as `7.5 %` or `0.06 USD`; null if it is unknown. */
export type RateOf = (ruleId: string) => string | null;

const taxSums = (lines: readonly TotalLine[], of = ofTaxes) =>
  sumBy(lines.filter(of), ...figure, 'taxCode', 'ruleId', 'base', 'reason', 'taxCurrency');

const taxColumns = (rateOf: RateOf): readonly Column<ReturnType<typeof taxSums>[number]>[] => [
  code('class', 'Class'),
  text('taxCode', 'Tax code'),
  text('ruleId', 'Rule'),
  text('rate', 'Rate', (g) => rateOf(g.ruleId)),
  code('reason', 'Reason', (g) => g.reason || null),
  text('currency', 'Currency of the cost'),
  count('records', 'Records'),
  money('taxable', 'Base', (g) => (chargedOn(g)[0] === null ? g.taxable : null)),
  decimal('quantity', 'Quantity', (g) => chargedOn(g)[0]),
  text('unit', 'Unit', (g) => chargedOn(g)[1]),
  text('taxCurrency', 'Currency of the tax'),
  money('tax', 'Tax'),
];

export const taxesSection = (o: Operators, lines: readonly TotalLine[], rateOf: RateOf): SaidSection =>
  section(taxSums(lines), {
    name: 'taxes',
    title: 'Base and tax by class and rule',
    note: 'Sums of what each record bears, exact: nothing is rounded to the currency before it is declared. A base is money, or a quantity where the law charges an amount per unit.',
    columns: [...operator(o), ...taxColumns(rateOf)],
    open: (g) => openRecords(o.psp, g),
  });

/** A tax of the country that is due on what no record holds. */
export interface NotOnCalls {
  readonly account: string;
  readonly taxCode: string;
  readonly ruleId: string;
}

const onRecharges = said`Due on recharges, which no call record holds: it is not worked out. What is owed is in the accounts of the operator.`;

/** A tax by return with the month's calls or late ones under it, or null where calls do not hold what it is due on. */
interface ByReturn {
  readonly account: string;
  readonly period: string;
  readonly taxCode: string;
  readonly authority: string | null;
  readonly currency: string | null;
  readonly sums: LineSums | null;
  readonly quantity: string | null;
  readonly unit: string | null;
  readonly late: string | null;
  readonly due: string | null;
  readonly note: Said | null;
}

/**
 * What the operator owes by return, by tax, authority and month.
 * @param totals of the month, late records included
 * @param dueOf returns the rounded sum of amounts of a currency
 */
export function byReturnSection(
  o: Operators,
  totals: readonly TotalLine[],
  notOnCalls: readonly NotOnCalls[],
  authorityOf: (ruleId: string) => string | null,
  dueOf: (currency: string, ...amounts: readonly string[]) => string,
): SaidSection {
  const lines = totals.filter(ofReturn).map((l) => ({ ...l, authority: authorityOf(l.ruleId) ?? '' }));
  const by = ['account', 'period', 'taxCode', 'authority', 'taxCurrency'] as const;
  const rows: ByReturn[] = groupedBy(lines, by).map((g) => {
    const [own, late] = [g.rows.filter((l) => !isLate(l)), g.rows.filter(isLate)].map(sumOfLines) as [
      LineSums,
      LineSums,
    ];
    // Of several units the section by rule has the quantities.
    const bases = new Set(g.rows.map((l) => l.base));
    const [quantity, unit] =
      bases.size === 1 ? chargedOn({ base: g.rows[0]?.base ?? '', quantity: own.quantity }) : [null, 'several'];
    return {
      ...{ account: g.account, period: g.period, taxCode: g.taxCode, authority: g.authority || null },
      ...{ currency: g.taxCurrency, sums: own, quantity, unit, late: late.tax },
      ...{ due: dueOf(g.taxCurrency, own.tax, late.tax), note: null },
    };
  });
  for (const { account, taxCode, ruleId } of notOnCalls)
    rows.push({
      ...{ account, period: totals[0]?.period ?? '', taxCode, authority: authorityOf(ruleId), currency: null },
      ...{ sums: null, quantity: null, unit: null, late: null, due: null, note: onRecharges },
    });
  return section(rows, {
    name: 'byReturn',
    title: 'Due by return, by tax and authority',
    note: 'Taxes that the operator owes on its calls by a return of the period. No call bears them, and no sum of the taxes on calls has them. What a law deducts that calls do not show, such as what is paid to other operators for interconnection, is not taken off, and turnover that no call shows, such as subscriptions, is not in it.',
    columns: [
      ...operator(o),
      text('period', 'Month'),
      text('taxCode', 'Tax code'),
      text('authority', 'Authority'),
      count('records', 'Records', (r) => r.sums?.records ?? null),
      money('taxable', 'Base', (r) => (r.unit === null ? (r.sums?.taxable ?? null) : null)),
      decimal('quantity', 'Quantity'),
      text('unit', 'Unit'),
      text('currency', 'Currency'),
      money('tax', 'Tax', (r) => r.sums?.tax ?? null),
      money('late', 'Late adjustments'),
      money('due', 'Due'),
      text('note', 'Note'),
    ],
  });
}

export const byReturnRulesSection = (o: Operators, totals: readonly TotalLine[], rateOf: RateOf): SaidSection =>
  section(taxSums(totals, ofReturn), {
    name: 'byReturnRules',
    title: 'Due by return, by class and rule',
    note: 'Sums of what the operator owes on each record, exact. Records of calls of an earlier month came after it was closed.',
    columns: [...operator(o), callPeriod, ...taxColumns(rateOf)],
    open: (g) => openRecords(o.psp, g),
  });

export const lateSection = (o: Operators, late: readonly TotalLine[], rateOf: RateOf): SaidSection =>
  section(taxSums(late), {
    name: 'late',
    title: 'Late adjustments',
    note: 'Records of calls of earlier months that came after these were closed, less those that were withdrawn after that. They are due with this month and are not part of the figures above, nor of what is compared with the declaration.',
    columns: [...operator(o), callPeriod, ...taxColumns(rateOf)],
    open: (g) => openRecords(o.psp, g),
  });

export const untaxedSection = (o: Operators, lines: readonly TotalLine[]): SaidSection =>
  section(
    sumBy(
      lines.filter((l) => ofRecords(l) && l.reason !== ''),
      ...figure,
      'reason',
    ),
    {
      name: 'untaxed',
      title: 'Records that no rule taxes',
      note: 'NO_RULE: the country has no rule for such a record on its day. NO_COUNTRY: the operator is registered without a country.',
      columns: [
        ...operator(o),
        callPeriod,
        code('class', 'Class'),
        text('finding', 'Finding', (g) => g.reason),
        currency,
        ...volumes,
      ],
      open: (g) => openRecords(o.psp, { ...g, finding: g.reason }),
    },
  );
