import { operation, Type } from '../../kernel/operation.ts';
import { setEventTypes as choose } from '../administer.ts';
import { asked } from '../reachable-webhooks.ts';
import { EventTypes, everyType } from '../schemas.ts';
import { answer, common, type Uses } from '../webhook-changes.ts';

export const setEventTypes = operation({
  ...common,
  id: 'setEventTypes',
  path: '/v1/webhook/:webhookId/eventTypes',
  summary: 'Choose which event types a webhook address receives',
  description: 'Applies to events published from now on. A new address receives all types.',
  idempotent: true,
  body: Type.Object({ eventTypes: EventTypes }),
  example: { eventTypes: ['transaction.created', 'transaction.updated'] },
  conditional: 'getWebhook',
  refusals: ['NOT_FOUND'],
  async handle(call, s: Uses) {
    const types = call.body.eventTypes.includes(everyType) ? null : call.body.eventTypes;
    return answer(s, 'event types chosen', await choose(s, await asked(s, call), types, call.condition));
  },
});
