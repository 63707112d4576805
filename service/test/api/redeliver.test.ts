// Webhook messages on request: a test event, one delivery again, all events of a past period.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toWire } from '../../src/core/ids.ts';
import { lockReplays } from '../../src/modules/webhooks/replay-store.ts';
import { until } from '../durability/support/conditions.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, expectRefusal, requiresFields, type Wire } from '../support/guarantees.ts';
import { expectJournalComplete, rowCount, told, uuidOf } from '../support/journal.ts';
import { answers, inTurn, startReceiver } from '../support/receivers.ts';
import { caughtUp, plant, quieten, statesOf, subscribe } from '../support/webhooks.ts';

let t: TestApp;
let psp: Account;
let client: Account;
let webhookId: string;

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
  client = await t.makeClient(psp);
  webhookId = await subscribe(t, client);
});
afterAll(() => t?.stop());

const at = (id: string, what: string) => `/v1/webhook/${id}/${what}`;
const address = async (of = psp): Promise<{ someone: Account; id: string }> => {
  const someone = await t.makeClient(of);
  return { someone, id: await subscribe(t, someone) };
};
let orders = 0;
const order = async (by: Account): Promise<void> =>
  contentOf(
    await t.post(
      '/v1/transaction/verifyTransaction',
      {
        ref: `replay-${++orders}`,
        totalAmount: 107.5,
        currency: 'NGN',
        countryCode: 'NG',
        paymentMethods: { card: 107.5 },
        transactionFee: 0,
      },
      by.apiKey,
    ),
  );

const requestsAbout = async (a: Account) => (await told(t, a.id)).filter((e) => e.kind.startsWith('client.webhook_'));

/** The last request to send again stands in the journal with its actor, and no address is told of it. */
async function expectRequested(about: Account, kind: string, by: Account, data: object): Promise<void> {
  const entry = (await requestsAbout(about)).at(-1);
  expect(entry?.body).toMatchObject({ type: kind, clientId: about.id, actor: { account: by.id }, data });
  expect(entry?.body.event).toBeUndefined();
  await caughtUp(t);
  expect(await rowCount(t, 'webhook_events', 'id = $1', [uuidOf(entry?.body.id)])).toBe(0);
}

/** What every one of these operations keeps to. */
function guarantees(path: (id: string) => string, body: unknown = ''): void {
  it('refuses a call without a key, and with an operator’s', async () => {
    expectRefusal(await t.post(path(webhookId), body), 401, 'KEY_MISSING');
    expectRefusal(await t.post(path(webhookId), body, (await t.makeOperator()).apiKey), 403, 'AUDIENCE');
  });

  it('answers as for an unknown id where the webhook is another account’s, and queues nothing', async () => {
    const [sibling, stranger] = [await t.makeClient(psp), await t.makePsp()];
    // Of the accounts just made their PSP is told, which is no doing of these calls.
    await caughtUp(t);
    const before = await rowCount(t, 'webhook_deliveries');
    const unknown = await t.post(path(toWire('webhook', t.app.services.ids.next())), body, client.apiKey);
    expectRefusal(unknown, 404, 'NOT_FOUND', 'not found, or not yours to see');
    for (const r of [
      await t.post(path(webhookId), body, sibling.apiKey),
      await t.post(path(webhookId), body, stranger.apiKey),
      await t.post(path(webhookId), body, psp.apiKey, { 'x-client-id': sibling.id }),
      await t.post(path('none'), body, client.apiKey),
    ])
      expect([r.status, r.text]).toEqual([404, unknown.text]);
    await caughtUp(t);
    expect(await rowCount(t, 'webhook_deliveries')).toBe(before);
  });
}

