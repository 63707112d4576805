// Deposits and withdrawals differ in only a few fields: this builds their four operations.
import { type TProperties, Type } from 'typebox';
import type { Movement, Observation } from '../../core/transaction.ts';
import { observeAddress, observeBankDetails, observeHash, observePhone } from '../../platform/identifiers.ts';
import { CountryCode, Currency, type Place, priceRefusals } from '../kernel/amounts.ts';
import { Amount, AmountOrZero, operation, Ref } from '../kernel/operation.ts';
import { type Named, namedIn } from './named.ts';
import type { Submission } from './read-submission.ts';
import { AssetCode, Customer, MovementReply } from './schemas.ts';
import { type SubmissionNeeds, submissionQuery, submit } from './submit.ts';

export interface MovementSpec {
  readonly kind: Movement;
  readonly spec: string;
  readonly noun: string;
  readonly summary: string;
  readonly description: string;
  /** Fields between currency and customer, and between customer and countryCode, in the specification's order. */
  readonly before?: TProperties;
  readonly after?: TProperties;
  /** Fields after all others. */
  readonly last?: TProperties;
  readonly example: Record<string, unknown>;
}

export function movementOperation(m: MovementSpec) {
  const crypto = m.kind.startsWith('crypto');
  const body = Type.Object({
    ref: Ref(),
    totalAmount: Amount('Gross amount.'),
    currency: crypto ? AssetCode : Currency,
    ...m.before,
    customer: Customer,
    ...m.after,
    countryCode: CountryCode,
    transactionFee: AmountOrZero("The PSP's fee; may be 0."),
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
    description: `${m.description} totalAmount = vatAmount + processingFee + transactionFee + netAmount, exactly. The same ref with an equal body gets the same response; with a changed body it is refused (409).`,
    audience: ['psp', 'client'],
    standing: 'decides',
    body,
    query: submissionQuery,
    content: MovementReply,
    example: m.example,
    refusals: [...priceRefusals, 'REF_CONFLICT', 'ALREADY_CHARGED_BACK'],
    handle(call, s: SubmissionNeeds) {
      const b = call.body as Identified & Submission['body'];
      return submit(s, call, {
        kind: m.kind,
        noun: m.noun,
        fields,
        body: b,
        personal: {
          identity: b.customer.email,
          data: {
            customer: b.customer,
            ...(b.toAddress === undefined ? {} : { toAddress: b.toAddress }),
            ...(b.fromAddress === undefined ? {} : { fromAddress: b.fromAddress }),
          },
        },
        named: namedIn(m.kind, b),
        player: m.kind === 'deposit' || m.kind === 'cryptoDeposit' ? b.customer : undefined,
        observe: (place) => observed(b, place, s.reference.networks(place.asset.code)),
      });
    },
  });
}

interface Identified extends Named {
  readonly customer: NonNullable<Named['customer']>;
}

/** Warnings about the form of identifiers in the body; they never refuse it. */
function observed(b: Identified, { country, asset }: Place, networks: readonly string[]): Observation[] {
  const { blochainHash: hash, toAddress: to, fromAddress: from } = b;
  return [
    ...observePhone(b.customer.phoneNumber, country.alpha2, 'customer.phoneNumber'),
    ...(hash === undefined ? [] : observeHash(hash, asset.code, networks, 'blochainHash')),
    ...(typeof to === 'string' ? observeAddress(to, asset.code, networks, 'toAddress') : []),
    ...(from === undefined ? [] : observeAddress(from, asset.code, networks, 'fromAddress')),
    ...(typeof to === 'object' ? observeBankDetails(to, 'toAddress') : []),
  ];
}
