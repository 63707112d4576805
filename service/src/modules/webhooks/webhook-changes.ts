// What the operations that change a webhook address share. Requesting the current state again changes nothing.
import { Type } from 'typebox';
import type { HasAccounts } from '../accounts/index.ts';
import type { Needs } from '../kernel/needs.ts';
import { Prose } from '../kernel/operation.ts';
import type { Changed } from './administer.ts';
import { shownWebhook } from './reachable-webhooks.ts';
import { WebhookResource } from './schemas.ts';

export type Uses = Needs<'settings' | 'ids' | 'db' | 'committer'> & HasAccounts;

export const common = {
  method: 'POST',
  tag: 'Webhooks',
  audience: ['psp', 'client'],
  content: WebhookResource,
} as const;

export const Because = Type.Object({ reason: Type.Optional(Prose('Reason; recorded in the journal.', 500)) });

export const answer = async (s: Needs<'db'>, message: string, { webhook, unchanged }: Changed) => ({
  message,
  content: await shownWebhook(s, webhook),
  replayed: unchanged,
});
