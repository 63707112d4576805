// The split of an amount: taxes, fees and the remainder, which always sum to the whole. Amounts here are
// integers in the asset's smallest unit.
import { addRatio, allocate, divideRounded, type Rounding } from '../money.ts';
import type { ChosenRule, TaxPlan } from './book.ts';

/** One tax of a split, as it is stored and shown. */
export interface TaxLine {
  readonly ruleId: string;
  /** What the rate was applied to: the net for contained taxes, the base itself for added ones. */
  readonly taxable: bigint;
  readonly tax: bigint;
}

export interface Split {
  readonly vatAmount: bigint;
  readonly processingFee: bigint;
  readonly transactionFee: bigint;
  /** VAT on the PSP's fee; of verifyTransaction only, otherwise 0 (it is inside vatAmount). */
  readonly transactionVat: bigint;
  /** merchantAmount or netAmount: the remainder, negative when taxes and fees exceed the amount. */
  readonly remainder: bigint;
  readonly lines: readonly TaxLine[];
}

/** Taxes contained in a gross amount: rounded once as a whole, then shared out over its components. */
export function containedTaxes(plan: TaxPlan, gross: bigint): { total: bigint; lines: TaxLine[] } {
  const { n, d } = plan.inclusiveRate;
  const first = plan.inclusive[0];
  if (!first) return { total: 0n, lines: [] };
  const total = divideRounded(gross * n, d + n, first.rule.rounding);
  const net = gross - total;
  if (plan.inclusive.length === 1) return { total, lines: [{ ruleId: first.rule.ruleId, taxable: net, tax: total }] };
  const weights = plan.inclusive.map((c) => (c.rate.n * d) / c.rate.d);
  const taxes = n === 0n ? weights.map(() => 0n) : allocate(total, weights);
  return {
    total,
    lines: plan.inclusive.map((c, i) => ({ ruleId: c.rule.ruleId, taxable: net, tax: taxes[i] as bigint })),
  };
}

/** Taxes on top of a base: rounded once as a whole, then shared out over its components. */
function addedTaxes(rules: readonly ChosenRule[], base: bigint): { total: bigint; lines: TaxLine[] } {
  const first = rules[0];
  if (!first) return { total: 0n, lines: [] };
  if (rules.length === 1) {
    const tax = applyRate(base, first.rate.n, first.rate.d, first.rule.rounding);
    return { total: tax, lines: [{ ruleId: first.rule.ruleId, taxable: base, tax }] };
  }
  const sum = rules.reduce((a, c) => addRatio(a, c.rate), { n: 0n, d: 1n });
  const total = applyRate(base, sum.n, sum.d, first.rule.rounding);
  const weights = rules.map((c) => (c.rate.n * sum.d) / c.rate.d);
  const taxes = total === 0n ? rules.map(() => 0n) : allocate(total, weights);
  return { total, lines: rules.map((c, i) => ({ ruleId: c.rule.ruleId, taxable: base, tax: taxes[i] as bigint })) };
}

const applyRate = (base: bigint, n: bigint, d: bigint, rounding: Rounding): bigint =>
  n === 0n ? 0n : divideRounded(base * n, d, rounding);

/** All taxes of a sale on its taxable part. */
export const saleTax = (plan: TaxPlan, taxable: bigint): bigint =>
  containedTaxes(plan, taxable).total + addedTaxes(plan.added, taxable).total;

/**
 * verifyTransaction: VAT contained in the taxable gross, VAT on the PSP's fee, the rest to the merchant.
 * @param taxableGross the part of the gross that bears VAT (less than the gross for exempt basket lines)
 */
export function splitSale(
  plan: TaxPlan,
  gross: bigint,
  taxableGross: bigint,
  transactionFee: bigint,
  processingFee: bigint,
): Split {
  const contained = containedTaxes(plan, taxableGross);
  const added = addedTaxes(plan.added, taxableGross);
  const onFee = addedTaxes(plan.fees, transactionFee);
  const vatAmount = contained.total + added.total;
  return {
    vatAmount,
    processingFee,
    transactionFee,
    transactionVat: onFee.total,
    remainder: gross - vatAmount - processingFee - transactionFee - onFee.total,
    lines: [...contained.lines, ...added.lines, ...onFee.lines],
  };
}

/** Deposits and withdrawals: taxes on the value (where a country has them) and on both fees, all in vatAmount. */
export function splitMovement(plan: TaxPlan, gross: bigint, transactionFee: bigint, processingFee: bigint): Split {
  const contained = containedTaxes(plan, gross);
  const onValue = addedTaxes(plan.added, gross);
  const onFees = addedTaxes(plan.fees, transactionFee + processingFee);
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
 * Taxes recorded with a wager or a payout (stake tax, withholding). They are kept for reports; the
 * operation's reply shows no split.
 * @param winnings payout less its wager, never negative; 0 for a wager
 * @param scale decimals of the amounts, for thresholds
 */
export function gamingTaxes(
  plan: TaxPlan,
  amounts: { stake?: bigint; payout?: bigint; winnings?: bigint },
  aboveThreshold: (threshold: string, base: bigint) => boolean,
): TaxLine[] {
  const lines: TaxLine[] = [];
  for (const c of plan.others) {
    const base =
      c.rule.base === 'STAKE' || c.rule.base === 'STAKE_INCLUSIVE'
        ? amounts.stake
        : c.rule.base === 'PAYOUT'
          ? amounts.payout
          : c.rule.base === 'WINNINGS'
            ? amounts.winnings
            : undefined;
    if (base === undefined) continue;
    if (c.rule.threshold !== undefined && !aboveThreshold(c.rule.threshold, base)) {
      lines.push({ ruleId: c.rule.ruleId, taxable: 0n, tax: 0n });
      continue;
    }
    const { n, d } = c.rate;
    const inclusive = c.rule.base === 'STAKE_INCLUSIVE';
    const tax = applyRate(base, n, inclusive ? d + n : d, c.rule.rounding);
    lines.push({ ruleId: c.rule.ruleId, taxable: inclusive ? base - tax : base, tax });
  }
  return lines;
}

/**
 * Shares a basket's total over its lines by their subtotals and finds what of it bears VAT.
 * @returns the taxable part of the total and each line's VAT, given a way to tax that part
 */
export function splitLines(
  total: bigint,
  lines: readonly { subTotal: bigint; exempt: boolean }[],
  tax: (taxable: bigint) => bigint,
): { taxable: bigint; vat: bigint; perLine: bigint[] } {
  const weight = lines.reduce((a, l) => a + l.subTotal, 0n);
  // Lines that are all free of charge leave nothing to weigh by: they share equally.
  const shares = allocate(
    total,
    lines.map((l) => (weight === 0n ? 1n : l.subTotal)),
  );
  const taxed = shares.map((s, i) => (lines[i]?.exempt ? 0n : s));
  const taxable = taxed.reduce((a, b) => a + b, 0n);
  const vat = tax(taxable);
  return { taxable, vat, perLine: vat === 0n ? taxed.map(() => 0n) : allocate(vat, taxed) };
}
