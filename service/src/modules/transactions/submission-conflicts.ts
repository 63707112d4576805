// Why a submission conflicts with its ref's current record, or with the basket that it names. Pure; undefined means no
// conflict.
import { phrase, type Refusal, refuse, said } from '../../core/refusal.ts';
import { firstDifference } from '../../core/request.ts';
import type { TransactionRecord } from '../../core/transaction.ts';
import { callerOf, outcomeOf } from '../../core/transaction-states.ts';
import type { BasketFact } from '../baskets/index.ts';
import type { Call } from '../kernel/operation.ts';
import { refConflict } from '../kernel/record-once.ts';
import type { Read, Submission } from './read-submission.ts';

/**
 * Why the ref's current record does not allow this submission. Only verifyTransaction may revise a record.
 * @param requests that of the record, and this one, as they are compared
 */
export function stateConflict(
  call: Call,
  sub: Submission,
  requests: readonly [string, string],
  before: TransactionRecord | undefined,
  b: BasketFact | undefined,
): Refusal | undefined {
  const { ref } = sub.body;
  if (!before) {
    return b && b.transaction.ref !== null
      ? refuse(
          'STATE_CONFLICT',
          said`the basket of transactionID was verified before under the ref '${b.transaction.ref}'`,
        )
      : undefined;
  }
  if (before.kind !== sub.kind)
    return refuse('REF_CONFLICT', said`the ref '${ref}' was used before by ${phrase(before.kind)}`);
  const equal = requests[0] === requests[1];
  const chargedBack = () =>
    refuse('ALREADY_CHARGED_BACK', said`the transaction with the ref '${ref}' was charged back`);
  if (sub.kind !== 'verifyTransaction') {
    // A deposit or withdrawal is answered once and never revised.
    if (equal) return undefined;
    if (before.chargeback) return chargedBack();
    return refConflict(ref, firstDifference(...requests, sub.fields));
  }
  const outcome = verifyOutcome(call, before, equal);
  if (outcome === 'ALREADY_CHARGED_BACK') return chargedBack();
  if (outcome === 'NOT_RECORDER')
    return refuse(
      'NOT_RECORDER',
      said`the transaction with the ref '${ref}' was ${before.recordedBy === call.principal.account ? said`declined` : said`recorded`} by your PSP; only it may revise it`,
    );
  return b && before.id !== b.transaction.id
    ? refuse('BASKET_MISMATCH', said`the ref '${ref}' belongs to another transaction than transactionID names`)
    : undefined;
}

/** The outcome of verifying a ref that is already recorded. */
export const verifyOutcome = (call: Call, before: TransactionRecord, equal: boolean) =>
  outcomeOf(before, equal ? 'repeat' : 'revise', callerOf(call.principal, before.recordedBy));

/** Checks that transactionID names a basket this call may use, and that total and currency match it. */
export function basketFault(
  call: Call,
  sub: Submission,
  read: Pick<Read, 'asset' | 'amount'>,
  b: BasketFact | undefined,
  account: string,
): Refusal | undefined {
  const unknown = () => refuse('NOT_FOUND', 'no basket transaction with this transactionID');
  if (!b) return unknown();
  if (b.basket.account !== account) return unknown();
  if (call.principal.kind === 'client' && b.basket.account !== call.principal.account) return unknown();
  if (b.basket.currency !== read.asset.code)
    return refuse('BASKET_MISMATCH', said`the field 'currency' differs from the basket's: ${b.basket.currency}`);
  if (b.amount !== read.amount)
    return refuse('BASKET_MISMATCH', said`the field 'totalAmount' differs from the basket's: ${b.basket.amount}`);
  if (b.basket.status === 'CANCELLED' && b.transaction.ref !== sub.body.ref)
    return refuse('STATE_CONFLICT', 'the basket of transactionID is cancelled');
  return undefined;
}
