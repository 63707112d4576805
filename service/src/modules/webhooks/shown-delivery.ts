// A delivery as its operations show it.
import type { PspId } from '../../core/ids.ts';
import { notFound } from '../../core/refusal.ts';
import type { Call, Needs } from '../kernel/operation.ts';
import { attemptsOf, findDelivery, findEvent } from './delivery-reads.ts';
import { deliveryDetail } from './schemas.ts';

/** Only the PSP and staff see a receiver's responses: otherwise a client could use the service to fetch and read pages. */
export async function shownDelivery(s: Needs<'db'>, call: Pick<Call, 'principal'>, psp: PspId, id: string) {
  const { db } = s;
  const delivery = await findDelivery(db, psp, id);
  const event = delivery && (await findEvent(db, psp, delivery.event));
  if (!delivery || !event) throw notFound();
  const attempts = await attemptsOf(db, psp, id);
  const { kind, staff } = call.principal;
  const shown = kind === 'client' && staff === undefined ? attempts.map((a) => ({ ...a, response: null })) : attempts;
  return deliveryDetail(delivery, shown, event.body);
}
