// GET /v1/event/:eventId: a published event with its deliveries.
import { fromWire } from '../../../core/ids.ts';
import { notFound } from '../../../core/refusal.ts';
import { type HasAccounts, reachOf } from '../../accounts/index.ts';
import type { Needs } from '../../kernel/needs.ts';
import { operation } from '../../kernel/operation.ts';
import { deliveriesOf, findEvent } from '../delivery-reads.ts';
import { EventDetail, eventDetail } from '../schemas.ts';

export const getEvent = operation({
  id: 'getEvent',
  method: 'GET',
  path: '/v1/event/:eventId',
  tag: 'Webhooks',
  summary: 'A published event with its deliveries',
  audience: ['psp', 'client'],
  content: EventDetail,
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db'> & HasAccounts) {
    const { db } = s;
    const reach = await reachOf(s, call);
    const id = fromWire('event', call.params.eventId ?? '');
    const event = id && (await findEvent(db, reach.psp, id));
    if (!event || (reach.account !== undefined && event.account !== reach.account)) throw notFound();
    return {
      message: 'event found',
      content: eventDetail(event, await deliveriesOf(db, reach.psp, event.id, reach.account)),
    };
  },
});
