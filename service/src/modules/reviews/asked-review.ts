// The review that a request names, for those who may see it.
import { notFound } from '../../core/refusal.ts';
import { recordAsked } from '../kernel/asked.ts';
import type { Call, Needs } from '../kernel/operation.ts';
import { findReview } from './review-store.ts';

/** The review a call names, if the caller may see it. @throws NOT_FOUND */
export async function reviewAsked(s: Needs<'db'>, call: Pick<Call, 'principal' | 'params' | 'onBehalfOf'>) {
  const { principal, onBehalfOf } = call;
  const found = await recordAsked('review', call.params.reviewId, (id) =>
    findReview(s.db, principal.kind === 'operator' ? undefined : principal.psp, id),
  );
  if (onBehalfOf !== undefined && found.account !== onBehalfOf) throw notFound();
  return found;
}
