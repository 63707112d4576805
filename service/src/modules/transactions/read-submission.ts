// What the operations pass of a submission, and its amounts and place read from it. Decides nothing and writes nothing.
import type { Numeral } from '../../core/money.ts';
import type { Payment } from '../../core/payments.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Customer } from '../../core/tax/rule.ts';
import type { Observation, TransactionKind } from '../../core/transaction.ts';
import { type Place, readAmount, readPlace } from '../kernel/amounts.ts';
import type { Call, Needs } from '../kernel/operation.ts';
import type { ReadPayment } from '../kernel/payment-methods.ts';
import { readTaxDetails, type TaxDetails } from '../kernel/tax-details.ts';
import type { FoundBy } from '../search/index.ts';

export interface Submission {
  readonly kind: TransactionKind;
  /** Noun for messages: "transaction", "deposit". */
  readonly noun: string;
  /** Field names in the specification's order, to report the first that differs. */
  readonly fields: readonly string[];
  readonly body: {
    ref: string;
    totalAmount: Numeral;
    currency: string;
    countryCode: string;
    transactionFee: Numeral;
  };
  readonly mcc?: string | undefined;
  readonly taxDetails?: TaxDetails | undefined;
  /** Transaction id (UUID) of a submitted basket. */
  readonly basketTransaction?: string | undefined;
  /** The values its record is found by. */
  readonly named?: FoundBy | undefined;
  /** Personal parts of the body, and the value that identifies the person. */
  readonly personal?: { readonly identity: string; readonly data: Record<string, unknown> } | undefined;
  /** For a deposit: who makes it, so that exclusions and limits are checked. */
  readonly player?: { readonly email: string; readonly phoneNumber?: string } | undefined;
  observe?(place: Place): Observation[];
  /** How a sale was paid. */
  paid?(place: Place, amount: bigint): ReadPayment | Refusal;
}

/** A submission's amounts and place, validated. */
export interface Read extends Place {
  readonly amount: bigint;
  readonly transactionFee: bigint;
  readonly customer: Customer | undefined;
  readonly subdivision: string | undefined;
  readonly payment: Payment | undefined;
  readonly observations: readonly Observation[];
}

export function readSubmission(s: Needs<'reference' | 'rates'>, { now }: Call, sub: Submission): Read | Refusal {
  const place = readPlace(s, sub.body, sub.kind.startsWith('crypto'), now);
  if (place instanceof Refusal) return place;
  const amount = readAmount('totalAmount', sub.body.totalAmount, place.asset, 'positive');
  if (amount instanceof Refusal) return amount;
  const transactionFee = readAmount('transactionFee', sub.body.transactionFee, place.asset, 'zero');
  if (transactionFee instanceof Refusal) return transactionFee;
  const mcc = sub.mcc === undefined ? undefined : s.reference.mcc(sub.mcc);
  if (mcc instanceof Refusal) return mcc;
  const paid = sub.paid?.(place, amount);
  if (paid instanceof Refusal) return paid;
  const told = readTaxDetails(s, sub.taxDetails, place);
  if (told instanceof Refusal) return told;
  const observations = [...(sub.observe?.(place) ?? []), ...(paid?.observations ?? []), ...told.observations];
  return { ...place, amount, transactionFee, ...told, payment: paid?.payment, observations };
}
