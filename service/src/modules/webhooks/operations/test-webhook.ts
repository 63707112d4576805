import { toWire } from '../../../core/ids.ts';
import type { HasAccounts } from '../../accounts/index.ts';
import { Named, type Needs, operation, Type } from '../../kernel/operation.ts';
import { asked } from '../reachable-webhooks.ts';
import { sendTest } from '../redeliver.ts';
import { onAddress } from '../webhook-changes.ts';

export const testWebhook = operation({
  ...onAddress,
  id: 'testWebhook',
  path: '/v1/webhook/:webhookId/test',
  summary: 'Send a test event to a webhook address',
  description:
    'The event is signed, sent and retried like any other. The response names the delivery, which has the result. A paused or disabled address receives it once it is resumed.',
  content: Named('TestDelivery', 'The test event and its delivery.', {
    webhookId: Type.String(),
    eventId: Type.String(),
    deliveryId: Type.String(),
  }),
  refusals: ['NOT_FOUND', 'STATE_CONFLICT'],
  async handle(call, s: Needs<'ids' | 'db' | 'committer' | 'outgoing'> & HasAccounts) {
    const made = await sendTest(s, await asked(s, call));
    return {
      message: 'test event queued',
      content: {
        webhookId: toWire('webhook', made.webhook),
        eventId: toWire('event', made.event),
        deliveryId: toWire('delivery', made.delivery),
      },
    };
  },
});
