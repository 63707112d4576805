import { fromWire } from '../../../core/ids.ts';
import type { HasAccounts } from '../../accounts/index.ts';
import { type Needs, operation } from '../../kernel/operation.ts';
import { asked } from '../reachable-webhooks.ts';
import { retry } from '../redeliver.ts';
import { DeliveryDetail } from '../schemas.ts';
import { shownDelivery } from '../shown-delivery.ts';
import { onAddress } from '../webhook-changes.ts';

export const retryDelivery = operation({
  ...onAddress,
  id: 'retryDelivery',
  path: '/v1/webhook/:webhookId/deliveries/:deliveryId/retry',
  summary: 'Send one delivery again',
  description: 'In any state, including DELIVERED. A delivery whose attempts are exhausted gets one more attempt.',
  content: DeliveryDetail,
  refusals: ['NOT_FOUND', 'STATE_CONFLICT'],
  async handle(call, s: Needs<'ids' | 'db' | 'committer'> & HasAccounts) {
    const d = await retry(s, await asked(s, call), fromWire('delivery', call.params.deliveryId ?? ''));
    return { message: 'delivery queued again', content: await shownDelivery(s, call, d.psp, d.id) };
  },
});
