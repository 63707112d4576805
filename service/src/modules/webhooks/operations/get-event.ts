import { notFound } from '../../../core/refusal.ts';
import { type HasAccounts, reachOf } from '../../accounts/index.ts';
import { recordAsked } from '../../kernel/asked.ts';
import { type Needs, operation } from '../../kernel/operation.ts';
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
    const event = await recordAsked('event', call.params.eventId, (id) => findEvent(db, reach.psp, id));
    if (reach.account !== undefined && event.account !== reach.account) throw notFound();
    const deliveries = await deliveriesOf(db, reach.psp, [event.id], reach.account);
    return { message: 'event found', content: eventDetail(event, deliveries.get(event.id) ?? []) };
  },
});
