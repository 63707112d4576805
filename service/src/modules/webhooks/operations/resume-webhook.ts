import { OptionalReasonBody, operation } from '../../kernel/operation.ts';
import { resumeWebhook as resume } from '../administer.ts';
import { asked } from '../reachable-webhooks.ts';
import { answer, common, type Uses } from '../webhook-changes.ts';

export const resumeWebhook = operation({
  ...common,
  id: 'resumeWebhook',
  path: '/v1/webhook/:webhookId/resume',
  summary: 'Resume a paused or disabled webhook address',
  description: 'Delivers the events that were kept, oldest first.',
  body: OptionalReasonBody,
  example: { reason: 'receiver repaired' },
  refusals: ['NOT_FOUND'],
  handle: async (call, s: Uses) =>
    answer(s, 'webhook resumed', await resume(s, await asked(s, call), call.body.reason ?? null)),
});
