// Lists and details of webhook addresses, for those who may see them (decision 29).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toWire } from '../../src/core/ids.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, expectRefusal, guardsClientHeader, refusesOperators, type Wire } from '../support/guarantees.ts';
import { deadUrl, plant, quieten, setHealth, statesOf, subscribe } from '../support/webhooks.ts';

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

const list = async (key: string, query = '', headers: Record<string, string> = {}) =>
  contentOf(await t.get(`/v1/webhook${query}`, key, headers));
const idsOf = async (...asked: Parameters<typeof list>): Promise<string[]> =>
  (await list(...asked)).items.map((w: { webhookId: string }) => w.webhookId);

describe('listWebhooks', () => {
  const wire: Wire = { app: () => t, method: 'GET', path: '/v1/webhook', caller: () => client };

  describe('accepts', () => {
    it('shows an address as its detail shows it, with all that is known of it', async () => {
      const someone = await t.makeClient(psp);
      const url = deadUrl();
      const id = await subscribe(t, someone, url);
      const { items, nextCursor } = await list(someone.apiKey);
      expect(nextCursor).toBeNull();
      const { health, backlog, ...rest } = items[0];
      expect(rest).toEqual({
        webhookId: id,
        clientId: someone.id,
        url,
        eventTypes: ['*'],
        state: 'ACTIVE',
        stateReason: null,
        createdAt: new Date(t.now()).toISOString(),
        updatedAt: new Date(t.now()).toISOString(),
      });
      expect(Object.keys(health)).toEqual(['lastOkAt', 'failingSince', 'failures', 'lastFailureAt']);
      expect(Object.keys(backlog)).toEqual(['pending', 'delivering', 'retrying', 'exhausted', 'held']);
    });

    it('lists newest first, page by page, each once', async () => {
      const someone = await t.makeClient(psp);
      const made: string[] = [];
      for (let i = 0; i < 5; i++) made.unshift(await subscribe(t, someone));
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const page: { items: { webhookId: string }[]; nextCursor: string | null } = await list(
          someone.apiKey,
          `?limit=2${cursor ? `&cursor=${cursor}` : ''}`,
        );
        seen.push(...page.items.map((w) => w.webhookId));
        cursor = page.nextCursor;
      } while (cursor);
      expect(seen).toEqual(made);
    });

    it('counts what waits for an address by its state, and says since when it fails', async () => {
      const someone = await t.makeClient(psp);
      const id = await subscribe(t, someone);
      await quieten(t, someone, id);
      const held = Object.values(await statesOf(t, id)).filter((s) => s === 'held').length;
      for (const state of ['exhausted', 'exhausted', 'held', 'held', 'held', 'delivered'])
        await plant(t, id, someone, { state });
      const since = new Date(t.now() - 3_600_000).toISOString();
      await setHealth(t, id, { failingSince: since, failures: 7, warnedHours: 0 });
      const shown = contentOf(await t.get(`/v1/webhook/${id}`, someone.apiKey));
      expect(shown.backlog).toEqual({ pending: 0, delivering: 0, retrying: 0, exhausted: 2, held: held + 3 });
      expect(shown.health).toEqual({ lastOkAt: null, failingSince: since, failures: 7, lastFailureAt: since });
      expect((await list(someone.apiKey)).items[0]).toEqual(shown);
    });
  });

  describe('validates', () => {
    it.each(['limit=0', 'limit=201', 'cursor=x', 'cursor=txn_01h455vb4pex5vsknk084sn02q'])('refuses %s', async (q) =>
      expectRefusal(await t.get(`/v1/webhook?${q}`, client.apiKey), 400, 'QUERY_INVALID'),
    );
  });

  describe('authorises', () => {
    refusesOperators(wire, 'listWebhooks');
    guardsClientHeader(wire);

    it('shows a PSP its own and all of its clients, or one of them, and a client only itself', async () => {
      const house = await t.makePsp();
      const [one, two] = [await t.makeClient(house), await t.makeClient(house)];
      const [own, a, b] = [await subscribe(t, house), await subscribe(t, one), await subscribe(t, two)];
      expect(await idsOf(house.apiKey)).toEqual([b, a, own]);
      expect(await idsOf(house.apiKey, '', { 'x-client-id': one.id })).toEqual([a]);
      expect(await idsOf(house.apiKey, '', { 'x-client-id': house.id })).toEqual([own]);
      expect(await idsOf(two.apiKey)).toEqual([b]);
      expect(await idsOf((await t.makePsp()).apiKey)).toEqual([]);
    });
  });
});

describe('getWebhook', () => {
  const path = () => `/v1/webhook/${webhookId}`;

  it('shows it to its client and to its PSP', async () => {
    const shown = contentOf(await t.get(path(), client.apiKey));
    expect(shown).toMatchObject({ webhookId, clientId: client.id, state: 'ACTIVE' });
    expect(contentOf(await t.get(path(), psp.apiKey))).toEqual(shown);
    expect(contentOf(await t.get(path(), psp.apiKey, { 'x-client-id': client.id }))).toEqual(shown);
  });

  it('answers as for an unknown id to everybody else, and where the id is none', async () => {
    const [sibling, stranger] = [await t.makeClient(psp), await t.makePsp()];
    const unknown = await t.get(`/v1/webhook/${toWire('webhook', t.app.services.ids.next())}`, client.apiKey);
    expectRefusal(unknown, 404, 'NOT_FOUND', 'not found, or not yours to see');
    for (const r of [
      await t.get(path(), sibling.apiKey),
      await t.get(path(), stranger.apiKey),
      await t.get(path(), psp.apiKey, { 'x-client-id': sibling.id }),
      await t.get(path(), psp.apiKey, { 'x-client-id': psp.id }),
      await t.get(`/v1/webhook/${client.id}`, client.apiKey),
      await t.get('/v1/webhook/none', client.apiKey),
    ])
      expect([r.status, r.text]).toEqual([404, unknown.text]);
  });

  describe('authenticates', () => {
    it('refuses a call without a key and with an operator’s', async () => {
      expectRefusal(await t.get(path()), 401, 'KEY_MISSING');
      expectRefusal(await t.get(path(), (await t.makeOperator()).apiKey), 403, 'AUDIENCE');
    });
  });
});
