// The operation verifyTransactionStatus (Spec 4.2).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toWire } from '../../src/core/ids.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, expectRefusal, refusesOperators, type Wire } from '../support/guarantees.ts';
import { entryCount } from '../support/journal.ts';

let t: TestApp;
let psp: Account;
let client: Account;
let transactionId: string;
let n = 0;
const path = '/v1/transaction/verifyTransactionStatus';
const ask = (id: string, key = client.apiKey, more = '') => t.get(`${path}?transactionId=${id}${more}`, key);
const order = () => ({
  ref: `order-${++n}`,
  totalAmount: 107.5,
  currency: 'NGN',
  countryCode: 'NG',
  paymentMethods: { card: 107.5 },
  transactionFee: 1.5,
});
const deposit = () => ({
  ref: `dep-${++n}`,
  totalAmount: 1000,
  currency: 'NGN',
  customer: { email: 'ada@example.com', name: 'Ada Obi' },
  countryCode: 'NG',
  transactionFee: 1,
});
const verified = async (key = client.apiKey, headers = {}) =>
  contentOf(await t.post('/v1/transaction/verifyTransaction', order(), key, headers));
const deposited = async () => contentOf(await t.post('/v1/payment/deposit', deposit(), client.apiKey));
const wire: Wire = {
  app: () => t,
  method: 'GET',
  get path() {
    return `${path}?transactionId=${transactionId}`;
  },
  caller: () => client,
};

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
  client = await t.makeClient(psp);
  transactionId = (await verified()).transactionId;
});
afterAll(() => t?.stop());

