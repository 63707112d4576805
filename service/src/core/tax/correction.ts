// The taxes of a recorded transaction under another dataset's rules, for the date that decided it, and the difference.
// Fees stay as charged. Pure.
import { decimal, formatUnits, unitsAt } from '../money.ts';
import { movedOf } from '../payments.ts';
import { noTaxRule, type Refusal } from '../refusal.ts';
import { differenceOf, isZero } from '../sums.ts';
import { type Evidence, type PriceQuestion, planFor, RECKONING, taxedParts } from '../transaction.ts';
import type { RuleBook } from './book.ts';
import { containedTogether, earlierMovement, earlierSale } from './earlier-split.ts';
import { containedIn, grossOf } from './goods.ts';
import { containedTaxes, dutiesDue, type Sums, splitMovement, splitSale } from './split.ts';

export interface TaxedLine {
  readonly rule: string;
  readonly taxable: string;
  readonly tax: string;
}

/** Amounts as decimal text. */
export interface TaxedAs {
  readonly vatAmount: string;
  readonly transactionVat: string;
  readonly remainder: string;
  readonly tax: readonly TaxedLine[];
}

/** What decided the taxes of a record, as its request, its client and its evidence say it. */
export interface TaxedQuestion
  extends Pick<
    PriceQuestion,
    'kind' | 'classification' | 'mcc' | 'supply' | 'subdivision' | 'profile' | 'date' | 'asset'
  > {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly amount: string;
  /** The part of a basket that bears VAT. */
  readonly taxable?: string | undefined;
  readonly transactionFee: string;
  readonly processingFee: string;
  /** The record's method of calculating its parts, which a correction keeps; absent for the earlier method. */
  readonly reckoning: Evidence['reckoning'];
  /** What the record says of how it was paid, of the customer, and of what was counted before it. */
  readonly evidence: Pick<Evidence, 'sums' | 'customer' | 'goods' | 'notHeld' | 'singlePurposeVouchers'>;
}

/** @returns a refusal if these rules have none for it */
export function taxedBy(book: RuleBook, q: TaxedQuestion): TaxedAs | Refusal {
  const asked = { ...q, country: { alpha2: q.country }, customer: q.evidence.customer };
  const plan = planFor(asked, book);
  if (!plan) return noTaxRule(q.country, q.date);
  const { decimals } = q.asset;
  const units = (text: string): bigint => {
    const u = unitsAt(decimal(text), decimals);
    if (u === undefined) throw new Error(`${text} has more decimals than ${q.asset.code}`);
    return u;
  };
  const [amount, fee, own] = [units(q.amount), units(q.transactionFee), units(q.processingFee)];
  const payment = {
    discounts: units(q.evidence.notHeld?.discounts ?? '0'),
    vouchers: units(q.evidence.notHeld?.vouchers ?? '0'),
    cash: units(q.evidence.notHeld?.cash ?? '0'),
    singlePurpose: units(q.evidence.singlePurposeVouchers ?? '0'),
  };
  const before = q.evidence.goods ?? (q.taxable === undefined ? undefined : [{ taxable: q.taxable }]);
  const sold = before?.map((g) => ({ ...g, taxable: units(g.taxable) }));
  const { goods } = taxedParts({ ...asked, amount, goods: sold, payment }, plan, book);
  const sums = sumsOf(q.evidence.sums, units);
  const moved = movedOf(amount, payment);
  const isSale = q.kind === 'verifyTransaction';
  const taxes = q.reckoning === RECKONING ? containedTaxes : containedTogether;
  const contained = isSale ? containedIn(goods, taxes) : taxes(plan, amount);
  const split =
    q.reckoning === undefined
      ? isSale
        ? earlierSale(plan, amount, grossOf(goods), fee, own)
        : earlierMovement(plan, amount, fee, own)
      : isSale
        ? splitSale(plan, { gross: amount, taxable: grossOf(goods), moved }, fee, own, q.asset, sums, contained)
        : splitMovement(plan, amount, fee, own, q.asset, sums, contained);
  const due = dutiesDue(plan, moved, fee + own, q.asset);
  const text = (u: bigint) => formatUnits(u, decimals);
  return {
    vatAmount: text(split.vatAmount),
    transactionVat: text(split.transactionVat),
    remainder: text(split.remainder),
    tax: [...split.lines, ...due].map((l) => ({ rule: l.ruleId, taxable: text(l.taxable), tax: text(l.tax) })),
  };
}

/** What was counted before the record, as it says. */
const sumsOf = (sums: Evidence['sums'], units: (text: string) => bigint): Sums =>
  new Map(
    (sums ?? []).map((c) => [c.rule, { base: units(c.before), records: c.records, reached: c.reached === true }]),
  );

/** For each rule that differs, the change of its taxable amount and tax. */
export function lineChanges(before: Pick<TaxedAs, 'tax'>, after: Pick<TaxedAs, 'tax'>): TaxedLine[] {
  const of = (t: Pick<TaxedAs, 'tax'>, rule: string) => t.tax.find((l) => l.rule === rule);
  const rules = [...new Set([...before.tax, ...after.tax].map((l) => l.rule))].sort();
  return rules.flatMap((rule) => {
    const [was, is] = [of(before, rule), of(after, rule)];
    const taxable = differenceOf(is?.taxable ?? '0', was?.taxable ?? '0');
    const tax = differenceOf(is?.tax ?? '0', was?.tax ?? '0');
    return isZero(taxable) && isZero(tax) ? [] : [{ rule, taxable, tax }];
  });
}
