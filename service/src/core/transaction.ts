// Transactions: pricing, states and wire forms. Pure; amounts are integers of the asset's scale until they are written
// as decimal text.
import { type FeeSchedule, feeOn } from './fee.ts';
import { type AccountId, accountWire, type PspId, type TransactionId, toWire } from './ids.ts';
import { parseJson } from './json.ts';
import { formatUnits, type Numeral, wireNumber } from './money.ts';
import type { DecidingStanding } from './obstacles.ts';
import { movedOf, type NotHeld, notHeldOf, type Payment } from './payments.ts';
import type { Asset, Country } from './reference.ts';
import { noTaxRule, phrase, type Refusal, refuse, said } from './refusal.ts';
import type { Accrual } from './tax/accruals.ts';
import { type RuleBook, relieved, type TaxPlan } from './tax/book.ts';
import { considerationOf } from './tax/consideration.ts';
import { type CountedSum, countedSums } from './tax/counted-sums.ts';
import { containedIn, type Goods, grossOf, type TaxedGoods } from './tax/goods.ts';
import { taxObservations } from './tax/observations.ts';
import type { Customer, TaxDebtor, TaxedOperation } from './tax/rule.ts';
import { dutiesDue, type Split, type Sums, splitMovement, splitSale, type TaxLine } from './tax/split.ts';
import { clientKindOf, type Relief, reliefOf, type SupplySaidBy, soldAs, type TaxProfile } from './tax/supplier.ts';
import type { GoodsCategory, Supply } from './tax/supplies.ts';

/** Fields that were validated for every submission before it was recorded. */
interface Submitted {
  readonly paymentMethods: Readonly<Record<string, Numeral>>;
  readonly mcc: string;
  readonly blochainHash: string;
}

/** The caller's further fields as given, which decide no amount above; personal ones are stored sealed. */
function submitted(t: { readonly request: string }) {
  const { paymentMethods, mcc, blochainHash } = parseJson(t.request) as Partial<Submitted>;
  return {
    ...(paymentMethods === undefined ? {} : { paymentMethods }),
    ...(mcc === undefined ? {} : { mcc }),
    ...(blochainHash === undefined ? {} : { blochainHash }),
  };
}

export const movements = ['cryptoDeposit', 'cryptoWithdrawal', 'deposit', 'withdrawal'] as const;
export type Movement = (typeof movements)[number];
export type TransactionKind = 'verifyTransaction' | Movement;
/** Whether it pays a customer, in place of taking from one. */
export const isWithdrawal = ({ kind }: { readonly kind: string }): boolean =>
  kind === 'withdrawal' || kind === 'cryptoWithdrawal';
export type TransactionStatus = 'PENDING' | 'APPROVED' | 'DECLINED';

export interface Chargeback {
  readonly id: string;
  readonly at: string;
  /** When the chargeback was reversed because a dispute was won. */
  readonly reversedAt?: string;
}

/**
 * How the parts of a transaction are calculated: from 2 on with tax on both fees in every operation and each tax on top
 * rounded separately, from 3 on with each contained tax rounded separately too.
 */
export const reckonings = [2, 3] as const;
export type Reckoning = (typeof reckonings)[number];
export const RECKONING = 3 satisfies Reckoning;

