// Every kind of record has a list with filters and cursors, and a detail, for those who may see it (decision 29).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../src/adapters/http/operations.ts';
import { toWire } from '../../src/core/ids.ts';
import type { Operation } from '../../src/modules/kernel/operation.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import {
  contentOf,
  expectRefusal,
  guardsClientHeader,
  refusesOperators,
  setStanding,
  type Wire,
} from '../support/guarantees.ts';
import { entryCount, uuidOf } from '../support/journal.ts';

let t: TestApp;
let psp: Account;
let client: Account;
let n = 0;
const customer = { email: 'ada@example.com' };

interface Maker {
  /** Wire operation and a good body; a new ref each time. */
  readonly path: string;
  body(): Record<string, unknown>;
  /** Member of the reply that holds the new id. */
  readonly idField: string;
}
const makers = {
  transaction: {
    path: '/v1/transaction/verifyTransaction',
    body: () => ({
      ref: `order-${++n}`,
      totalAmount: 107.5,
      currency: 'NGN',
      countryCode: 'NG',
      paymentMethods: { card: 107.5 },
      transactionFee: 0,
    }),
    idField: 'transactionId',
  },
  deposit: {
    path: '/v1/payment/deposit',
    body: () => ({
      ref: `dep-${++n}`,
      totalAmount: 100,
      currency: 'NGN',
      customer,
      countryCode: 'NG',
      transactionFee: 0,
    }),
    idField: 'transactionId',
  },
  basket: {
    path: '/v1/basket/submitBasket',
    body: () => ({
      ref: `cart-${++n}`,
      totalAmount: 107.5,
      items: [{ sku: 'A', title: 'A', description: '', quantity: 1, price: 107.5, subTotal: 107.5 }],
      paymentMethods: { card: 107.5 },
      currency: 'NGN',
      countryCode: 'NG',
    }),
    idField: 'basketId',
  },
  wager: {
    path: '/captureWager',
    body: () => ({ amount: 100, ref: `bet-${++n}`, customer, ip: '102.0.2.44', type: 'sports' }),
    idField: 'wagerId',
  },
  cdr: {
    path: '/v1/telecom/recordCDR',
    body: () => ({
      cdr_id: `CDR-${++n}`,
      caller_number: '+2348031234567',
      receiver_number: '+2348059876543',
      call_start_time: '2026-11-21T09:50:00Z',
      call_end_time: '2026-11-21T09:52:00Z',
      call_duration_seconds: 120,
      call_type: 'VOICE',
      network_provider: 'MTN Nigeria',
      billing_information: { call_cost: 24.5, currency: 'NGN' },
    }),
    idField: 'cdrId',
  },
} satisfies Record<string, Maker>;

/** Records one of a kind; the id and what it was sent with. */
async function record(
  kind: keyof typeof makers,
  by: Account,
  over: Record<string, unknown> = {},
  headers: Record<string, string> = {},
) {
  const maker: Maker = makers[kind];
  const body: Record<string, unknown> = { ...maker.body(), ...over };
  const content = contentOf(await t.post(maker.path, body, by.apiKey, headers));
  return { id: content[maker.idField] as string, body, content };
}
async function payout(by: Account, wagerReference?: string) {
  const reference = wagerReference ?? ((await record('wager', by)).body.ref as string);
  const body = { amount: 50, ref: `win-${++n}`, customer, wagerReference: reference };
  const content = contentOf(await t.post('/capturePayout', body, by.apiKey));
  return { id: content.payoutId as string, body, content };
}

const list = async (path: string, key: string, headers: Record<string, string> = {}) =>
  contentOf(await t.get(path, key, headers));
const idsOf = async (path: string, field: string, key: string, headers: Record<string, string> = {}) =>
  (await list(path, key, headers)).items.map((i: Record<string, string>) => i[field]) as string[];

interface Listed {
  readonly path: string;
  readonly listId: string;
  readonly getId: string;
  readonly idField: string;
  /** Prefix of the ids, as a cursor has it. */
  readonly kind: 'transaction' | 'basket' | 'wager' | 'payout' | 'cdr';
  make(by: Account): Promise<{ id: string; body: Record<string, unknown> }>;
  /** Name of the filter by the caller's ref, where there is one. */
  readonly refFilter?: string;
}

