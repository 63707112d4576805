import type { HasAccounts } from '../../accounts/index.ts';
import { type Needs, operation } from '../../kernel/operation.ts';
import { getWebhook as load, webhookState } from '../administer.ts';
import { asked, shownWebhook } from '../reachable-webhooks.ts';
import { WebhookResource } from '../schemas.ts';

export const getWebhook = operation({
  id: 'getWebhook',
  method: 'GET',
  path: '/v1/webhook/:webhookId',
  tag: 'Webhooks',
  summary: 'A webhook address by its id',
  audience: ['psp', 'client'],
  content: WebhookResource,
  conditional: true,
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db'> & HasAccounts) {
    const webhook = await load(s, await asked(s, call));
    return { message: 'webhook found', content: await shownWebhook(s, webhook), state: webhookState(webhook) };
  },
});
