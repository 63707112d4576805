// The webhook addresses that a request may reach, and how one is shown.
import { fromWire } from '../../core/ids.ts';
import { Refusal } from '../../core/refusal.ts';
import { type HasAccounts, listedAccount } from '../accounts/index.ts';
import type { Needs } from '../kernel/needs.ts';
import type { Call } from '../kernel/operation.ts';
import type { Asked, Reach } from './administer.ts';
import { faresOf } from './delivery-reads.ts';
import { webhookResource } from './schemas.ts';
import type { Webhook } from './webhook-store.ts';

/** The subscriptions a call may reach: a client's key its own, a PSP's key all of the PSP's or one client's. */
export async function reachOf(
  s: Needs<'db'> & HasAccounts,
  call: Pick<Call, 'principal' | 'onBehalfOf'>,
): Promise<Reach> {
  const account = await listedAccount(s, call.principal, call.onBehalfOf);
  if (account instanceof Refusal) throw account;
  return { psp: call.principal.psp, account };
}

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
