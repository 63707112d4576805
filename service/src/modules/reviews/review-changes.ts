// What the operations that change a review share: how a change is recorded and shown.
import type { ReviewChange } from '../../core/risk/review.ts';
import { type Call, type Needs, Prose } from '../kernel/operation.ts';
import { reviewAsked } from './asked-review.ts';
import { changeReview } from './change-review.ts';

export const Note = Prose('Text of the note. Recorded in the journal in clear: do not name people.', 2000);

export async function change(
  s: Needs<'ids' | 'db' | 'committer'>,
  call: Call,
  said: { message: string; reason?: string },
  to: ReviewChange,
) {
  const review = await reviewAsked(s, call);
  return changeReview(s, call.principal, review, to, said, call.now);
}

export const noteOf = (call: Call, text: string) => ({
  at: new Date(call.now).toISOString(),
  by: call.principal.actor,
  text,
});
