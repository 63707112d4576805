// A review as returned and journalled.

import { highest } from '../../core/cases/policy.ts';
import { accountWire, type PspId, type TransactionId, toWire } from '../../core/ids.ts';
import type { Review } from '../../core/risk/review.ts';
import type { Database } from '../../platform/database.ts';
import { reviewsAbout } from './review-store.ts';

export { ReviewResource } from '../../entries/reviews.ts';

export const reviewResource = (r: Review) => ({
  reviewId: toWire('review', r.id),
  pspId: toWire('psp', r.psp),
  clientId: accountWire(r.psp, r.account),
  transactionId: r.transaction && toWire('transaction', r.transaction),
  rule: r.rule,
  ruleVersion: r.ruleVersion,
  severity: r.severity,
  reason: r.reason,
  findings: r.findings,
  state: r.state,
  assignee: r.assignee,
  outcome: r.outcome,
  notes: r.notes,
  openedBy: r.openedBy,
  version: r.version,
  createdAt: r.createdAt,
  updatedAt: r.updatedAt,
});

/** What the reviews of a transaction say together, for its PSP; null if there are none. */
export async function reviewState(db: Database, psp: PspId, transaction: TransactionId) {
  const reviews = await reviewsAbout(db, psp, transaction);
  if (reviews.length === 0) return null;
  return {
    state: reviews.some((r) => r.state === 'OPEN') ? 'OPEN' : 'RESOLVED',
    severity: highest(reviews.map((r) => r.severity)),
    confirmed: reviews.some((r) => r.outcome === 'CONFIRMED'),
    reviewIds: reviews.map((r) => toWire('review', r.id)),
  };
}