/** What holds for the list of every recorded kind. */
function listGuarantees(l: Listed, more: () => void = () => {}): void {
  describe('accepts', () => {
    it('lists newest first, page by page, each entry once and as its detail shows it', async () => {
      const someone = await t.makeClient(psp);
      const made: string[] = [];
      for (let i = 0; i < 5; i++) made.unshift((await l.make(someone)).id);
      const seen: Record<string, unknown>[] = [];
      let cursor: string | null = null;
      const sizes: number[] = [];
      do {
        const page: { items: Record<string, unknown>[]; nextCursor: string | null } = await list(
          `${l.path}?limit=2${cursor ? `&cursor=${cursor}` : ''}`,
          someone.apiKey,
        );
        sizes.push(page.items.length);
        seen.push(...page.items);
        cursor = page.nextCursor;
      } while (cursor);
      expect(sizes).toEqual([2, 2, 1]);
      expect(seen.map((i) => i[l.idField])).toEqual(made);
      for (const item of seen) expect(await list(`${l.path}/${item[l.idField]}`, someone.apiKey)).toEqual(item);
    });

    it('gives every entry once over pages of any size, fifty when none is asked for', async () => {
      const someone = await t.makeClient(psp);
      const made = await Promise.all(Array.from({ length: 51 }, async () => (await l.make(someone)).id));
      const newest = made.toSorted().toReversed();
      for (const limit of [undefined, 17, 50, 51, 52, 200]) {
        const seen: string[] = [];
        let pages = 0;
        let cursor: string | null = null;
        do {
          const q = new URLSearchParams({ ...(limit ? { limit: `${limit}` } : {}), ...(cursor ? { cursor } : {}) });
          const page: { items: Record<string, string>[]; nextCursor: string | null } = await list(
            `${l.path}?${q}`,
            someone.apiKey,
          );
          seen.push(...page.items.map((i) => i[l.idField] as string));
          cursor = page.nextCursor;
          pages++;
        } while (cursor && pages < 60);
        expect(seen).toEqual(newest);
        expect(pages).toBe(Math.ceil(51 / (limit ?? 50)));
      }
    });

    it('shows no personal data, neither in the list nor in the detail', async () => {
      const someone = await t.makeClient(psp);
      const { id, body } = await l.make(someone);
      const secrets = ['@', body.imei_caller, (body.customer as { email: string } | undefined)?.email];
      for (const r of [await t.get(l.path, someone.apiKey), await t.get(`${l.path}/${id}`, someone.apiKey)]) {
        contentOf(r);
        for (const secret of secrets) if (secret) expect(r.text).not.toContain(secret);
      }
    });

    it('goes on where a page ended, though newer entries came meanwhile', async () => {
      const someone = await t.makeClient(psp);
      const old = [(await l.make(someone)).id, (await l.make(someone)).id];
      const first = await list(`${l.path}?limit=1`, someone.apiKey);
      expect(first.items[0][l.idField]).toBe(old[1]);
      await l.make(someone);
      expect(await idsOf(`${l.path}?cursor=${first.nextCursor}`, l.idField, someone.apiKey)).toEqual([old[0]]);
    });

    it('is empty where nothing was recorded, and has no next page when a page is just full', async () => {
      const someone = await t.makeClient(psp);
      expect(await list(l.path, someone.apiKey)).toEqual({ items: [], nextCursor: null });
      await l.make(someone);
      expect((await list(`${l.path}?limit=1`, someone.apiKey)).nextCursor).toBeNull();
    });

    if (l.refFilter)
      it("finds an entry by the caller's ref", async () => {
        const someone = await t.makeClient(psp);
        const one = await l.make(someone);
        await l.make(someone);
        const q = `${l.path}?${l.refFilter}=${encodeURIComponent(one.body.ref as string)}`;
        expect(await idsOf(q, l.idField, someone.apiKey)).toEqual([one.id]);
        expect(await idsOf(`${l.path}?${l.refFilter}=none`, l.idField, someone.apiKey)).toEqual([]);
      });
    more();
  });

  describe('validates', () => {
    it.each([
      'limit=0',
      'limit=201',
      'limit=-1',
      'limit=1.5',
      'limit=ten',
      'limit=',
      'limit=1&limit=2',
      'cursor=x',
      'cursor=',
    ])('refuses %s', async (q) => expectRefusal(await t.get(`${l.path}?${q}`, client.apiKey), 400, 'QUERY_INVALID'));
    it('refuses the cursor of another list', async () => {
      expectRefusal(
        await t.get(`${l.path}?cursor=${toWire('hold', t.app.services.ids.next())}`, client.apiKey),
        400,
        'QUERY_INVALID',
        "the query parameter 'cursor' is not a cursor of this list",
      );
    });
    it('refuses parameters it does not know, naming near ones', async () => {
      expectRefusal(
        await t.get(`${l.path}?limit=1&curser=2`, client.apiKey),
        400,
        'QUERY_INVALID',
        "there is no query parameter 'curser'; did you mean cursor?",
      );
    });
  });

  const wire: Wire = { app: () => t, method: 'GET', path: l.path, caller: () => client };
  describe('authorises', () => {
    refusesOperators(wire, l.listId);
    guardsClientHeader(wire);

    it('shows a PSP its own and all of its clients, or one of them, and a client only itself', async () => {
      const house = await t.makePsp();
      const [one, two] = [await t.makeClient(house), await t.makeClient(house)];
      const [own, a, b] = [(await l.make(house)).id, (await l.make(one)).id, (await l.make(two)).id];
      expect(await idsOf(l.path, l.idField, house.apiKey)).toEqual([b, a, own]);
      expect(await idsOf(l.path, l.idField, house.apiKey, { 'x-client-id': one.id })).toEqual([a]);
      expect(await idsOf(l.path, l.idField, house.apiKey, { 'x-client-id': house.id })).toEqual([own]);
      expect(await idsOf(l.path, l.idField, two.apiKey)).toEqual([b]);
      const named = (id: string) => `${l.path}?clientId=${id}`;
      expect(await idsOf(named(one.id), l.idField, house.apiKey)).toEqual([a]);
      expect(await idsOf(named(house.id), l.idField, house.apiKey)).toEqual([own]);
      expect(await idsOf(named(two.id), l.idField, two.apiKey)).toEqual([b]);
      for (const key of [two.apiKey, psp.apiKey]) expectRefusal(await t.get(named(one.id), key), 404, 'NOT_FOUND');
      expectRefusal(await t.get(named(one.id), house.apiKey, { 'x-client-id': two.id }), 404, 'NOT_FOUND');
    });

    it('shows nothing of another PSP, by whatever header, cursor or filter', async () => {
      const [mine, other] = [await t.makePsp(), await t.makePsp()];
      const theirs = await t.makeClient(other);
      const { id, body } = await l.make(theirs);
      await l.make(theirs);
      const nothing = { items: [], nextCursor: null };
      for (const q of [
        '',
        `?cursor=${toWire(l.kind, 'ffffffff-ffff-7fff-bfff-ffffffffffff')}`,
        `?cursor=${id}`,
        l.refFilter ? `?${l.refFilter}=${body.ref}` : '',
      ]) {
        expect(await list(`${l.path}${q}`, mine.apiKey)).toEqual(nothing);
        const absent = { 'x-client-id': toWire('client', t.app.services.ids.next()) };
        const none = await t.get(`${l.path}${q}`, mine.apiKey, absent);
        for (const account of [theirs, other]) {
          const r = await t.get(`${l.path}${q}`, mine.apiKey, { 'x-client-id': account.id });
          expect([r.status, r.text]).toEqual([none.status, none.text]);
          expect(r.text).not.toContain(id);
        }
      }
    });
  });
}

