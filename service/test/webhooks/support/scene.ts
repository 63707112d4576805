// A service that delivers webhooks to receivers on this machine, and functions to read its deliveries.
import { toWire } from '../../../src/core/ids.ts';
import { until } from '../../durability/support/conditions.ts';
import { type Account, makeTestApp, type TestApp, type TestOptions } from '../../support/app.ts';
import { contentOf } from '../../support/guarantees.ts';
import { uuidOf } from '../../support/journal.ts';
import { type Received, type Receiver, type ReceiverOptions, startReceiver } from '../../support/receivers.ts';
import { subscribe } from '../../support/webhooks.ts';

/** Turns delivery on, also to addresses of this machine over HTTP. */
export const delivering = { WEBHOOK_CONCURRENCY: '64', WEBHOOK_ALLOW_HTTP: 'true' };

/** As shipped: for tests of what is never answered. Otherwise a receiver that a busy machine makes slow is no failed attempt. */
export const shippedWaitMs = 15_000;

/** A test app that delivers. When a test advances the clock, due deliveries are made at once, not within a second. */
export async function makeDeliveringApp(options: TestOptions = {}): Promise<TestApp> {
  const t = await makeTestApp({ answerWithinMs: 300_000, ...options, env: { ...delivering, ...options.env } });
  const look = () => t.app.following?.delivery.look();
  return {
    ...t,
    advance(ms) {
      t.advance(ms);
      look();
    },
    setClock(byMs) {
      t.setClock(byMs);
      look();
    },
  };
}

let refs = 0;
export const sale = (over: Record<string, unknown> = {}) => ({
  ref: `sale-${++refs}`,
  totalAmount: 107.5,
  currency: 'NGN',
  countryCode: 'NG',
  paymentMethods: { card: 107.5 },
  transactionFee: 1.5,
  ...over,
});

/** Verifies a new transaction. @returns its id */
export async function sell(t: TestApp, account: Account, over: Record<string, unknown> = {}): Promise<string> {
  return contentOf(await t.post('/v1/transaction/verifyTransaction', sale(over), account.apiKey)).transactionId;
}

// biome-ignore lint/suspicious/noExplicitAny: tests read whatever was sent
export const bodyOf = (r: Received): any => JSON.parse(r.body);

/** The receivers of a test file, stopped together. */
export class Receivers {
  readonly #all: Receiver[] = [];

  async start(options?: ReceiverOptions): Promise<Receiver> {
    const r = await startReceiver(options);
    this.#all.push(r);
    return r;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#all.map((r) => r.stop()));
  }
}

/** Subscribes an address and waits until it has received only the message about its subscription. */
export async function subscribed(t: TestApp, account: Account, r: Receiver): Promise<string> {
  const id = await subscribe(t, account, r.url);
  await until('the subscription is announced', () => r.received.length > 0);
  await until('and settled', async () => (await statesAt(t, id)).every((s) => s !== 'pending' && s !== 'delivering'));
  return id;
}

/** States of all deliveries to an address, in order. */
export async function statesAt(t: TestApp, webhookId: string): Promise<string[]> {
  const rows = await t.database.admin.query('SELECT state FROM webhook_deliveries WHERE webhook_id = $1 ORDER BY id', [
    uuidOf(webhookId),
  ]);
  return rows.map((r) => r.state as string);
}

export interface Delivery {
  readonly id: string;
  readonly event: string;
  readonly state: string;
  readonly attempts: number;
  /** Milliseconds from now by the service's clock. */
  readonly inMs: number | undefined;
  readonly log: readonly Record<string, unknown>[];
}

/** The delivery of the last event of a resource, with its attempts. */
export async function deliveryOf(t: TestApp, webhookId: string, resourceId: string): Promise<Delivery | undefined> {
  const db = t.database.admin;
  const [d] = await db.query(
    `SELECT d.* FROM webhook_deliveries d JOIN journal j ON j.psp_id = d.psp_id AND j.id = d.event_id
     WHERE d.webhook_id = $1 AND j.resource_id = $2 ORDER BY d.id DESC LIMIT 1`,
    [uuidOf(webhookId), uuidOf(resourceId)],
  );
  if (!d) return undefined;
  const log = await db.query(
    `SELECT attempt, status, stage, reason, response, duration_ms, started_at FROM webhook_attempts
     WHERE delivery_id = $1 ORDER BY attempt`,
    [d.id],
  );
  return {
    id: d.id as string,
    event: toWire('event', d.event_id as string),
    state: d.state as string,
    attempts: d.attempts as number,
    inMs: d.next_at === null ? undefined : Date.parse(d.next_at as string) - t.now(),
    log,
  };
}

/** Waits until the delivery of a resource's event has had so many attempts, and returns it. */
export const tried = (t: TestApp, webhookId: string, resourceId: string, attempts = 1): Promise<Delivery> =>
  until(`tried ${attempts} times`, async () => {
    const d = await deliveryOf(t, webhookId, resourceId);
    return d && d.attempts >= attempts && d.state !== 'delivering' ? d : undefined;
  });
