import { type Needs, operation } from '../../kernel/operation.ts';
import { reviewAsked } from '../asked-review.ts';
import { ReviewResource, reviewResource } from '../review-resource.ts';

export const getReview = operation({
  id: 'getReview',
  method: 'GET',
  path: '/v1/review/:reviewId',
  tag: 'Reviews',
  summary: 'A review by its id',
  audience: ['psp', 'operator'],
  content: ReviewResource,
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db'>) {
    return { message: 'review found', content: reviewResource(await reviewAsked(s, call)) };
  },
});