/** What holds for the detail of every recorded kind. */
function detailGuarantees(l: Listed): void {
  let id: string;
  const wire: Wire = {
    app: () => t,
    method: 'GET',
    get path() {
      return `${l.path}/${id}`;
    },
    caller: () => client,
  };
  beforeAll(async () => {
    id = (await l.make(client)).id;
  });

  describe('accepts', () => {
    it('shows the record to its account and to the PSP', async () => {
      const made = await l.make(client);
      for (const { apiKey } of [client, psp]) {
        const c = await list(`${l.path}/${made.id}`, apiKey);
        expect(c[l.idField]).toBe(made.id);
        expect(c.clientId).toBe(client.id);
      }
    });

    it('writes nothing into the journal', async () => {
      const before = await entryCount(t);
      await list(`${l.path}/${id}`, client.apiKey);
      expect(await entryCount(t)).toBe(before);
    });
  });
  describe('validates', () => {
    it('answers not found for what is no id of its kind', async () => {
      for (const wrong of ['x', client.id, id.toUpperCase(), `${id}0`, id.slice(0, -1), 'x'.repeat(90)])
        expectRefusal(
          await t.get(`${l.path}/${wrong}`, client.apiKey),
          404,
          'NOT_FOUND',
          'not found, or not yours to see',
        );
    });
  });
  describe('authorises', () => {
    refusesOperators(wire, l.getId);
    it('answers everybody else exactly as for an id that does not exist', async () => {
      const stranger = await t.makePsp();
      const others = [await t.makeClient(psp), stranger, await t.makeClient(stranger)];
      const absent = toWire(l.kind, t.app.services.ids.next());
      for (const { apiKey } of others) {
        const [theirs, none] = [await t.get(`${l.path}/${id}`, apiKey), await t.get(`${l.path}/${absent}`, apiKey)];
        expectRefusal(theirs, 404, 'NOT_FOUND', 'not found, or not yours to see');
        expect(theirs.text).toBe(none.text);
      }
      const own = (await l.make(psp)).id;
      expectRefusal(await t.get(`${l.path}/${own}`, client.apiKey), 404, 'NOT_FOUND', 'not found, or not yours to see');
    });
  });
}

