// What of a sale's total is consideration, and therefore taxed, by how it was paid. Pure; amounts are integers in the
// asset's smallest unit.
import { allocate } from '../money.ts';
import type { Payment } from '../payments.ts';

export interface Consideration {
  /** The parts of the total that are taxed, in the order of those given. */
  readonly taxable: readonly bigint[];
  /** Discounts that were left out. */
  readonly discounts: bigint;
  /** Vouchers that were left out. */
  readonly singlePurpose: bigint;
}

/**
 * The taxable parts of a sale: discounts are left out where the law says so, and single-purpose vouchers everywhere. Both
 * reduce the taxable and the exempt lines of a basket in proportion.
 * @param taxable the parts of the total that bear tax before them, by what is sold
 */
export function considerationOf(
  total: bigint,
  taxable: readonly bigint[],
  payment: Pick<Payment, 'discounts' | 'singlePurpose'> | undefined,
  discountsTaxed: boolean,
): Consideration {
  const discounts = discountsTaxed ? 0n : (payment?.discounts ?? 0n);
  const singlePurpose = payment?.singlePurpose ?? 0n;
  const left = discounts + singlePurpose;
  if (left === 0n) return { taxable, discounts, singlePurpose };
  const exempt = taxable.reduce((rest, part) => rest - part, total);
  return { taxable: allocate(total - left, [...taxable, exempt]).slice(0, -1), discounts, singlePurpose };
}
