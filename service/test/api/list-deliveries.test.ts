// Lists of deliveries and events: filters, pages, details, and who may see which.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toWire } from '../../src/core/ids.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, expectRefusal, guardsClientHeader, refusesOperators, type Wire } from '../support/guarantees.ts';
import { uuidOf } from '../support/journal.ts';
import { type Planted, plant, quieten, subscribe } from '../support/webhooks.ts';

let t: TestApp;
let psp: Account;
let client: Account;
let webhookId: string;

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
  client = await t.makeClient(psp);
  webhookId = await subscribe(t, client);
  await quieten(t, client, webhookId);
});
afterAll(() => t?.stop());

/** A client with a quiet address of its own. */
async function quietAddress(of = psp): Promise<{ someone: Account; id: string }> {
  const someone = await t.makeClient(of);
  const id = await subscribe(t, someone);
  await quieten(t, someone, id);
  return { someone, id };
}
const list = async (path: string, key: string, headers: Record<string, string> = {}) =>
  contentOf(await t.get(path, key, headers));

describe('listDeliveries', () => {
  const path = (id: string, query = '') => `/v1/webhook/${id}/deliveries${query}`;

  describe('accepts', () => {
    it('shows a delivery with what is known of it', async () => {
      const { someone, id } = await quietAddress();
      const { eventId, deliveryId } = await plant(t, id, someone, { attempts: ['HTTP_NOT_200', 'OK'] });
      const at = new Date(t.now()).toISOString();
      expect((await list(path(id), someone.apiKey)).items[0]).toEqual({
        deliveryId,
        webhookId: id,
        eventId,
        type: 'transaction.created',
        clientId: someone.id,
        state: 'delivered',
        attemptCount: 2,
        lastStatus: 200,
        lastReason: 'OK',
        nextAttemptAt: null,
        createdAt: at,
        finishedAt: at,
      });
    });

    it('lists newest first, page by page, each once', async () => {
      const { someone, id } = await quietAddress();
      const made: string[] = [];
      for (let i = 0; i < 5; i++) made.unshift((await plant(t, id, someone, { state: 'exhausted' })).deliveryId);
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const page: { items: { deliveryId: string }[]; nextCursor: string | null } = await list(
          path(id, `?state=exhausted&limit=2${cursor ? `&cursor=${cursor}` : ''}`),
          someone.apiKey,
        );
        seen.push(...page.items.map((d) => d.deliveryId));
        cursor = page.nextCursor;
      } while (cursor);
      expect(seen).toEqual(made);
    });

    it('filters by state, by type and by time', async () => {
      const { someone, id } = await quietAddress();
      t.advance(60_000);
      const since = new Date(t.now()).toISOString();
      const one = await plant(t, id, someone, { state: 'exhausted', type: 'basket.created' });
      t.advance(60_000);
      const until = new Date(t.now()).toISOString();
      const two = await plant(t, id, someone, { type: 'basket.created' });
      const three = await plant(t, id, someone, { type: 'transaction.updated' });
      const ids = async (query: string) =>
        (await list(path(id, query), someone.apiKey)).items.map((d: Planted) => d.deliveryId);
      expect(await ids('?state=exhausted')).toEqual([one.deliveryId]);
      expect(await ids('?type=basket.created')).toEqual([two.deliveryId, one.deliveryId]);
      expect(await ids(`?since=${since}`)).toEqual([three.deliveryId, two.deliveryId, one.deliveryId]);
      expect(await ids(`?since=${since}&until=${until}`)).toEqual([one.deliveryId]);
      expect(await ids(`?since=${until}&type=basket.created&state=delivered`)).toEqual([two.deliveryId]);
      expect(await ids('?state=delivering')).toEqual([]);
      expect(await ids('?since=9999-12-31T23:59:59Z')).toEqual([]);
    });
  });

  describe('validates', () => {
    it.each([
      'state=lost',
      'type=cdr.recorded',
      'since=yesterday',
      'until=2026-02-30T00:00:00Z',
      'limit=0',
      'cursor=whk_01h455vb4pex5vsknk084sn02q',
    ])('refuses %s', async (q) =>
      expectRefusal(await t.get(path(webhookId, `?${q}`), client.apiKey), 400, 'QUERY_INVALID'),
    );
  });

  describe('authenticates', () => {
    it('refuses a call without a key', async () => expectRefusal(await t.get(path(webhookId)), 401, 'KEY_MISSING'));
  });

  describe('authorises', () => {
    it("refuses an operator's key", async () =>
      expectRefusal(await t.get(path(webhookId), (await t.makeOperator()).apiKey), 403, 'AUDIENCE'));

    it('shows an address to its account and its PSP, and to nobody else', async () => {
      await plant(t, webhookId, client);
      const shown = await t.get(path(webhookId), client.apiKey);
      expect((await t.get(path(webhookId), psp.apiKey)).text).toBe(shown.text);
      const unknown = await t.get(path(toWire('webhook', t.app.services.ids.next())), client.apiKey);
      expectRefusal(unknown, 404, 'NOT_FOUND', 'not found, or not yours to see');
      for (const r of [
        await t.get(path(webhookId), (await t.makeClient(psp)).apiKey),
        await t.get(path(webhookId), (await t.makePsp()).apiKey),
        await t.get(path(webhookId), psp.apiKey, { 'x-client-id': psp.id }),
      ])
        expect([r.status, r.text]).toEqual([404, unknown.text]);
    });
  });
});

