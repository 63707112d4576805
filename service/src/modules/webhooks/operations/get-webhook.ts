import type { HasAccounts } from '../../accounts/index.ts';
import { type Needs, operation } from '../../kernel/operation.ts';
import { getWebhook as load } from '../administer.ts';
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
  refusals: ['NOT_FOUND'],
  handle: async (call, s: Needs<'db'> & HasAccounts) => ({
    message: 'webhook found',
    content: await shownWebhook(s, await load(s, await asked(s, call))),
  }),
});
