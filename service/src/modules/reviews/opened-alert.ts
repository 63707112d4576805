// What opening an alert writes: the review, the ref that lets a rule open it once, and its journal entry. Rules, lists and
// people open alerts by it, each in a commit of their own. An alert never changes a decision.
import { type AccountId, nobody, type PspId, type TransactionId } from '../../core/ids.ts';
import { openedByRule, type Review, type Severity } from '../../core/risk/review.ts';
import type { Observation } from '../../core/transaction.ts';
import type { Writes } from '../../platform/committer.ts';
import type { Database } from '../../platform/database.ts';
import { about, journalRow } from '../kernel/journal.ts';
import type { Needs, Principal } from '../kernel/needs.ts';
import { reviewResource } from './review-resource.ts';
import { type ReviewKey, reviewRef, reviewRow } from './review-store.ts';

interface AnyAlert {
  readonly psp: PspId;
  readonly account: AccountId;
  readonly rule: string;
  readonly ruleVersion?: string | undefined;
  /** Shown to the reviewer. The journal keeps it unsealed, so it names no person. */
  readonly reason: string;
  readonly findings?: readonly Observation[] | undefined;
  /** MEDIUM by default. */
  readonly severity?: Severity | undefined;
  /** Keyed hash of the person it is about, as `subjects.identify` gives it. */
  readonly person?: string | undefined;
}

/** An alert about a transaction, or, if there is none, about what `about` names: a wager, a match, a licence. */
export type Alert = AnyAlert &
  (
    | { readonly transaction: TransactionId; readonly about?: undefined }
    | { readonly transaction?: undefined; readonly about: string }
  );

/** One review has this key: a later alert with the same key opens none. */
export const alertKey = (a: Alert): ReviewKey => ({ psp: a.psp, about: a.transaction ?? a.about, rule: a.rule });

/** The actor of an alert that a rule opens. */
const byRule: Principal = { kind: 'operator', psp: nobody, account: nobody, actor: openedByRule };

export function opened(
  s: Needs<'ids'>,
  principal: Principal,
  alert: Alert,
  at: string,
): { readonly review: Review; readonly writes: Writes } {
  const review: Review = {
    psp: alert.psp,
    id: s.ids.next(),
    account: alert.account,
    transaction: alert.transaction ?? null,
    rule: alert.rule,
    reason: alert.reason,
    findings: alert.findings ?? [],
    state: 'OPEN',
    assignee: null,
    outcome: null,
    notes: [],
    openedBy: principal.actor,
    version: 1,
    createdAt: at,
    updatedAt: at,
    severity: alert.severity ?? 'MEDIUM',
    ruleVersion: alert.ruleVersion ?? null,
    about: alert.about ?? null,
    person: alert.person ?? null,
    resolvedAt: null,
  };
  const entry = journalRow(s, principal, at, {
    kind: 'review.opened',
    ...about(review),
    data: reviewResource(review),
    evidence: { reason: review.reason },
  });
  return {
    review,
    writes: {
      refsNew: [{ ...reviewRef(review), target: review.id, revision: 1 }],
      rows: [reviewRow(review), entry],
    },
  };
}

/**
 * What a commit writes for an alert that a rule opens. Writes of a call of their own are left out whole if the alert is
 * there already; a command that has them among its own decides again, and asks for `reviewOf` with `alertKey` first.
 */
export const openedAlert = (s: Needs<'ids'>, alert: Alert, at: string): Writes => opened(s, byRule, alert, at).writes;

/** Opens alerts as the only writing statement of a transaction; those that are there already are skipped. */
export async function openAlerts(
  tx: Database,
  s: Needs<'ids' | 'committer'>,
  alerts: readonly Alert[],
  at: string,
): Promise<void> {
  if (alerts.length === 0) return;
  // The commit function does not compare the alerts of one call, so two about the same would both be written.
  const once = new Map(alerts.map((a) => [Object.values(alertKey(a)).join('|'), a]));
  await s.committer.within(
    tx,
    [...once.values()].map((a) => openedAlert(s, a, at)),
  );
}
