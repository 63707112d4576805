// Cases: their states, what may be done in each, and what each step changes. Pure.

import type { AccountId, PspId } from '../ids.ts';
import { phrase, type Refusal, refuse, said } from '../refusal.ts';
import { type ReviewOutcome, type Severity, takenMeanwhile } from '../risk/review.ts';
import { type CasePolicy, dueAfter, highest } from './policy.ts';

export const caseStates = ['OPEN', 'IN_REVIEW', 'ESCALATED', 'CLOSED'] as const;
type CaseState = (typeof caseStates)[number];

export const caseItemKinds = ['ALERT', 'NOTE', 'FILE', 'LINK', 'ACTION'] as const;
export type CaseItemKind = (typeof caseItemKinds)[number];

/** What is done in a case. */
const caseSteps = ['note', 'assign', 'escalate', 'act', 'close', 'reopen'] as const;
type CaseStep = (typeof caseSteps)[number];
/** The state after a step, or the refusal's code. Assigning an open case begins its review. */
const caseTable = {
  OPEN: {
    note: 'OPEN',
    assign: 'IN_REVIEW',
    escalate: 'ESCALATED',
    act: 'OPEN',
    close: 'CLOSED',
    reopen: 'STATE_CONFLICT',
  },
  IN_REVIEW: {
    ...{ note: 'IN_REVIEW', assign: 'IN_REVIEW', escalate: 'ESCALATED', act: 'IN_REVIEW', close: 'CLOSED' },
    reopen: 'STATE_CONFLICT',
  },
  ESCALATED: {
    ...{ note: 'ESCALATED', assign: 'ESCALATED', escalate: 'ESCALATED', act: 'ESCALATED', close: 'CLOSED' },
    reopen: 'STATE_CONFLICT',
  },
  CLOSED: {
    ...{ note: 'CLOSED', assign: 'STATE_CONFLICT', escalate: 'STATE_CONFLICT', act: 'STATE_CONFLICT' },
    ...{ close: 'STATE_CONFLICT', reopen: 'IN_REVIEW' },
  },
} as const satisfies Record<CaseState, Record<CaseStep, CaseState | 'STATE_CONFLICT'>>;

/** What a second person is to approve. */
interface CaseProposal {
  readonly action: 'CLOSE' | 'RELEASE';
  /** Of a CLOSE. */
  readonly outcome: ReviewOutcome | null;
  /** Of a RELEASE: id of the hold (UUID). */
  readonly hold: string | null;
  /** Whether the hold is of a wallet; absent for one of the client. */
  readonly ofWallet?: true;
  readonly by: string;
  readonly at: string;
}

export interface Case {
  readonly psp: PspId;
  readonly id: string;
  readonly account: AccountId;
  readonly number: number;
  /** Keyed hash of the person; null for a case of the client. */
  readonly person: string | null;
  readonly severity: Severity;
  readonly state: CaseState;
  readonly queue: string;
  readonly assignee: string | null;
  readonly dueAt: string;
  readonly outcome: ReviewOutcome | null;
  readonly proposed: CaseProposal | null;
  readonly alerts: number;
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly closedAt: string | null;
}

/** The queue of a new case. */
const firstQueue = 'default';

/** Returns the case after a change; the same object if nothing changes, as for a repeated call. */
export type CaseChange = (before: Case) => Case | Refusal;

const stepped = (c: Case, step: CaseStep, change: (state: CaseState) => Case | Refusal): Case | Refusal => {
  const state = caseTable[c.state][step];
  if (state !== 'STATE_CONFLICT') return change(state);
  return refuse(
    'STATE_CONFLICT',
    c.state === 'CLOSED' ? said`the case is closed; reopen it first` : said`the case is not closed: ${phrase(c.state)}`,
  );
};

/** @param severities of the alerts that open it */
export const opened = (
  of: Pick<Case, 'psp' | 'id' | 'account' | 'number' | 'person'>,
  severities: readonly Severity[],
  policy: CasePolicy,
  at: string,
): Case => ({
  ...of,
  severity: highest(severities),
  state: 'OPEN',
  queue: firstQueue,
  assignee: null,
  dueAt: dueAfter(at, policy.dueDays[highest(severities)]),
  outcome: null,
  proposed: null,
  alerts: severities.length,
  version: 1,
  createdAt: at,
  updatedAt: at,
  closedAt: null,
});

