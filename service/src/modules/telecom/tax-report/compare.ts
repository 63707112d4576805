// Compares an operator's declaration with the figures of its records: figure by figure, and the month's taxes in total.
import {
  type Comparison,
  compare,
  compareQuantity,
  kilobytesPerMegabyte,
  secondsPerMinute,
} from '../../../core/cdr/comparison.ts';
import { type DeclaredFigure, type DeclaredLine, volumeFigures } from '../../../core/cdr/declaration.ts';
import { type Decimal, decimal, divideRounded, formatUnits, pow10 } from '../../../core/money.ts';
import { plainOf, plus } from '../../../core/sums.ts';
import type { TotalLine } from '../analysis/sums.ts';
import { sumBy, sumOfLines } from './sums.ts';

/** Stands for all classes together, or all taxes that calls bear together: what is due by return is declared by its own code. */
export const all = 'ALL';

/** The fields that identify a compared figure. */
interface FigureKey {
  readonly class: string;
  /** '' for volumes, which belong to no tax. */
  readonly taxCode: string;
  readonly currency: string;
  readonly figure: DeclaredFigure;
}

export interface ComparedFigure extends FigureKey, Comparison {
  /** Null if there are no records for it. */
  readonly computed: string | null;
  readonly declared: string | null;
}

export interface ComparedTax extends Comparison {
  readonly taxCode: string;
  readonly currency: string;
  /** BY_RETURN: owed by a return of the period, and no part of the calls. */
  readonly method: 'ADDED' | 'BY_RETURN';
  /** Tax of the month's own records; `late` is that of late records of closed months, `due` the rounded sum of both. */
  readonly computed: string;
  readonly late: string;
  readonly due: string;
  readonly declared: string | null;
}

/** Returns the number of decimals in which amounts of a currency are declared. */
export type DecimalsOf = (currency: string) => number;

/** Rounds half up and writes exactly `decimals` decimals. */
export const rounded = ({ units, scale }: Decimal, decimals: number): string =>
  formatUnits(divideRounded(units * pow10(decimals), pow10(scale), 'HALF_UP'), decimals);

const units: Readonly<Partial<Record<DeclaredFigure, bigint>>> = {
  minutes: secondsPerMinute,
  dataMb: kilobytesPerMegabyte,
};

/** @param lines totals of one account and month, without late records */
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
    const per = units[key.figure];
    const compared =
      per !== undefined && said !== null
        ? compareQuantity(computed, per, said)
        : {
            computed: computed ?? null,
            ...compare(computed, said, key.figure === 'records' ? 0 : decimalsOf(key.currency)),
          };
    rows.set(id, { ...key, declared: said, ...compared });
  };
  for (const l of declared) {
    const of = { class: l.class ?? all, currency: l.currency };
    for (const figure of volumeFigures) if (l[figure] !== null) add({ ...of, taxCode: '', figure }, l[figure]);
    for (const figure of ['taxable', 'tax'] as const)
      if (l[figure] !== null) add({ ...of, taxCode: l.taxCode ?? all, figure }, l[figure]);
  }
  const taxed = lines.filter((l) => l.ruleId !== '' && l.tax !== '0');
  for (const t of sumBy(taxed, 'class', 'taxCode', 'taxCurrency', 'owedBy'))
    if (!declared.some((l) => covers(l, t)))
      add({ class: t.class, taxCode: t.taxCode, currency: t.taxCurrency, figure: 'tax' }, null);
  return [...rows.values()].sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
}

const orderOf = (f: FigureKey) =>
  [f.class === all ? '' : f.class, f.currency, f.taxCode === all ? '' : f.taxCode].join(' ');

/** Whether a declared line includes a tax. A line on all classes includes each of them, and one on all taxes those that calls bear. */
const covers = (l: DeclaredLine, t: Pick<TotalLine, 'class' | 'taxCode' | 'taxCurrency' | 'owedBy'>): boolean =>
  l.tax !== null &&
  l.currency === t.taxCurrency &&
  (l.class === null || l.class === t.class) &&
  (l.taxCode === null ? t.owedBy === '' : l.taxCode === t.taxCode);

/** Whether a line is one of a tax, or of all that calls bear. */
const isOf = (l: TotalLine, taxCode: string): boolean => (taxCode === all ? l.owedBy === '' : l.taxCode === taxCode);

/** The lines of records behind a figure: of volumes where it has no tax. */
export const linesBehind = (
  lines: readonly TotalLine[],
  key: Pick<FigureKey, 'class' | 'taxCode' | 'currency'>,
): TotalLine[] =>
  lines.filter(
    (l) =>
      (key.class === all || l.class === key.class) &&
      (key.taxCode === ''
        ? l.ruleId === '' && l.currency === key.currency
        : l.ruleId !== '' && l.taxCurrency === key.currency && isOf(l, key.taxCode)),
  );

/** Minutes are in seconds, and megabytes in kilobytes. */
function computedFigure(lines: readonly TotalLine[], key: FigureKey): string | undefined {
  const own = linesBehind(lines, key);
  if (own.length === 0) return undefined;
  const sum = sumOfLines(own);
  switch (key.figure) {
    case 'records':
      return String(sum.records);
    case 'minutes':
      return String(sum.seconds);
    case 'dataMb':
      return sum.dataKb;
    case 'gross':
      return sum.cost;
    default:
      return sum[key.figure];
  }
}

/**
 * Compares each tax of the month over all classes, and all taxes together if they were declared together.
 * @param late totals of records that count in the month, but whose calls are of earlier, closed months
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
      taxesOf(from).filter((l) => l.taxCurrency === currency && isOf(l, taxCode));
    const [onTime, belated] = [own(lines), own(late)];
    const [computed, lateTax] = [sumOfLines(onTime).tax, sumOfLines(belated).tax];
    const said = declaredTax(declared, taxCode, currency);
    return {
      taxCode,
      currency,
      method: [...onTime, ...belated].some((l) => l.owedBy !== '') ? 'BY_RETURN' : 'ADDED',
      computed,
      late: lateTax,
      due: rounded(plus(decimal(computed), decimal(lateTax)), decimalsOf(currency)),
      declared: said.value,
      ...compare(onTime.length === 0 ? undefined : computed, said.value, decimalsOf(currency), said.parts),
    };
  });
}

/** The declared tax over all classes: from a line on all classes if there is one, otherwise summed over classes. */
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
