// The split of an amount: taxes, fees and the remainder, which always sum to the whole. Amounts are integers in the
// asset's smallest unit.
import { divideRounded } from '../money.ts';
import type { Asset } from '../reference.ts';
import type { ChosenRule, TaxPlan } from './book.ts';
import { charge as chargeOne, isOfWager, percentage } from './charge.ts';
import { debtorOf } from './duty.ts';
import type { TaxDebtor, TaxRule } from './rule.ts';
import { chargeMore, countedAmount, isCounted, nothingYet, type Running } from './running.ts';

/** One tax of a split, as stored and shown. */
export interface TaxLine {
  readonly ruleId: string;
  /**
   * What the rate was applied to: the net for contained taxes, the base for added ones, including the taxes it is
   * charged on.
   */
  readonly taxable: bigint;
  readonly tax: bigint;
  /** What a tax that counts adds to its sum. */
  readonly adds?: bigint;
  /** Of a tax beside the split: who owes it by a return of the period. */
  readonly owedBy?: TaxDebtor;
}

export interface Split {
  readonly vatAmount: bigint;
  readonly processingFee: bigint;
  readonly transactionFee: bigint;
  /** Tax on both fees, for verifyTransaction only; otherwise 0 (vatAmount includes it). */
  readonly transactionVat: bigint;
  /** merchantAmount or netAmount: the remainder, negative if taxes and fees exceed the amount. */
  readonly remainder: bigint;
  /** Of the taxes in the split. */
  readonly lines: readonly TaxLine[];
}

/** Taxes of one kind, with their sum. */
export interface Taxes {
  readonly total: bigint;
  readonly lines: readonly TaxLine[];
}

/**
 * Taxes contained in a gross amount, each rounded by itself, as an invoice states it; the net is what is left. Nothing is
 * taxable of a client that owes none.
 */
export function containedTaxes(plan: TaxPlan, gross: bigint): Taxes {
  const { n, d } = plan.inclusiveRate;
  const taxOf = ({ rate, rule }: ChosenRule) => divideRounded(gross * rate.n * d, rate.d * (d + n), rule.rounding);
  return plan.relief === undefined
    ? containedLines(plan, gross, plan.inclusive.map(taxOf))
    : containedLines(plan, 0n, []);
}

/** @param taxes in the order of the rules. Each line is on the net and the taxes that it is charged on. */
export function containedLines({ inclusive }: TaxPlan, gross: bigint, taxes: readonly bigint[]): Taxes {
  const total = taxes.reduce((sum, tax) => sum + tax, 0n);
  const taxOf = (rule: TaxRule): bigint => taxes[inclusive.findIndex((c) => c.rule === rule)] ?? 0n;
  return {
    total,
    lines: inclusive.map(({ rule, on }, i) => ({
      ruleId: rule.ruleId,
      taxable: on.reduce((base, other) => base + taxOf(other), gross - total),
      tax: taxes[i] ?? 0n,
    })),
  };
}

const untaxed: Taxes = { total: 0n, lines: [] };

/** Taxes on top of a base, each rounded separately as it is invoiced; one may be charged on others too. */
export function addedTaxes(
  rules: readonly ChosenRule[],
  base: bigint,
  asset: Asset | undefined,
  counted?: Counted,
): Taxes {
  const [only] = rules;
  if (only === undefined) return untaxed;
  if (only.plain && rules.length === 1) {
    const tax = percentage(base, only.rate, only.rule);
    return { total: tax, lines: [{ ruleId: only.rule.ruleId, taxable: base, tax }] };
  }
  const lines = chargeEach(rules, (c, others) => added(c, base + others, asset, counted));
  return { total: lines.reduce((sum, l) => sum + l.tax, 0n), lines };
}

/** What rules that count need: all that was paid, and what each counted before. */
interface Counted {
  readonly paid: bigint;
  readonly before: Sums | undefined;
}

/** By rule, what was counted before; nothing where it is not known. */
export type Sums = ReadonlyMap<string, Running>;

const added = (c: ChosenRule, base: bigint, asset: Asset | undefined, counted?: Counted): TaxLine | undefined => {
  if (!isCounted(c.rule)) {
    const charged = chargeOne(c, base, asset);
    return charged && { ruleId: c.rule.ruleId, ...charged };
  }
  const paid = counted?.paid ?? base;
  const charged = chargeMore(c, base, paid, counted?.before?.get(c.rule.ruleId) ?? nothingYet, asset);
  return charged && { ruleId: c.rule.ruleId, ...charged, adds: countedAmount(c.rule, base, paid) };
};

/**
 * The line of each rule, in the order of the rules.
 * @param line calculates a rule's line from the sum of the taxes it is charged on in addition to its base
 */
function chargeEach(
  rules: readonly ChosenRule[],
  line: (c: ChosenRule, others: bigint) => TaxLine | undefined,
): TaxLine[] {
  if (rules.every((c) => c.on.length === 0)) return rules.flatMap((c) => line(c, 0n) ?? []);
  const lines = new Map<TaxRule, TaxLine | undefined>();
  const charge = (c: ChosenRule): TaxLine | undefined => {
    if (!lines.has(c.rule)) {
      const others = rules.filter((o) => c.on.includes(o.rule)).reduce((sum, o) => sum + (charge(o)?.tax ?? 0n), 0n);
      lines.set(c.rule, line(c, others));
    }
    return lines.get(c.rule);
  };
  return rules.flatMap((c) => charge(c) ?? []);
}

/** What of a sale is taxed, by the kind of its taxes. */
export interface SaleAmounts {
  readonly gross: bigint;
  /** The part that bears VAT: less than the gross for exempt basket lines, and for discounts. */
  readonly taxable: bigint;
  /** What is paid through the PSP, which levies on payments are on, whatever is sold. */
  readonly moved: bigint;
}

