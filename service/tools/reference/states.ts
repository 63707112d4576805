// The page of states: what each call does to a transaction, a basket, a review or a dispute in each state, from the tables that
// decide it.
import {
  type BasketState,
  type BasketTrigger,
  basketStates,
  basketTable,
  basketTriggers,
} from '../../src/core/basket-states.ts';
import {
  type DisputeState,
  type DisputeStep,
  disputeStates,
  disputeSteps,
  disputeTable,
} from '../../src/core/dispute.ts';
import { type ReviewStep, reviewChanges, reviewStates, reviewTable } from '../../src/core/risk/review.ts';
import {
  type TransactionCaller,
  type TransactionOutcome,
  type TransactionState,
  type TransactionTrigger,
  transactionCallers,
  transactionStates,
  transactionTable,
  transactionTriggers,
} from '../../src/core/transaction-states.ts';
import { code, page, table } from './markdown.ts';

const states: Record<TransactionState, string> = {
  APPROVED: 'The standing of the client and its PSP allowed it.',
  DECLINED: 'The standing did not allow it.',
  DECLINED_BY_CLIENT: 'The client that recorded it declined it; its status is DECLINED.',
  DECLINED_BY_PSP: 'The PSP declined it; its status is DECLINED.',
  DECLINED_BY_BOTH: 'Both declined it; its status is DECLINED.',
  CHARGED_BACK: 'It was approved, and then charged back; its status stays APPROVED.',
};

const triggers: Record<TransactionTrigger, string> = {
  repeat: '`verifyTransaction` with its ref and the same body.',
  revise: '`verifyTransaction` with its ref and another body.',
  decline: '`declineTransaction` with its ref.',
  chargeBack: '`chargeBack` with its ref.',
};

const callers: Record<TransactionCaller, string> = {
  psp: 'The PSP, with its own key.',
  recorder: 'A client, with its own key, about what it recorded itself.',
  taxpayer: 'A client, with its own key, about what its PSP recorded for it.',
};

const outcomes: Record<TransactionOutcome, string> = {
  REPLAY: 'The stored answer is given again, with `idempotency-replayed: true`. Nothing changes.',
  DECIDE:
    'The standing decides, as for a new transaction: APPROVED or DECLINED, as the next revision. The same body that is declined again is answered from the stored revision.',
  DECLINE: 'The status becomes DECLINED as the next revision, with a reason that says who declined it.',
  CHARGE_BACK: 'A chargeback is recorded with the amounts to subtract from later settlements.',
  NOT_RECORDER: 'Refused with 403: this caller may not do it.',
  STATE_CONFLICT: 'Refused with 409: the transaction is not approved.',
  ALREADY_CHARGED_BACK: 'Refused with 409: the transaction was charged back, which is final.',
};

const basketMeanings: Record<BasketState, string> = {
  PENDING: 'It was submitted; its transaction was not approved yet.',
  VERIFIED: 'Its transaction was approved.',
  CANCELLED: 'Its transaction was declined by the client or the PSP. Only the same ref may verify it again.',
};
const basketEvents: Record<BasketTrigger, string> = {
  approved: 'A verification of its transaction is approved.',
  declined: 'A verification of its transaction is declined for the standing.',
  declineTransaction: 'The client or the PSP declines its transaction.',
};

const reviewSteps: Record<ReviewStep, string> = {
  note: 'Somebody adds a note.',
  assign: 'It is assigned to somebody, or to nobody.',
  conclude: 'Somebody resolves it, with an outcome and a note.',
};

const disputeMeanings: Record<DisputeState, string> = {
  OPEN: 'The chargeback is disputed; no evidence was sent yet.',
  SUBMITTED: 'Evidence was sent. More can be, until the deadline.',
  WON: 'The scheme decided for the merchant: the chargeback is reversed.',
  LOST: 'The scheme decided against the merchant: the chargeback stays.',
};
const disputeActs: Record<DisputeStep, string> = {
  evidence: 'Evidence is sent, before the deadline.',
  won: 'The PSP says that the scheme decided WON.',
  lost: 'The PSP says that the scheme decided LOST.',
};

const meanings = <K extends string>(title: string, of: Readonly<Record<K, string>>): string =>
  table(
    [title, 'Meaning'],
    (Object.keys(of) as K[]).map((k) => [code(k), of[k]]),
  );

export const statesPage = (): string =>
  page(
    'States',
    'What each call does to a record in each of its states (Part 3 of the specification). The service decides by these tables.',
    '## Transactions',
    'A transaction that was never recorded is verified: the standing of the client and its PSP decides, and the answer is APPROVED or DECLINED. What happens to one that is recorded depends on its state, the call and the caller. Deposits and withdrawals are answered once: an equal repetition gets the stored answer, with the status DECLINED once it was declined; another body under the ref is refused with `REF_CONFLICT`, or with `ALREADY_CHARGED_BACK` after a chargeback. A client cannot decline what its PSP recorded for it: where it would have, the rows of `taxpayer` never occur.',
    meanings('State', states),
    meanings('Call', triggers),
    meanings('Caller', callers),
    meanings('Outcome', outcomes),
    table(
      ['State', 'Call', ...transactionCallers.map(code)],
      transactionStates.flatMap((s) =>
        transactionTriggers.map((t) => [code(s), code(t), ...transactionCallers.map((c) => transactionTable[s][t][c])]),
      ),
    ),
    '## Baskets',
    'The status of a basket follows from its transaction. A chargeback leaves it as it is.',
    meanings('Status', basketMeanings),
    table(
      ['What happens', ...basketStates.map(code)],
      basketTriggers.map((t) => [basketEvents[t], ...basketStates.map((s) => basketTable[s][t])]),
    ),
    '## Reviews',
    'A review is OPEN until somebody resolves it. The same step again by the same person changes nothing.',
    table(
      ['Step', ...reviewStates.map(code)],
      reviewChanges.map((step) => [reviewSteps[step], ...reviewStates.map((s) => reviewTable[s][step])]),
    ),
    '## Disputes',
    'A chargeback is disputed once. What the scheme decided is final: a further round is not modelled. The same decision again changes nothing.',
    meanings('State', disputeMeanings),
    table(
      ['What happens', ...disputeStates.map(code)],
      disputeSteps.map((step) => [disputeActs[step], ...disputeStates.map((s) => disputeTable[s][step])]),
    ),
  );
