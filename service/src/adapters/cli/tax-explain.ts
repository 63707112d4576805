// Explains how an amount is split, with the rule, rate, source and confidence of every part. Uses the same pure
// functions that decide transactions; only fees that were set at run time are unknown here.
import { localDate } from '../../core/calendar.ts';
import { reckonedDecimals } from '../../core/cdr/analyse.ts';
import { FeeSchedule } from '../../core/fee.ts';
import type { PspId } from '../../core/ids.ts';
import { formatUnits, parseDecimal, type Ratio, unitsAt, wireNumber } from '../../core/money.ts';
import { methodsNotHeld, observePayments, paymentOf } from '../../core/payments.ts';
import { type Asset, workedOutIn } from '../../core/reference.ts';
import { Refusal } from '../../core/refusal.ts';
import { differenceOf, isNegative } from '../../core/sums.ts';
import type { Accrual } from '../../core/tax/accruals.ts';
import { type ChosenRule, chargedBy, type RuleBook, type TaxPlan } from '../../core/tax/book.ts';
import { debtorOf, isDutyOnCalls } from '../../core/tax/duty.ts';
import { customerOf, type TaxProfile } from '../../core/tax/supplier.ts';
import { rateText } from '../../core/tax/terms.ts';
import { type PriceQuestion, planFor, price, type TransactionKind } from '../../core/transaction.ts';
import type { Needs } from '../../modules/kernel/needs.ts';
import { readPlayer, readTaxDetails, type TaxDetails } from '../../modules/kernel/tax-details.ts';
import { gamingEvidence, gamingPlaceOn, payoutAmounts } from '../../modules/wagers/index.ts';
import { loadFeeRules, loadReference, loadRuleBook } from '../../platform/data-files.ts';
import { named, UsageError } from './exit-codes.ts';
import { callLines } from './tax-explain-call.ts';
import type { ExplainOptions } from './tax-explain-options.ts';

export type Explanation = ReturnType<typeof explain>;

/** Which option has what is a field of a request. */
const optionOf = {
  totalAmount: '--amount',
  'paymentMethods.discounts': '--discounts',
  'paymentMethods.vouchers': '--vouchers',
  'paymentMethods.cash': '--cash',
  'taxDetails.customerCountry': '--customer-country',
  'taxDetails.customerSubdivision': '--customer-subdivision',
  'taxDetails.singlePurposeVouchers': '--single-purpose-vouchers',
  'taxDetails.stakeReturned': '--stake-returned',
};

const certain = <T>(found: T | Refusal): T => {
  if (found instanceof Refusal) throw named(found, optionOf);
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
  const play = o.operation === 'captureWager' || o.operation === 'capturePayout';
  const currency = certain(
    reference.asset(o.currency ?? file?.currency ?? country.currency ?? '', date, crypto, 'currency'),
  );
  // Taxes on calls are calculated with more decimals than the currency has.
  const asset = call
    ? { code: currency.code, decimals: reckonedDecimals }
    : workedOutIn(currency, [o.amount, o.fee].map(parseDecimal));
  const mcc = o.mcc === undefined ? undefined : certain(reference.mcc(o.mcc));
  const classification = o.classification ?? '';
  const amount = amountOf('amount', o.amount, asset, call || play);
  const text = (units: bigint) => formatUnits(units, asset.decimals);
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
    const plan = book.plan({ jurisdiction: country.alpha2, classification, date, operation: o.operation });
    const lines = plan ? callLines(o, plan, asset, amount, reference) : [];
    return { ...head, split: null, fee: null, ...rulesOf(book, plan, lines), observations: [] };
  }
  const s = { reference, rates: { book, fees: new FeeSchedule(loadFeeRules()) } };
  if (play) {
    const { place, plan, evidence, observations } = playOf(s, o, asset, text(amount), country.alpha2, now);
    const zeroBecause = evidence.stakeReturned ? 'STAKE_RETURNED' : null;
    const lines = evidence.tax.map((line) => ({ ...line, zeroBecause }));
    const where = { country: place.country, countryName: certain(reference.country(place.country)).name };
    const rules = rulesOf(book, plan, lines, evidence.accruals);
    return { ...head, ...where, date: place.date, split: null, fee: null, ...rules, observations };
  }
  const sale = o.operation === 'verifyTransaction';
  const told = certain(readTaxDetails(s, detailsOf(o), { country, asset, date }));
  const paid = sale ? paymentsOf(o, asset, amount) : undefined;
  const home = o.clientCountry === undefined ? country : certain(reference.country(o.clientCountry, 'clientCountry'));
  const profile = profileOf(o, country.alpha2);
  const question: PriceQuestion = {
    psp: '' as PspId,
    kind: o.operation as TransactionKind,
    classification,
    country,
    asset,
    amount,
    transactionFee: amountOf('fee', o.fee, asset, true),
    payment: paid?.payment,
    mcc,
    supply: o.sells,
    subdivision: told.subdivision,
    customer: customerOf(o.businessAbroad ? 'BUSINESS_ABROAD' : told.customer, home.alpha2, country.alpha2, profile),
    profile,
    date,
  };
  const priced = certain(price(question, book, s.rates.fees));
  const plan = planFor(question, book);
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
    observations: [...(paid?.observations ?? []), ...told.observations, ...priced.observations],
  };
}

