// Deliveries to a webhook address, newest first, and one with its attempts.
import { Type } from 'typebox';
import { fromWire, type PspId } from '../../../core/ids.ts';
import { notFound } from '../../../core/refusal.ts';
import type { HasAccounts } from '../../accounts/index.ts';
import type { Needs } from '../../kernel/needs.ts';
import { type Call, operation } from '../../kernel/operation.ts';
import { Page, page, pageQuery, readPage } from '../../kernel/paging.ts';
import { announcedTypes, getWebhook } from '../administer.ts';
import { attemptsOf, findDelivery, findEvent, listDeliveries as list } from '../delivery-reads.ts';
import { getDelivery, testType } from '../redeliver.ts';
import {
  bound,
  DeliveryDetail,
  DeliveryResource,
  DeliveryState,
  deliveryDetail,
  deliveryResource,
  periodQuery,
} from '../schemas.ts';
import { asked } from './list-webhooks.ts';

/**
 * Only the PSP and staff see a receiver's responses: otherwise a client could use the service to fetch and read pages.
 */
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

export const listDeliveries = operation({
  id: 'listDeliveries',
  method: 'GET',
  path: '/v1/webhook/:webhookId/deliveries',
  tag: 'Webhooks',
  summary: 'List deliveries to a webhook address',
  audience: ['psp', 'client'],
  query: Type.Object({
    ...pageQuery,
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
    const rows = await list(s.db, {
      psp: webhook.psp,
      webhook: webhook.id,
      state: query.state,
      type: query.type,
      since: bound(query.since),
      until: bound(query.until),
      before,
      limit,
    });
    return { message: 'deliveries', content: page('delivery', rows, limit, deliveryResource) };
  },
});

export const getDeliveryById = operation({
  id: 'getDelivery',
  method: 'GET',
  path: '/v1/webhook/:webhookId/deliveries/:deliveryId',
  tag: 'Webhooks',
  summary: 'A delivery with its attempts',
  audience: ['psp', 'client'],
  content: DeliveryDetail,
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db'> & HasAccounts) {
    const d = await getDelivery(s, await asked(s, call), fromWire('delivery', call.params.deliveryId ?? ''));
    return { message: 'delivery found', content: await shownDelivery(s, call, d.psp, d.id) };
  },
});
