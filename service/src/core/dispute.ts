// Disputes of chargebacks: their states, and what may be done about one. Pure.
import type { PspId } from './ids.ts';
import { type Refusal, refuse } from './refusal.ts';

export const disputeStates = ['OPEN', 'SUBMITTED', 'WON', 'LOST'] as const;
export type DisputeState = (typeof disputeStates)[number];

/** What is done about a dispute. */
export const disputeSteps = ['evidence', 'won', 'lost'] as const;
export type DisputeStep = (typeof disputeSteps)[number];
/** The state after a step, or the code it is refused with. */
export const disputeTable = {
  OPEN: { evidence: 'SUBMITTED', won: 'WON', lost: 'LOST' },
  SUBMITTED: { evidence: 'SUBMITTED', won: 'WON', lost: 'LOST' },
  // What the scheme decided is final here: a further round (pre-arbitration) is not modelled.
  WON: { evidence: 'STATE_CONFLICT', won: 'WON', lost: 'STATE_CONFLICT' },
  LOST: { evidence: 'STATE_CONFLICT', won: 'STATE_CONFLICT', lost: 'LOST' },
} as const satisfies Record<DisputeState, Record<DisputeStep, DisputeState | 'STATE_CONFLICT'>>;

export const disputeOutcomes = ['WON', 'LOST'] as const;
export type DisputeOutcome = (typeof disputeOutcomes)[number];

/** Most submissions of evidence for one dispute. */
const mostEvidence = 20;

/** What was sent to show that the chargeback is wrong. */
export interface DisputeEvidence {
  readonly at: string;
  /** Actor, as in the journal. */
  readonly by: string;
  /** Null where it is sealed. */
  readonly text: string | null;
  /** The text, under the key of the customer. */
  readonly sealed: string | null;
  /** Names or addresses of documents. */
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
  /** What the scheme said; null until it decided. */
  readonly outcomeReason: string | null;
  /** Actor. */
  readonly openedBy: string;
  /** The customer whom sealed texts are about; null where the service knows none. */
  readonly subject: string | null;
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** The dispute after a change; the same one where nothing changes, which is a repetition. */
export type DisputeChange = (before: Dispute) => Dispute | Refusal;

const decided = (d: Dispute) => refuse('STATE_CONFLICT', `the dispute is decided: ${d.state}`);

export const withEvidence =
  (sent: DisputeEvidence): DisputeChange =>
  (d) => {
    const state = disputeTable[d.state].evidence;
    if (state === 'STATE_CONFLICT') return decided(d);
    if (sent.at > d.evidenceDueAt)
      return refuse('STATE_CONFLICT', `evidence was due by ${d.evidenceDueAt}; the scheme takes none after that`);
    if (d.evidence.length >= mostEvidence)
      return refuse('LIMIT_REACHED', `evidence can be sent at most ${mostEvidence} times for a dispute`);
    return { ...d, state, evidence: [...d.evidence, sent] };
  };

export const resolved =
  (outcome: DisputeOutcome, reason: string): DisputeChange =>
  (d) => {
    const state = disputeTable[d.state][outcome === 'WON' ? 'won' : 'lost'];
    if (state === 'STATE_CONFLICT') return decided(d);
    return state === d.state ? d : { ...d, state, outcomeReason: reason };
  };