/** A tax that the client does not owe is zero because of the client; of one that the customer owes itself its rule says so. */
const withRelief = (plan: TaxPlan | undefined) => (line: Omit<ExplainedLine, 'zeroBecause'>) =>
  plan?.relief !== undefined &&
  plan.inclusive.some((c) => c.rule.ruleId === line.rule && c.rule.customer !== 'BUSINESS_AT_HOME')
    ? { ...line, zeroBecause: plan.relief }
    : line;

/** The client's profile, if the options say anything of it. */
const profileOf = (o: ExplainOptions, country: string): TaxProfile | undefined =>
  o.notRegistered || o.subdivision !== undefined
    ? {
        country,
        validFrom: '0000-01-01',
        registered: !o.notRegistered,
        scheme: 'STANDARD',
        taxNumber: null,
        taxNumberValid: null,
        subdivision: o.subdivision ?? null,
        supply: null,
      }
    : undefined;

/** The options as the field `taxDetails` of a request. */
const detailsOf = (o: ExplainOptions): TaxDetails => ({
  ...(o.customerCountry === undefined ? {} : { customerCountry: o.customerCountry }),
  ...(o.customerSubdivision === undefined ? {} : { customerSubdivision: o.customerSubdivision }),
  ...(o.customerTaxNumber === undefined ? {} : { customerTaxNumber: o.customerTaxNumber }),
});

/** How the sale was paid; what no option names, with money that the PSP holds. */
function paymentsOf(o: ExplainOptions, asset: Asset, total: bigint) {
  const units = (name: string, text: string | undefined) =>
    text === undefined ? 0n : amountOf(name, text, asset, true);
  const methods = new Map<string, bigint>(methodsNotHeld.map((m) => [m, units(m, o[m])]));
  const left = [...methods.values()].reduce((rest, part) => rest - part, total);
  if (left > 0n) methods.set('card', left);
  const singlePurpose = units('single-purpose-vouchers', o.singlePurposeVouchers);
  const text = (u: bigint) => formatUnits(u, asset.decimals);
  return {
    payment: paymentOf(methods, total, singlePurpose),
    observations: observePayments(methods, total, text, singlePurpose),
  };
}

/** A wager or a payout as it would be recorded, and the rules for it. */
function playOf(
  s: Needs<'reference' | 'rates'>,
  o: ExplainOptions,
  asset: Asset,
  amount: string,
  operator: string,
  now: number,
) {
  const operation = o.operation as 'captureWager' | 'capturePayout';
  const { book } = s.rates;
  const dayIn = (country: string) => o.date ?? localDate(book.country(country)?.timeZone ?? 'UTC', now);
  const profile = profileOf(o, operator);
  const account = { country: operator, taxProfiles: profile ? [profile] : null };
  const place = {
    ...gamingPlaceOn(s, account, dayIn, certain(readPlayer(s, detailsOf(o)))),
    currency: asset.code,
  };
  const line = (o.productLine ?? '').toLowerCase();
  const classification = o.classification ?? '';
  const stake = formatUnits(amountOf('stake', o.stake ?? '0', asset, true), asset.decimals);
  if (o.stakeReturned && operation === 'capturePayout' && isNegative(differenceOf(stake, amount)))
    throw new UsageError(`--amount may be at most ${stake} with --stake-returned: that is what is left of --stake`);
  const amounts =
    operation === 'captureWager'
      ? { stake: amount }
      : payoutAmounts({ amount, stake, paid: '0', returned: '0', stakeReturned: o.stakeReturned === true });
  const { country: jurisdiction, subdivision, date, taxed } = place;
  const plan = taxed
    ? book.plan({ jurisdiction, operation, classification, subdivision, productLine: line, date })
    : undefined;
  return { place, plan, ...gamingEvidence(s, place, { classification }, operation, line, amounts) };
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

function rulesOf(
  book: RuleBook,
  plan: TaxPlan | undefined,
  lines: readonly ExplainedLine[],
  contributions: readonly Accrual[] = [],
) {
  const chosen = plan ? chargedBy(plan) : [];
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
    accruals: (plan?.accruals ?? []).flatMap((r) => {
      const due = lines.find((l) => l.rule === r.ruleId);
      // Of calls only what is due on this kind.
      if (due === undefined && isDutyOnCalls(r)) return [];
      const contribution = contributions.find((a) => a.rule === r.ruleId)?.contribution;
      return {
        ...described(book, r.ruleId),
        owedBy: debtorOf(r) ?? null,
        taxable: due?.taxable == null ? null : wireNumber(due.taxable),
        tax: due === undefined ? null : wireNumber(due.tax),
        authority: r.authority ?? null,
        ...(due?.quantity == null ? {} : { quantity: due.quantity, currency: due.currency }),
        ...(due?.zeroBecause == null ? {} : { reason: due.zeroBecause }),
        // Of a wager or payout, what it adds to the base of the period.
        ...(contribution === undefined ? {} : { contribution: wireNumber(contribution) }),
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
