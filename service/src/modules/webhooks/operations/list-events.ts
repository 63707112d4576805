// Published events, newest first, and one event with its deliveries.
import { Type } from 'typebox';
import { fromWire } from '../../../core/ids.ts';
import { notFound } from '../../../core/refusal.ts';
import type { HasAccounts } from '../../accounts/index.ts';
import type { Needs } from '../../kernel/needs.ts';
import { operation } from '../../kernel/operation.ts';
import { Page, page, pageQuery, readPage } from '../../kernel/paging.ts';
import { announcedTypes } from '../administer.ts';
import { deliveriesOf, findEvent, listEvents as list } from '../delivery-reads.ts';
import { testType } from '../redeliver.ts';
import { bound, EventDetail, EventResource, eventDetail, eventResource, periodQuery } from '../schemas.ts';
import { reachOf } from './list-webhooks.ts';

export const listEvents = operation({
  id: 'listEvents',
  method: 'GET',
  path: '/v1/event',
  tag: 'Webhooks',
  summary: 'List published events',
  description: 'Events that were published to at least one webhook address.',
  audience: ['psp', 'client'],
  query: Type.Object({
    ...pageQuery,
    type: Type.Optional(Type.Enum([...announcedTypes, testType])),
    ...periodQuery,
  }),
  content: Page(EventResource),
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db'> & HasAccounts) {
    const { query } = call;
    const { limit, before } = readPage('event', query);
    const rows = await list(s.db, {
      ...(await reachOf(s, call)),
      type: query.type,
      since: bound(query.since),
      until: bound(query.until),
      before,
      limit,
    });
    return { message: 'events', content: page('event', rows, limit, eventResource) };
  },
});

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
