// The lines of a return: taxes of totals in the form's currency, each at its own rate of exchange. Pure.
import { convert } from '../exchange/convert.ts';
import { groupedBy } from '../grouped.ts';
import type { Ratio } from '../money.ts';
import { isZero, plain, sumOf } from '../sums.ts';
import { type DutyTerms, dutyOn } from '../tax/duty.ts';
import type { FilingLine } from './fill.ts';

/** What totals or corrections have of one tax; amounts in its own currency, negative for what is returned. */
export interface TaxPart {
  readonly rule: string;
  readonly operation?: string | undefined;
  readonly currency: string;
  /** Local day; undefined only in the form's currency. */
  readonly day?: string | undefined;
  readonly taxable: string;
  readonly tax: string;
}

/** A contribution to the base of a tax that is worked out for the period as a whole. */
export interface AccrualPart {
  readonly rule: string;
  /** Who owes the tax. */
  readonly account: string;
  readonly currency: string;
  readonly day?: string | undefined;
  readonly contribution: string;
}

export interface AppliedRate {
  /** As published or worked out, for a person to read. */
  readonly rate: string;
  readonly exact: Ratio;
  /** Day or month it is of. */
  readonly day: string;
  readonly publisher: string;
}

/** Undefined if there is none. */
export type RateOf = (currency: string, day: string) => AppliedRate | undefined;

/** A line in the form's currency; what it is in its own stands beside it. */
export interface ReturnLine extends FilingLine {
  readonly currency: string;
  readonly foreignTaxable: string;
  readonly foreignTax: string;
  /** Undefined in the form's currency, and for a tax worked out in it. */
  readonly rate?: AppliedRate | undefined;
}

export interface UnconvertedLine extends Omit<TaxPart, 'day'> {
  /** True for a part of the base of a tax of the whole period, whose tax is not known. */
  readonly isBase?: true;
}

export interface ReturnLines {
  readonly lines: readonly ReturnLine[];
  /** Lines without a rate of exchange: they are not added. */
  readonly notConverted: readonly UnconvertedLine[];
}

export interface ReturnCurrency {
  readonly code: string;
  readonly decimals: number;
  readonly rateOf: RateOf;
}

/** In the return's currency, without trailing zeros. */
const converted = (amount: string, rate: Ratio, decimals: number): string => plain(convert(amount, rate, decimals));

export const sums = <F extends string>(rows: readonly Readonly<Record<F, string>>[], ...fields: readonly F[]) =>
  Object.fromEntries(fields.map((f) => [f, sumOf(rows.map((r) => r[f]))])) as Record<F, string>;

const own = (p: TaxPart): ReturnLine => ({
  rule: p.rule,
  operation: p.operation,
  currency: p.currency,
  taxable: plain(p.taxable),
  tax: plain(p.tax),
  foreignTaxable: plain(p.taxable),
  foreignTax: plain(p.tax),
});

/** Lines by rule, operation, currency and rate, sorted. Each day is converted as one amount. */
export function returnLines(parts: readonly TaxPart[], of: ReturnCurrency): ReturnLines {
  const lines: ReturnLine[] = [];
  const notConverted: TaxPart[] = [];
  for (const day of groupedBy(parts.map(dated), ['rule', 'operation', 'currency', 'day'])) {
    const part: TaxPart = { ...day, ...sums(day.rows, 'taxable', 'tax') };
    if (part.currency === of.code) {
      lines.push(own(part));
      continue;
    }
    const rate = part.day === undefined ? undefined : of.rateOf(part.currency, part.day);
    if (!rate) notConverted.push(part);
    else
      lines.push({
        ...own(part),
        taxable: converted(part.taxable, rate.exact, of.decimals),
        tax: converted(part.tax, rate.exact, of.decimals),
        rate,
      });
  }
  return { lines: summed(lines), notConverted: unconverted(notConverted) };
}

const dated = (p: TaxPart) => ({ ...p, operation: p.operation, day: p.day });

/** The same amounts to the decimals of the currency, where a sum is kept with more. */
export const roundedParts = (parts: readonly TaxPart[], decimals: number): TaxPart[] =>
  groupedBy(parts.map(dated), ['rule', 'operation', 'currency', 'day']).map((g) => {
    const { taxable, tax } = sums(g.rows, 'taxable', 'tax');
    return { ...g, taxable: converted(taxable, unchanged, decimals), tax: converted(tax, unchanged, decimals) };
  });

const unchanged: Ratio = { n: 1n, d: 1n };

/** One line for each rule, operation, currency and rate. */
const summed = (lines: readonly ReturnLine[]): ReturnLine[] =>
  groupedBy(
    lines.map((l) => ({ ...l, at: l.rate && `${l.rate.publisher} ${l.rate.day} ${l.rate.rate}` })),
    ['rule', 'operation', 'currency', 'at'],
  )
    .sort(byKeyOf)
    .map((g) => ({
      rule: g.rule,
      operation: g.operation,
      currency: g.currency,
      ...sums(g.rows, 'taxable', 'tax', 'foreignTaxable', 'foreignTax'),
      rate: g.rows[0]?.rate,
    }));

const unconverted = (parts: readonly TaxPart[]): UnconvertedLine[] =>
  groupedBy(parts, ['rule', 'operation', 'currency'])
    .sort(byKeyOf)
    .map((g) => ({
      rule: g.rule,
      operation: g.operation,
      currency: g.currency,
      ...sums(g.rows, 'taxable', 'tax'),
    }));

const byKeyOf = (a: { readonly key: string }, b: { readonly key: string }) => (a.key < b.key ? -1 : 1);

/**
 * Lines of taxes due on a whole period, such as gaming duty: each account owes its own, on its base in all currencies, and
 * a loss bears none. What is in another currency is converted day by day; the duty stands in the form's.
 */
export function accrualLines(
  parts: readonly AccrualPart[],
  of: ReturnCurrency,
  ruleOf: (rule: string) => DutyTerms | undefined,
): ReturnLines {
  const lines: ReturnLine[] = [];
  const notConverted: UnconvertedLine[] = [];
  // Brackets are of a month.
  const monthOf = (p: AccrualPart) => (ruleOf(p.rule)?.brackets === undefined ? undefined : p.day?.slice(0, 7));
  for (const g of groupedBy(
    parts.map((p) => ({ ...p, month: monthOf(p) })),
    ['account', 'rule', 'month'],
  )) {
    const bases = returnLines(
      g.rows.map((p) => ({ ...p, taxable: p.contribution, tax: '0' })),
      of,
    );
    const rule = ruleOf(g.rule);
    const base = sumOf(bases.lines.map((l) => l.taxable));
    const duty = (rule && dutyOn(rule, base, of.decimals)) ?? '0';
    notConverted.push(...bases.notConverted);
    lines.push(...bases.lines);
    if (!isZero(duty)) lines.push(own({ rule: g.rule, currency: of.code, taxable: '0', tax: duty }));
  }
  // What a base lacks bears tax that is not known, unlike what is exempt.
  return { lines: summed(lines), notConverted: unconverted(notConverted).map((l) => ({ ...l, isBase: true })) };
}
