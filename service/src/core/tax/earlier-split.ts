// Earlier calculations of the split: before each tax on top was rounded separately and both fees of a sale were taxed, and
// before each contained tax was. For corrections of records decided that way: a correction fixes a rate and never the
// method of calculation. Pure.
import { addRatio, allocate, divideRounded } from '../money.ts';
import type { ChosenRule, TaxPlan } from './book.ts';
import { containedLines, containedTaxes, type Split, type Taxes, type TaxLine } from './split.ts';

/** verifyTransaction: tax on the PSP's fee only. */
export function earlierSale(plan: TaxPlan, gross: bigint, taxable: bigint, fee: bigint, own: bigint): Split {
  const contained = contents(plan, taxable);
  const onAmount = onTop(plan.added, taxable);
  const onFee = onTop(plan.fees, fee);
  const vatAmount = contained.total + onAmount.total;
  return {
    vatAmount,
    processingFee: own,
    transactionFee: fee,
    transactionVat: onFee.total,
    remainder: gross - vatAmount - own - fee - onFee.total,
    lines: [...contained.lines, ...onAmount.lines, ...onFee.lines],
  };
}

/** Deposits and withdrawals: tax on both fees, rounded together. */
export function earlierMovement(plan: TaxPlan, gross: bigint, fee: bigint, own: bigint): Split {
  const contained = contents(plan, gross);
  const onValue = onTop(plan.added, gross);
  const onFees = onTop(plan.fees, fee + own);
  const vatAmount = contained.total + onValue.total + onFees.total;
  return {
    vatAmount,
    processingFee: own,
    transactionFee: fee,
    transactionVat: 0n,
    remainder: gross - vatAmount - own - fee,
    lines: [...contained.lines, ...onValue.lines, ...onFees.lines],
  };
}

/** Every contained tax was shown on the net amount, whatever else it is charged on. */
function contents(plan: TaxPlan, gross: bigint): { total: bigint; lines: TaxLine[] } {
  const { total, lines } = containedTogether(plan, gross);
  return { total, lines: lines.map((l) => ({ ...l, taxable: gross - total })) };
}

/** Contained taxes up to the second method: rounded once as a whole, then allocated. */
export function containedTogether(plan: TaxPlan, gross: bigint): Taxes {
  const { n, d } = plan.inclusiveRate;
  const [first] = plan.inclusive;
  if (first === undefined || n === 0n || plan.relief !== undefined) return containedTaxes(plan, gross);
  const total = divideRounded(gross * n, d + n, first.rule.rounding);
  const weights = plan.inclusive.map((c) => (c.rate.n * d) / c.rate.d);
  return containedLines(plan, gross, allocate(total, weights));
}

/** Rounded once as a whole, then allocated; each shown on the base itself. */
function onTop(rules: readonly ChosenRule[], base: bigint): { total: bigint; lines: TaxLine[] } {
  const first = rules[0];
  if (!first) return { total: 0n, lines: [] };
  const sum = rules.reduce((a, c) => addRatio(a, c.rate), { n: 0n, d: 1n });
  if (sum.n === 0n) return { total: 0n, lines: rules.map((c) => ({ ruleId: c.rule.ruleId, taxable: base, tax: 0n })) };
  const total = divideRounded(base * sum.n, sum.d, first.rule.rounding);
  const weights = rules.map((c) => (c.rate.n * sum.d) / c.rate.d);
  const shares = allocate(total, weights);
  return { total, lines: rules.map((c, i) => ({ ruleId: c.rule.ruleId, taxable: base, tax: shares[i] as bigint })) };
}
