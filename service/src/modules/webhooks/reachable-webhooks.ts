// The webhook address that a request names, and how one is shown.
import { fromWire } from '../../core/ids.ts';
import { type HasAccounts, reachOf } from '../accounts/index.ts';
import type { Call, Needs } from '../kernel/operation.ts';
import type { Asked } from './administer.ts';
import { faresOf } from './delivery-reads.ts';
import { webhookResource } from './schemas.ts';
import type { Webhook } from './webhook-store.ts';

/** The request about the webhook in the path. */
export const asked = async (s: Needs<'db'> & HasAccounts, call: Call): Promise<Asked> => ({
  principal: call.principal,
  reach: await reachOf(s, call),
  id: fromWire('webhook', call.params.webhookId ?? ''),
  now: call.now,
});

export async function shownWebhook(s: Needs<'db'>, w: Webhook) {
  return webhookResource(w, (await faresOf(s.db, w.psp, [w.id])).get(w.id));
}
