// Changes of a subscription by its owner, by staff, or by the sender when it disables an address. Each is a change of
// the account: one commit, one journal entry with its actor and reason.
import { eventKinds } from '../../core/events.ts';
import { toWire } from '../../core/ids.ts';
import { notFound, Refusal, refuse } from '../../core/refusal.ts';
import type { Content } from '../../entries/index.ts';
import { need, type Row } from '../../platform/committer.ts';
import {
  type Account,
  accountChange,
  accountResource,
  bothAccounts,
  concerned,
  type HasAccounts,
  type Reach,
} from '../accounts/index.ts';
import { type Condition, unexpected } from '../kernel/condition.ts';
import { aboutAccount, journalRow } from '../kernel/journal.ts';
import type { Needs, Principal } from '../kernel/needs.ts';
import { forgetFailures } from './attempt-store.ts';
import { cancelDeliveries, holdDeliveries, noteAsked, releaseDeliveries } from './delivery-store.ts';
import { findWebhook, type Webhook, webhookRow, webhooksOf } from './webhook-store.ts';

type Uses = Needs<'settings' | 'ids' | 'db' | 'committer'> & HasAccounts;

/** The requester, the subscription, and the time. */
export interface Asked {
  readonly principal: Principal;
  readonly reach: Reach;
  /** As a UUID; undefined if the given text is not an id. */
  readonly id: string | undefined;
  readonly now: number;
}

/** Event types an address can subscribe to. */
export const announcedTypes: readonly string[] = Object.entries(eventKinds)
  .filter(([, name]) => name !== null)
  .map(([type]) => type);

/** Returns the subscription after the change; the same object if nothing changes. */
export type WebhookChange = (before: Webhook) => Webhook | Refusal;

/** A subscription after a change, and whether it was the same before. */
export interface Changed {
  readonly webhook: Webhook;
  readonly unchanged: boolean;
}

/** Holds new events until it is resumed. @throws NOT_FOUND, STATE_CONFLICT if it is disabled */
export async function pauseWebhook(s: Uses, asked: Asked, reason: string | null): Promise<Changed> {
  const paused: WebhookChange = (w) => {
    if (w.state === 'DISABLED')
      return refuse('STATE_CONFLICT', 'the webhook is disabled and is not called; resume it first');
    return w.state === 'PAUSED' ? w : { ...w, state: 'PAUSED', stateReason: reason };
  };
  const changed = await changeWebhook(s, asked, paused, reason);
  await holdDeliveries(s.db, changed.webhook.psp, changed.webhook.id);
  return changed;
}

/** Ends a pause, or enables a disabled address again. @throws NOT_FOUND */
export async function resumeWebhook(s: Uses, asked: Asked, reason: string | null): Promise<Changed> {
  const resumed: WebhookChange = (w) => (w.state === 'ACTIVE' ? w : { ...w, state: 'ACTIVE', stateReason: null });
  const changed = await changeWebhook(s, asked, resumed, reason);
  const { psp, id: webhook } = changed.webhook;
  if (!changed.unchanged) await forgetFailures(s.db, psp, webhook);
  await releaseDeliveries(s.db, psp, webhook, asked.now);
  await noteAsked(s.db, psp, webhook, asked.now);
  return changed;
}

/** Deletes it; waiting deliveries are cancelled. @throws NOT_FOUND, also if it is deleted already */
export async function deleteWebhook(s: Uses, asked: Asked, reason: string | null): Promise<Changed> {
  const deleted: WebhookChange = (w) => ({ ...w, state: 'DELETED', stateReason: reason });
  const changed = await changeWebhook(s, asked, deleted, reason);
  await cancelDeliveries(s.db, changed.webhook.psp, changed.webhook.id, asked.now);
  return changed;
}

/** The change by which the sender disables an address. */
export const disabling =
  (reason: string): WebhookChange =>
  (w) =>
    w.state === 'ACTIVE' ? { ...w, state: 'DISABLED', stateReason: reason } : w;

/** What the entity tag of a subscription is of: what people set, without how its deliveries fare. */
export const webhookState = (w: Webhook) => [w.id, w.state, w.eventTypes, w.updatedAt];

/** @param types null for all */
export function setEventTypes(
  s: Uses,
  asked: Asked,
  types: readonly string[] | null,
  condition: Condition | undefined,
): Promise<Changed> {
  const chosen = types && announcedTypes.filter((t) => types.includes(t));
  const set: WebhookChange = (w) =>
    JSON.stringify(chosen) === JSON.stringify(w.eventTypes)
      ? w
      : (unexpected(condition, webhookState(w)) ?? { ...w, eventTypes: chosen });
  return changeWebhook(s, asked, set, null);
}

/** Finds a subscription that the caller may see. @throws NOT_FOUND, also if it is deleted */
export async function getWebhook(s: Needs<'db'>, { reach, id }: Pick<Asked, 'reach' | 'id'>): Promise<Webhook> {
  const found = id === undefined ? undefined : await findWebhook(s.db, reach.psp, id);
  if (!found || (reach.account !== undefined && found.account !== reach.account)) throw notFound();
  return found;
}

/**
 * Changes one subscription. A change to the current state writes and journals nothing.
 * @param reason recorded in the journal
 */
export async function changeWebhook(
  s: Uses,
  asked: Asked,
  change: WebhookChange,
  reason: string | null,
): Promise<Changed> {
  const { principal, id, now } = asked;
  const { psp, account } = await getWebhook(s, asked);
  const who = concerned(s.accounts, psp, account);
  const known = need(webhooksOf, { psp, account });
  const at = new Date(now).toISOString();
  return s.committer.submit<Changed>({
    account,
    keys: [`a|${account}`],
    exclusive: true,
    needs: [who.account, who.psp, known],
    decide(facts) {
      const accounts = bothAccounts(facts, who);
      if (accounts instanceof Refusal) return accounts;
      const hooks = facts(known) ?? [];
      const before = hooks.find((w) => w.id === id);
      if (!before) return notFound();
      const changed = change(before);
      if (changed instanceof Refusal) return changed;
      if (changed === before) return { reply: { webhook: before, unchanged: true } };
      const webhook = { ...changed, updatedAt: at };
      const left = hooks.map((w) => (w === before ? webhook : w)).filter((w) => w.state !== 'DELETED');
      return {
        reply: { webhook, unchanged: false },
        writes: {
          rows: subscriptionRows(s, principal, accounts, webhook, left, at, {
            webhookId: toWire('webhook', webhook.id),
            state: webhook.state,
            ...(reason === null ? {} : { reason }),
          }),
        },
      };
    },
    committed: () => s.accounts.forget({ psp, id: account }),
  });
}

/**
 * A subscription's row with the account's new version, which is the gate: of two concurrent changes one is decided
 * again.
 */
export function subscriptionRows(
  s: Needs<'settings' | 'ids'>,
  principal: Principal,
  accounts: { account: Account; psp: Account },
  webhook: Webhook,
  left: readonly Webhook[],
  at: string,
  evidence?: Content<'client.updated/1'>['evidence'],
): Row[] {
  const after = { ...accounts.account, version: accounts.account.version + 1, updatedAt: at };
  const psp = after.id === after.psp ? after : accounts.psp;
  return [
    accountChange(after),
    webhookRow(webhook),
    journalRow(s, principal, at, {
      kind: 'client.updated',
      ...aboutAccount(after),
      data: { ...accountResource(s, after, psp, at), webhookUrls: left.map((w) => w.url) },
      ...(evidence === undefined ? {} : { evidence }),
    }),
  ];
}
