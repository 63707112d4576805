// Sends on request: a test, one delivery again, and a past period to one address. Nothing is sent here; deliveries are
// made due, and the worker sends them.

import { isForPspAlone } from '../../core/events.ts';
import { toWire } from '../../core/ids.ts';
import { notFound, refuse, said } from '../../core/refusal.ts';
import { WebhookUrlFault } from '../../core/webhook-url.ts';
import { announcement, isAnnounced } from '../../core/webhooks/announcement.ts';
import { announcedSchemas } from '../../entries/index.ts';
import type { Database } from '../../platform/database.ts';
import type { JournalEntry } from '../../platform/journal-entries.ts';
import { clientId, findAccount } from '../accounts/index.ts';
import { type Entry, journalRow } from '../kernel/journal.ts';
import type { Needs } from '../kernel/needs.ts';
import { recordIn } from '../kernel/record-in.ts';
import { type Asked, announcedTypes, getWebhook } from './administer.ts';
import { type Delivery, findDelivery } from './delivery-reads.ts';
import { insertDeliveries, insertEvents, noteAsked, retryDelivery } from './delivery-store.ts';
import { knownEvents, lockReplays, type Period, retryPeriod, unpublished } from './replay-store.ts';
import type { Webhook } from './webhook-store.ts';

/** Event type of a test; cannot be subscribed to, always delivered. */
export const testType = 'webhook.test';

/** Maximum deliveries per replay. */
export const mostReplayed = 10_000;

export const replayed = ['failed', 'missing', 'all'] as const;
export type Replayed = (typeof replayed)[number];

/** A delivery to a webhook within reach. @throws NOT_FOUND */
export async function getDelivery(s: Needs<'db'>, asked: Asked, id: string | undefined): Promise<Delivery> {
  const webhook = await getWebhook(s, asked);
  const found = id === undefined ? undefined : await findDelivery(s.db, webhook.psp, id);
  if (found?.webhook !== webhook.id) throw notFound();
  return found;
}

/**
 * Sends a test event to one address. It is held if the address is paused or disabled.
 * @returns ids (UUID) of the event and its delivery
 * @throws NOT_FOUND, STATE_CONFLICT if the address may not be called
 */
export async function sendTest(
  s: Needs<'ids' | 'db' | 'committer' | 'outgoing'>,
  asked: Asked,
): Promise<{ webhook: string; event: string; delivery: string }> {
  const w = await getWebhook(s, asked);
  const checked = await s.outgoing.check(w.url);
  if (checked instanceof WebhookUrlFault)
    throw refuse('STATE_CONFLICT', said`the webhook's address ${checked.why}; nothing is sent there`);
  const at = new Date(asked.now).toISOString();
  const [event, delivery] = [s.ids.next(), s.ids.next()];
  const body = JSON.stringify({
    id: toWire('event', event),
    type: testType,
    event: testType,
    timestamp: at,
    clientId: clientId({ psp: w.psp, id: w.account }),
    version: 1,
    data: { webhookId: toWire('webhook', w.id), url: w.url },
  });
  await s.db.transaction(async (tx) => {
    await insertEvents(tx, [
      { psp: w.psp, id: event, account: w.account, type: testType, seq: null, body, createdAt: at },
    ]);
    const state = w.state === 'ACTIVE' ? 'pending' : 'held';
    await insertDeliveries(tx, [{ psp: w.psp, id: delivery, webhook: w.id, event, state, createdAt: at }]);
    await journalRequest(tx, s, asked, w, {
      kind: 'client.webhook_tested',
      data: {
        webhookId: toWire('webhook', w.id),
        eventId: toWire('event', event),
        deliveryId: toWire('delivery', delivery),
      },
    });
  });
  return { webhook: w.id, event, delivery };
}

/** Makes one delivery due, whatever its state. @throws NOT_FOUND, STATE_CONFLICT while it is in flight */
export async function retry(
  s: Needs<'ids' | 'db' | 'committer'>,
  asked: Asked,
  id: string | undefined,
): Promise<Delivery> {
  const d = await getDelivery(s, asked, id);
  const w = await getWebhook(s, asked);
  await s.db.transaction(async (tx) => {
    if (!(await retryDelivery(tx, d.psp, d.id, asked.now)))
      throw refuse('STATE_CONFLICT', 'the delivery is being sent at this moment; look at its attempts shortly');
    await journalRequest(tx, s, asked, w, {
      kind: 'client.webhook_retried',
      data: {
        webhookId: toWire('webhook', w.id),
        eventId: toWire('event', d.event),
        deliveryId: toWire('delivery', d.id),
      },
    });
  });
  return getDelivery(s, asked, id);
}

