// Explains how an amount is split, with the rule, rate, source and confidence of every part. Uses the same pure
// functions that decide transactions; only fees that were set at run time are unknown here.
import { localDate } from '../../core/calendar.ts';
import { reckonedDecimals } from '../../core/cdr/analyse.ts';
import { FeeSchedule } from '../../core/fee.ts';
import type { PspId } from '../../core/ids.ts';
import { formatUnits, parseDecimal, type Ratio, unitsAt, wireNumber } from '../../core/money.ts';
import { type Asset, workedOutIn } from '../../core/reference.ts';
import { Refusal } from '../../core/refusal.ts';
import type { ChosenRule, RuleBook, TaxPlan } from '../../core/tax/book.ts';
import { debtorOf } from '../../core/tax/duty.ts';
import { taxObservations } from '../../core/tax/observations.ts';
import { gamingTaxes } from '../../core/tax/split.ts';
import type { TaxProfile } from '../../core/tax/supplier.ts';
import type { Supply } from '../../core/tax/supplies.ts';
import { rateText } from '../../core/tax/terms.ts';
import {
  evidenceLines,
  movements,
  type PriceQuestion,
  planFor,
  price,
  type TransactionKind,
} from '../../core/transaction.ts';
import { loadFeeRules, loadReference, loadRuleBook } from '../../platform/data-files.ts';
import { named, UsageError } from './exit-codes.ts';
import { type CallOptions, callLines } from './tax-explain-call.ts';

/** Operations that can be explained. */
export const explained = ['verifyTransaction', ...movements, 'captureWager', 'capturePayout', 'recordCDR'] as const;
type Explained = (typeof explained)[number];

export interface ExplainOptions extends CallOptions {
  readonly country: string;
  readonly operation: Explained;
  readonly amount: string;
  readonly fee: string;
  readonly currency?: string;
  readonly mcc?: string;
  readonly classification?: string;
  readonly sells?: Supply;
  readonly subdivision?: string;
  readonly businessAbroad?: boolean;
  readonly notRegistered?: boolean;
  readonly productLine?: string;
  readonly stake?: string;
  readonly date?: string;
}

export type Explanation = ReturnType<typeof explain>;

const certain = <T>(found: T | Refusal): T => {
  if (found instanceof Refusal) throw named(found, { totalAmount: '--amount' });
  return found;
};

function amountOf(name: string, text: string, asset: Asset, zero = false): bigint {
  const d = parseDecimal(text);
  const units = d && unitsAt(d, asset.decimals);
  if (units === undefined)
    throw new UsageError(`--${name} must be an amount with at most ${asset.decimals} decimals (${asset.code})`);
  if (units < 0n || (units === 0n && !zero))
    throw new UsageError(`--${name} must be ${zero ? '0 or more' : 'more than 0'}`);
  return units;
}

/** @param now milliseconds since the epoch, for the local date. @throws Refusal, UsageError */
export function explain(o: ExplainOptions, now: number) {
  const reference = loadReference();
  const book = loadRuleBook();
  const country = certain(reference.country(o.country, 'country'));
  const file = book.country(country.alpha2);
  const date = o.date ?? localDate(file?.timeZone ?? country.timeZone ?? 'UTC', now);
  const crypto = o.operation.startsWith('crypto');
  const call = o.operation === 'recordCDR';
  const currency = certain(
    reference.asset(o.currency ?? file?.currency ?? country.currency ?? '', date, crypto, 'currency'),
  );
  // Taxes on calls are calculated with more decimals than the currency has.
  const asset = call
    ? { code: currency.code, decimals: reckonedDecimals }
    : workedOutIn(currency, [o.amount, o.fee].map(parseDecimal));
  const mcc = o.mcc === undefined ? undefined : certain(reference.mcc(o.mcc));
  const classification = o.classification ?? '';
  const amount = amountOf('amount', o.amount, asset, call);
  const text = (units: bigint) => formatUnits(units, asset.decimals);
  const question: Omit<PriceQuestion, 'kind'> = {
    psp: '' as PspId,
    classification,
    country,
    asset,
    amount,
    transactionFee: amountOf('fee', o.fee, asset, true),
    mcc,
    supply: o.sells,
    subdivision: o.subdivision,
    customer: o.businessAbroad ? 'BUSINESS_ABROAD' : undefined,
    profile: o.notRegistered ? unregistered(country.alpha2) : undefined,
    date,
  };
  const kind = o.operation as TransactionKind;
  const other = o.operation === 'captureWager' || o.operation === 'capturePayout' || call;
  const plan = other
    ? book.plan({
        jurisdiction: country.alpha2,
        classification,
        date,
        operation: o.operation,
        productLine: o.productLine?.toLowerCase(),
        subdivision: o.subdivision,
      })
    : planFor({ ...question, kind }, book);
  const head = {
    country: country.alpha2,
    countryName: country.name,
    date,
    operation: o.operation,
    classification: o.classification ?? null,
    mcc: mcc ?? null,
    currency: asset.code,
    decimals: asset.decimals,
    amount: wireNumber(text(amount)),
    dataset: book.version,
  };
  if (call) {
    const lines = plan ? callLines(o, plan, asset, amount, reference) : [];
    return { ...head, split: null, fee: null, ...rulesOf(book, plan, lines), observations: [] };
  }
  if (o.operation === 'captureWager' || o.operation === 'capturePayout') {
    const lines = plan ? gaming(o, plan, asset, amount) : [];
    const observations = plan ? taxObservations(plan, date, asset) : [];
    return { ...head, split: null, fee: null, ...rulesOf(book, plan, evidenceLines(lines, text)), observations };
  }
  const priced = certain(price({ ...question, kind }, book, new FeeSchedule(loadFeeRules())));
  const sale = o.operation === 'verifyTransaction';
  const fee = loadFeeRules().find((r) => r.feeId === priced.evidence.fee);
  return {
    ...head,
    split: {
      vatAmount: wireNumber(priced.vatAmount),
      processingFee: wireNumber(priced.processingFee),
      transactionFee: wireNumber(priced.transactionFee),
      ...(sale ? { transactionVAT: wireNumber(priced.transactionVat) } : {}),
      [sale ? 'merchantAmount' : 'netAmount']: wireNumber(priced.remainder),
    },
    fee: fee ? { feeId: fee.feeId, percent: fee.percent, validFrom: fee.validFrom, validTo: fee.validTo } : null,
    ...rulesOf(book, plan, priced.evidence.tax.map(withRelief(plan))),
    observations: priced.observations,
  };
}

