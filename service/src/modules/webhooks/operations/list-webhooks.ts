// Webhook addresses with their state, health and waiting deliveries: all, and one by its id.
import { Type } from 'typebox';
import { fromWire } from '../../../core/ids.ts';
import { Refusal } from '../../../core/refusal.ts';
import { type HasAccounts, listedAccount } from '../../accounts/index.ts';
import type { Needs } from '../../kernel/needs.ts';
import { type Call, operation } from '../../kernel/operation.ts';
import { Page, page, pageQuery, readPage } from '../../kernel/paging.ts';
import { type Asked, getWebhook, type Reach } from '../administer.ts';
import { faresOf } from '../delivery-reads.ts';
import { WebhookResource, webhookResource } from '../schemas.ts';
import { listWebhooks as list, type Webhook } from '../webhook-store.ts';

/** The subscriptions a call may reach: a client's key its own, a PSP's key all of the PSP's or one client's. */
export async function reachOf(
  s: Needs<'db'> & HasAccounts,
  call: Pick<Call, 'principal' | 'onBehalfOf'>,
): Promise<Reach> {
  const account = await listedAccount(s, call.principal, call.onBehalfOf);
  if (account instanceof Refusal) throw account;
  return { psp: call.principal.psp, account };
}

/** The request about the webhook in the path. */
export const asked = async (s: Needs<'db'> & HasAccounts, call: Call): Promise<Asked> => ({
  principal: call.principal,
  reach: await reachOf(s, call),
  id: fromWire('webhook', call.params.webhookId ?? ''),
  now: call.now,
});

export async function shownWebhook(s: Needs<'db'>, w: Webhook) {
  return webhookResource(w, (await faresOf(s.db, w.psp, [w.id])).get(w.id));
}

export const listWebhooks = operation({
  id: 'listWebhooks',
  method: 'GET',
  path: '/v1/webhook',
  tag: 'Webhooks',
  summary: 'List webhook addresses',
  audience: ['psp', 'client'],
  query: Type.Object(pageQuery),
  content: Page(WebhookResource),
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db'> & HasAccounts) {
    const { query } = call;
    const { limit, before } = readPage('webhook', query);
    const hooks = await list(s.db, { ...(await reachOf(s, call)), before, limit });
    const fares = await faresOf(
      s.db,
      call.principal.psp,
      hooks.map((w) => w.id),
    );
    return {
      message: 'webhooks',
      content: page('webhook', hooks, limit, (w) => webhookResource(w, fares.get(w.id))),
    };
  },
});

export const getWebhookById = operation({
  id: 'getWebhook',
  method: 'GET',
  path: '/v1/webhook/:webhookId',
  tag: 'Webhooks',
  summary: 'A webhook address by its id',
  audience: ['psp', 'client'],
  content: WebhookResource,
  refusals: ['NOT_FOUND'],
  handle: async (call, s: Needs<'db'> & HasAccounts) => ({
    message: 'webhook found',
    content: await shownWebhook(s, await getWebhook(s, await asked(s, call))),
  }),
});
