import { OptionalReasonBody, operation } from '../../kernel/operation.ts';
import { pauseWebhook as pause } from '../administer.ts';
import { asked } from '../reachable-webhooks.ts';
import { answer, common, type Uses } from '../webhook-changes.ts';

export const pauseWebhook = operation({
  ...common,
  id: 'pauseWebhook',
  path: '/v1/webhook/:webhookId/pause',
  summary: 'Pause a webhook address',
  description: 'Events are kept in the meantime and delivered after `resume`.',
  body: OptionalReasonBody,
  example: { reason: 'maintenance' },
  refusals: ['NOT_FOUND', 'STATE_CONFLICT'],
  handle: async (call, s: Uses) =>
    answer(s, 'webhook paused', await pause(s, await asked(s, call), call.body.reason ?? null)),
});
