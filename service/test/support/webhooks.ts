// Webhook addresses for tests, and deliveries in the state after attempts, without making the attempts.
import { toWire } from '../../src/core/ids.ts';
import type { Account, TestApp } from './app.ts';
import { contentOf } from './guarantees.ts';
import { readersAtEnd, uuidOf } from './journal.ts';

let addresses = 0;
/** An address that is never called: tests deliver nothing unless they set WEBHOOK_CONCURRENCY. */
export const deadUrl = () => `https://hooks.example.com/${++addresses}`;

/** Subscribes an address of an account. @returns its id */
export async function subscribe(t: TestApp, account: Account, url = deadUrl()): Promise<string> {
  contentOf(await t.post('/v1/client/subscribeToClient', { webhookUrl: url }, account.apiKey));
  const { items } = contentOf(await t.get('/v1/webhook?limit=200', account.apiKey, { 'x-client-id': account.id }));
  return items.find((w: { url: string }) => w.url === url).webhookId;
}

export interface Planted {
  readonly eventId: string;
  readonly deliveryId: string;
}

/** Stores an event about an account and its delivery to a webhook, in a given state and with past attempts. */
export async function plant(
  t: TestApp,
  webhookId: string,
  about: Account,
  over: {
    state?: string;
    type?: string;
    /** Reasons of the past attempts, first to last. */
    attempts?: readonly string[];
  } = {},
): Promise<Planted> {
  const { state = 'delivered', type = 'transaction.created', attempts = ['OK'] } = over;
  const db = t.database.admin;
  const [event, delivery] = [t.app.services.ids.next(), t.app.services.ids.next()];
  const at = new Date(t.now()).toISOString();
  const [hook] = await db.query('SELECT psp_id FROM webhooks WHERE id = $1', [uuidOf(webhookId)]);
  const body = `{"id":"${toWire('event', event)}","type":"${type}","data":{"totalAmount":107.50}}`;
  await db.query(
    'INSERT INTO webhook_events (psp_id, id, account_id, type, seq, body, created_at) VALUES ($1, $2, $3, $4, NULL, $5, $6)',
    [hook?.psp_id, event, about.uuid, type, body, at],
  );
  const finished = state === 'delivered' || state === 'exhausted';
  await db.query(
    `INSERT INTO webhook_deliveries (psp_id, id, webhook_id, event_id, state, attempts, next_at, created_at, finished_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      hook?.psp_id,
      delivery,
      uuidOf(webhookId),
      event,
      state,
      attempts.length,
      state === 'pending' || state === 'retrying' ? new Date(t.now() + 86_400_000).toISOString() : null,
      at,
      finished ? at : null,
    ],
  );
  for (const [i, reason] of attempts.entries())
    await db.query(
      `INSERT INTO webhook_attempts (psp_id, delivery_id, attempt, webhook_id, started_at, duration_ms, status, stage, reason, response)
       VALUES ($1, $2, $3, $4, $5, 12, $6, 'answer', $7, $8)`,
      [hook?.psp_id, delivery, i + 1, uuidOf(webhookId), at, reason === 'OK' ? 200 : 500, reason, `answer ${i + 1}`],
    );
  return { eventId: toWire('event', event), deliveryId: toWire('delivery', delivery) };
}

/** Current states of an address's deliveries, by event. */
export async function statesOf(t: TestApp, webhookId: string): Promise<Record<string, string>> {
  const rows = await t.database.admin.query('SELECT event_id, state FROM webhook_deliveries WHERE webhook_id = $1', [
    uuidOf(webhookId),
  ]);
  return Object.fromEntries(rows.map((r) => [toWire('event', r.event_id as string), r.state as string]));
}

/** Waits until everything journalled so far has been announced. */
export const caughtUp = (t: TestApp) => readersAtEnd(t, ['webhooks']);

/** Pauses an address twice: the second time also for deliveries that were announced after the first. */
export async function quieten(t: TestApp, account: Account, webhookId: string): Promise<void> {
  const pause = async () => contentOf(await t.post(`/v1/webhook/${webhookId}/pause`, {}, account.apiKey));
  await pause();
  await caughtUp(t);
  await pause();
}

/** Sets the health of an address, as after failed attempts. */
export const setHealth = (
  t: TestApp,
  webhookId: string,
  h: { failingSince: string; failures: number; warnedHours: number },
) =>
  t.database.admin.query(
    `INSERT INTO webhook_health (psp_id, webhook_id, last_ok_at, failing_since, failures, last_failure_at, warned_hours)
     SELECT psp_id, id, NULL, $2, $3, $2, $4 FROM webhooks WHERE id = $1
     ON CONFLICT (psp_id, webhook_id) DO UPDATE SET last_ok_at = NULL, failing_since = excluded.failing_since,
       failures = excluded.failures, last_failure_at = excluded.last_failure_at, warned_hours = excluded.warned_hours`,
    [uuidOf(webhookId), h.failingSince, h.failures, h.warnedHours],
  );