describe('testWebhook', () => {
  it('queues an event for this address alone, and shows it where the reply says', async () => {
    const { someone, id } = await address();
    const other = await subscribe(t, someone);
    contentOf(await t.post(at(id, 'eventTypes'), { eventTypes: ['basket.created'] }, someone.apiKey));
    const made = contentOf(await t.post(at(id, 'test'), '', someone.apiKey));
    expect(made).toEqual({
      webhookId: id,
      eventId: expect.stringMatching(/^evt_/),
      deliveryId: expect.stringMatching(/^dlv_/),
    });
    const shown = contentOf(await t.get(`/v1/webhook/${id}/deliveries/${made.deliveryId}`, someone.apiKey));
    expect(shown).toMatchObject({ type: 'webhook.test', state: 'pending', attempts: [], clientId: someone.id });
    const body = JSON.parse(shown.body);
    expect(body).toMatchObject({ id: made.eventId, type: 'webhook.test', clientId: someone.id, version: 1 });
    expect(body.data.webhookId).toBe(id);
    expect(Object.keys(await statesOf(t, other))).not.toContain(made.eventId);
  });

  it('holds it for an address that is paused', async () => {
    const { someone, id } = await address();
    await quieten(t, someone, id);
    const made = contentOf(await t.post(at(id, 'test'), '', someone.apiKey));
    expect((await statesOf(t, id))[made.eventId]).toBe('held');
    contentOf(await t.post(at(id, 'resume'), {}, someone.apiKey));
    expect((await statesOf(t, id))[made.eventId]).toBe('pending');
  });

  it('is journalled with who asked for it, and announced to nobody', async () => {
    const { someone, id } = await address();
    const { webhookId: _, ...made } = contentOf(await t.post(at(id, 'test'), '', psp.apiKey));
    await expectRequested(someone, 'client.webhook_tested', psp, { webhookId: id, ...made });
  });

  guarantees((id) => at(id, 'test'));
});

describe('retryDelivery', () => {
  const path = (id: string, delivery: string) => at(id, `deliveries/${delivery}/retry`);

  it.each(['exhausted', 'delivered', 'retrying', 'pending'])('makes one that is %s due at once', async (state) => {
    const { someone, id } = await address();
    const { deliveryId } = await plant(t, id, someone, { state, attempts: ['HTTP_NOT_200'] });
    const shown = contentOf(await t.post(path(id, deliveryId), '', someone.apiKey));
    expect(shown).toMatchObject({
      deliveryId,
      state: 'pending',
      nextAttemptAt: new Date(t.now()).toISOString(),
      finishedAt: null,
      attemptCount: 1,
    });
    expect(shown.attempts).toHaveLength(1);
  });

  it('is journalled with who asked for it, each time, and announced to nobody', async () => {
    const { someone, id } = await address();
    const planted = await plant(t, id, someone, { state: 'exhausted' });
    for (const by of [someone, psp]) {
      contentOf(await t.post(path(id, planted.deliveryId), '', by.apiKey));
      await expectRequested(someone, 'client.webhook_retried', by, { webhookId: id, ...planted });
    }
    expect(await requestsAbout(someone)).toHaveLength(2);
  });

  it('refuses one that is being sent', async () => {
    const { someone, id } = await address();
    const { deliveryId, eventId } = await plant(t, id, someone, { state: 'delivering', attempts: [] });
    expectRefusal(await t.post(path(id, deliveryId), '', someone.apiKey), 409, 'STATE_CONFLICT');
    expect((await statesOf(t, id))[eventId]).toBe('delivering');
    expect(await requestsAbout(someone)).toEqual([]);
  });

  it('holds it where the address is paused', async () => {
    const { someone, id } = await address();
    await quieten(t, someone, id);
    const { deliveryId } = await plant(t, id, someone, { state: 'exhausted' });
    expect(contentOf(await t.post(path(id, deliveryId), '', someone.apiKey)).state).toBe('held');
  });

  it("answers as for an unknown id where the delivery is another address's", async () => {
    const { someone, id } = await address();
    const { deliveryId } = await plant(t, id, someone, { state: 'exhausted' });
    const unknown = await t.post(path(webhookId, 'none'), '', client.apiKey);
    expectRefusal(unknown, 404, 'NOT_FOUND', 'not found, or not yours to see');
    for (const r of [
      await t.post(path(webhookId, deliveryId), '', client.apiKey),
      await t.post(path(id, deliveryId), '', client.apiKey),
      await t.post(path(await subscribe(t, someone), deliveryId), '', someone.apiKey),
    ])
      expect([r.status, r.text]).toEqual([404, unknown.text]);
    contentOf(await t.post(path(id, deliveryId), '', psp.apiKey));
  });

  guarantees((id) => path(id, toWire('delivery', t.app.services.ids.next())));
});

