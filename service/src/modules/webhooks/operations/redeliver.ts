// Sends on request: a test, one delivery again, a past period.
import { Type } from 'typebox';
import { fromWire, toWire } from '../../../core/ids.ts';
import { refuse } from '../../../core/refusal.ts';
import type { HasAccounts } from '../../accounts/index.ts';
import type { Needs } from '../../kernel/needs.ts';
import { Named, operation } from '../../kernel/operation.ts';
import { mostReplayed, replay, replayed, retry, sendTest } from '../redeliver.ts';
import { bound, DeliveryDetail } from '../schemas.ts';
import { shownDelivery } from './list-deliveries.ts';
import { asked } from './list-webhooks.ts';

const common = { method: 'POST', tag: 'Webhooks', audience: ['psp', 'client'] } as const;

export const testWebhook = operation({
  ...common,
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

export const retryDeliveryById = operation({
  ...common,
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

export const replayWebhook = operation({
  ...common,
  id: 'replayWebhook',
  path: '/v1/webhook/:webhookId/replay',
  summary: 'Deliver events of a period to a webhook address',
  description: `\`failed\` selects deliveries that failed; \`missing\`, events that were never sent to this address, because they happened before the subscription or had a type it did not receive then; \`all\`, both and those that were delivered. At most ${mostReplayed} deliveries per call.`,
  body: Type.Object({
    since: Type.String({ format: 'date-time', description: 'Events that happened at or after.' }),
    until: Type.Optional(
      Type.String({ format: 'date-time', description: 'Events that happened before; default: now.' }),
    ),
    only: Type.Optional(Type.Enum([...replayed])),
  }),
  content: Named('Replay', 'Numbers of deliveries added and retried.', {
    webhookId: Type.String(),
    retried: Type.Integer({ minimum: 0, description: 'Deliveries that are due again.' }),
    added: Type.Integer({ minimum: 0, description: 'Deliveries of events that were never sent to the address.' }),
  }),
  example: { since: '2026-11-20T00:00:00Z', until: '2026-11-21T00:00:00Z', only: 'failed' },
  refusals: ['NOT_FOUND', 'LIMIT_REACHED', 'STATE_CONFLICT'],
  async handle(call, s: Needs<'ids' | 'db' | 'committer'> & HasAccounts) {
    const { body: b, now } = call;
    const since = bound(b.since) as string;
    const until = bound(b.until ?? new Date(now).toISOString()) as string;
    if (until <= since) throw refuse('FIELD_INVALID', "the field 'until' must be later than 'since'");
    const done = await replay(s, await asked(s, call), { since, until }, b.only ?? 'failed');
    return { message: 'replay queued', content: { webhookId: call.params.webhookId, ...done } };
  },
});
