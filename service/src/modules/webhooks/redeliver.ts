// Sending on request: a test, one delivery again, and a period of the past to one address. Nothing is sent here;
// deliveries are made due, and the worker takes them up.
import { toWire } from '../../core/ids.ts';
import { notFound, refuse } from '../../core/refusal.ts';
import { announcement } from '../../core/webhooks/announcement.ts';
import { clientId } from '../accounts/index.ts';
import type { Services } from '../kernel/services.ts';
import { announcedTypes, getWebhook, type Reach } from './administer.ts';
import { type Delivery, findDelivery } from './delivery-reads.ts';
import { insertDeliveries, insertEvent, insertEvents, retryDelivery } from './delivery-store.ts';
import { knownEvents, lockReplays, type Period, retryPeriod, untold } from './replay-store.ts';

/** Type of the event that a test sends; never chosen, always delivered. */
export const testType = 'webhook.test';

/** Most deliveries of one replay. */
export const mostReplayed = 10_000;

export const replayed = ['failed', 'missing', 'all'] as const;
export type Replayed = (typeof replayed)[number];

/** A delivery to a webhook within reach. @throws NOT_FOUND */
export async function getDelivery(
  s: Services,
  reach: Reach,
  webhookId: string | undefined,
  id: string | undefined,
): Promise<Delivery> {
  const webhook = await getWebhook(s, reach, webhookId);
  const found = id === undefined ? undefined : await findDelivery(s.db, webhook.psp, id);
  if (found?.webhook !== webhook.id) throw notFound();
  return found;
}

/**
 * Announces to one address what concerns nothing else. Where the address is paused or disabled it is held.
 * @returns ids (uuid) of the event and its delivery
 */
export async function sendTest(
  s: Services,
  reach: Reach,
  webhookId: string | undefined,
  now: number,
): Promise<{ webhook: string; event: string; delivery: string }> {
  const w = await getWebhook(s, reach, webhookId);
  const at = new Date(now).toISOString();
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
    await insertEvent(tx, {
      psp: w.psp,
      id: event,
      account: w.account,
      type: testType,
      seq: null,
      body,
      createdAt: at,
    });
    const state = w.state === 'ACTIVE' ? 'pending' : 'held';
    await insertDeliveries(tx, [{ psp: w.psp, id: delivery, webhook: w.id, event, state, createdAt: at }]);
  });
  return { webhook: w.id, event, delivery };
}

/** Makes one delivery due, whatever became of it. @throws NOT_FOUND, STATE_CONFLICT while it is being sent */
export async function retry(
  s: Services,
  reach: Reach,
  webhookId: string | undefined,
  id: string | undefined,
  now: number,
): Promise<Delivery> {
  const d = await getDelivery(s, reach, webhookId, id);
  if (!(await retryDelivery(s.db, d.psp, d.id, now)))
    throw refuse('STATE_CONFLICT', 'the delivery is being sent at this moment; look at its attempts shortly');
  return getDelivery(s, reach, webhookId, id);
}

/**
 * Delivers events of a period to one address: those whose delivery failed, those it was never told of, or all.
 * @returns how many deliveries are due again and how many were added
 * @throws LIMIT_REACHED where there are too many, STATE_CONFLICT while another replay of the PSP is under way
 */
export async function replay(
  s: Services,
  reach: Reach,
  webhookId: string | undefined,
  period: Period,
  only: Replayed,
  now: number,
): Promise<{ retried: number; added: number }> {
  const w = await getWebhook(s, reach, webhookId);
  const at = new Date(now).toISOString();
  const within = (n: number) => {
    if (n > mostReplayed)
      throw refuse('LIMIT_REACHED', `the period holds more than ${mostReplayed} deliveries; replay a shorter one`);
  };
  return s.db.transaction(async (tx) => {
    if (!(await lockReplays(tx, w.psp)))
      throw refuse('STATE_CONFLICT', 'another replay of this PSP is under way; try again shortly');
    const retried = only === 'missing' ? 0 : await retryPeriod(tx, w, period, only === 'all', at, mostReplayed);
    within(retried);
    if (only === 'failed') return { retried, added: 0 };
    const entries = await untold(tx, w, period, w.eventTypes ?? announcedTypes, mostReplayed + 1);
    within(retried + entries.length);
    if (entries.length === 0) return { retried, added: 0 };
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
          const { body, timestamp } = announcement(e.body);
          return { psp: w.psp, id: e.id, account: e.account, type: e.kind, seq: e.seq, body, createdAt: timestamp };
        }),
    );
    const state = w.state === 'ACTIVE' ? ('pending' as const) : ('held' as const);
    await insertDeliveries(
      tx,
      entries.map((e) => ({ psp: w.psp, id: s.ids.next(), webhook: w.id, event: e.id, state, createdAt: at })),
    );
    return { retried, added: entries.length };
  });
}
