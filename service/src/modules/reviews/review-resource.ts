// A review as returned and journalled.
import { toWire } from '../../core/ids.ts';
import type { Review } from '../../core/risk/review.ts';
import { accountWire } from '../../core/transaction.ts';

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
