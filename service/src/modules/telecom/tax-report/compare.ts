// What an operator declared beside what its records come to: figure by figure, and the taxes of the month in all.
import { type Comparison, compare, megabytesOf, minutesOf } from '../../../core/cdr/comparison.ts';
import { type DeclaredFigure, type DeclaredLine, volumeFigures } from '../../../core/cdr/declaration.ts';
import { type Decimal, decimal, divideRounded, formatUnits, pow10 } from '../../../core/money.ts';
import { plainOf, plus } from '../../../core/sums.ts';
import type { TotalLine } from '../analysis/sums.ts';
import { sumBy, sumOfLines } from './sums.ts';

/** Where all classes or all taxes are meant. */
export const all = 'ALL';

/** What a figure is told by. */
export interface FigureKey {
  readonly class: string;
  /** '' of volumes, which no tax changes. */
  readonly taxCode: string;
  readonly currency: string;
  readonly figure: DeclaredFigure;
}

export interface ComparedFigure extends FigureKey, Comparison {
  /** Null where no record is behind it. */
  readonly computed: string | null;
  readonly declared: string | null;
}

export interface ComparedTax extends Comparison {
  readonly taxCode: string;
  readonly currency: string;
  /** Of the month's own records, of late ones of closed months, and of both, rounded to money. */
  readonly computed: string;
  readonly late: string;
  readonly due: string;
  readonly declared: string | null;
}

/** Decimals a currency is declared in. */
export type DecimalsOf = (currency: string) => number;

/** Half up, to so many decimals or fewer. */
const rounded = ({ units, scale }: Decimal, decimals: number): string =>
  formatUnits(divideRounded(units * pow10(decimals), pow10(scale), 'HALF_UP'), decimals);

const finest: Readonly<Partial<Record<DeclaredFigure, number>>> = { records: 0, minutes: 2, dataMb: 2 };

/** @param lines totals of one account and month, without late ones */
export function compareFigures(
  lines: readonly TotalLine[],
  declared: readonly DeclaredLine[],
  decimalsOf: DecimalsOf,
): ComparedFigure[] {
  const rows = new Map<string, ComparedFigure>();
  const add = (key: FigureKey, said: string | null) => {
    const id = [key.class, key.taxCode, key.currency, key.figure].join('|');
    if (rows.has(id)) return;
    const computed = computedFigure(lines, key);
    rows.set(id, {
      ...key,
      computed: computed ?? null,
      declared: said,
      ...compare(computed, said, finest[key.figure] ?? decimalsOf(key.currency)),
    });
  };
  for (const l of declared) {
    const of = { class: l.class ?? all, currency: l.currency };
    for (const figure of volumeFigures) if (l[figure] !== null) add({ ...of, taxCode: '', figure }, l[figure]);
    for (const figure of ['taxable', 'tax'] as const)
      if (l[figure] !== null) add({ ...of, taxCode: l.taxCode ?? all, figure }, l[figure]);
  }
  for (const { key } of sumBy(
    lines.filter((l) => l.ruleId !== '' && l.tax !== '0'),
    (l) => [l.class, l.taxCode, l.taxCurrency] as const,
  )) {
    const [is, taxCode, currency] = key;
    if (!declared.some((l) => covers(l, is, taxCode, currency)))
      add({ class: is, taxCode, currency, figure: 'tax' }, null);
  }
  return [...rows.values()].sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
}

const orderOf = (f: FigureKey) =>
  [f.class === all ? '' : f.class, f.currency, f.taxCode === all ? '' : f.taxCode].join(' ');

/** A line of all classes, or of all taxes, says something of each of them. */
const covers = (l: DeclaredLine, is: string, taxCode: string, currency: string): boolean =>
  l.tax !== null &&
  l.currency === currency &&
  (l.class === null || l.class === is) &&
  (l.taxCode === null || l.taxCode === taxCode);

function computedFigure(lines: readonly TotalLine[], key: FigureKey): string | undefined {
  const volume = key.taxCode === '';
  const own = lines.filter(
    (l) =>
      (key.class === all || l.class === key.class) &&
      (volume
        ? l.ruleId === '' && l.currency === key.currency
        : l.ruleId !== '' && l.taxCurrency === key.currency && (key.taxCode === all || l.taxCode === key.taxCode)),
  );
  if (own.length === 0) return undefined;
  const sum = sumOfLines(own);
  switch (key.figure) {
    case 'records':
      return String(sum.records);
    case 'minutes':
      return minutesOf(sum.seconds);
    case 'dataMb':
      return megabytesOf(sum.dataKb);
    case 'gross':
      return sum.cost;
    default:
      return sum[key.figure];
  }
}

/**
 * The taxes of the month, each over all classes; where all taxes were declared together, they too.
 * @param late totals of records that count in the month though their calls are of closed ones
 */
export function compareTaxes(
  lines: readonly TotalLine[],
  late: readonly TotalLine[],
  declared: readonly DeclaredLine[],
  decimalsOf: DecimalsOf,
): ComparedTax[] {
  const taxesOf = (from: readonly TotalLine[]) => from.filter((l) => l.ruleId !== '');
  const keys = new Set<string>();
  for (const l of taxesOf([...lines, ...late])) keys.add(`${l.taxCurrency} ${l.taxCode}`);
  for (const l of declared) if (l.tax !== null) keys.add(`${l.currency} ${l.taxCode ?? all}`);
  return [...keys].sort().map((key) => {
    const [currency, taxCode] = key.split(' ') as [string, string];
    const own = (from: readonly TotalLine[]) =>
      taxesOf(from).filter((l) => l.taxCurrency === currency && (taxCode === all || l.taxCode === taxCode));
    const [onTime, belated] = [own(lines), own(late)];
    const [computed, lateTax] = [sumOfLines(onTime).tax, sumOfLines(belated).tax];
    const said = declaredTax(declared, taxCode, currency);
    return {
      taxCode,
      currency,
      computed,
      late: lateTax,
      due: rounded(plus(decimal(computed), decimal(lateTax)), decimalsOf(currency)),
      declared: said.value,
      ...compare(onTime.length === 0 ? undefined : computed, said.value, decimalsOf(currency), said.parts),
    };
  });
}

/** What was declared of a tax over all classes: on a line of its own, else the sum of its classes' lines. */
function declaredTax(
  declared: readonly DeclaredLine[],
  taxCode: string,
  currency: string,
): { value: string | null; parts: number } {
  const own = declared.filter(
    (l) => l.tax !== null && l.currency === currency && l.taxCode === (taxCode === all ? null : taxCode),
  );
  const whole = own.find((l) => l.class === null);
  const parts = (whole ? [whole] : own).map((l) => decimal(l.tax as string));
  if (parts.length === 0) return { value: null, parts: 1 };
  return { value: plainOf(parts.reduce(plus)), parts: parts.length };
}
