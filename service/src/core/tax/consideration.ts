// What of a sale's total is consideration, and therefore taxed, by how it was paid. Pure; amounts are integers in the
// asset's smallest unit.
import { allocate } from '../money.ts';
import type { Payment } from '../payments.ts';

export interface Consideration {
  /** The part of the total that is taxed. */
  readonly taxable: bigint;
  /** Discounts that were left out. */
  readonly discounts: bigint;
  /** Vouchers that were left out. */
  readonly singlePurpose: bigint;
}

/**
 * The taxable part of a sale: discounts are left out where the law says so, and single-purpose vouchers everywhere. Both
 * reduce the taxable and the exempt lines of a basket in proportion.
 * @param taxable the part of the total that bears tax before them
 */
export function considerationOf(
  total: bigint,
  taxable: bigint,
  payment: Pick<Payment, 'discounts' | 'singlePurpose'> | undefined,
  discountsTaxed: boolean,
): Consideration {
  const discounts = discountsTaxed ? 0n : (payment?.discounts ?? 0n);
  const singlePurpose = payment?.singlePurpose ?? 0n;
  const left = discounts + singlePurpose;
  if (left === 0n) return { taxable, discounts, singlePurpose };
  const [rest] = allocate(total - left, [taxable, total - taxable]) as [bigint, bigint];
  return { taxable: rest, discounts, singlePurpose };
}