const transactions: Listed = {
  path: '/v1/transaction',
  listId: 'listTransactions',
  getId: 'getTransaction',
  idField: 'transactionId',
  kind: 'transaction',
  make: (by) => record('transaction', by),
  refFilter: 'ref',
};
const baskets: Listed = {
  path: '/v1/basket',
  listId: 'listBaskets',
  getId: 'getBasket',
  idField: 'basketId',
  kind: 'basket',
  make: (by) => record('basket', by),
  refFilter: 'ref',
};
const wagers: Listed = {
  path: '/v1/wager',
  listId: 'listWagers',
  getId: 'getWager',
  idField: 'wagerId',
  kind: 'wager',
  make: (by) => record('wager', by),
  refFilter: 'ref',
};
const payouts: Listed = {
  path: '/v1/payout',
  listId: 'listPayouts',
  getId: 'getPayout',
  idField: 'payoutId',
  kind: 'payout',
  make: (by) => payout(by),
  refFilter: 'ref',
};
const cdrs: Listed = {
  path: '/v1/telecom/cdr',
  listId: 'listCdrs',
  getId: 'getCdr',
  idField: 'cdrId',
  kind: 'cdr',
  make: (by) => record('cdr', by),
};

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
  client = await t.makeClient(psp);
});
afterAll(() => t?.stop());

