// Reads the taxes that a return holds: daily totals, contributions to taxes of the period, and adjusting entries.
import { lastDayOf } from '../../core/calendar.ts';
import { type CountryForm, holds } from '../../core/filing/form.ts';
import {
  type AccrualPart,
  accrualLines,
  type ReturnCurrency,
  type ReturnLines,
  returnLines,
  roundedParts,
  type TaxPart,
} from '../../core/filing/lines.ts';
import type { FilingPeriod } from '../../core/filing/period.ts';
import type { PspId } from '../../core/ids.ts';
import { Refusal } from '../../core/refusal.ts';
import { negated } from '../../core/sums.ts';
import { isOfClient } from '../../core/tax/duty.ts';
import { contest, type TaxRule } from '../../core/tax/rule.ts';
import { bearsTax } from '../../core/totals/figures.ts';
import { type Database, only as oneOf } from '../../platform/database.ts';
import { adjustedLines } from '../corrections/index.ts';
import type { Needs } from '../kernel/needs.ts';
import { timeZoneOf } from '../kernel/report-period.ts';
import { callTaxes } from '../telecom/index.ts';
import { accrualsOfSpans, type Spans, type TaxSums, taxesOfSpans } from '../totals/index.ts';
import { ratesFor } from './exchange.ts';

type ReturnPeriod = Pick<FilingPeriod, 'first' | 'last'>;

interface ReturnsOf {
  readonly psp: PspId;
  /** The client, or undefined for a PSP with all its clients. */
  readonly only: string | undefined;
  /** In force in all the periods. */
  readonly version: CountryForm;
  /** In order; none overlaps another. */
  readonly periods: readonly ReturnPeriod[];
  /** What counts on days of the periods besides what totals have. */
  readonly besides?: readonly DatedPart[];
}

export interface ReadReturn extends ReturnLines {
  /** What the PSP charges a client on its fees: the client's input tax. Empty in a PSP's return, where it is output. */
  readonly fees: ReturnLines;
  /** Taxes on calls that are also in the sales which pay for the calls. */
  readonly calls: ReturnLines;
  /** Whether taxes on calls are in it. */
  readonly hasCalls: boolean;
  /** What happened on days of the period to the records of a line: a chargeback may be alone, if its sale is of an earlier one. */
  readonly verdictOf: (line: LineOf) => string;
}

/** What names a line and its records. */
type LineOf = Pick<TaxPart, 'rule' | 'operation' | 'currency'>;

export const ruleOf =
  (s: Needs<'rates'>) =>
  (rule: string): TaxRule | undefined =>
    s.rates.book.rule(rule)?.rule;

/**
 * What totals of a verdict add to a return: a chargeback returns the tax, and one that is reversed takes that back.
 * @returns undefined if they bear no tax
 */
export function returned({ verdict, taxable, tax }: TaxSums<'verdict'>): Pick<TaxPart, 'taxable' | 'tax'> | undefined {
  if (!bearsTax(verdict)) return undefined;
  return verdict === 'CHARGED_BACK' ? { taxable: negated(taxable), tax: negated(tax) } : { taxable, tax };
}

function partOf(l: TaxSums<'currency' | 'kind' | 'verdict' | 'rule'>, day: string | undefined): TaxPart[] {
  const sums = returned(l);
  return sums ? [{ rule: l.rule, operation: l.kind, currency: l.currency, day, ...sums }] : [];
}

/** The lines of returns of one form in the form's currency, in the order of their periods: a few statements for all. */
export async function readReturns(
  db: Database,
  s: Needs<'reference' | 'rates'>,
  { psp, only, version, periods, besides = [] }: ReturnsOf,
): Promise<ReadReturn[]> {
  const { form, country } = version;
  const [first, last] = [periods[0], periods.at(-1)];
  if (!first || !last) return [];
  const rule = ruleOf(s);
  const isHeld = ({ rule: id }: { readonly rule: string }): boolean => {
    const r = rule(id);
    return r !== undefined && (only === undefined || isOfClient(r)) && holds(form, r);
  };
  const of = { psp, account: only, country };
  const inMonths = (s.rates.book.country(country)?.rules ?? []).filter((r) => r.brackets !== undefined);
  const spans: Spans = { periods, currency: form.currency, daily: inMonths.map((r) => r.ruleId) };
  const taxes = Map.groupBy((await taxesOfSpans(db, of, spans)).filter(isHeld), (l) => l.span);
  const accruals = Map.groupBy((await accrualsOfSpans(db, of, spans)).filter(isHeld), (l) => l.span);
  const days = { timeZone: timeZoneOf(s, country), first: first.first, last: last.last };
  // What came back of sales in the one-stop shop is none of the records of this return's days.
  const back = besides.map((l) => ({ ...l, verdict: 'CHARGED_BACK' as const }));
  const adjusted = [...(await adjustedLines(db, { ...of, ...days })), ...back].filter(isHeld);
  const calls = (await readCalls(db, of, first.first, last.last)).filter(isHeld);
  const parts = periods.map((p, i): PartsOfPeriod => {
    const within = ({ day }: { readonly day: string }) => day >= p.first && day <= p.last;
    return {
      taxes: [...(taxes.get(i) ?? []).flatMap((l) => partOf(l, l.dayOf ?? undefined)), ...adjusted.filter(within)],
      verdictOf: verdictIn([
        ...(taxes.get(i) ?? []).map((l) => ({ ...l, operation: l.kind })),
        ...adjusted.filter(within),
      ]),
      accruals: (accruals.get(i) ?? []).map((a) => ({ ...a, day: a.dayOf ?? undefined })),
      // A period of weeks holds the months that end in it.
      calls: calls.filter(within),
    };
  });
  const all = parts.flatMap((p) => [...p.taxes, ...p.accruals, ...p.calls]);
  const foreign = [...new Set(all.map((l) => l.currency))].filter((c) => c !== form.currency).sort();
  const rateOf = await ratesFor(db, form, foreign, { first: first.first, last: last.last });
  return parts.map((own, i) => linesOf(s, version, own, (periods[i] ?? last).last, only !== undefined, rateOf));
}

