// The sections of the tax report that show totals of the analysis: volumes, taxes, untaxed records, late records.
import { megabytesOf, minutesOf } from '../../../core/cdr/comparison.ts';
import type { SaidSection } from '../../../core/reports/document.ts';
import { type Column, code, count, decimal, money, section, text } from '../../../core/reports/table.ts';
import type { TotalLine } from '../analysis/sums.ts';
import { type Operators, openRecords, operator } from './columns.ts';
import { type LineSums, sumBy } from './sums.ts';

const ofRecords = (l: TotalLine): boolean => l.ruleId === '';
const ofTaxes = (l: TotalLine): boolean => l.ruleId !== '';
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

const taxSums = (lines: readonly TotalLine[]) =>
  sumBy(lines.filter(ofTaxes), ...figure, 'taxCode', 'ruleId', 'base', 'reason', 'taxCurrency');

const taxColumns = (rateOf: RateOf): readonly Column<ReturnType<typeof taxSums>[number]>[] => [
  code('class', 'Class'),
  text('taxCode', 'Tax code'),
  text('ruleId', 'Rule'),
  text('rate', 'Rate', (g) => rateOf(g.ruleId)),
  text('reason', 'Reason', (g) => g.reason || null),
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