describe('listTransactions', () => {
  listGuarantees(transactions, () => {
    it('filters by status and type', async () => {
      const someone = await t.makeClient(psp);
      const sale = await record('transaction', someone);
      const deposit = await record('deposit', someone);
      const basket = await record('basket', someone);
      contentOf(await t.post('/v1/transaction/declineTransaction', { ref: deposit.body.ref }, someone.apiKey));
      const ids = (q: string) => idsOf(`/v1/transaction?${q}`, 'transactionId', someone.apiKey);
      expect(await ids('status=APPROVED')).toEqual([sale.id]);
      expect(await ids('status=DECLINED')).toEqual([deposit.id]);
      expect(await ids('status=PENDING')).toEqual([basket.content.transactionId]);
      expect(await ids('type=deposit')).toEqual([deposit.id]);
      expect(await ids('type=deposit&status=APPROVED')).toEqual([]);
    });

    it('filters by when it was recorded: from that moment on, up to but without the end', async () => {
      const someone = await t.makeClient(psp);
      const made: string[] = [];
      const times: string[] = [];
      for (let i = 0; i < 3; i++) {
        t.advance(1000);
        times.push(new Date(t.now()).toISOString());
        made.push((await record('transaction', someone)).id);
      }
      const ids = (q: string) => idsOf(`/v1/transaction?${q}`, 'transactionId', someone.apiKey);
      expect(await ids(`from=${times[1]}`)).toEqual([made[2], made[1]]);
      expect(await ids(`to=${times[1]}`)).toEqual([made[0]]);
      expect(await ids(`from=${times[1]}&to=${times[2]}`)).toEqual([made[1]]);
      // Requested a moment before, and decided in the next second: its createdAt is what counts, as the list shows it.
      const requested = new Date(Date.parse(times[1] ?? '') - 400).toISOString();
      await t.database.admin.query('UPDATE transactions SET created_at = $2 WHERE id = $1', [
        uuidOf(made[1] ?? ''),
        requested,
      ]);
      expect(await ids(`from=${times[1]}`)).toEqual([made[2]]);
      expect(await ids(`to=${times[1]}`)).toEqual([made[1], made[0]]);
    });

    it('narrows by all filters at once, page by page', async () => {
      const someone = await t.makeClient(psp);
      t.advance(1000);
      const from = new Date(t.now()).toISOString();
      const wanted: string[] = [];
      for (let i = 0; i < 3; i++) {
        wanted.unshift((await record('transaction', someone)).id);
        await record('basket', someone);
        await record('deposit', someone);
      }
      const q = `/v1/transaction?status=APPROVED&type=verifyTransaction&from=${from}&limit=2`;
      const first = await list(q, someone.apiKey);
      expect(first.items.map((i: { transactionId: string }) => i.transactionId)).toEqual(wanted.slice(0, 2));
      const rest = await list(`${q}&cursor=${first.nextCursor}`, someone.apiKey);
      expect(rest.items.map((i: { transactionId: string }) => i.transactionId)).toEqual(wanted.slice(2));
      expect(rest.nextCursor).toBeNull();
    });

    it('shows a revised transaction once, as it is now', async () => {
      const someone = await t.makeClient(psp);
      const { id, body } = await record('transaction', someone);
      contentOf(await t.post('/v1/transaction/verifyTransaction', { ...body, transactionFee: 2 }, someone.apiKey));
      const { items } = await list('/v1/transaction', someone.apiKey);
      expect(items).toEqual([expect.objectContaining({ transactionId: id, revision: 2, transactionFee: 2 })]);
    });

    it("finds a ref over all of a PSP's accounts, exactly as it was given", async () => {
      const house = await t.makePsp();
      const shop = await t.makeClient(house);
      const ref = "a b+c&d=é'--";
      const one = await record('transaction', shop, { ref });
      const two = await record('transaction', house, { ref });
      await record('transaction', shop);
      const ids = (text: string, key: string) =>
        idsOf(`/v1/transaction?ref=${encodeURIComponent(text)}`, 'transactionId', key);
      expect(await ids(ref, shop.apiKey)).toEqual([one.id]);
      expect(await ids(ref, house.apiKey)).toEqual([two.id, one.id]);
      expect(await ids(ref.toUpperCase(), house.apiKey)).toEqual([]);
      for (const bad of ['x'.repeat(201), 'a\u0000b'])
        expectRefusal(
          await t.get(`/v1/transaction?ref=${encodeURIComponent(bad)}`, house.apiKey),
          400,
          'QUERY_INVALID',
        );
    });

    it('takes any moment from 1970 to 9999 for a bound', async () => {
      const someone = await t.makeClient(psp);
      const { id } = await record('transaction', someone);
      const ids = (q: string) => idsOf(`/v1/transaction?${q}`, 'transactionId', someone.apiKey);
      expect(await ids('from=1970-01-01T00:00:00Z')).toEqual([id]);
      expect(await ids('from=1970-01-02T00:00:00%2B01:00&to=9999-12-31T23:59:59Z')).toEqual([id]);
      expect(await ids('from=9999-12-31T23:59:59Z')).toEqual([]);
      expect(await ids('to=1970-01-01T00:00:00Z')).toEqual([]);
    });

    it.each([
      'status=approved',
      'type=wager',
      'from=yesterday',
      'to=2026-02-30T00:00:00Z',
      'from=0000-01-01T00:00:00Z',
      'from=1969-12-31T23:59:59.999Z',
      'to=9999-12-31T23:59:59-00:01',
      'from=2026-11-21',
      'from=2026-11-21T10:00:00',
      'to=2026-11-21T10:00:60Z',
      'to=2026-11-21T10:00:00%2B25:00',
      'from=',
    ])('refuses %s', async (q) =>
      expectRefusal(await t.get(`/v1/transaction?${q}`, client.apiKey), 400, 'QUERY_INVALID'),
    );
  });
});
describe('getTransaction', () => detailGuarantees(transactions));

