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
import type { Database } from '../../platform/database.ts';
import { adjustedLines } from '../corrections/index.ts';
import type { Needs } from '../kernel/needs.ts';
import { callTaxes } from '../telecom/index.ts';
import { accrualTotals, type TaxSums, type TotalsFilter, taxTotals } from '../totals/index.ts';
import { ratesFor } from './exchange.ts';

export interface ReturnOf {
  readonly psp: PspId;
  /** The client, or undefined for a PSP with all its clients. */
  readonly only: string | undefined;
  readonly version: CountryForm;
  readonly period: Pick<FilingPeriod, 'first' | 'last' | 'from' | 'to'>;
}

export interface ReadReturn extends ReturnLines {
  /** What the PSP charges a client on its fees: the client's input tax. Empty in a PSP's return, where it is output. */
  readonly fees: ReturnLines;
  /** Taxes on calls that are also in the sales which pay for the calls. */
  readonly calls: ReturnLines;
  /** Whether taxes on calls are in it. */
  readonly hasCalls: boolean;
}

export const ruleOf =
  (s: Needs<'rates'>) =>
  (rule: string): TaxRule | undefined =>
    s.rates.book.rule(rule)?.rule;

/** A chargeback returns the tax, and one that is reversed takes that back. */
const signOf = (verdict: string): 1 | -1 | 0 => (!bearsTax(verdict) ? 0 : verdict === 'CHARGED_BACK' ? -1 : 1);

function partOf(l: TaxSums<'currency' | 'kind' | 'verdict' | 'rule'>, day: string | undefined): TaxPart[] {
  const sign = signOf(l.verdict);
  if (sign === 0) return [];
  const signed = (amount: string) => (sign === -1 ? negated(amount) : amount);
  return [
    { rule: l.rule, operation: l.kind, currency: l.currency, day, taxable: signed(l.taxable), tax: signed(l.tax) },
  ];
}

/** The lines of a return in the form's currency. */
export async function readReturn(
  db: Database,
  s: Needs<'reference' | 'rates'>,
  { psp, only, version, period }: ReturnOf,
): Promise<ReadReturn> {
  const { form, country } = version;
  const rule = ruleOf(s);
  const isHeld = ({ rule: id }: { readonly rule: string }): boolean => {
    const r = rule(id);
    return r !== undefined && (only === undefined || isOfClient(r)) && holds(form, r);
  };
  const filter: TotalsFilter = { psp, account: only, country, from: period.first, to: period.last };
  const parts: TaxPart[] = [];
  const sums = (await taxTotals(db, filter, ['currency', 'kind', 'verdict', 'rule'])).filter(isHeld);
  for (const l of sums) if (l.currency === form.currency) parts.push(...partOf(l, undefined));
  for (const currency of othersThan(form.currency, sums)) {
    const days = await taxTotals(db, { ...filter, currency }, ['day', 'currency', 'kind', 'verdict', 'rule']);
    for (const l of days.filter(isHeld)) parts.push(...partOf(l, l.day));
  }
  const made = { from: new Date(period.from).toISOString(), to: new Date(period.to).toISOString() };
  for (const l of (await adjustedLines(db, { psp, account: only, country, made })).filter(isHeld)) parts.push(l);
  const calls = (await readCalls(db, { psp, account: only, country }, period)).filter(isHeld);
  const accruals = await readAccruals(db, filter, form.currency, isHeld, (a) => rule(a.rule)?.brackets !== undefined);
  const foreign = othersThan(form.currency, [...parts, ...accruals, ...calls]);
  const asset = s.reference.asset(form.currency, period.last, true);
  const days = { first: earliest(parts, period.first), last: period.last };
  const decimals = asset instanceof Refusal ? 2 : asset.decimals;
  const of: ReturnCurrency = {
    code: form.currency,
    decimals,
    rateOf: await ratesFor(db, form, foreign, days),
  };
  const isFee = (p: { readonly rule: string }) => only !== undefined && rule(p.rule)?.base === 'FEE';
  const due = accrualLines(accruals, of, rule);
  const inSales = taxesOnSales(s, version);
  const [paidFor, own] = [calls.filter((c) => inSales(c.rule)), calls.filter((c) => !inSales(c.rule))];
  const ofCalls = (list: readonly CallPart[]): TaxPart[] => [
    ...roundedParts(
      list.filter((c) => c.currency === form.currency).map(({ day: _, ...c }) => c),
      decimals,
    ),
    ...list.filter((c) => c.currency !== form.currency),
  ];
  const rest = returnLines([...parts.filter((p) => !isFee(p)), ...ofCalls(own)], of);
  return {
    lines: [...rest.lines, ...due.lines],
    notConverted: [...rest.notConverted, ...due.notConverted],
    fees: returnLines(parts.filter(isFee), of),
    calls: returnLines(ofCalls(paidFor), of),
    hasCalls: calls.length > 0,
  };
}

type CallPart = TaxPart & { readonly day: string };

/** Taxes on calls are kept by month: each counts on its last day. */
async function readCalls(
  db: Database,
  of: { readonly psp: PspId; readonly account: string | undefined; readonly country: string },
  { first, last }: Pick<FilingPeriod, 'first' | 'last'>,
): Promise<CallPart[]> {
  const months = await callTaxes(db, of, first.slice(0, 7), last.slice(0, 7));
  return (
    months
      .map(({ period, country: _, ...c }) => ({ ...c, operation: 'recordCDR', day: lastDayOf(period) }))
      // A period of weeks holds the months that end in it.
      .filter(({ day }) => day >= first && day <= last)
  );
}

/** Whether a rule's tax is one that sales bear too: who pays for calls by way of the PSP has paid it in the sale. */
function taxesOnSales(s: Needs<'rates'>, { form, country }: CountryForm): (rule: string) => boolean {
  const rules = s.rates.book.country(country)?.rules ?? [];
  const onSales = new Set(rules.filter((r) => contest(r.base) === 'sale' && holds(form, r)).map((r) => r.taxCode));
  return (id) => onSales.has(ruleOf(s)(id)?.taxCode ?? '');
}

const othersThan = (currency: string, lines: readonly { readonly currency: string }[]): string[] =>
  [...new Set(lines.map((l) => l.currency))].filter((c) => c !== currency).sort();

/** Adjusting entries may be of transactions of earlier periods, each converted at the rate of its own day. */
const earliest = (parts: readonly TaxPart[], first: string): string =>
  parts.reduce((least, { day }) => (day !== undefined && day < least ? day : least), first);

async function readAccruals(
  db: Database,
  filter: TotalsFilter,
  own: string,
  isHeld: (l: { readonly rule: string }) => boolean,
  isOfMonth: (l: { readonly rule: string }) => boolean,
): Promise<AccrualPart[]> {
  const sums = (await accrualTotals(db, filter, ['account', 'currency', 'rule'])).filter(isHeld);
  const out: AccrualPart[] = sums.filter((a) => a.currency === own && !isOfMonth(a));
  if (sums.some((a) => a.currency === own && isOfMonth(a))) {
    const days = await accrualTotals(db, { ...filter, currency: own }, ['day', 'account', 'currency', 'rule']);
    out.push(...days.filter((a) => isHeld(a) && isOfMonth(a)));
  }
  for (const currency of othersThan(own, sums)) {
    const days = await accrualTotals(db, { ...filter, currency }, ['day', 'account', 'currency', 'rule']);
    out.push(...days.filter(isHeld));
  }
  return out;
}