/** Alerts that join an open case: it may become more severe and due earlier. What was proposed is to be proposed again. */
export const joined = (c: Case, severities: readonly Severity[], policy: CasePolicy, at: string): Case => {
  const severity = highest([c.severity, ...severities]);
  const due = dueAfter(at, policy.dueDays[severity]);
  return {
    ...c,
    severity,
    dueAt: due < c.dueAt ? due : c.dueAt,
    alerts: c.alerts + severities.length,
    proposed: c.proposed?.action === 'CLOSE' ? null : c.proposed,
  };
};

/** A note, a file or a link: allowed in every state. */
export const added: CaseChange = (c) => ({ ...c });

/**
 * @param assignee null unassigns it
 * @param from whom it is taken from; refused if that is somebody else by then
 */
export const assigned =
  (assignee: string | null, from?: string | null): CaseChange =>
  (c) =>
    c.assignee === assignee
      ? c
      : from !== undefined && from !== c.assignee
        ? takenMeanwhile()
        : stepped(c, 'assign', (state) => ({
            ...c,
            state: assignee === null && c.state === 'IN_REVIEW' ? 'OPEN' : assignee === null ? c.state : state,
            assignee,
          }));

/** Gives the case to those who decide on hard ones: it leaves its assignee. */
export const escalated =
  (queue: string): CaseChange =>
  (c) =>
    c.state === 'ESCALATED' && c.queue === queue
      ? c
      : stepped(c, 'escalate', (state) => ({ ...c, state, queue, assignee: null }));

export const acted: CaseChange = (c) => stepped(c, 'act', (state) => ({ ...c, state }));

/** What waits for a second person is not lost by what a further one does. */
const waits = (): Refusal =>
  refuse('STATE_CONFLICT', 'something is proposed in this case already; approve or reject that first');

/** Closes the case, or proposes that, where a second person must agree. */
export const closed =
  (outcome: ReviewOutcome, policy: CasePolicy, by: string, at: string): CaseChange =>
  (c) => {
    if (c.state === 'CLOSED' && c.outcome === outcome) return c;
    if (c.proposed?.action === 'CLOSE' && c.proposed.outcome === outcome && c.proposed.by === by) return c;
    // Who proposed an outcome may propose another one in its place.
    if (c.proposed && (c.proposed.action !== 'CLOSE' || c.proposed.by !== by)) return waits();
    return stepped(c, 'close', (state) =>
      policy.secondPerson.includes(c.severity)
        ? { ...c, proposed: { action: 'CLOSE', outcome, hold: null, by, at } }
        : { ...c, state, outcome, proposed: null, closedAt: at },
    );
  };

/** Proposes to end a hold of the client, or of a wallet. */
export const releaseProposed =
  (of: Pick<CaseProposal, 'hold' | 'ofWallet'>, by: string, at: string): CaseChange =>
  (c) => {
    if (c.proposed) return c.proposed.action === 'RELEASE' && c.proposed.hold === of.hold ? c : waits();
    return stepped(c, 'act', (state) => ({
      ...c,
      state,
      proposed: { action: 'RELEASE', outcome: null, ...of, by, at },
    }));
  };

/** Another person agrees. Whether two are independent is asked outside. */
export const approved =
  (by: string, at: string): CaseChange =>
  (c) => {
    const p = c.proposed;
    if (!p) return refuse('STATE_CONFLICT', 'nothing is proposed in this case');
    if (p.by === by) return refuse('STATE_CONFLICT', 'it is approved by another person than the one who proposed it');
    if (p.action === 'RELEASE') return { ...c, proposed: null };
    return stepped(c, 'close', (state) => ({ ...c, state, outcome: p.outcome, proposed: null, closedAt: at }));
  };

export const rejected: CaseChange = (c) =>
  c.proposed ? { ...c, proposed: null } : refuse('STATE_CONFLICT', 'nothing is proposed in this case');

/** @param isThere whether its assignee may still work on it; otherwise it is nobody's, and open as before anybody took it */
export const reopened =
  (policy: CasePolicy, isThere: boolean, at: string): CaseChange =>
  (c) =>
    stepped(c, 'reopen', (state) => ({
      ...c,
      ...(isThere ? { state } : { state: 'OPEN' as const, assignee: null }),
      outcome: null,
      closedAt: null,
      dueAt: dueAfter(at, policy.dueDays[c.severity]),
    }));
