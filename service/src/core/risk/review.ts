// Reviews, which are alerts about a transaction, a client or a person: their states, and what people may do with one. Pure.
import type { AccountId, PspId, TransactionId } from '../ids.ts';
import { type Refusal, refuse } from '../refusal.ts';
import { phrase, said } from '../said.ts';
import type { Observation } from '../transaction.ts';

export const reviewStates = ['OPEN', 'RESOLVED'] as const;

/** Changes people make to a review. */
export const reviewChanges = ['note', 'assign', 'conclude'] as const;
export type ReviewStep = (typeof reviewChanges)[number];
/** The state after a step, or the refusal's code. */
export const reviewTable = {
  OPEN: { note: 'OPEN', assign: 'OPEN', conclude: 'RESOLVED' },
  RESOLVED: { note: 'RESOLVED', assign: 'STATE_CONFLICT', conclude: 'STATE_CONFLICT' },
} as const satisfies Record<(typeof reviewStates)[number], Record<ReviewStep, string>>;

export const severities = ['LOW', 'MEDIUM', 'HIGH'] as const;
export type Severity = (typeof severities)[number];

/** CLEARED: nothing is wrong. CONFIRMED: something is. */
export const reviewOutcomes = ['CLEARED', 'CONFIRMED'] as const;
export type ReviewOutcome = (typeof reviewOutcomes)[number];

/** The rule name of a review opened by a person. */
export const byHand = 'BY_HAND';
export const openedByRule = 'rule';
/** Maximum notes on one review. */
const mostNotes = 200;

export interface ReviewNote {
  readonly at: string;
  /** Actor, as in the journal. */
  readonly by: string;
  readonly text: string;
}

export interface Review {
  readonly psp: PspId;
  readonly id: string;
  readonly account: AccountId;
  /** Null for an alert about a client or a person without a transaction. */
  readonly transaction: TransactionId | null;
  /** A rule of the risk book, or byHand. */
  readonly rule: string;
  readonly reason: string;
  readonly findings: readonly Observation[];
  readonly state: (typeof reviewStates)[number];
  /** Actor. */
  readonly assignee: string | null;
  readonly outcome: ReviewOutcome | null;
  readonly notes: readonly ReviewNote[];
  /** Actor, or openedByRule. */
  readonly openedBy: string;
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly severity: Severity;
  /** Version of the rule, where it has one. */
  readonly ruleVersion: string | null;
  /** Without a transaction: what the rule names. A rule opens one review about the same. */
  readonly about: string | null;
  /** Keyed hash of the person it is about, as in `subject_keys`. */
  readonly person: string | null;
  /** Null before that, and for those resolved by earlier versions. */
  readonly resolvedAt: string | null;
}

/** Returns the review after a change; the same object if nothing changes, as for a repeated call. */
export type ReviewChange = (before: Review) => Review | Refusal;

/** @param change returns the review in the state the table gives */
function stateAfter(r: Review, step: ReviewStep, change: (state: Review['state']) => Review | Refusal) {
  const after = reviewTable[r.state][step];
  return after === 'STATE_CONFLICT'
    ? refuse('STATE_CONFLICT', said`the review is resolved: ${phrase(r.outcome)}. A note can still be added to it`)
    : change(after);
}

/** The same note again by the same person, with none in between, is a repetition. */
export function noted(note: ReviewNote): ReviewChange {
  return (r) => {
    const last = r.notes.at(-1);
    if (last?.by === note.by && last.text === note.text) return r;
    if (r.notes.length >= mostNotes) return refuse('LIMIT_REACHED', said`a review can have at most ${mostNotes} notes`);
    return { ...r, notes: [...r.notes, note] };
  };
}

/** Another person was assigned while this one looked. */
export const takenMeanwhile = (): Refusal =>
  refuse('STATE_CONFLICT', 'it is assigned to somebody else by now; look at it again');

/**
 * @param assignee null unassigns it
 * @param from whom it is taken from; refused if that is somebody else by then
 */
export const assigned =
  (assignee: string | null, from?: string | null): ReviewChange =>
  (r) =>
    r.assignee === assignee
      ? r
      : from !== undefined && from !== r.assignee
        ? takenMeanwhile()
        : stateAfter(r, 'assign', (state) => ({ ...r, state, assignee }));

/** Concludes the review, with a note that says why, however many it has: no review stays open for its number of notes. */
export const concluded =
  (outcome: ReviewOutcome, note: ReviewNote): ReviewChange =>
  (r) => {
    if (r.outcome === outcome && r.notes.some((n) => n.by === note.by && n.text === note.text)) return r;
    return stateAfter(r, 'conclude', (state) => ({
      ...r,
      notes: [...r.notes, note],
      state,
      outcome,
      resolvedAt: note.at,
    }));
  };
