import { assigned } from '../../../core/risk/review.ts';
import { reviewers } from '../../../core/roles.ts';
import { type Needs, operation } from '../../kernel/operation.ts';
import { reviewAsked } from '../asked-review.ts';
import { Assigning, assigneeOf } from '../assignee.ts';
import { changeReview } from '../change-review.ts';
import { ReviewResource } from '../review-resource.ts';

export const assignReview = operation({
  id: 'assignReview',
  method: 'POST',
  path: '/v1/review/:reviewId/assign',
  tag: 'Reviews',
  summary: 'Assign a review to yourself or another person, or unassign it',
  audience: ['psp', 'operator'],
  roles: reviewers,
  body: Assigning,
  content: ReviewResource,
  example: {},
  refusals: ['NOT_FOUND', 'STATE_CONFLICT'],
  async handle(call, s: Needs<'ids' | 'db' | 'committer'>) {
    const review = await reviewAsked(s, call);
    const to = await assigneeOf(s, call, call.body.assignee, review.psp);
    const message = to === null ? 'review given back' : 'review assigned';
    return changeReview(s, call.principal, review, assigned(to, call.body.from), { message }, call.now);
  },
});
