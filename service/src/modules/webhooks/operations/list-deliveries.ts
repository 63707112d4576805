import type { HasAccounts } from '../../accounts/index.ts';
import { countQuery, totalOf } from '../../kernel/counting.ts';
import { type Needs, operation, Type } from '../../kernel/operation.ts';
import { Page, page, pageQuery, readPage } from '../../kernel/paging.ts';
import { announcedTypes, getWebhook } from '../administer.ts';
import { listDeliveries as list } from '../delivery-reads.ts';
import { asked } from '../reachable-webhooks.ts';
import { testType } from '../redeliver.ts';
import { DeliveryResource, DeliveryState, deliveryResource, periodQuery } from '../schemas.ts';

export const listDeliveries = operation({
  id: 'listDeliveries',
  method: 'GET',
  path: '/v1/webhook/:webhookId/deliveries',
  tag: 'Webhooks',
  summary: 'List deliveries to a webhook address',
  audience: ['psp', 'client'],
  query: Type.Object({
    ...pageQuery,
    ...countQuery,
    state: Type.Optional(DeliveryState),
    type: Type.Optional(Type.Enum([...announcedTypes, testType])),
    ...periodQuery,
  }),
  content: Page(DeliveryResource),
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db'> & HasAccounts) {
    const { query } = call;
    const { limit, before } = readPage('delivery', query);
    const webhook = await getWebhook(s, await asked(s, call));
    const filter = {
      psp: webhook.psp,
      webhook: webhook.id,
      state: query.state,
      type: query.type,
      since: query.since,
      until: query.until,
    };
    const rows = await list(s.db, { ...filter, before, limit });
    const total = await totalOf(s, query, (db, most) => list(db, { ...filter, limit: most }));
    return { message: 'deliveries', content: { ...page('delivery', rows, limit, deliveryResource), ...total } };
  },
});
