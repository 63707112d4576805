import { fromWire } from '../../../core/ids.ts';
import type { HasAccounts } from '../../accounts/index.ts';
import { type Needs, operation } from '../../kernel/operation.ts';
import { asked } from '../reachable-webhooks.ts';
import { getDelivery as load } from '../redeliver.ts';
import { DeliveryDetail } from '../schemas.ts';
import { shownDelivery } from '../shown-delivery.ts';

export const getDelivery = operation({
  id: 'getDelivery',
  method: 'GET',
  path: '/v1/webhook/:webhookId/deliveries/:deliveryId',
  tag: 'Webhooks',
  summary: 'A delivery with its attempts',
  audience: ['psp', 'client'],
  content: DeliveryDetail,
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db'> & HasAccounts) {
    const d = await load(s, await asked(s, call), fromWire('delivery', call.params.deliveryId ?? ''));
    return { message: 'delivery found', content: await shownDelivery(s, call, d.psp, d.id) };
  },
});
