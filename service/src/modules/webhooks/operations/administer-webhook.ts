// Owners' actions on a webhook address: pause, resume, delete, choose event types. Requesting the current state again
// changes nothing.
import { Type } from 'typebox';
import type { HasAccounts } from '../../accounts/index.ts';
import type { Needs } from '../../kernel/needs.ts';
import { operation, Prose } from '../../kernel/operation.ts';
import { type Changed, deleteWebhook, pauseWebhook, resumeWebhook, setEventTypes } from '../administer.ts';
import { EventTypes, everyType, WebhookResource } from '../schemas.ts';
import { asked, shownWebhook } from './list-webhooks.ts';

type Uses = Needs<'settings' | 'ids' | 'db' | 'committer'> & HasAccounts;

const common = {
  method: 'POST',
  tag: 'Webhooks',
  audience: ['psp', 'client'],
  content: WebhookResource,
} as const;

const Because = Type.Object({ reason: Type.Optional(Prose('Reason; recorded in the journal.', 500)) });

const answer = async (s: Needs<'db'>, message: string, { webhook, unchanged }: Changed) => ({
  message,
  content: await shownWebhook(s, webhook),
  replayed: unchanged,
});

export const pauseWebhookById = operation({
  ...common,
  id: 'pauseWebhook',
  path: '/v1/webhook/:webhookId/pause',
  summary: 'Pause a webhook address',
  description: 'Events are kept in the meantime and delivered after `resume`.',
  body: Because,
  example: { reason: 'maintenance' },
  refusals: ['NOT_FOUND', 'STATE_CONFLICT'],
  handle: async (call, s: Uses) =>
    answer(s, 'webhook paused', await pauseWebhook(s, await asked(s, call), call.body.reason ?? null)),
});

export const resumeWebhookById = operation({
  ...common,
  id: 'resumeWebhook',
  path: '/v1/webhook/:webhookId/resume',
  summary: 'Resume a paused or disabled webhook address',
  description: 'Delivers the events that were kept, oldest first.',
  body: Because,
  example: { reason: 'receiver repaired' },
  refusals: ['NOT_FOUND'],
  handle: async (call, s: Uses) =>
    answer(s, 'webhook resumed', await resumeWebhook(s, await asked(s, call), call.body.reason ?? null)),
});

export const deleteWebhookById = operation({
  ...common,
  id: 'deleteWebhook',
  path: '/v1/webhook/:webhookId/delete',
  summary: 'Delete a webhook address',
  description:
    'It receives no more events, and pending deliveries are cancelled. Subscribing the same URL again creates a new webhook address.',
  body: Because,
  example: { reason: 'receiver gone' },
  refusals: ['NOT_FOUND'],
  handle: async (call, s: Uses) =>
    answer(s, 'webhook deleted', await deleteWebhook(s, await asked(s, call), call.body.reason ?? null)),
});

export const setWebhookEventTypes = operation({
  ...common,
  id: 'setEventTypes',
  path: '/v1/webhook/:webhookId/eventTypes',
  summary: 'Choose which event types a webhook address receives',
  description: 'Applies to events published from now on. A new address receives all types.',
  body: Type.Object({ eventTypes: EventTypes }),
  example: { eventTypes: ['transaction.created', 'transaction.updated'] },
  refusals: ['NOT_FOUND'],
  async handle(call, s: Uses) {
    const types = call.body.eventTypes.includes(everyType) ? null : call.body.eventTypes;
    return answer(s, 'event types chosen', await setEventTypes(s, await asked(s, call), types));
  },
});