describe('replayWebhook', () => {
  const replay = (id: string, by: Account, body: object) => t.post(at(id, 'replay'), body, by.apiKey);
  const ago = (ms: number) => new Date(t.now() - ms).toISOString();
  const wire: Wire = {
    app: () => t,
    method: 'POST',
    get path() {
      return at(webhookId, 'replay');
    },
    caller: () => client,
    body: () => ({ since: ago(1000) }),
  };

  describe('accepts', () => {
    it('sends again what failed in the period, and nothing else', async () => {
      const { someone, id } = await address();
      await caughtUp(t);
      t.advance(60_000);
      const early = await plant(t, id, someone, { state: 'exhausted' });
      t.advance(60_000);
      const since = ago(0);
      const planted = {
        exhausted: await plant(t, id, someone, { state: 'exhausted' }),
        retrying: await plant(t, id, someone, { state: 'retrying' }),
        delivered: await plant(t, id, someone),
        pending: await plant(t, id, someone, { state: 'pending', attempts: [] }),
      };
      t.advance(60_000);
      const until = ago(0);
      const late = await plant(t, id, someone, { state: 'exhausted' });
      const r = contentOf(await replay(id, someone, { since, until, only: 'failed' }));
      expect(r).toEqual({ webhookId: id, retried: 2, added: 0 });
      expect(await statesOf(t, id)).toMatchObject({
        [early.eventId]: 'exhausted',
        [planted.exhausted.eventId]: 'retrying',
        [planted.retrying.eventId]: 'retrying',
        [planted.delivered.eventId]: 'delivered',
        [planted.pending.eventId]: 'pending',
        [late.eventId]: 'exhausted',
      });
      const due = await rowCount(t, 'webhook_deliveries', "webhook_id = $1 AND state = 'retrying' AND next_at = $2", [
        uuidOf(id),
        ago(0),
      ]);
      expect(due).toBe(2);
    });

    it('adds what the address was never told: from before it, and of types chosen later', async () => {
      const someone = await t.makeClient(psp);
      const since = ago(0);
      await order(someone);
      const id = await subscribe(t, someone);
      contentOf(await t.post(at(id, 'eventTypes'), { eventTypes: ['basket.created'] }, someone.apiKey));
      await caughtUp(t);
      await order(someone);
      await caughtUp(t);
      contentOf(await t.post(at(id, 'eventTypes'), { eventTypes: ['transaction.created'] }, someone.apiKey));
      await caughtUp(t);
      t.advance(1);
      const before = await statesOf(t, id);
      expect(contentOf(await replay(id, someone, { since, only: 'missing' }))).toMatchObject({ retried: 0, added: 2 });
      const after = await statesOf(t, id);
      expect(after).toMatchObject(before);
      expect(Object.keys(after)).toHaveLength(Object.keys(before).length + 2);
      const { items } = contentOf(await t.get(at(id, 'deliveries?type=transaction.created'), someone.apiKey));
      expect(items).toHaveLength(2);
      for (const d of items) {
        const { body } = contentOf(await t.get(at(id, `deliveries/${d.deliveryId}`), someone.apiKey));
        expect(body).toContain('"type":"transaction.created"');
        for (const hidden of ['actor', 'evidence', 'sealed', 'subject']) expect(body).not.toContain(`"${hidden}"`);
      }
      // What it was told it is not told again.
      expect(contentOf(await replay(id, someone, { since, only: 'missing' }))).toMatchObject({ added: 0 });
    });

    it('sends everything again on request, a PSP what concerns all its clients', async () => {
      const house = await t.makePsp();
      const shop = await t.makeClient(house);
      const own = await subscribe(t, house);
      contentOf(await t.post(at(own, 'eventTypes'), { eventTypes: ['transaction.created'] }, house.apiKey));
      await caughtUp(t);
      t.advance(60_000);
      const since = ago(0);
      await order(shop);
      await order(house);
      await caughtUp(t);
      const done = await plant(t, own, shop);
      t.advance(1);
      expect(contentOf(await replay(own, house, { since, only: 'all' }))).toEqual({
        webhookId: own,
        retried: 1,
        added: 0,
      });
      expect((await statesOf(t, own))[done.eventId]).toBe('retrying');
      const late = await subscribe(t, house);
      contentOf(await t.post(at(late, 'eventTypes'), { eventTypes: ['transaction.created'] }, house.apiKey));
      await caughtUp(t);
      t.advance(1);
      expect(contentOf(await replay(late, house, { since, only: 'all' }))).toMatchObject({ added: 2 });
      // A client's address is not told of the house.
      const shops = await subscribe(t, shop);
      contentOf(await t.post(at(shops, 'eventTypes'), { eventTypes: ['transaction.created'] }, shop.apiKey));
      await caughtUp(t);
      t.advance(1);
      expect(contentOf(await replay(shops, shop, { since, only: 'missing' }))).toMatchObject({ added: 1 });
    });

    it('is journalled with who asked for it, what, and how many; not where nothing was to be sent', async () => {
      const { someone, id } = await address();
      await plant(t, id, someone, { state: 'exhausted' });
      t.advance(1000);
      const period = { since: ago(10_000), until: ago(0) };
      contentOf(await replay(id, someone, { ...period, only: 'failed' }));
      const journalled = { webhookId: id, ...period, only: 'failed', retried: 1, added: 0 };
      await expectRequested(someone, 'client.webhook_replayed', someone, journalled);
      contentOf(await replay(id, someone, { since: ago(100_000), until: ago(90_000), only: 'all' }));
      expect(await requestsAbout(someone)).toHaveLength(1);
    });

    it('holds it all for an address that is paused', async () => {
      const { someone, id } = await address();
      await quieten(t, someone, id);
      const { eventId } = await plant(t, id, someone, { state: 'exhausted' });
      t.advance(1);
      contentOf(await replay(id, someone, { since: ago(1000) }));
      expect((await statesOf(t, id))[eventId]).toBe('held');
    });
  });

  describe('validates', () => {
    requiresFields(wire, ['since']);
    it.each([
      [{ since: 'yesterday' }, /^the field 'since' must be an ISO 8601/],
      [
        { since: '2026-11-20T00:00:00Z', until: '2026-11-20T00:00:00Z' },
        "the field 'until' must be later than 'since'",
      ],
      [{ since: '9999-01-01T00:00:00Z' }, "the field 'until' must be later than 'since'"],
      [{ since: '2026-11-20T00:00:00Z', only: 'some' }, "the field 'only' must be one of failed, missing, all"],
    ])('refuses %j', async (body, says) => {
      expectRefusal(await replay(webhookId, client, body), 400, 'FIELD_INVALID', says);
    });

    it('refuses a period that holds more than ten thousand, and leaves them as they are', async () => {
      const { someone, id } = await address();
      await quieten(t, someone, id);
      await t.database.admin.query(
        `WITH ids AS (SELECT uuidv4 AS id FROM (SELECT gen_random_uuid() AS uuidv4 FROM generate_series(1, 10001)) x), floor AS (
           SELECT substr(uuid_floor($3)::text, 1, 14) || substr(id::text, 15) AS id FROM ids
         ), events AS (
           INSERT INTO webhook_events (psp_id, id, account_id, type, seq, body, created_at)
           SELECT $1, id::uuid, $4, 'transaction.created', NULL, '{}', $3 FROM floor RETURNING id
         )
         INSERT INTO webhook_deliveries (psp_id, id, webhook_id, event_id, state, attempts, created_at)
         SELECT $1, id, $2, id, 'exhausted', 10, $3 FROM events`,
        [psp.uuid, uuidOf(id), ago(0), someone.uuid],
      );
      t.advance(1000);
      expectRefusal(await replay(id, someone, { since: ago(60_000) }), 409, 'LIMIT_REACHED', /shorter one$/);
      expect(await rowCount(t, 'webhook_deliveries', "webhook_id = $1 AND state = 'exhausted'", [uuidOf(id)])).toBe(
        10_001,
      );
    });

    it('refuses while another replay of the PSP is under way', async () => {
      const { someone, id } = await address();
      await t.app.services.db.transaction(async (tx) => {
        expect(await lockReplays(tx, psp.uuid)).toBe(true);
        expectRefusal(await replay(id, someone, { since: ago(1000) }), 409, 'STATE_CONFLICT', /under way/);
      });
      contentOf(await replay(id, someone, { since: ago(1000) }));
    });
  });

  describe('authorises', () => guarantees((id) => at(id, 'replay'), { since: '2026-11-20T00:00:00Z' }));

  describe('repeats', () => {
    it('adds each event once under many replays at once', async () => {
      const someone = await t.makeClient(psp);
      const since = ago(0);
      await order(someone);
      const id = await subscribe(t, someone);
      await caughtUp(t);
      t.advance(1);
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => replay(id, someone, { since, only: 'missing' })),
      );
      expect([...new Set(answers.map((r) => r.status))].sort()).toContain(200);
      contentOf(await replay(id, someone, { since, only: 'missing' }));
      const rows = await t.database.admin.query('SELECT event_id FROM webhook_deliveries WHERE webhook_id = $1', [
        uuidOf(id),
      ]);
      expect(new Set(rows.map((r) => r.event_id)).size).toBe(rows.length);
      // Registration, first key, subscription and the order; who asked for the replay is told to nobody.
      expect(rows).toHaveLength(4);
      expect(await requestsAbout(someone)).toHaveLength(1);
    });

    it('keeps records and journal one to one', () => expectJournalComplete(t));
  });
});