describe('getDelivery', () => {
  it('shows every attempt, first to last, and the text that is sent to the letter', async () => {
    const { someone, id } = await quietAddress();
    const { eventId, deliveryId } = await plant(t, id, someone, { attempts: ['TIMEOUT', 'HTTP_NOT_200', 'OK'] });
    const shown = await list(`/v1/webhook/${id}/deliveries/${deliveryId}`, psp.apiKey);
    const { attempts, body, ...rest } = shown;
    expect(rest).toEqual((await list(`/v1/webhook/${id}/deliveries`, psp.apiKey)).items[0]);
    expect(attempts).toEqual(
      [
        [1, 500, 'TIMEOUT'],
        [2, 500, 'HTTP_NOT_200'],
        [3, 200, 'OK'],
      ].map(([attempt, status, reason]) => ({
        attempt,
        startedAt: new Date(t.now()).toISOString(),
        durationMs: 12,
        status,
        stage: 'answer',
        reason,
        response: `answer ${attempt}`,
      })),
    );
    // A number that passed through a double would have lost its last zero.
    expect(body).toBe(`{"id":"${eventId}","type":"transaction.created","data":{"totalAmount":107.50}}`);
  });

  it('shows what the receiver answered to the PSP and to staff, and never to a client', async () => {
    const { someone, id } = await quietAddress();
    const { deliveryId } = await plant(t, id, someone, { state: 'exhausted', attempts: ['HTTP_NOT_200'] });
    const at = `/v1/webhook/${id}/deliveries/${deliveryId}`;
    const staff = [(await t.makeOperator()).apiKey, { 'x-psp-id': psp.id }] as const;
    for (const answer of [await t.get(at, psp.apiKey), await t.get(at, ...staff)])
      expect(contentOf(answer).attempts[0].response).toBe('answer 1');
    for (const answer of [
      await t.get(at, someone.apiKey),
      await t.post(`${at}/retry`, {}, someone.apiKey),
      await t.get(at, someone.apiKey),
    ]) {
      expect(contentOf(answer).attempts[0]).toMatchObject({ status: 500, reason: 'HTTP_NOT_200', response: null });
      expect(answer.text).not.toContain('answer 1');
    }
  });

  it('answers as for an unknown id where the delivery is of another address, and to everybody else', async () => {
    const { someone, id } = await quietAddress();
    const { deliveryId } = await plant(t, id, someone);
    const other = await subscribe(t, someone);
    const at = (hook: string, delivery: string) => `/v1/webhook/${hook}/deliveries/${delivery}`;
    contentOf(await t.get(at(id, deliveryId), psp.apiKey));
    const unknown = await t.get(at(id, toWire('delivery', t.app.services.ids.next())), someone.apiKey);
    expectRefusal(unknown, 404, 'NOT_FOUND', 'not found, or not yours to see');
    for (const r of [
      await t.get(at(other, deliveryId), someone.apiKey),
      await t.get(at(webhookId, deliveryId), client.apiKey),
      await t.get(at(id, deliveryId), client.apiKey),
      await t.get(at(id, deliveryId), (await t.makePsp()).apiKey),
      await t.get(at(id, 'none'), someone.apiKey),
    ])
      expect([r.status, r.text]).toEqual([404, unknown.text]);
    expectRefusal(await t.get(at(id, deliveryId)), 401, 'KEY_MISSING');
  });
});

