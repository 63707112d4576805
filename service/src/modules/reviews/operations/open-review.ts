import { notFound } from '../../../core/refusal.ts';
import { reviewers } from '../../../core/roles.ts';
import { recordAsked } from '../../kernel/asked.ts';
import { type Needs, operation, Prose, Type } from '../../kernel/operation.ts';
import { findTransaction } from '../../transactions/index.ts';
import { openByHand } from '../change-review.ts';
import { ReviewResource } from '../review-resource.ts';

export const openReview = operation({
  id: 'openReview',
  method: 'POST',
  path: '/v1/review',
  tag: 'Reviews',
  summary: 'Open a review manually',
  description: 'Once per transaction: repeating the call with the same reason returns the same review.',
  audience: ['psp'],
  roles: reviewers,
  body: Type.Object({
    transactionId: Type.String({ minLength: 1, maxLength: 64 }),
    reason: Prose('Reason for the review; recorded in the journal in clear.', 500),
  }),
  content: ReviewResource,
  example: { transactionId: 'txn_01h455vb4pex5vsknk084sn02q', reason: 'the customer says they never bought this' },
  refusals: ['NOT_FOUND', 'STATE_CONFLICT'],
  async handle({ principal, onBehalfOf, body, now }, s: Needs<'ids' | 'db' | 'committer'>) {
    const t = await recordAsked('transaction', body.transactionId, (id) => findTransaction(s.db, principal.psp, id));
    if (onBehalfOf !== undefined && t.account !== onBehalfOf) throw notFound();
    return openByHand(s, principal, t, body.reason, now);
  },
});
