// Disputes of chargebacks: their states and permitted steps. Pure.
import type { PspId } from './ids.ts';
import { phrase, type Refusal, refuse, said } from './refusal.ts';

export const disputeStates = ['OPEN', 'SUBMITTED', 'WON', 'LOST'] as const;
export type DisputeState = (typeof disputeStates)[number];

export const disputeSteps = ['evidence', 'won', 'lost'] as const;
export type DisputeStep = (typeof disputeSteps)[number];
/** The state after a step, or the refusal's code. */
export const disputeTable = {
  OPEN: { evidence: 'SUBMITTED', won: 'WON', lost: 'LOST' },
  SUBMITTED: { evidence: 'SUBMITTED', won: 'WON', lost: 'LOST' },
  // The scheme's decision is final here: a further stage (pre-arbitration) is not modelled.
  WON: { evidence: 'STATE_CONFLICT', won: 'WON', lost: 'STATE_CONFLICT' },
  LOST: { evidence: 'STATE_CONFLICT', won: 'STATE_CONFLICT', lost: 'LOST' },
} as const satisfies Record<DisputeState, Record<DisputeStep, DisputeState | 'STATE_CONFLICT'>>;

export const disputeOutcomes = ['WON', 'LOST'] as const;
export type DisputeOutcome = (typeof disputeOutcomes)[number];

/** Maximum submissions of evidence per dispute. */
const mostEvidence = 20;

/** Evidence that the chargeback is wrong. */
export interface DisputeEvidence {
  readonly at: string;
  /** Actor, as in the journal. */
  readonly by: string;
  /** Null if sealed. */
  readonly text: string | null;
  /** What was sent, sealed under the customer's key; of earlier versions the text alone. */
  readonly sealed: string | null;
  /** Names or addresses of documents; none if sealed. */
  readonly documents: readonly string[];
}

export interface Dispute {
  readonly psp: PspId;
  readonly id: string;
  readonly account: string;
  readonly chargeback: string;
  readonly transaction: string;
  readonly reason: string;
  readonly evidenceDueAt: string;
  readonly state: DisputeState;
  readonly evidence: readonly DisputeEvidence[];
  /** The scheme's reason; null until it has decided. */
  readonly outcomeReason: string | null;
  /** Actor. */
  readonly openedBy: string;
  /** The customer the sealed texts are about; null if unknown. */
  readonly subject: string | null;
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Returns the dispute after a change; the same object if nothing changes, as for a repeated call. */
export type DisputeChange = (before: Dispute) => Dispute | Refusal;

const decided = (d: Dispute) => refuse('STATE_CONFLICT', said`the dispute is decided: ${phrase(d.state)}`);

export const withEvidence =
  (sent: DisputeEvidence): DisputeChange =>
  (d) => {
    const state = disputeTable[d.state].evidence;
    if (state === 'STATE_CONFLICT') return decided(d);
    if (sent.at > d.evidenceDueAt)
      return refuse('STATE_CONFLICT', said`evidence was due by ${d.evidenceDueAt}; the scheme takes none after that`);
    if (d.evidence.length >= mostEvidence)
      return refuse('LIMIT_REACHED', said`evidence can be sent at most ${mostEvidence} times for a dispute`);
    return { ...d, state, evidence: [...d.evidence, sent] };
  };

export const resolved =
  (outcome: DisputeOutcome, reason: string): DisputeChange =>
  (d) => {
    const state = disputeTable[d.state][outcome === 'WON' ? 'won' : 'lost'];
    if (state === 'STATE_CONFLICT') return decided(d);
    return state === d.state ? d : { ...d, state, outcomeReason: reason };
  };
