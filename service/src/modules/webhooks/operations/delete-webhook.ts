import { OptionalReasonBody, operation } from '../../kernel/operation.ts';
import { deleteWebhook as remove } from '../administer.ts';
import { asked } from '../reachable-webhooks.ts';
import { answer, common, type Uses } from '../webhook-changes.ts';

export const deleteWebhook = operation({
  ...common,
  id: 'deleteWebhook',
  path: '/v1/webhook/:webhookId/delete',
  summary: 'Delete a webhook address',
  description:
    'It receives no more events, and pending deliveries are cancelled. Subscribing the same URL again creates a new webhook address.',
  body: OptionalReasonBody,
  example: { reason: 'receiver gone' },
  refusals: ['NOT_FOUND'],
  handle: async (call, s: Uses) =>
    answer(s, 'webhook deleted', await remove(s, await asked(s, call), call.body.reason ?? null)),
});
