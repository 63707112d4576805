// Deposits and withdrawals share everything but a few fields: this builds their four operations.
import { type TProperties, Type } from 'typebox';
import type { Movement } from '../../core/transaction.ts';
import { Amount, Exact, type Operation, operation, Ref } from '../kernel/operation.ts';
import { AssetCode, CountryCode, Currency, Customer, MovementReply } from './schemas.ts';
import { submissionQuery, submit } from './submit.ts';

export interface MovementSpec {
  readonly kind: Movement;
  readonly spec: string;
  readonly noun: string;
  readonly summary: string;
  readonly description: string;
  /** Fields between currency and customer, and between customer and countryCode, as the specification orders them. */
  readonly before?: TProperties;
  readonly after?: TProperties;
  /** Fields after all others. */
  readonly last?: TProperties;
  readonly example: Record<string, unknown>;
}

export function movementOperation(m: MovementSpec): Operation {
  const crypto = m.kind.startsWith('crypto');
  const body = Type.Object({
    ref: Ref(),
    totalAmount: Amount('Gross amount.'),
    currency: crypto ? AssetCode : Currency,
    ...m.before,
    customer: Customer,
    ...m.after,
    countryCode: CountryCode,
    transactionFee: Exact({ description: "The PSP's fee; may be 0.", minimum: 0 }),
    ...m.last,
  });
  const fields = Object.keys(body.properties);
  return operation({
    id: m.kind,
    method: 'POST',
    path: `/v1/payment/${m.kind}`,
    spec: m.spec,
    tag: 'Payments',
    summary: m.summary,
    description: `${m.description} totalAmount = vatAmount + processingFee + transactionFee + netAmount, exactly. The same ref with an equal body gets the same answer; with a changed body it is refused (409).`,
    audience: ['psp', 'client'],
    body,
    query: submissionQuery,
    content: MovementReply,
    example: m.example,
    refusals: [
      'AMOUNT_PRECISION',
      'UNKNOWN_CURRENCY',
      'UNKNOWN_COUNTRY',
      'NO_TAX_RULE',
      'NO_FEE_RULE',
      'SPLIT_NEGATIVE',
      'REF_CONFLICT',
    ],
    handle(call) {
      const b = call.body as { customer: { email: string }; toAddress?: unknown } & Parameters<
        typeof submit
      >[1]['body'];
      return submit(call, {
        kind: m.kind,
        noun: m.noun,
        fields,
        body: b,
        personal: {
          identity: b.customer.email,
          data: { customer: b.customer, ...(b.toAddress === undefined ? {} : { toAddress: b.toAddress }) },
        },
      });
    },
  });
}
