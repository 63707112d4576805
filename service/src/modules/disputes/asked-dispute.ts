// The dispute that a request names, for those who may see it.
import { fromWire } from '../../core/ids.ts';
import { notFound } from '../../core/refusal.ts';
import type { Needs } from '../kernel/needs.ts';
import type { Call } from '../kernel/operation.ts';
import { findDispute } from './dispute-store.ts';

/** The dispute a call names, if the caller may see it. @throws NOT_FOUND */
export async function disputeAsked(s: Needs<'db'>, call: Pick<Call, 'principal' | 'params' | 'onBehalfOf'>) {
  const { principal, onBehalfOf } = call;
  const id = fromWire('dispute', call.params.disputeId ?? '');
  const found = id && (await findDispute(s.db, principal.psp, id));
  if (!found || (principal.kind === 'client' && found.account !== principal.account)) throw notFound();
  if (onBehalfOf !== undefined && found.account !== onBehalfOf) throw notFound();
  return found;
}
