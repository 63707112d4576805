import { noted } from '../../../core/risk/review.ts';
import { reviewers } from '../../../core/roles.ts';
import { type Needs, operation, Type } from '../../kernel/operation.ts';
import { change, Note, noteOf } from '../review-changes.ts';
import { ReviewResource } from '../review-resource.ts';

export const noteReview = operation({
  id: 'noteReview',
  method: 'POST',
  path: '/v1/review/:reviewId/note',
  tag: 'Reviews',
  summary: 'Add a note to a review',
  description: 'Resolved reviews take notes too.',
  audience: ['psp', 'operator'],
  roles: reviewers,
  body: Type.Object({ note: Note }),
  content: ReviewResource,
  example: { note: 'the invoice matches the amount' },
  refusals: ['NOT_FOUND', 'LIMIT_REACHED'],
  handle: (call, s: Needs<'ids' | 'db' | 'committer'>) =>
    change(s, call, { message: 'note added', reason: call.body.note }, noted(noteOf(call, call.body.note))),
});