describe('listEvents', () => {
  describe('accepts', () => {
    it('lists what was announced of an account, newest first, by type and time', async () => {
      const { someone, id } = await quietAddress();
      t.advance(60_000);
      const since = new Date(t.now()).toISOString();
      const one = await plant(t, id, someone, { type: 'basket.created' });
      t.advance(1000);
      const until = new Date(t.now()).toISOString();
      const two = await plant(t, id, someone);
      const ids = async (query: string) =>
        (await list(`/v1/event${query}`, someone.apiKey)).items.map((e: Planted) => e.eventId);
      expect(await ids(`?since=${since}`)).toEqual([two.eventId, one.eventId]);
      expect(await ids(`?since=${since}&limit=1&cursor=${two.eventId}`)).toEqual([one.eventId]);
      expect(await ids(`?since=${since}&until=${until}`)).toEqual([one.eventId]);
      expect(await ids('?type=basket.created')).toEqual([one.eventId]);
      expect((await list('/v1/event?type=basket.created', someone.apiKey)).items).toEqual([
        {
          eventId: one.eventId,
          type: 'basket.created',
          event: 'New Basket',
          clientId: someone.id,
          createdAt: since,
        },
      ]);
    });
  });

  describe('validates', () => {
    it.each(['type=cdr.recorded', 'since=x', 'limit=201', 'cursor=x'])('refuses %s', async (q) =>
      expectRefusal(await t.get(`/v1/event?${q}`, client.apiKey), 400, 'QUERY_INVALID'),
    );
  });

  const wire: Wire = { app: () => t, method: 'GET', path: '/v1/event', caller: () => client };
  describe('authorises', () => {
    refusesOperators(wire, 'listEvents');
    guardsClientHeader(wire);

    it('shows with each event of the longest page all of its deliveries', async () => {
      const { someone, id } = await quietAddress(await t.makePsp());
      const webhooks = [id];
      while (webhooks.length < 6) webhooks.push(await subscribe(t, someone));
      const events = Array.from({ length: 200 }, () => t.app.services.ids.next());
      await t.database.admin.query(
        `WITH event AS (
           INSERT INTO webhook_events (psp_id, id, account_id, type, seq, body, created_at)
           SELECT w.psp_id, e, w.account_id, 'basket.created', NULL, '{"type":"basket.created"}', now()
           FROM webhooks w, unnest($2::uuid[]) AS e WHERE w.id = ($1::uuid[])[1] RETURNING psp_id, id)
         INSERT INTO webhook_deliveries (psp_id, id, webhook_id, event_id, state, attempts, created_at)
         SELECT psp_id, uuidv7(), w, id, 'held', 0, now() FROM event, unnest($1::uuid[]) AS w`,
        [webhooks.map(uuidOf), events],
      );
      const { items } = await list('/v1/event?type=basket.created&expand=deliveries&limit=200', someone.apiKey);
      expect(items.map((e: { deliveries: unknown[] }) => e.deliveries.length)).toEqual(events.map(() => 6));
    });

    it('shows a PSP those of all its clients, and a client its own', async () => {
      const house = await t.makePsp();
      const [a, b] = [await quietAddress(house), await quietAddress(house)];
      const one = await plant(t, a.id, a.someone, { type: 'transaction.updated' });
      const two = await plant(t, b.id, b.someone, { type: 'transaction.updated' });
      const ids = async (key: string, headers = {}) =>
        (await list('/v1/event?type=transaction.updated', key, headers)).items.map((e: Planted) => e.eventId);
      expect(await ids(house.apiKey)).toEqual([two.eventId, one.eventId]);
      expect(await ids(house.apiKey, { 'x-client-id': a.someone.id })).toEqual([one.eventId]);
      expect(await ids(b.someone.apiKey)).toEqual([two.eventId]);
    });
  });
});

describe('getEvent', () => {
  it('shows its text and its deliveries', async () => {
    const { someone, id } = await quietAddress();
    const { eventId } = await plant(t, id, someone, { state: 'exhausted', attempts: ['TIMEOUT'] });
    const shown = await list(`/v1/event/${eventId}`, someone.apiKey);
    const { body, deliveries, ...rest } = shown;
    expect(rest).toEqual((await list('/v1/event?limit=1', someone.apiKey)).items[0]);
    expect(body).toContain('"totalAmount":107.50');
    expect(deliveries).toEqual([(await list(`/v1/webhook/${id}/deliveries?limit=1`, someone.apiKey)).items[0]]);
  });

  it("shows a client its own address's delivery only, and the PSP both", async () => {
    const house = await t.makePsp();
    const shop = await t.makeClient(house);
    const [theirs, own] = [await subscribe(t, house), await subscribe(t, shop)];
    await quieten(t, house, theirs);
    await quieten(t, shop, own);
    const event = async (key: string) => {
      const { items } = await list('/v1/event?type=client.updated', key, { 'x-client-id': shop.id });
      return list(`/v1/event/${items[0].eventId}`, key);
    };
    expect((await event(shop.apiKey)).deliveries.map((d: { webhookId: string }) => d.webhookId)).toEqual([own]);
    expect((await event(house.apiKey)).deliveries.map((d: { webhookId: string }) => d.webhookId).sort()).toEqual(
      [own, theirs].sort(),
    );
  });

  it('answers as for an unknown id to everybody else', async () => {
    const { someone, id } = await quietAddress();
    const { eventId } = await plant(t, id, someone);
    const unknown = await t.get(`/v1/event/${toWire('event', t.app.services.ids.next())}`, someone.apiKey);
    expectRefusal(unknown, 404, 'NOT_FOUND', 'not found, or not yours to see');
    for (const r of [
      await t.get(`/v1/event/${eventId}`, client.apiKey),
      await t.get(`/v1/event/${eventId}`, (await t.makePsp()).apiKey),
      await t.get(`/v1/event/${eventId}`, psp.apiKey, { 'x-client-id': client.id }),
      await t.get('/v1/event/none', someone.apiKey),
    ])
      expect([r.status, r.text]).toEqual([404, unknown.text]);
  });
});
