import { concluded, reviewOutcomes } from '../../../core/risk/review.ts';
import { reviewers } from '../../../core/roles.ts';
import { type Needs, operation, Type } from '../../kernel/operation.ts';
import { change, Note, noteOf } from '../review-changes.ts';
import { ReviewResource } from '../review-resource.ts';

export const resolveReview = operation({
  id: 'resolveReview',
  method: 'POST',
  path: '/v1/review/:reviewId/resolve',
  tag: 'Reviews',
  summary: 'Resolve a review',
  description: 'CLEARED: nothing is wrong. CONFIRMED: something is. The transaction itself does not change.',
  audience: ['psp', 'operator'],
  roles: reviewers,
  body: Type.Object({ outcome: Type.Enum(reviewOutcomes), note: Note }),
  content: ReviewResource,
  example: { outcome: 'CLEARED', note: 'a known customer; the invoice was seen' },
  refusals: ['NOT_FOUND', 'STATE_CONFLICT', 'LIMIT_REACHED'],
  handle: (call, s: Needs<'ids' | 'db' | 'committer'>) =>
    change(
      s,
      call,
      { message: `review resolved: ${call.body.outcome}`, reason: call.body.note },
      concluded(call.body.outcome, noteOf(call, call.body.note)),
    ),
});
