// An operator's declaration to its authority for a month: figures by class, tax and currency, without repetitions or
// unknown tax codes. Pure; figures stay exact text.
import { formatDecimal, type Numeral } from '../money.ts';
import { Refusal, refuse } from '../refusal.ts';
import { either, said } from '../said.ts';
import type { TaxRule } from '../tax/rule.ts';
import type { CdrClass } from './classify.ts';

/** Figures of a class, which may be repeated on the lines of its taxes. */
export const volumeFigures = ['records', 'minutes', 'dataMb', 'gross'] as const;
const taxFigures = ['taxable', 'tax'] as const;
export const declaredFigures = [...volumeFigures, ...taxFigures] as const;
export type DeclaredFigure = (typeof declaredFigures)[number];

/** A line as sent, with valid types. */
export type DeclaredInput = {
  readonly class?: CdrClass;
  readonly taxCode?: string;
  readonly records?: number;
  readonly currency: string;
} & { readonly [F in Exclude<DeclaredFigure, 'records'>]?: Numeral };

export type DeclaredLine = {
  /** Null: all classes together. */
  readonly class: CdrClass | null;
  /** Null: all taxes together. */
  readonly taxCode: string | null;
  readonly currency: string;
} & { readonly [F in DeclaredFigure]: string | null };

const field = (i: number, name: string) => said`the field 'lines[${i}].${name}'`;

/** @param currencyOf returns the code of a currency in use in the period, or a refusal */
export function readLines(
  input: readonly DeclaredInput[],
  currencyOf: (text: string, field: string) => string | Refusal,
): readonly DeclaredLine[] | Refusal {
  const lines: DeclaredLine[] = [];
  const places = new Map<string, number>();
  for (const [i, l] of input.entries()) {
    const currency = currencyOf(l.currency, `lines[${i}].currency`);
    if (currency instanceof Refusal) return currency;
    const line = readLine(l, currency);
    if (declaredFigures.every((f) => line[f] === null))
      return refuse('FIELD_INVALID', said`${field(i, 'currency')} stands alone: the line declares no figure`);
    if (line.taxable !== null && line.taxCode === null)
      return refuse(
        'FIELD_INVALID',
        said`${field(i, 'taxable')} needs the tax it is the base of: give taxCode as well`,
      );
    const key = keyOf(line);
    const first = places.get(key);
    if (first !== undefined)
      return refuse(
        'FIELD_INVALID',
        said`${field(i, 'class')} doubles a line: lines[${first}] has the same class, taxCode and currency`,
      );
    places.set(key, i);
    lines.push(line);
  }
  return volumesConflict(lines) ?? [...lines].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

/** Identifies a line. Sorting by it puts lines on all classes or all taxes before single ones. */
const keyOf = (l: DeclaredLine) => `${l.class ?? ''} ${l.taxCode ?? ''} ${l.currency}`;

function readLine(l: DeclaredInput, currency: string): DeclaredLine {
  const text = (n: Numeral | undefined) => (n?.decimal ? formatDecimal(n.decimal) : null);
  return {
    class: l.class ?? null,
    taxCode: l.taxCode ?? null,
    currency,
    records: l.records === undefined ? null : String(l.records),
    minutes: text(l.minutes),
    dataMb: text(l.dataMb),
    gross: text(l.gross),
    taxable: text(l.taxable),
    tax: text(l.tax),
  };
}

/** Refuses lines of the same class and currency that give different volumes. */
function volumesConflict(lines: readonly DeclaredLine[]): Refusal | undefined {
  const declared = new Map<string, { value: string; at: number }>();
  for (const [i, l] of lines.entries())
    for (const f of volumeFigures) {
      const value = l[f];
      if (value === null) continue;
      const key = `${l.class ?? ''}|${l.currency}|${f}`;
      const before = declared.get(key);
      if (before && before.value !== value)
        return refuse(
          'FIELD_INVALID',
          said`${field(i, f)} is ${value}, and lines[${before.at}] says ${before.value} for the same class and currency`,
        );
      declared.set(key, { value, at: i });
    }
  return undefined;
}

/** The rules on call detail records that are valid on any day of a period; dates are local and inclusive. */
export const recordRules = (rules: readonly TaxRule[], first: string, last: string): readonly TaxRule[] =>
  rules.filter(
    (r) => r.operations.includes('recordCDR') && r.validFrom <= last && (r.validTo === null || r.validTo > first),
  );

/**
 * Refuses tax codes that the country does not have, and a tax per unit declared in another currency than its own.
 * @param rules rules of the country and period, as `recordRules` returns them
 * @param place country and period as messages name them: `NG in 2026-10`
 */
export function codesProblem(
  input: readonly DeclaredInput[],
  rules: readonly TaxRule[],
  place: string,
): Refusal | undefined {
  const known = [...new Set(rules.map((r) => r.taxCode))].sort();
  for (const [i, l] of input.entries()) {
    if (l.taxCode === undefined) continue;
    const own = rules.filter((r) => r.taxCode === l.taxCode);
    if (own.length === 0)
      return refuse(
        'FIELD_INVALID',
        said`${field(i, 'taxCode')} must be a tax on call records of ${place}: ${known.join(', ') || said`there is none; leave it out`}`,
      );
    const currencies = new Set(own.map((r) => (r.unitAmount === undefined ? undefined : r.currency)));
    if (!currencies.has(undefined) && !currencies.has(l.currency.toUpperCase()))
      return refuse(
        'FIELD_INVALID',
        said`${field(i, 'currency')} must be ${either([...currencies].map(String))}: ${l.taxCode} is charged in it`,
      );
  }
  return undefined;
}
