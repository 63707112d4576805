import { anyFromWire } from '../../../core/ids.ts';
import { refuse } from '../../../core/refusal.ts';
import { type HasAccounts, reachOf } from '../../accounts/index.ts';
import { type Needs, operation, Type } from '../../kernel/operation.ts';
import { Page, page, pageQuery, readPage } from '../../kernel/paging.ts';
import { announcedTypes } from '../administer.ts';
import { deliveriesOf, listEvents as list } from '../delivery-reads.ts';
import { testType } from '../redeliver.ts';
import { deliveryResource, eventResource, ListedEvent, periodQuery } from '../schemas.ts';

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
    resourceId: Type.Optional(
      Type.String({
        description: 'Only events about this record or resource; several ids separated by commas, at most 20.',
        maxLength: 640,
      }),
    ),
    ...periodQuery,
    expand: Type.Optional(
      Type.Enum(['deliveries'], { description: '`deliveries` adds the deliveries of each event.' }),
    ),
  }),
  content: Page(ListedEvent),
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db'> & HasAccounts) {
    const { query } = call;
    const { limit, before } = readPage('event', query);
    const reach = await reachOf(s, call);
    const rows = await list(s.db, {
      ...reach,
      type: query.type,
      resources: query.resourceId === undefined ? undefined : resourcesIn(query.resourceId),
      since: query.since,
      until: query.until,
      before,
      limit,
    });
    const ids = rows.map((e) => e.id);
    const deliveries = query.expand && (await deliveriesOf(s.db, reach.psp, ids, reach.account));
    return {
      message: 'events',
      content: page('event', rows, limit, (e) => ({
        ...eventResource(e),
        ...(deliveries && { deliveries: (deliveries.get(e.id) ?? []).map(deliveryResource) }),
      })),
    };
  },
});

/** @throws QUERY_INVALID */
function resourcesIn(asked: string): string[] {
  const ids = asked.split(',').map((id) => anyFromWire(id.trim())?.id);
  if (ids.length > 20 || ids.includes(undefined))
    throw refuse(
      'QUERY_INVALID',
      "the query parameter 'resourceId' is not a list of at most 20 ids, such as txn_…,chb_…",
    );
  return ids.flatMap((id) => id ?? []);
}