/**
 * Delivers events of a period to one address: those whose delivery failed, those it never received, or all.
 * @returns how many deliveries are due again and how many were added
 * @throws LIMIT_REACHED if there are too many, STATE_CONFLICT while another replay of the PSP is running
 */
export async function replay(
  s: Needs<'ids' | 'db' | 'committer'>,
  asked: Asked,
  period: Period,
  only: Replayed,
): Promise<{ retried: number; added: number }> {
  const w = await getWebhook(s, asked);
  const within = (n: number) => {
    if (n > mostReplayed)
      throw refuse('LIMIT_REACHED', said`the period holds more than ${mostReplayed} deliveries; replay a shorter one`);
  };
  return s.db.transaction(async (tx) => {
    if (!(await lockReplays(tx, w.psp)))
      throw refuse('STATE_CONFLICT', 'another replay of this PSP is under way; try again shortly');
    const at = new Date(asked.now).toISOString();
    const retried = only === 'missing' ? 0 : await retryPeriod(tx, w, period, only === 'all', at, mostReplayed);
    within(retried);
    const found = only === 'failed' ? [] : await unpublished(tx, w, period, typesFor(w), mostReplayed + 1);
    const entries = found.filter((e) => isAnnounced(e.body));
    within(retried + entries.length);
    const done = { retried, added: entries.length };
    if (entries.length > 0) await add(tx, s, w, entries, at);
    if (retried + entries.length > 0)
      await journalRequest(tx, s, asked, w, {
        kind: 'client.webhook_replayed',
        data: { webhookId: toWire('webhook', w.id), ...period, only, ...done },
      });
    return done;
  });
}

const typesFor = (w: Webhook): readonly string[] =>
  (w.eventTypes ?? announcedTypes).filter((type) => w.account === w.psp || !isForPspAlone(type));

/** Creates deliveries of events the address never received. */
async function add(
  tx: Database,
  s: Needs<'ids'>,
  w: Webhook,
  entries: readonly JournalEntry[],
  at: string,
): Promise<void> {
  const known = await knownEvents(
    tx,
    w.psp,
    entries.map((e) => e.id),
  );
  await insertEvents(
    tx,
    entries
      .filter((e) => !known.has(e.id))
      .map((e) => {
        const { body, timestamp } = announcement(e.body, announcedSchemas);
        const account = isForPspAlone(e.kind) ? w.psp : e.account;
        return { psp: w.psp, id: e.id, account, type: e.kind, seq: e.seq, body, createdAt: timestamp };
      }),
  );
  const state = w.state === 'ACTIVE' ? ('pending' as const) : ('held' as const);
  await insertDeliveries(
    tx,
    entries.map((e) => ({ psp: w.psp, id: s.ids.next(), webhook: w.id, event: e.id, state, createdAt: at })),
  );
}

type RequestKind = 'client.webhook_tested' | 'client.webhook_retried' | 'client.webhook_replayed';
type RequestEntry = { [K in RequestKind]: Pick<Entry<K>, 'kind' | 'data'> }[RequestKind];

/**
 * Journals who requested it, in the same commit: for the record, never published. Must be last in its transaction, since the
 * PSP's journal waits for it.
 */
async function journalRequest(
  tx: Database,
  s: Needs<'ids' | 'committer'>,
  asked: Asked,
  w: Webhook,
  what: RequestEntry,
): Promise<void> {
  const account = await findAccount(tx, w.psp, w.account);
  if (!account) throw notFound();
  await noteAsked(tx, w.psp, w.id, asked.now);
  const entry = journalRow(s, asked.principal, new Date(asked.now).toISOString(), {
    psp: w.psp,
    account: w.account,
    resourceId: w.account,
    version: account.version,
    ...what,
  });
  await recordIn(tx, s, { rows: [entry] });
}
