// Part 3 of the specification as one table: what a call does to a transaction in each state, by caller. The operations
// and the tests read this table; no operation decides it on its own.
import type { TransactionStatus } from './transaction.ts';

/** `DECLINED` is a decline for lack of standing; the others were requested with declineTransaction. */
export const transactionStates = [
  'APPROVED',
  'DECLINED',
  'DECLINED_BY_CLIENT',
  'DECLINED_BY_PSP',
  'DECLINED_BY_BOTH',
  'CHARGED_BACK',
] as const;
export type TransactionState = (typeof transactionStates)[number];

/** `repeat` is the same verification with an equal body, `revise` one with a changed body. */
export const transactionTriggers = ['repeat', 'revise', 'decline', 'chargeBack'] as const;
export type TransactionTrigger = (typeof transactionTriggers)[number];

/**
 * The caller: the PSP's own key, a client's key on what it recorded itself (`recorder`), or a client's key on what its
 * PSP recorded for it (`taxpayer`).
 */
export const transactionCallers = ['psp', 'recorder', 'taxpayer'] as const;
export type TransactionCaller = (typeof transactionCallers)[number];

export type TransactionOutcome =
  /** The stored answer is returned again. */
  | 'REPLAY'
  /** The verdict follows from the client's standing, as a new revision. */
  | 'DECIDE'
  | 'DECLINE'
  | 'CHARGE_BACK'
  /** Refused with the code of this name. */
  | 'NOT_RECORDER'
  | 'STATE_CONFLICT'
  | 'ALREADY_CHARGED_BACK';

type ByCaller = Readonly<Record<TransactionCaller, TransactionOutcome>>;
const all = (o: TransactionOutcome): ByCaller => ({ psp: o, recorder: o, taxpayer: o });
const callers = (psp: TransactionOutcome, recorder: TransactionOutcome): ByCaller => ({
  psp,
  recorder,
  taxpayer: 'NOT_RECORDER',
});

/** Only the PSP files chargebacks, because one lowers the tax of the client it is about. */
const byPsp = (psp: TransactionOutcome): ByCaller => ({ psp, recorder: 'NOT_RECORDER', taxpayer: 'NOT_RECORDER' });

/** Spec 3, 4.3, 4.4, 5.3. */
export const transactionTable: Readonly<Record<TransactionState, Readonly<Record<TransactionTrigger, ByCaller>>>> = {
  APPROVED: {
    repeat: all('REPLAY'),
    revise: callers('DECIDE', 'DECIDE'),
    decline: callers('DECLINE', 'DECLINE'),
    chargeBack: byPsp('CHARGE_BACK'),
  },
  DECLINED: {
    // Once the standing is good again, the same request may be approved. A client's key repeats what its PSP recorded
    // without changing it.
    repeat: { psp: 'DECIDE', recorder: 'DECIDE', taxpayer: 'REPLAY' },
    revise: callers('DECIDE', 'DECIDE'),
    decline: callers('DECLINE', 'DECLINE'),
    chargeBack: byPsp('STATE_CONFLICT'),
  },
  // A requested decline also holds against a late copy of the request. Only a changed body is decided; after a decline
  // by its PSP a client's is not, so that nobody undoes it by changing a cent.
  DECLINED_BY_CLIENT: {
    repeat: all('REPLAY'),
    revise: callers('DECIDE', 'DECIDE'),
    decline: callers('DECLINE', 'REPLAY'),
    chargeBack: byPsp('STATE_CONFLICT'),
  },
  DECLINED_BY_PSP: {
    repeat: all('REPLAY'),
    revise: callers('DECIDE', 'NOT_RECORDER'),
    decline: callers('REPLAY', 'DECLINE'),
    chargeBack: byPsp('STATE_CONFLICT'),
  },
  DECLINED_BY_BOTH: {
    repeat: all('REPLAY'),
    revise: callers('DECIDE', 'NOT_RECORDER'),
    decline: callers('REPLAY', 'REPLAY'),
    chargeBack: byPsp('STATE_CONFLICT'),
  },
  CHARGED_BACK: {
    repeat: all('ALREADY_CHARGED_BACK'),
    revise: callers('ALREADY_CHARGED_BACK', 'ALREADY_CHARGED_BACK'),
    decline: callers('ALREADY_CHARGED_BACK', 'ALREADY_CHARGED_BACK'),
    chargeBack: byPsp('ALREADY_CHARGED_BACK'),
  },
};

/** The reason recorded with a requested decline; it identifies such declines in the journal. */
export const declineReasons = {
  DECLINED_BY_CLIENT: 'declined by the client',
  DECLINED_BY_PSP: 'declined by the PSP',
  DECLINED_BY_BOTH: 'declined by the PSP and by the client',
} as const;
type AskedDecline = keyof typeof declineReasons;

interface Recorded {
  readonly status: TransactionStatus;
  readonly reason: string | null;
  readonly chargeback: unknown;
}

/** The state of a recorded transaction that has a ref. */
export function stateOf(t: Recorded): TransactionState {
  if (t.chargeback) return 'CHARGED_BACK';
  if (t.status !== 'DECLINED') return 'APPROVED';
  const asked = (Object.keys(declineReasons) as AskedDecline[]).find((s) => declineReasons[s] === t.reason);
  return asked ?? 'DECLINED';
}

/** @param recordedBy account that recorded it */
export const callerOf = (
  principal: { readonly kind: string; readonly account: string },
  recordedBy: string,
): TransactionCaller =>
  principal.kind !== 'client' ? 'psp' : principal.account === recordedBy ? 'recorder' : 'taxpayer';

export const outcomeOf = (t: Recorded, trigger: TransactionTrigger, caller: TransactionCaller): TransactionOutcome =>
  transactionTable[stateOf(t)][trigger][caller];

/** The reason once this caller has declined it: a second decline does not hide who made the first. */
export function declinedReason(t: Recorded, caller: TransactionCaller): string {
  const [own, other] =
    caller === 'psp'
      ? (['DECLINED_BY_PSP', 'DECLINED_BY_CLIENT'] as const)
      : (['DECLINED_BY_CLIENT', 'DECLINED_BY_PSP'] as const);
  return declineReasons[stateOf(t) === other ? 'DECLINED_BY_BOTH' : own];
}
