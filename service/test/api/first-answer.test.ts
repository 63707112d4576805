// A ref never expires (decision 10): a request gets its first reply again, even if the same body would be refused today
// because a currency was withdrawn or a country has no rule any more.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RuleBook } from '../../src/core/tax/book.ts';
import { type Account, type Answer, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, expectRefusal, put, setStanding } from '../support/guarantees.ts';
import { entryCount } from '../support/journal.ts';

/** The lev's last day as tender beside the euro: data/currencies.json. */
const lastDay = '2026-01-31T10:00:00Z';
const place = { currency: 'BGN', countryCode: 'BG' };
const customer = { email: 'ivan@example.com' };

let n = 0;
const sale = () => ({
  ref: `order-${++n}`,
  totalAmount: 120,
  ...place,
  paymentMethods: { card: 120 },
  transactionFee: 1.5,
});
const movement = () => ({ ref: `move-${++n}`, totalAmount: 120, ...place, customer, transactionFee: 1 });
const cart = () => ({
  ref: `cart-${++n}`,
  totalAmount: 120,
  items: [{ sku: 'B', title: 'Book', description: '', quantity: 1, price: 120, subTotal: 120 }],
  paymentMethods: { card: 120 },
  ...place,
});
const bodies: [string, string, () => Record<string, unknown>][] = [
  ['verifyTransaction', '/v1/transaction/verifyTransaction', sale],
  ['deposit', '/v1/payment/deposit', movement],
  ['withdrawal', '/v1/payment/withdrawal', () => ({ ...movement(), toAddress: { bank: 'DSK' } })],
  ['cryptoDeposit', '/v1/payment/cryptoDeposit', () => ({ ...movement(), blochainHash: '0xabc' })],
  ['submitBasket', '/v1/basket/submitBasket', cart],
];

/** Sends, lets what the body names end, and sends again. */
function endings(what: string, end: (t: TestApp) => void, code: string) {
  describe(`when ${what}`, () => {
    let t: TestApp;
    let psp: Account;
    let client: Account;
    const sent = new Map<string, { path: string; body: Record<string, unknown>; first: Answer }>();
    let basket: { body: Record<string, unknown>; first: Answer };
    let declined: { body: Record<string, unknown>; first: Answer };
    let entries: number;
    const verify = (body: unknown, key: string) => t.post('/v1/transaction/verifyTransaction', body, key);

    beforeAll(async () => {
      t = await makeTestApp({ startAt: lastDay });
      psp = await t.makePsp();
      client = await t.makeClient(psp);
      for (const [id, path, make] of bodies) {
        const body = make();
        sent.set(id, { path, body, first: await t.post(path, body, client.apiKey) });
      }
      const { transactionId } = contentOf(await t.post('/v1/basket/submitBasket', cart(), client.apiKey));
      const paid = { ...sale(), transactionID: transactionId };
      basket = { body: paid, first: await verify(paid, psp.apiKey) };
      await setStanding(t, client, { operationalStanding: 'SUSPENDED' });
      const refused = sale();
      declined = { body: refused, first: await verify(refused, client.apiKey) };
      end(t);
      entries = await entryCount(t);
    });
    afterAll(() => t.stop());

    const expectFirst = (again: Answer, first: Answer) => {
      expect([first.status, again.text]).toEqual([200, first.text]);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
    };

    it.each(bodies.map(([id]) => id))('%s answers an equal body as it did, and refuses any other', async (id) => {
      const { path, body, first } = sent.get(id) as { path: string; body: Record<string, unknown>; first: Answer };
      expectFirst(await t.post(path, body, client.apiKey), first);
      expectRefusal(await t.post(path, { ...body, ref: `new-${++n}` }, client.apiKey), 400, code);
    });

    it('answers the verification of a basket as it did', async () => {
      expectFirst(await verify(basket.body, psp.apiKey), basket.first);
    });

    it('repeats a decline while it holds, and can make nothing else of it', async () => {
      expect(contentOf(declined.first).status).toBe('DECLINED');
      expectFirst(await verify(declined.body, client.apiKey), declined.first);
      expect(await entryCount(t)).toBe(entries);
      await setStanding(t, client, { operationalStanding: 'ACTIVE' });
      expectRefusal(await verify(declined.body, client.apiKey), 400, code);
      expectRefusal(await verify(put(declined.body, 'totalAmount', 121), client.apiKey), 400, code);
    });
  });
}

endings('a currency was withdrawn', (t) => t.advance(86_400_000), 'UNKNOWN_CURRENCY');
endings(
  'a country has no rule any more',
  (t) => {
    t.app.services.rates.book = new RuleBook('none', []);
  },
  'NO_TAX_RULE',
);
