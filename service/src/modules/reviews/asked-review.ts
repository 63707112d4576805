// The review that a request names, for those who may see it.
import { fromWire } from '../../core/ids.ts';
import { notFound } from '../../core/refusal.ts';
import type { Needs } from '../kernel/needs.ts';
import type { Call } from '../kernel/operation.ts';
import { findReview } from './review-store.ts';

/** The review a call names, if the caller may see it. @throws NOT_FOUND */
export async function reviewAsked(s: Needs<'db'>, call: Pick<Call, 'principal' | 'params' | 'onBehalfOf'>) {
  const { principal, onBehalfOf } = call;
  const id = fromWire('review', call.params.reviewId ?? '');
  const found = id && (await findReview(s.db, principal.kind === 'operator' ? undefined : principal.psp, id));
  if (!found || (onBehalfOf !== undefined && found.account !== onBehalfOf)) throw notFound();
  return found;
}