describe('what is sent on request', () => {
  it('arrives: a test, what failed before, and what was never told', async () => {
    const receiver = await startReceiver({ behaviour: inTurn(answers(500), answers(200)) });
    const sending = await makeTestApp({ env: { WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_CONCURRENCY: '8' } });
    try {
      const house = await sending.makePsp();
      const id = await subscribe(sending, house, receiver.url);
      const { items } = await until('the first attempt failed', async () => {
        const list = contentOf(await sending.get(at(id, 'deliveries?state=retrying'), house.apiKey));
        return list.items.length > 0 && list;
      });
      expect(items[0]).toMatchObject({ lastStatus: 500, lastReason: 'HTTP_NOT_200', attemptCount: 1 });
      contentOf(await sending.post(at(id, `deliveries/${items[0].deliveryId}/retry`), '', house.apiKey));
      await until('it was delivered', async () => (await statesOf(sending, id))[items[0].eventId] === 'delivered');
      const made = contentOf(await sending.post(at(id, 'test'), '', house.apiKey));
      await until('the test came', () => receiver.received.some((r) => r.headers['webhook-id'] === made.eventId));
      sending.advance(1);
      const since = new Date(sending.now() - 60_000).toISOString();
      const { added } = contentOf(await sending.post(at(id, 'replay'), { since, only: 'missing' }, house.apiKey));
      expect(added).toBeGreaterThan(0);
      await until('all was delivered', async () =>
        Object.values(await statesOf(sending, id)).every((s) => s === 'delivered'),
      );
      const types = receiver.received.map((r) => JSON.parse(r.body).type);
      expect(types).toEqual(expect.arrayContaining(['client.created', 'client.updated', 'key.issued', 'webhook.test']));
    } finally {
      await sending.stop();
      await receiver.stop();
    }
  });
});