/** A tax that the client does not owe is zero because of the client. */
const withRelief = (plan: TaxPlan | undefined) => (line: Omit<ExplainedLine, 'zeroBecause'>) =>
  plan?.relief !== undefined && plan.inclusive.some((c) => c.rule.ruleId === line.rule)
    ? { ...line, zeroBecause: plan.relief }
    : line;

const unregistered = (country: string): TaxProfile => ({
  country,
  validFrom: '0000-01-01',
  registered: false,
  scheme: 'STANDARD',
  taxNumber: null,
  taxNumberValid: null,
  subdivision: null,
  supply: null,
});

function gaming(o: ExplainOptions, plan: TaxPlan, asset: Asset, amount: bigint) {
  if (o.operation === 'captureWager') return gamingTaxes(plan, { stake: amount }, asset);
  const stake = amountOf('stake', o.stake ?? '0', asset, true);
  const winnings = amount > stake ? amount - stake : 0n;
  return gamingTaxes(plan, { payout: amount, winnings }, asset);
}

/** The result of a rule. A tax per unit has a quantity, and the currency of its rule. */
interface ExplainedLine {
  readonly rule: string;
  readonly taxable: string | null;
  readonly quantity?: string | null;
  readonly currency?: string;
  readonly tax: string;
  /** Why the tax is zero here, if the reason is not part of its rule. */
  readonly zeroBecause?: string | null;
}

function rulesOf(book: RuleBook, plan: TaxPlan | undefined, lines: readonly ExplainedLine[]) {
  const chosen = plan ? [...plan.inclusive, ...plan.added, ...plan.fees, ...plan.others] : [];
  const isDue = ({ rule }: ExplainedLine) => plan?.due.some((c) => c.rule.ruleId === rule) === true;
  return {
    rules: lines
      .filter((l) => !isDue(l))
      .map((line) => ({
        ...described(book, line.rule),
        effectiveRate: effective(chosen.find((c) => c.rule.ruleId === line.rule)),
        taxable: line.taxable === null ? null : wireNumber(line.taxable),
        tax: wireNumber(line.tax),
        ...(line.quantity == null ? {} : { quantity: line.quantity, currency: line.currency }),
        ...(line.zeroBecause == null ? {} : { reason: line.zeroBecause }),
      })),
    /** Taxes due by periodic return, never part of a transaction. */
    accruals: (plan?.accruals ?? []).map((r) => {
      const due = lines.find((l) => l.rule === r.ruleId);
      return {
        ...described(book, r.ruleId),
        owedBy: debtorOf(r) ?? null,
        taxable: due?.taxable == null ? null : wireNumber(due.taxable),
        tax: due === undefined ? null : wireNumber(due.tax),
      };
    }),
  };
}

function described(book: RuleBook, ruleId: string) {
  const { rule: r, country } = book.rule(ruleId) as NonNullable<ReturnType<RuleBook['rule']>>;
  const source = country.sources[r.source];
  return {
    ruleId,
    taxCode: r.taxCode,
    category: r.category,
    base: r.base,
    rate: rateText(r, country.currency),
    bearer: r.bearer,
    // Null if the first day is not known.
    validFrom: r.validFromKnown === false ? null : r.validFrom,
    validTo: r.validTo,
    sunsetOn: r.sunsetOn ?? null,
    reason: r.reason ?? null,
    confidence: r.confidence,
    legalRef: r.legalRef,
    source: source ? { ...source } : null,
    says: r.says ?? null,
    note: r.note ?? null,
  };
}

/** The rate with compounding resolved, in per cent; null if the rule has no rate. */
function effective(c: ChosenRule | undefined): string | null {
  if (!c || c.rule.rate === undefined) return null;
  const r: Ratio = c.rate;
  const millionths = (r.n * 100_000_000n) / r.d;
  return formatUnits(millionths, 6).replace(/\.?0+$/, '');
}
