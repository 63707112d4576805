// The dispute that a request names, for those who may see it.
import { ownRecordAsked } from '../kernel/asked.ts';
import type { Call, Needs } from '../kernel/operation.ts';
import { findDispute } from './dispute-store.ts';

/** The dispute a call names, if the caller may see it. @throws NOT_FOUND */
export async function disputeAsked(s: Needs<'db'>, call: Pick<Call, 'principal' | 'params' | 'onBehalfOf'>) {
  const { principal } = call;
  const found = await ownRecordAsked(call, 'dispute', call.params.disputeId, (id) =>
    findDispute(s.db, principal.psp, id),
  );
  return found;
}