/** Why the split is what it is; stored with the record and returned by `?expand=`. */
export interface Evidence {
  /** Version of the tax dataset. */
  readonly dataset: string;
  /** Local calendar date that decided the taxes. */
  readonly date: string;
  /** Taxes of the split, then those that somebody owes by a return of the period. */
  readonly tax: readonly { rule: string; taxable: string; tax: string; owedBy?: TaxDebtor }[];
  readonly fee: string | null;
  /** Classification of the client then; absent from what earlier versions decided. */
  readonly classification?: string;
  /** Decimals of the parts, of an asset whose networks differ in theirs or that staff added; its most as shipped if absent. */
  readonly decimals?: number;
  /** How the parts of a transaction were calculated; absent if by the first method (core/tax/earlier-split.ts). */
  readonly reckoning?: Reckoning;
  /** Of a sale, what was sold, where that is known. */
  readonly supply?: Supply;
  /** Who said what was sold; absent in records of version 0.1 and earlier. */
  readonly supplySaidBy?: SupplySaidBy;
  /** Of a sale, whether the client owes the tax by its profile; absent if it has none, and was taken to be registered. */
  readonly supplier?: 'REGISTERED' | Relief;
  /** Of a sale to a customer whom the law treats otherwise. */
  readonly customer?: Customer;
  /** Of a sale of several kinds of goods, the kinds with the part of each that bears VAT before discounts. */
  readonly goods?: readonly { readonly category?: GoodsCategory; readonly taxable: string }[];
  /** Of a sale, the part of the country whose taxes were asked for, ISO 3166-2. */
  readonly subdivision?: string;
  /** Discounts of a sale that were left out of its taxable part. */
  readonly discounts?: string;
  /** Vouchers of a sale that were left out of it, because they were taxed when they were sold. */
  readonly singlePurposeVouchers?: string;
  /** Parts of a sale's amount that the PSP does not hold, by payment method; absent if it holds all of it. */
  readonly notHeld?: NotHeld;
  /** Declined by the PSP's risk policy: the public code, and a keyed hash of the rules that matched. */
  readonly risk?: { readonly code: string; readonly matches: string };
  /** What taxes counted before this record, and what it adds; absent if none counts. */
  readonly sums?: readonly CountedSum[];
  /** The standing that decided a transaction; absent from what earlier versions decided. */
  readonly standing?: DecidingStanding;
  /** Of a payout that gives the stake of a void wager back: no win, so that no tax on wins is due. */
  readonly stakeReturned?: true;
  /** For wagers and payouts: contributions to taxes due by periodic return. */
  readonly accruals?: readonly Accrual[];
}

