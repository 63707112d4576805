// How a sale was paid: which parts of its total the PSP does not hold, and whether the methods add up. Pure; amounts are
// integers in the asset's smallest unit.

import { least } from './money.ts';
import { stored } from './said.ts';
import type { Observation } from './transaction.ts';

/** Parts of a total that were not paid through the PSP. Together they are at most the total. */
export interface Payment {
  /** Price reductions granted by the merchant: nobody paid them. */
  readonly discounts: bigint;
  readonly vouchers: bigint;
  /** Paid to the merchant itself. */
  readonly cash: bigint;
  /** The part of the vouchers whose supply was taxed when they were sold. */
  readonly singlePurpose: bigint;
}

/** Payment methods that have a meaning of their own; all others are money that the PSP holds. */
export const methodsNotHeld = ['discounts', 'vouchers', 'cash'] as const;
export type MethodNotHeld = (typeof methodsNotHeld)[number];
export const methodsOfContract: readonly string[] = ['card', ...methodsNotHeld];

/** The contract's name of a method, where a name is that in other letters; else the name itself. */
export function spellingOf(name: string): string {
  const plain = name.normalize('NFKC').trim().toLowerCase();
  return methodsOfContract.includes(plain) ? plain : name;
}

/**
 * The parts as they fit into the total. Discounts come first, because they reduce the price itself, and cash last,
 * because what is too much of it was given back as change.
 * @param methods amounts by payment method
 */
export function paymentOf(methods: ReadonlyMap<string, bigint>, total: bigint, singlePurpose = 0n): Payment {
  let left = total;
  const take = (amount: bigint): bigint => {
    const taken = least(amount, left);
    left -= taken;
    return taken;
  };
  const [discounts, vouchers, cash] = methodsNotHeld.map((m) => take(methods.get(m) ?? 0n)) as [bigint, bigint, bigint];
  return { discounts, vouchers, cash, singlePurpose: least(singlePurpose, vouchers) };
}

/** What of a total is paid through the PSP. */
export const movedOf = (total: bigint, payment: Pick<Payment, MethodNotHeld> | undefined): bigint =>
  methodsNotHeld.reduce((left, m) => left - (payment?.[m] ?? 0n), total);

/** The parts as they are stored: decimal text by payment method, without those of zero. */
export type NotHeld = Readonly<Partial<Record<MethodNotHeld, string>>>;

/** @returns nothing if the PSP holds all of it */
export function notHeldOf(payment: Payment | undefined, text: (units: bigint) => string): { notHeld?: NotHeld } {
  const parts = methodsNotHeld.flatMap((m) => (payment?.[m] ? [[m, text(payment[m])] as const] : []));
  return parts.length === 0 ? {} : { notHeld: Object.fromEntries(parts) };
}

/**
 * Observations on payment methods, which never refuse a sale: a sum that is not the total, discounts beyond it, and
 * single-purpose vouchers beyond the vouchers.
 */
export function observePayments(
  methods: ReadonlyMap<string, bigint>,
  total: bigint,
  text: (units: bigint) => string,
  singlePurpose = 0n,
): Observation[] {
  const sum = [...methods.values()].reduce((a, b) => a + b, 0n);
  const discounts = methods.get('discounts') ?? 0n;
  const vouchers = methods.get('vouchers') ?? 0n;
  return [
    ...observed(sum !== total, {
      code: 'PAYMENT_METHODS_SUM',
      field: 'paymentMethods',
      message: stored`payment methods sum to ${text(sum)}, totalAmount is ${text(total)}`,
    }),
    ...observed(discounts > total, {
      code: 'DISCOUNTS_EXCEED_TOTAL',
      field: 'paymentMethods.discounts',
      message: stored`discounts are ${text(discounts)}, totalAmount is ${text(total)}; the sale was taxed as one without a price`,
    }),
    ...observed(singlePurpose > vouchers, {
      code: 'SINGLE_PURPOSE_VOUCHERS_EXCEED',
      field: 'taxDetails.singlePurposeVouchers',
      message: stored`single-purpose vouchers are ${text(singlePurpose)}, paymentMethods.vouchers is ${text(vouchers)}; only vouchers that were used were left out of the tax`,
    }),
  ];
}

const observed = (is: boolean, observation: Observation): Observation[] => (is ? [observation] : []);
