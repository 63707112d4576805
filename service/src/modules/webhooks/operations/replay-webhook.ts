import { refuse } from '../../../core/refusal.ts';
import type { HasAccounts } from '../../accounts/index.ts';
import { Named, type Needs, operation, Time, Type } from '../../kernel/operation.ts';
import { asked } from '../reachable-webhooks.ts';
import { mostReplayed, replay, replayed } from '../redeliver.ts';
import { onAddress } from '../webhook-changes.ts';

export const replayWebhook = operation({
  ...onAddress,
  id: 'replayWebhook',
  path: '/v1/webhook/:webhookId/replay',
  summary: 'Deliver events of a period to a webhook address',
  description: `\`failed\` selects deliveries that failed; \`missing\`, events that were never sent to this address, because they happened before the subscription or had a type it did not receive then; \`all\`, both and those that were delivered. At most ${mostReplayed} deliveries per call.`,
  body: Type.Object({
    since: Time('Events that happened at or after.'),
    until: Type.Optional(Time('Events that happened before; default: now.')),
    only: Type.Optional(Type.Enum(replayed, { description: 'Events to deliver; default `failed`.' })),
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
    const since = new Date(b.since).toISOString();
    const until = new Date(b.until ?? now).toISOString();
    if (until <= since) throw refuse('FIELD_INVALID', "the field 'until' must be later than 'since'");
    const done = await replay(s, await asked(s, call), { since, until }, b.only ?? 'failed');
    return { message: 'replay queued', content: { webhookId: call.params.webhookId, ...done } };
  },
});