describe('listBaskets', () =>
  listGuarantees(baskets, () => {
    it('filters by status', async () => {
      const someone = await t.makeClient(psp);
      const [pending, verified] = [await record('basket', someone), await record('basket', someone)];
      await record('transaction', someone, { transactionID: verified.content.transactionId });
      const ids = (q: string) => idsOf(`/v1/basket?${q}`, 'basketId', someone.apiKey);
      expect(await ids('status=PENDING')).toEqual([pending.id]);
      expect(await ids('status=VERIFIED')).toEqual([verified.id]);
      expect(await ids('status=CANCELLED')).toEqual([]);
      expectRefusal(await t.get('/v1/basket?status=OPEN', someone.apiKey), 400, 'QUERY_INVALID');
    });
  }));
describe('getBasket', () => detailGuarantees(baskets));

describe('listWagers', () =>
  listGuarantees(wagers, () => {
    it('filters by product line', async () => {
      const someone = await t.makeClient(psp);
      const lottery = await record('wager', someone, { type: 'lottery' });
      await record('wager', someone);
      expect(await idsOf('/v1/wager?type=lottery', 'wagerId', someone.apiKey)).toEqual([lottery.id]);
    });
  }));
describe('getWager', () => detailGuarantees(wagers));

describe('listPayouts', () =>
  listGuarantees(payouts, () => {
    it('filters by wager', async () => {
      const someone = await t.makeClient(psp);
      const [one, two] = [await payout(someone), await payout(someone)];
      const more = await payout(someone, one.body.wagerReference);
      const q = `/v1/payout?wagerReference=${one.body.wagerReference}`;
      expect(await idsOf(q, 'payoutId', someone.apiKey)).toEqual([more.id, one.id]);
      expect(two.content.wagerId).not.toBe(one.content.wagerId);
    });
  }));
describe('getPayout', () => detailGuarantees(payouts));

describe('listCdrs', () =>
  listGuarantees(cdrs, () => {
    it('filters by type of call and by when it was recorded', async () => {
      const someone = await t.makeClient(psp);
      const voice = await record('cdr', someone);
      t.advance(1000);
      const at = new Date(t.now()).toISOString();
      const sms = await record('cdr', someone, { call_type: 'SMS' });
      const ids = (q: string) => idsOf(`/v1/telecom/cdr?${q}`, 'cdrId', someone.apiKey);
      expect(await ids('callType=SMS')).toEqual([sms.id]);
      expect(await ids(`from=${at}`)).toEqual([sms.id]);
      expect(await ids(`to=${at}`)).toEqual([voice.id]);
      expect(await ids('from=1970-01-01T00:00:00Z')).toEqual([sms.id, voice.id]);
      expectRefusal(await t.get('/v1/telecom/cdr?callType=FAX', someone.apiKey), 400, 'QUERY_INVALID');
    });
  }));
describe('getCdr', () => detailGuarantees(cdrs));

describe('listClients', () => {
  const wire: Wire = { app: () => t, method: 'GET', path: '/v1/client', caller: () => psp };
  describe('accepts', () => {
    it("lists the PSP's clients, newest first, page by page, without itself", async () => {
      const house = await t.makePsp();
      const made: string[] = [];
      for (let i = 0; i < 3; i++) made.unshift((await t.makeClient(house)).id);
      const first = await list('/v1/client?limit=2', house.apiKey);
      expect(first.items.map((c: { clientId: string }) => c.clientId)).toEqual(made.slice(0, 2));
      const second = await list(`/v1/client?limit=2&cursor=${first.nextCursor}`, house.apiKey);
      expect(second.items.map((c: { clientId: string }) => c.clientId)).toEqual(made.slice(2));
      expect(second.nextCursor).toBeNull();
    });

    it('filters by standing and shows it, neither contacts nor secrets', async () => {
      const house = await t.makePsp();
      const [one] = [await t.makeClient(house), await t.makeClient(house)];
      await setStanding(t, one, { operationalStanding: 'SUSPENDED' });
      const r = await t.get('/v1/client?operationalStanding=SUSPENDED', house.apiKey);
      expect(contentOf(r).items).toEqual([await list(`/v1/client/${one.id}`, house.apiKey)]);
      expect(contentOf(r).items[0]).toMatchObject({
        clientId: one.id,
        operationalStanding: 'SUSPENDED',
        acceptable: false,
        reason: 'the client is suspended',
        organizationTin: '12345678-0001',
      });
      for (const hidden of ['accounts@lagosbooks.example', '+2348030000001', one.secret, 'secret', 'sealed'])
        expect(r.text).not.toContain(hidden);
    });
  });
  describe('validates', () => {
    it.each(['limit=0', 'limit=999', 'cursor=x', 'operationalStanding=closed'])('refuses %s', async (q) =>
      expectRefusal(await t.get(`/v1/client?${q}`, psp.apiKey), 400, 'QUERY_INVALID'),
    );
  });
  describe('authorises', () => {
    refusesOperators(wire, 'listClients');
    it("refuses a client's key and shows nothing of another PSP", async () => {
      expectRefusal(await t.get('/v1/client', client.apiKey), 403, 'AUDIENCE');
      const house = await t.makePsp();
      expect(await list('/v1/client', house.apiKey)).toEqual({ items: [], nextCursor: null });
    });
  });
});