/** The lines of one return. */
export async function readReturn(
  db: Database,
  s: Needs<'reference' | 'rates'>,
  { period, ...of }: Omit<ReturnsOf, 'periods'> & { readonly period: ReturnPeriod },
): Promise<ReadReturn> {
  return oneOf(await readReturns(db, s, { ...of, periods: [period] }));
}

/** Approved, where any of a line's records was on days of the period; else what happened to them. */
function verdictIn(parts: readonly (LineOf & { readonly verdict: string })[]): ReadReturn['verdictOf'] {
  const keyOf = ({ rule, operation, currency }: LineOf) => `${rule} ${operation} ${currency}`;
  const verdicts = new Map<string, string>();
  for (const p of parts) if (p.verdict === 'APPROVED' || !verdicts.has(keyOf(p))) verdicts.set(keyOf(p), p.verdict);
  return (line) => verdicts.get(keyOf(line)) ?? 'APPROVED';
}

interface PartsOfPeriod extends Pick<ReadReturn, 'verdictOf'> {
  readonly taxes: readonly TaxPart[];
  readonly accruals: readonly AccrualPart[];
  readonly calls: readonly DatedPart[];
}

function linesOf(
  s: Needs<'reference' | 'rates'>,
  version: CountryForm,
  { taxes, accruals, calls, verdictOf }: PartsOfPeriod,
  last: string,
  ofClient: boolean,
  rateOf: ReturnCurrency['rateOf'],
): ReadReturn {
  const rule = ruleOf(s);
  const code = version.form.currency;
  const asset = s.reference.asset(code, last, true);
  const decimals = asset instanceof Refusal ? 2 : asset.decimals;
  const of: ReturnCurrency = { code, decimals, rateOf };
  const isFee = (p: { readonly rule: string }) => ofClient && rule(p.rule)?.base === 'FEE';
  const due = accrualLines(accruals, of, rule);
  const inSales = taxesOnSales(s, version);
  const [paidFor, own] = [calls.filter((c) => inSales(c.rule)), calls.filter((c) => !inSales(c.rule))];
  const ofCalls = (list: readonly DatedPart[]): TaxPart[] => [
    ...roundedParts(
      list.filter((c) => c.currency === code).map(({ day: _, ...c }) => c),
      decimals,
    ),
    ...list.filter((c) => c.currency !== code),
  ];
  const rest = returnLines([...taxes.filter((p) => !isFee(p)), ...ofCalls(own)], of);
  return {
    lines: [...rest.lines, ...due.lines],
    notConverted: [...rest.notConverted, ...due.notConverted],
    fees: returnLines(taxes.filter(isFee), of),
    calls: returnLines(ofCalls(paidFor), of),
    hasCalls: calls.length > 0,
    verdictOf,
  };
}

export type DatedPart = TaxPart & { readonly day: string };

/** Taxes on calls are kept by month: each counts on its last day. */
async function readCalls(
  db: Database,
  of: { readonly psp: PspId; readonly account: string | undefined; readonly country: string },
  first: string,
  last: string,
): Promise<DatedPart[]> {
  const months = await callTaxes(db, of, first.slice(0, 7), last.slice(0, 7));
  return months.map(({ period, country: _, ...c }) => ({ ...c, operation: 'recordCDR', day: lastDayOf(period) }));
}

/** Whether a rule's tax is one that sales bear too: who pays for calls by way of the PSP has paid it in the sale. */
function taxesOnSales(s: Needs<'rates'>, { form, country }: CountryForm): (rule: string) => boolean {
  const rules = s.rates.book.country(country)?.rules ?? [];
  const onSales = new Set(rules.filter((r) => contest(r.base) === 'sale' && holds(form, r)).map((r) => r.taxCode));
  return (id) => onSales.has(ruleOf(s)(id)?.taxCode ?? '');
}
