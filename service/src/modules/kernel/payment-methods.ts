// Reads the payment methods of a sale or a basket: what the PSP does not hold, and observations.
import { formatUnits, type Numeral } from '../../core/money.ts';
import { observePayments, type Payment, paymentOf, spellingOf } from '../../core/payments.ts';
import type { Asset } from '../../core/reference.ts';
import { Refusal, refuse } from '../../core/refusal.ts';
import { said } from '../../core/said.ts';
import type { Observation } from '../../core/transaction.ts';
import { readAmount } from './amounts.ts';

export interface ReadPayment {
  readonly payment: Payment;
  readonly observations: readonly Observation[];
}

/** @param singlePurpose vouchers that were taxed when they were sold, if the caller says so */
export function readPaymentMethods(
  given: Readonly<Record<string, Numeral>>,
  asset: Asset,
  total: bigint,
  singlePurpose?: Numeral,
): ReadPayment | Refusal {
  const methods = new Map<string, bigint>();
  for (const [name, n] of Object.entries(given)) {
    const spelled = spellingOf(name);
    if (spelled !== name)
      return refuse('FIELD_INVALID', said`the field 'paymentMethods.${name}' must be written '${spelled}'`);
    const units = readAmount(`paymentMethods.${name}`, n, asset, 'zero');
    if (units instanceof Refusal) return units;
    methods.set(name, units);
  }
  const single =
    singlePurpose === undefined ? 0n : readAmount('taxDetails.singlePurposeVouchers', singlePurpose, asset, 'zero');
  if (single instanceof Refusal) return single;
  return {
    payment: paymentOf(methods, total, single),
    observations: observePayments(methods, total, (u) => formatUnits(u, asset.decimals), single),
  };
}
