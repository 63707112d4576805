// The sections of the tax report that show totals of the analysis: volumes, taxes, untaxed records, late records.
import { megabytesOf, minutesOf } from '../../../core/cdr/comparison.ts';
import type { ReportRow, ReportSection } from '../../../core/reports/document.ts';
import type { TotalLine } from '../analysis/sums.ts';
import { column, type Operators, openRecords, operatorCells, withOperator } from './columns.ts';
import { type Summed, sumBy } from './sums.ts';

const ofRecords = (l: TotalLine): boolean => l.ruleId === '';
const ofTaxes = (l: TotalLine): boolean => l.ruleId !== '';
/** Whether the calls are of another month than the one in which the records count. */
export const isLate = (l: TotalLine): boolean => l.callPeriod !== l.period;

const volumes = [
  column('records', 'Records', 'count'),
  column('answered', 'Answered', 'count'),
  column('minutes', 'Minutes', 'decimal'),
  column('dataMb', 'Megabytes', 'decimal'),
  column('gross', 'Gross', 'money'),
];
const volumeCells = (s: Omit<Summed, 'key'>): string[] => [
  String(s.records),
  String(s.answered),
  minutesOf(s.seconds),
  megabytesOf(s.dataKb),
  s.cost,
];

/** @param lines totals of the month, without late records */
export function volumesSection(o: Operators, lines: readonly TotalLine[]): ReportSection {
  const groups = sumBy(lines.filter(ofRecords), (l) => [l.account, l.period, l.class, l.currency] as const);
  return {
    name: 'volumes',
    title: 'Records, minutes, megabytes and gross by class',
    note: 'Gross is the cost before tax. Minutes and megabytes (of 1,024 kilobytes) are rounded to hundredths; a minute counts by the second.',
    columns: withOperator(o, [
      column('class', 'Class'),
      column('currency', 'Currency'),
      ...volumes,
      column('tax', 'Tax in this currency', 'money'),
    ]),
    rows: groups.map((g): ReportRow => {
      const [account, period, is, currency] = g.key;
      return {
        cells: [...operatorCells(o, account), is, currency, ...volumeCells(g), g.tax],
        open: openRecords(o.psp, { account, period, callPeriod: period, class: is, currency }),
      };
    }),
  };
}

/** Tax by class and currency, over all operators of the report. */
export function taxByClassSection(lines: readonly TotalLine[]): ReportSection {
  const groups = sumBy(lines.filter(ofTaxes), (l) => [l.class, l.taxCurrency] as const);
  const several = new Set(groups.map((g) => g.key[1])).size > 1;
  return {
    name: 'taxByClass',
    title: 'Tax by class',
    columns: [
      column('label', 'Class'),
      column('class', 'Class'),
      column('currency', 'Currency'),
      column('tax', 'Tax', 'money'),
    ],
    rows: groups.map((g) => {
      const [is, currency] = g.key;
      return { cells: [several ? `${is} ${currency}` : is, is, currency, g.tax] };
    }),
    chart: { kind: 'bar', label: 'label', values: ['tax'] },
  };
}

/** The quantity and unit that a tax per unit is charged on; nulls for other taxes. */
function chargedOn(base: TotalLine['base'], quantity: string): [string | null, string | null] {
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

const taxColumns = [
  column('class', 'Class'),
  column('taxCode', 'Tax'),
  column('ruleId', 'Rule'),
  column('rate', 'Rate'),
  column('reason', 'Reason'),
  column('currency', 'Currency of the cost'),
  column('records', 'Records', 'count'),
  column('taxable', 'Base', 'money'),
  column('quantity', 'Quantity', 'decimal'),
  column('unit', 'Unit'),
  column('taxCurrency', 'Currency of the tax'),
  column('tax', 'Tax', 'money'),
];

/** Returns the rate of a rule as text, such as `7.5 %` or `0.06 USD`; null if it is unknown. */
export type RateOf = (ruleId: string) => string | null;

const taxKey = (l: TotalLine) =>
  [
    l.account,
    l.period,
    l.callPeriod,
    l.class,
    l.currency,
    l.taxCode,
    l.ruleId,
    l.base,
    l.reason,
    l.taxCurrency,
  ] as const;

function taxRow(
  o: Operators,
  g: Summed<ReturnType<typeof taxKey>>,
  rateOf: RateOf,
  more: readonly string[] = [],
): ReportRow {
  const [account, period, callPeriod, is, currency, taxCode, ruleId, base, reason, taxCurrency] = g.key;
  const [quantity, unit] = chargedOn(base, g.quantity);
  const taxable = quantity === null ? g.taxable : null;
  return {
    cells: [
      ...operatorCells(o, account),
      ...more,
      is,
      taxCode,
      ruleId,
      rateOf(ruleId),
      reason || null,
      currency,
      String(g.records),
      taxable,
      quantity,
      unit,
      taxCurrency,
      g.tax,
    ],
    open: openRecords(o.psp, { account, period, callPeriod, class: is, currency, ruleId }),
  };
}

export function taxesSection(o: Operators, lines: readonly TotalLine[], rateOf: RateOf): ReportSection {
  return {
    name: 'taxes',
    title: 'Base and tax by class and rule',
    note: 'Sums of what each record bears, exact: nothing is rounded to the currency before it is declared. A base is money, or a quantity where the law charges an amount per unit.',
    columns: withOperator(o, taxColumns),
    rows: sumBy(lines.filter(ofTaxes), taxKey).map((g) => taxRow(o, g, rateOf)),
  };
}

export function lateSection(o: Operators, late: readonly TotalLine[], rateOf: RateOf): ReportSection {
  return {
    name: 'late',
    title: 'Late adjustments',
    note: 'Records of calls of earlier months that came after these were closed. They are due with this month and are not part of the figures above, nor of what is compared with the declaration.',
    columns: withOperator(o, [column('callPeriod', 'Month of the calls'), ...taxColumns]),
    rows: sumBy(late.filter(ofTaxes), taxKey).map((g) => taxRow(o, g, rateOf, [g.key[2]])),
  };
}

export function untaxedSection(o: Operators, lines: readonly TotalLine[]): ReportSection {
  const bare = lines.filter((l) => ofRecords(l) && l.reason !== '');
  const groups = sumBy(bare, (l) => [l.account, l.period, l.callPeriod, l.class, l.currency, l.reason] as const);
  return {
    name: 'untaxed',
    title: 'Records that no rule taxes',
    note: 'NO_RULE: the country has no rule for such a record on its day. NO_COUNTRY: the operator is registered without a country.',
    columns: withOperator(o, [
      column('callPeriod', 'Month of the calls'),
      column('class', 'Class'),
      column('finding', 'Finding'),
      column('currency', 'Currency'),
      ...volumes,
    ]),
    rows: groups.map((g) => {
      const [account, period, callPeriod, is, currency, finding] = g.key;
      return {
        cells: [...operatorCells(o, account), callPeriod, is, finding, currency, ...volumeCells(g)],
        open: openRecords(o.psp, { account, period, callPeriod, class: is, currency, finding }),
      };
    }),
  };
}
