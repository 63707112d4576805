import { type HasAccounts, reachOf } from '../../accounts/index.ts';
import { type Needs, operation, Type } from '../../kernel/operation.ts';
import { Page, page, pageQuery, readPage } from '../../kernel/paging.ts';
import { faresOf } from '../delivery-reads.ts';
import { WebhookResource, webhookResource } from '../schemas.ts';
import { listWebhooks as list } from '../webhook-store.ts';

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
    const ids = hooks.map((w) => w.id);
    const fares = await faresOf(s.db, call.principal.psp, ids);
    return {
      message: 'webhooks',
      content: page('webhook', hooks, limit, (w) => webhookResource(w, fares.get(w.id))),
    };
  },
});
