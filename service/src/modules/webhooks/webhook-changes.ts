// What the operations that change a webhook address share. Requesting the current state again changes nothing.
import type { HasAccounts } from '../accounts/index.ts';
import type { Needs } from '../kernel/needs.ts';
import { type Changed, webhookState } from './administer.ts';
import { shownWebhook } from './reachable-webhooks.ts';
import { WebhookResource } from './schemas.ts';

export type Uses = Needs<'settings' | 'ids' | 'db' | 'committer'> & HasAccounts;

/** What every operation on an address shares. */
export const onAddress = { method: 'POST', tag: 'Webhooks', audience: ['psp', 'client'] } as const;

export const common = { ...onAddress, content: WebhookResource } as const;

export const answer = async (s: Needs<'db'>, message: string, { webhook, unchanged }: Changed) => ({
  message,
  content: await shownWebhook(s, webhook),
  replayed: unchanged,
  state: webhookState(webhook),
});