/** A transaction as recorded. Amounts are plain decimal text, times ISO UTC, ids UUIDs. */
export interface TransactionRecord {
  readonly psp: PspId;
  readonly id: TransactionId;
  readonly account: AccountId;
  readonly recordedBy: AccountId;
  readonly kind: TransactionKind;
  readonly ref: string | null;
  readonly status: TransactionStatus;
  /** Why it was declined, in plain words. */
  readonly reason: string | null;
  readonly revision: number;
  readonly amount: string;
  readonly currency: string;
  readonly country: string;
  readonly vatAmount: string;
  readonly processingFee: string;
  readonly transactionFee: string;
  readonly transactionVat: string;
  readonly remainder: string;
  readonly basketId: string | null;
  readonly basketRef: string | null;
  readonly evidence: Evidence;
  /** Canonical request. */
  readonly request: string;
  readonly observations: readonly Observation[];
  readonly sealed: string | null;
  readonly subject: string | null;
  readonly chargeback: Chargeback | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A warning that does not refuse the call: a code, the field and a sentence. */
export interface Observation {
  readonly code: string;
  readonly field: string;
  readonly message: string;
}

export interface PriceQuestion {
  readonly psp: PspId;
  readonly kind: TransactionKind;
  readonly classification: string;
  readonly country: Country;
  readonly asset: Asset;
  readonly amount: bigint;
  /** What bears VAT, by kind; without a basket, the amount itself. */
  readonly goods?: readonly Goods[] | undefined;
  readonly transactionFee: bigint;
  /** Of a sale, what was not paid through the PSP. */
  readonly payment?: Payment | undefined;
  readonly mcc?: string | undefined;
  /** What is sold, if the caller says so. */
  readonly supply?: Supply | undefined;
  readonly customer?: Customer | undefined;
  /** Where the customer is in the country, ISO 3166-2, if the caller says so. */
  readonly subdivision?: string | undefined;
  /** The client's tax profile in the country on the day; undefined if it has none. */
  readonly profile?: TaxProfile | undefined;
  /** What the taxes that count counted before, by rule; undefined where that is not known, as in a quote. */
  readonly sums?: Sums | undefined;
  readonly date: string;
}

export interface Priced {
  readonly vatAmount: string;
  readonly processingFee: string;
  readonly transactionFee: string;
  readonly transactionVat: string;
  readonly remainder: string;
  readonly evidence: Evidence;
  /** Warnings about the rules. */
  readonly observations: readonly Observation[];
}

type PlanQuestion = Pick<
  PriceQuestion,
  'kind' | 'classification' | 'mcc' | 'supply' | 'customer' | 'subdivision' | 'profile' | 'date'
> & { readonly country: Pick<Country, 'alpha2'> };

/** The rules for it; undefined if the country has none. */
export function planFor(q: PlanQuestion, book: RuleBook) {
  const relief = q.kind === 'verifyTransaction' ? reliefOf(q.profile) : undefined;
  const plan = book.plan({
    jurisdiction: q.country.alpha2,
    operation: q.kind as TaxedOperation,
    classification: q.classification,
    mcc: q.mcc,
    supply: soldAs(q).supply,
    customer: q.customer,
    client: q.kind === 'verifyTransaction' ? clientKindOf(q.profile) : undefined,
    subdivision: partOf(q),
    date: q.date,
  });
  return plan && relieved(plan, relief);
}

/**
 * What of a sale is taxed, and by which rules.
 * @param plan of the sale, for goods of which nothing is said
 */
export function taxedParts(
  q: PlanQuestion & Pick<PriceQuestion, 'amount' | 'goods' | 'payment'>,
  plan: TaxPlan,
  book: RuleBook,
) {
  const sold = q.goods ?? [{ taxable: q.amount }];
  const parts = sold.map((g) => g.taxable);
  const { taxable, ...left } = considerationOf(q.amount, parts, q.payment, plan.discountsTaxed);
  const goods = sold.map(
    ({ category }, i): TaxedGoods => ({
      category,
      plan: category === undefined ? plan : (planFor(ofCategory(q, category), book) ?? plan),
      gross: taxable[i] as bigint,
    }),
  );
  return { sold, goods, ...left };
}

/** The question for goods of a category, instead of what the merchant's code or its tax profile says of the sale. */
const ofCategory = (q: PlanQuestion, category: GoodsCategory): PlanQuestion =>
  category === 'other'
    ? { ...q, mcc: undefined, supply: undefined, profile: q.profile && { ...q.profile, supply: null } }
    : { ...q, supply: category };

const goodsText = (goods: readonly Goods[], text: (units: bigint) => string) =>
  goods.map(({ category, taxable }) => ({
    ...(category === undefined ? {} : { category }),
    taxable: text(taxable),
  }));

/** Taxes, fee and remainder of an amount, or a refusal. */
export function price(q: PriceQuestion, book: RuleBook, fees: FeeSchedule): Priced | Refusal {
  const plan = planFor(q, book);
  if (!plan) return noTaxRule(q.country.alpha2, q.date);
  const feeRule = fees.choose({
    psp: q.psp,
    operation: q.kind,
    classification: q.classification,
    country: q.country.alpha2,
    currency: q.asset.code,
    date: q.date,
  });
  if (!feeRule)
    return refuse(
      'NO_FEE_RULE',
      said`no fee schedule for ${phrase(q.kind)} in country '${q.country.alpha2}' on ${q.date}`,
    );
  const processingFee = feeOn(feeRule, q.amount, q.asset.decimals);
  const { sold, goods, discounts, singlePurpose } = taxedParts(q, plan, book);
  const moved = movedOf(q.amount, q.payment);
  const amounts = { gross: q.amount, taxable: grossOf(goods), moved };
  const split =
    q.kind === 'verifyTransaction'
      ? splitSale(plan, amounts, q.transactionFee, processingFee, q.asset, q.sums, containedIn(goods))
      : splitMovement(plan, q.amount, q.transactionFee, processingFee, q.asset, q.sums);
  const text = (units: bigint) => formatUnits(units, q.asset.decimals);
  const part = partOf(q);
  const due = dutiesDue(plan, moved, q.transactionFee + processingFee, q.asset);
  if (split.remainder < 0n)
    return refuse(
      'SPLIT_NEGATIVE',
      said`the field 'totalAmount' is less than its taxes and fees: ${text(split.vatAmount)} VAT + ${text(split.processingFee)} processing fee + ${text(split.transactionFee)} transaction fee + ${text(split.transactionVat)} VAT on the fees`,
    );
  return {
    vatAmount: text(split.vatAmount),
    processingFee: text(split.processingFee),
    transactionFee: text(split.transactionFee),
    transactionVat: text(split.transactionVat),
    remainder: text(split.remainder),
    evidence: {
      dataset: book.version,
      date: q.date,
      tax: evidenceLines([...split.lines, ...due], text),
      fee: feeRule.feeId,
      ...(q.classification === '' ? {} : { classification: q.classification }),
      ...(q.asset.fewest === undefined ? {} : { decimals: q.asset.decimals }),
      reckoning: RECKONING,
      ...(plan.supply === undefined || sold.every((g) => g.category !== undefined)
        ? {}
        : { supply: plan.supply, supplySaidBy: soldAs(q).saidBy }),
      ...(sold.every((g) => g.category === undefined) ? {} : { goods: goodsText(sold, text) }),
      ...(q.kind !== 'verifyTransaction' || q.profile === undefined ? {} : { supplier: plan.relief ?? 'REGISTERED' }),
      ...(q.customer === undefined ? {} : { customer: q.customer }),
      ...(part === undefined ? {} : { subdivision: part }),
      ...(discounts === 0n ? {} : { discounts: text(discounts) }),
      ...(singlePurpose === 0n ? {} : { singlePurposeVouchers: text(singlePurpose) }),
      ...notHeldOf(q.payment, text),
      ...countedSums(q, plan, split.lines),
    },
    observations: taxObservations(plan, q.date, q.asset, q.sums !== undefined, due, goods, q.customer),
  };
}

/** The customer's part of the country, else the client's. */
const partOf = (q: Pick<PriceQuestion, 'subdivision' | 'profile'>): string | undefined =>
  q.subdivision ?? q.profile?.subdivision ?? undefined;

export const evidenceLines = (lines: Split['lines'] | readonly TaxLine[], text: (units: bigint) => string) =>
  lines.map((l) => ({
    rule: l.ruleId,
    taxable: text(l.taxable),
    tax: text(l.tax),
    ...(l.owedBy === undefined ? {} : { owedBy: l.owedBy }),
  }));

/** Reply of verifyTransaction (Spec 4.1) or of a deposit or withdrawal (Spec 4.8, 4.10). */
export function replyContent(t: TransactionRecord) {
  const common = {
    transactionId: toWire('transaction', t.id),
    vatAmount: wireNumber(t.vatAmount),
    processingFee: wireNumber(t.processingFee),
  };
  return t.kind === 'verifyTransaction'
    ? {
        ...common,
        merchantAmount: wireNumber(t.remainder),
        transactionFee: wireNumber(t.transactionFee),
        transactionVAT: wireNumber(t.transactionVat),
        status: t.status,
        ref: t.ref,
      }
    : { ...common, netAmount: wireNumber(t.remainder), status: t.status, ref: t.ref };
}

/** Amounts a chargeback returns (Spec 4.4); for deposits and withdrawals merchantAmount is the net amount. */
export function reversal(t: TransactionRecord) {
  return {
    vatAmount: wireNumber(t.vatAmount),
    processingFee: wireNumber(t.processingFee),
    merchantAmount: wireNumber(t.remainder),
    transactionFee: wireNumber(t.transactionFee),
    transactionVAT: wireNumber(t.transactionVat),
  };
}

/** The full resource, as in verifyTransactionStatus, lists, webhooks, the journal and therefore receipts. */
export function transactionResource(t: TransactionRecord, content: ReturnType<typeof replyContent> = replyContent(t)) {
  return {
    ...content,
    // In a sale it is part of the content and stays there.
    transactionFee: wireNumber(t.transactionFee),
    type: t.kind,
    reason: t.reason,
    totalAmount: wireNumber(t.amount),
    currency: t.currency,
    countryCode: t.country,
    clientId: accountWire(t.psp, t.account),
    recordedBy: accountWire(t.psp, t.recordedBy),
    revision: t.revision,
    basketId: t.basketId && toWire('basket', t.basketId),
    ...submitted(t),
    chargeback: t.chargeback && {
      id: toWire('chargeback', t.chargeback.id),
      at: t.chargeback.at,
      ...(t.chargeback.reversedAt === undefined ? {} : { reversedAt: t.chargeback.reversedAt }),
      amounts: reversal(t),
    },
    observations: t.observations,
    createdAt: t.createdAt,
    updatedAt: t.updatedAt,
  };
}

/** The message of a decision. */
export function verdict(t: { status: TransactionStatus; reason: string | null }, what: string): string {
  return t.status === 'APPROVED' ? `${what} approved` : `${what} declined: ${t.reason ?? 'declined by the PSP'}`;
}