describe('verifyTransactionStatus', () => {
  describe('accepts', () => {
    it('shows all of the reply of verifyTransaction, and what the record holds besides', async () => {
      const reply = await verified();
      const r = await ask(reply.transactionId);
      const c = contentOf(r);
      expect(r.body.message).toBe('transaction found');
      expect(c).toEqual({
        ...reply,
        type: 'verifyTransaction',
        paymentMethods: { card: 107.5 },
        reason: null,
        totalAmount: 107.5,
        currency: 'NGN',
        countryCode: 'NG',
        clientId: client.id,
        recordedBy: client.id,
        revision: 1,
        basketId: null,
        chargeback: null,
        observations: [],
        createdAt: new Date(t.now()).toISOString(),
        updatedAt: new Date(t.now()).toISOString(),
      });
    });

    it('shows all of the reply of a deposit with netAmount instead of merchantAmount', async () => {
      const reply = await deposited();
      const c = contentOf(await ask(reply.transactionId));
      expect(c).toMatchObject({ ...reply, type: 'deposit', transactionFee: 1, totalAmount: 1000 });
      expect(c).not.toHaveProperty('merchantAmount');
      expect(c).not.toHaveProperty('transactionVAT');
      expect(c).not.toHaveProperty('customer');
    });

    it('shows the transaction of a submitted basket as PENDING, before it has a ref of its own', async () => {
      const basket = contentOf(
        await t.post(
          '/v1/basket/submitBasket',
          {
            ref: `cart-${++n}`,
            totalAmount: 107.5,
            items: [{ sku: 'A', title: 'A', description: '', quantity: 1, price: 107.5, subTotal: 107.5 }],
            paymentMethods: { card: 107.5 },
            currency: 'NGN',
            countryCode: 'NG',
          },
          client.apiKey,
        ),
      );
      expect(contentOf(await ask(basket.transactionId))).toMatchObject({
        status: 'PENDING',
        ref: null,
        basketId: basket.basketId,
        vatAmount: 7.5,
      });
    });

    it('shows a decline and a chargeback from the moment they are acknowledged', async () => {
      const one = await verified();
      contentOf(await t.post('/v1/transaction/declineTransaction', { ref: one.ref }, client.apiKey));
      expect(contentOf(await ask(one.transactionId))).toMatchObject({
        status: 'DECLINED',
        reason: 'declined by the client',
        revision: 2,
      });
      const two = await verified();
      const back = contentOf(await t.post('/v1/transaction/chargeBack', { ref: two.ref }, psp.apiKey));
      expect(contentOf(await ask(two.transactionId))).toMatchObject({
        status: 'APPROVED',
        chargeback: { id: back.chargebackId, at: new Date(t.now()).toISOString(), amounts: { vatAmount: 7.5 } },
      });
    });

    it.each(['tax', 'fees', 'decision', 'revisions', 'customer'])('adds %s on request only', async (part) => {
      const { transactionId: id } = await deposited();
      expect(contentOf(await ask(id))).not.toHaveProperty(part);
      expect(contentOf(await ask(id, client.apiKey, `&expand=${part}`))).toHaveProperty(part);
    });

    it('adds several parts at once', async () => {
      const { transactionId: id } = await deposited();
      const c = contentOf(await ask(id, client.apiKey, '&expand=tax,fees,%20decision,customer'));
      expect(c.decision).toMatchObject({ status: 'APPROVED', reason: null, localDate: expect.any(String) });
      expect(c.customer).toEqual({ customer: { email: 'ada@example.com', name: 'Ada Obi' } });
      expect(c.tax.length).toBeGreaterThan(0);
      expect(c.fees.percent).toBe('0.75');
    });
  });

  describe('validates', () => {
    it("requires the field 'transactionId'", async () => {
      expectRefusal(await t.get(path, client.apiKey), 400, 'FIELD_REQUIRED', "the field 'transactionId' is required");
    });

    it('answers not found for what is no id of a transaction', async () => {
      for (const id of ['', 'nonsense', client.id, 'txn_', `txn_${'z'.repeat(26)}`, `${transactionId}x`])
        expectRefusal(await ask(id), 404, 'NOT_FOUND', 'not found, or not yours to see');
    });

    it('refuses an id over 64 characters and one given twice', async () => {
      expectRefusal(await ask('x'.repeat(65)), 400, 'QUERY_INVALID');
      expectRefusal(
        await ask(transactionId, client.apiKey, `&transactionId=${transactionId}`),
        400,
        'QUERY_INVALID',
        "the query parameter 'transactionId' occurs twice",
      );
    });

    it('refuses a part it does not know, naming those it does', async () => {
      expectRefusal(
        await ask(transactionId, client.apiKey, '&expand=tax,secrets'),
        400,
        'QUERY_INVALID',
        "the query parameter 'expand' knows tax, fees, decision, revisions, customer, request; not 'secrets'",
      );
    });

    it('refuses NUL and parameters it does not know', async () => {
      expectRefusal(await ask('a%00b'), 400, 'QUERY_INVALID');
      expectRefusal(
        await ask(transactionId, client.apiKey, '&transactionID=1'),
        400,
        'QUERY_INVALID',
        "there is no query parameter 'transactionID'; did you mean transactionId?",
      );
    });
  });

  describe('authorises', () => {
    refusesOperators(wire, 'verifyTransactionStatus');

    it("shows a client's transaction to the client and to its PSP, whoever recorded it", async () => {
      const byClient = await verified();
      const byPsp = await verified(psp.apiKey, { 'x-client-id': client.id });
      for (const { transactionId: id } of [byClient, byPsp])
        for (const key of [client.apiKey, psp.apiKey]) expect(contentOf(await ask(id, key)).transactionId).toBe(id);
    });

    it('answers everybody else exactly as for an id that does not exist', async () => {
      const { transactionId: id } = await verified();
      const sibling = await t.makeClient(psp);
      const stranger = await t.makePsp();
      const strangersClient = await t.makeClient(stranger);
      const absent = toWire('transaction', t.app.services.ids.next());
      for (const { apiKey } of [sibling, stranger, strangersClient]) {
        const [theirs, none] = [await ask(id, apiKey), await ask(absent, apiKey)];
        expectRefusal(theirs, 404, 'NOT_FOUND', 'not found, or not yours to see');
        expect(theirs.text).toBe(none.text);
      }
    });

    it("does not show a PSP's own transaction to its clients", async () => {
      const { transactionId: id } = await verified(psp.apiKey);
      expectRefusal(await ask(id), 404, 'NOT_FOUND');
    });
  });

  describe('repeats', () => {
    it('answers the same until something happens', async () => {
      const { transactionId: id } = await verified();
      const first = await ask(id);
      t.advance(86_400_000);
      expect((await ask(id)).text).toBe(first.text);
    });
  });

  describe('tells', () => {
    it('writes nothing into the journal', async () => {
      const { transactionId: id } = await verified();
      const before = await entryCount(t);
      await ask(id);
      await ask(id, psp.apiKey, '&expand=tax,customer');
      expect(await entryCount(t)).toBe(before);
    });
  });
});
