// Unassigns the reviews of a person who may not work on them any more.
import { assigned } from '../../core/risk/review.ts';
import type { Call, Needs } from '../kernel/operation.ts';
import { changeReview } from './change-review.ts';
import { reviewsAssignedTo } from './review-store.ts';

/** @param actor `usr_…` */
export async function letGoReviews(
  s: Needs<'ids' | 'db' | 'committer'>,
  call: Pick<Call, 'principal' | 'now'>,
  actor: string,
): Promise<void> {
  for (const review of await reviewsAssignedTo(s.db, actor))
    await changeReview(
      s,
      call.principal,
      review,
      (r) => (r.assignee === actor && r.state !== 'RESOLVED' ? assigned(null)(r) : r),
      { message: 'review given back' },
      call.now,
    );
}