/**
 * verifyTransaction: VAT contained in the taxable part, levies on what is paid, tax on both fees, the rest to the merchant.
 * @param asset of the amounts; without it, rules that name amounts of money are left out
 * @param contained the taxes contained in the taxable gross, if it is of several kinds
 */
export function splitSale(
  plan: TaxPlan,
  { gross, taxable, moved }: SaleAmounts,
  transactionFee: bigint,
  processingFee: bigint,
  asset?: Asset,
  sums?: Sums,
  contained: Taxes = containedTaxes(plan, taxable),
): Split {
  const counted = { paid: gross, before: sums };
  const added = addedTaxes(plan.added, moved, asset, counted);
  const onFees = addedTaxes(plan.fees, transactionFee + processingFee, asset);
  const left = gross - contained.total - added.total - processingFee - transactionFee - onFees.total;
  const withheld = addedTaxes(plan.withheld, left > 0n ? left : 0n, asset, counted);
  return {
    vatAmount: contained.total + added.total + withheld.total,
    processingFee,
    transactionFee,
    transactionVat: onFees.total,
    remainder: left - withheld.total,
    lines: [...contained.lines, ...added.lines, ...onFees.lines, ...withheld.lines],
  };
}

/** Deposits and withdrawals: taxes on the value (if the country has them) and on both fees, all in vatAmount. */
export function splitMovement(
  plan: TaxPlan,
  gross: bigint,
  transactionFee: bigint,
  processingFee: bigint,
  asset?: Asset,
  sums?: Sums,
  contained: Taxes = containedTaxes(plan, gross),
): Split {
  const onValue = addedTaxes(plan.added, gross, asset, { paid: gross, before: sums });
  const onFees = addedTaxes(plan.fees, transactionFee + processingFee, asset);
  const vatAmount = contained.total + onValue.total + onFees.total;
  return {
    vatAmount,
    processingFee,
    transactionFee,
    transactionVat: 0n,
    remainder: gross - vatAmount - processingFee - transactionFee,
    lines: [...contained.lines, ...onValue.lines, ...onFees.lines],
  };
}

/**
 * Taxes on a payment that somebody owes by a return of the period. They are recorded with it, and no part of its split.
 * @param moved what is paid through the PSP
 */
export function dutiesDue(plan: TaxPlan, moved: bigint, fees: bigint, asset?: Asset): readonly TaxLine[] {
  if (plan.due.length === 0) return [];
  const isFee = ({ rule }: ChosenRule) => rule.base === 'FEE';
  const onAmount = plan.due.filter((c) => !isFee(c));
  const lines = [...addedTaxes(onAmount, moved, asset).lines, ...addedTaxes(plan.due.filter(isFee), fees, asset).lines];
  const debtor = new Map(plan.due.map(({ rule }) => [rule.ruleId, debtorOf(rule)]));
  return lines.flatMap((l) => (l.taxable > 0n ? { ...l, owedBy: debtor.get(l.ruleId) as TaxDebtor } : []));
}

/**
 * Taxes recorded with a wager or a payout (stake tax, withholding). They are stored for reports; the operation's reply
 * has no split.
 * @param amounts winnings are payouts minus their wager, never negative; `paidBefore` and `wonBefore` those of earlier payouts of the wager
 * @param asset of the amounts; without it, rules that name amounts of money are left out
 */
export function gamingTaxes(plan: TaxPlan, amounts: GamingUnits, asset?: Asset): TaxLine[] {
  return chargeEach(plan.others, (c, others) => {
    const base = gamingBase(c.rule.base, amounts);
    if (base === undefined) return undefined;
    if (c.rule.base !== 'STAKE_INCLUSIVE') return ofWager(c, base + others, earlier(c.rule, amounts), asset);
    // Whether its threshold is reached; the tax itself is contained in the stake.
    const reached = chargeOne(c, base, asset);
    if (reached === undefined) return undefined;
    if (reached.taxable === 0n) return { ruleId: c.rule.ruleId, ...reached };
    const tax = percentage(base, { n: c.rate.n, d: c.rate.d + c.rate.n }, c.rule);
    return { ruleId: c.rule.ruleId, taxable: base - tax, tax };
  });
}

/** What a payout adds to the tax of its wager: an amount in the law is compared with all that the wager paid. */
function ofWager(c: ChosenRule, base: bigint, before: bigint, asset: Asset | undefined): TaxLine | undefined {
  const all = added(c, before + base, asset);
  const charged = before === 0n ? undefined : added(c, before, asset);
  return all && charged ? { ...all, taxable: all.taxable - charged.taxable, tax: all.tax - charged.tax } : all;
}

const earlier = (r: TaxRule, { paidBefore = 0n, wonBefore = 0n }: GamingUnits): bigint =>
  !isOfWager(r) ? 0n : r.base === 'PAYOUT' ? paidBefore : wonBefore;

/** Amounts of a wager or payout in the smallest unit. */
interface GamingUnits {
  readonly stake?: bigint;
  readonly payout?: bigint;
  readonly winnings?: bigint;
  readonly paidBefore?: bigint;
  readonly wonBefore?: bigint;
}

function gamingBase(base: TaxRule['base'], amounts: GamingUnits): bigint | undefined {
  switch (base) {
    case 'STAKE':
    case 'STAKE_INCLUSIVE':
      return amounts.stake;
    case 'PAYOUT':
      return amounts.payout;
    case 'WINNINGS':
      return amounts.winnings;
    default:
      return undefined;
  }
}