describe('getClient', () => {
  const wire: Wire = {
    app: () => t,
    method: 'GET',
    get path() {
      return `/v1/client/${client.id}`;
    },
    caller: () => client,
  };
  describe('accepts', () => {
    it('shows a client to itself and to its PSP, and a PSP to itself', async () => {
      for (const { apiKey } of [client, psp])
        expect(await list(`/v1/client/${client.id}`, apiKey)).toMatchObject({
          clientId: client.id,
          registeredName: 'Lagos Books Ltd',
          classification: 'ECOMM_LOCAL',
          verificationLevel: 'BASIC',
          operationalStanding: 'ACTIVE',
          acceptable: true,
          reason: null,
        });
      expect((await list(`/v1/client/${psp.id}`, psp.apiKey)).clientId).toBe(psp.id);
    });
  });
  describe('validates', () => {
    it('answers not found for what is no id of an account', async () => {
      for (const id of ['x', toWire('wager', client.uuid)])
        expectRefusal(
          await t.get(`/v1/client/${id}`, client.apiKey),
          404,
          'NOT_FOUND',
          'not found, or not yours to see',
        );
    });
  });
  describe('authorises', () => {
    refusesOperators(wire, 'getClient');
    it('answers everybody else exactly as for an id that does not exist', async () => {
      const stranger = await t.makePsp();
      const absent = toWire('client', t.app.services.ids.next());
      for (const { apiKey } of [await t.makeClient(psp), stranger, await t.makeClient(stranger)]) {
        const none = await t.get(`/v1/client/${absent}`, apiKey);
        for (const id of [client.id, psp.id]) {
          const r = await t.get(`/v1/client/${id}`, apiKey);
          expectRefusal(r, 404, 'NOT_FOUND', 'not found, or not yours to see');
          expect(r.text).toBe(none.text);
        }
      }
      expectRefusal(
        await t.get(`/v1/client/${psp.id}`, client.apiKey),
        404,
        'NOT_FOUND',
        'not found, or not yours to see',
      );
    });
  });
});

describe('every list with the filter clientId', () => {
  const byClient = operations.filter((o) => o.method === 'GET' && o.query && 'clientId' in o.query.properties);
  /** The list with all that it requires. */
  const at = (o: Operation, clientId: string, key = psp.apiKey) => {
    const days = 'dayFrom' in (o.query?.properties ?? {}) ? { dayFrom: '2026-11-01', dayTo: '2026-11-02' } : {};
    const period = o.query?.required?.includes('period') ? { period: '2026-11' } : {};
    return t.get(`${o.path}?${new URLSearchParams({ clientId, ...days, ...period })}`, key);
  };

  it.each(byClient.filter((o) => o.audience.includes('psp')).map((o) => [o.id, o] as const))(
    '%s has nothing of the client of another PSP',
    async (_id, o) => {
      const theirs = await t.makeClient(await t.makePsp());
      const absent = toWire('client', t.app.services.ids.next());
      const [foreign, none, own] = [await at(o, theirs.id), await at(o, absent), await at(o, client.id)];
      expect([foreign.status, foreign.text]).toEqual([none.status, none.text]);
      expect([foreign.status, own.status], `${foreign.text} ${own.text}`).toEqual([404, 200]);
    },
  );

  const ofOperators = byClient.filter((o) => o.audience.includes('operator') && !o.audience.includes('authority'));
  it.each(ofOperators.map((o) => [o.id, o] as const))(
    '%s takes it from an operator, whose PSP it need not be',
    async (_id, o) => {
      const operator = await t.makeOperator();
      const r = await at(o, client.id, operator.apiKey);
      expect(r.status, r.text).toBe(200);
      expectRefusal(await at(o, 'x', operator.apiKey), 404, 'NOT_FOUND');
    },
  );
});
