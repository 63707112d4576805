// The operation chargeBack (Spec 4.4).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import {
  contentOf,
  expectRefusal,
  limitsText,
  refusesOperators,
  refusesWrongTypes,
  requiresFields,
  setStanding,
  type Wire,
} from '../support/guarantees.ts';
import { entryCount, expectJournalComplete, rowCount, told } from '../support/journal.ts';

let t: TestApp;
let psp: Account;
let client: Account;
let n = 0;
const path = '/v1/transaction/chargeBack';
const chargeBack = (ref: string, key = psp.apiKey, headers: Record<string, string> = {}) =>
  t.post(path, { ref }, key, headers);
const status = async (id: string) => contentOf(await t.get(`/v1/transaction/${id}`, psp.apiKey));
const order = (over: Record<string, unknown> = {}) => ({
  ref: `order-${++n}`,
  totalAmount: 107.5,
  currency: 'NGN',
  countryCode: 'NG',
  paymentMethods: { card: 107.5 },
  transactionFee: 1.5,
  ...over,
});
const verified = async (key = client.apiKey, over: Record<string, unknown> = {}, headers = {}) =>
  contentOf(await t.post('/v1/transaction/verifyTransaction', order(over), key, headers));
const onBehalf = () => verified(psp.apiKey, {}, { 'x-client-id': client.id });

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
  client = await t.makeClient(psp);
});
afterAll(() => t?.stop());

describe('chargeBack', () => {
  describe('accepts', () => {
    it('records a chargeback and returns exactly the amounts to subtract later', async () => {
      const v = await verified();
      const r = await chargeBack(v.ref);
      const c = contentOf(r);
      expect(r.body.message).toBe('chargeback recorded');
      expect(c).toEqual({
        vatAmount: v.vatAmount,
        processingFee: v.processingFee,
        merchantAmount: v.merchantAmount,
        transactionFee: v.transactionFee,
        transactionVAT: v.transactionVAT,
        chargebackId: expect.stringMatching(/^chb_[0-9a-z]{26}$/),
        transactionId: v.transactionId,
        ref: v.ref,
      });
      expect(Object.keys(c).slice(0, 5)).toEqual([
        'vatAmount',
        'processingFee',
        'merchantAmount',
        'transactionFee',
        'transactionVAT',
      ]);
    });

    it('is a document beside the transaction, whose status and amounts stay', async () => {
      const v = await verified();
      const before = await status(v.transactionId);
      t.advance(5000);
      const c = contentOf(await chargeBack(v.ref));
      const { chargeback, revision, updatedAt, ...rest } = await status(v.transactionId);
      expect(chargeback).toEqual({
        id: c.chargebackId,
        at: new Date(t.now()).toISOString(),
        amounts: {
          vatAmount: 7.5,
          processingFee: 1.08,
          merchantAmount: 97.23,
          transactionFee: 1.5,
          transactionVAT: 0.19,
        },
      });
      expect([revision, updatedAt]).toEqual([2, new Date(t.now()).toISOString()]);
      expect(before).toMatchObject(rest);
    });

    it('returns the net amount of a deposit as merchantAmount', async () => {
      const ref = `dep-${++n}`;
      const d = contentOf(
        await t.post(
          '/v1/payment/cryptoDeposit',
          {
            ref,
            totalAmount: 1000,
            currency: 'USDT',
            blochainHash: '0xabc',
            customer: { email: 'a@example.com' },
            countryCode: 'NG',
            transactionFee: 1,
          },
          client.apiKey,
        ),
      );
      expect(contentOf(await chargeBack(ref))).toMatchObject({
        vatAmount: d.vatAmount,
        processingFee: d.processingFee,
        merchantAmount: d.netAmount,
        transactionFee: 1,
        transactionVAT: 0,
      });
    });

    it('returns the amounts of the latest revision', async () => {
      const body = order();
      for (const totalAmount of [107.5, 215])
        contentOf(await t.post('/v1/transaction/verifyTransaction', { ...body, totalAmount }, client.apiKey));
      expect(contentOf(await chargeBack(body.ref)).vatAmount).toBe(15);
    });

    it('is open to a suspended account: a chargeback reverses money that moved', async () => {
      const someone = await t.makeClient(psp);
      const { ref } = await verified(someone.apiKey);
      await setStanding(t, someone, { operationalStanding: 'SUSPENDED' });
      contentOf(await chargeBack(ref));
    });
  });

  describe('validates', () => {
    const wire: Wire = {
      app: () => t,
      method: 'POST',
      path,
      caller: () => client,
      body: () => ({ ref: 'none' }),
    };
    requiresFields(wire, ['ref']);
    refusesWrongTypes(wire, { text: ['ref'] });
    limitsText(wire, { ref: 200 });

    it('refuses a part of the amount, which would have returned all of it, and takes the whole', async () => {
      const v = await verified();
      const part = await t.post(path, { ref: v.ref, amount: 50 }, psp.apiKey);
      expectRefusal(
        part,
        400,
        'FIELD_INVALID',
        `the field 'amount' is not that of the transaction with the ref '${v.ref}', 107.5: a chargeback returns all of a transaction. For a part, charge all of it back and verify what remains as a new transaction`,
      );
      expect((await status(v.transactionId)).chargeback ?? null).toBe(null);
      contentOf(await t.post(path, { ref: v.ref, amount: 107.5 }, psp.apiKey));
      expect((await status(v.transactionId)).chargeback).toMatchObject({ amounts: { vatAmount: v.vatAmount } });
    });

    it('refuses a ref that no transaction has', async () => {
      expectRefusal(await chargeBack('no-such-ref'), 404, 'NOT_FOUND', "no transaction with the ref 'no-such-ref'");
    });

    it('refuses a transaction that standing declined', async () => {
      const someone = await t.makeClient(psp);
      await setStanding(t, someone, { operationalStanding: 'SUSPENDED' });
      const { ref } = await verified(someone.apiKey);
      expectRefusal(
        await chargeBack(ref),
        409,
        'STATE_CONFLICT',
        `the transaction with the ref '${ref}' is DECLINED; only an APPROVED one can be charged back`,
      );
    });

    it('refuses a transaction that the PSP declined', async () => {
      const { ref } = await verified();
      contentOf(await t.post('/v1/transaction/declineTransaction', { ref }, client.apiKey));
      expectRefusal(await chargeBack(ref), 409, 'STATE_CONFLICT');
    });

    it('refuses the ref of a basket that was not verified', async () => {
      const basket = contentOf(
        await t.post(
          '/v1/basket/submitBasket',
          {
            ref: `cart-${++n}`,
            totalAmount: 10,
            items: [{ sku: 'A', title: 'A', description: '', quantity: 1, price: 10, subTotal: 10 }],
            paymentMethods: { card: 10 },
            currency: 'NGN',
            countryCode: 'NG',
          },
          client.apiKey,
        ),
      );
      expectRefusal(await chargeBack(basket.originalBasketData.ref), 404, 'NOT_FOUND');
    });
  });

  describe('authorises', () => {
    const wire: Wire = { app: () => t, method: 'POST', path, caller: () => client, body: () => ({ ref: 'none' }) };
    refusesOperators(wire, 'chargeBack');

    it('accepts it from the PSP that recorded the transaction for its client', async () => {
      const { ref } = await onBehalf();
      contentOf(await chargeBack(ref, psp.apiKey, { 'x-client-id': client.id }));
      contentOf(await chargeBack((await onBehalf()).ref, psp.apiKey));
    });

    it('accepts it from the PSP whose client recorded the transaction', async () => {
      const { ref } = await verified();
      contentOf(await chargeBack(ref, psp.apiKey));
    });

    it('refuses it to a client, whether it recorded the transaction itself or its PSP did', async () => {
      for (const { ref, transactionId } of [await onBehalf(), await verified()]) {
        expectRefusal(
          await chargeBack(ref, client.apiKey),
          403,
          'NOT_RECORDER',
          `only your PSP may file the chargeback of the transaction with the ref '${ref}'`,
        );
        expect((await status(transactionId)).chargeback).toBeNull();
      }
    });

    it('refuses every other account exactly as for a ref that does not exist', async () => {
      const { ref, transactionId } = await verified();
      const sibling = await t.makeClient(psp);
      const stranger = await t.makePsp();
      const strangersClient = await t.makeClient(stranger);
      for (const { apiKey } of [sibling, stranger, strangersClient])
        expectRefusal(await chargeBack(ref, apiKey), 404, 'NOT_FOUND', `no transaction with the ref '${ref}'`);
      expectRefusal(
        await chargeBack(ref, stranger.apiKey, { 'x-client-id': client.id }),
        404,
        'NOT_FOUND',
        `no transaction with the ref '${ref}'`,
      );
      expectRefusal(await chargeBack(ref, sibling.apiKey, { 'x-client-id': client.id }), 404, 'NOT_FOUND');
      expect((await status(transactionId)).chargeback).toBeNull();
    });

    it('asks a PSP to name the client when several have the ref', async () => {
      const other = await t.makeClient(psp);
      const one = await verified();
      const two = await verified(other.apiKey, { ref: one.ref });
      expectRefusal(await chargeBack(one.ref, psp.apiKey), 409, 'REF_AMBIGUOUS');
      expect(contentOf(await chargeBack(one.ref, psp.apiKey, { 'x-client-id': other.id })).transactionId).toBe(
        two.transactionId,
      );
    });
  });

  describe('repeats', () => {
    it('refuses a second chargeback for the same transaction', async () => {
      const { ref, transactionId } = await verified();
      contentOf(await chargeBack(ref));
      const before = [await entryCount(t), await status(transactionId)];
      for (const headers of [{}, { 'x-client-id': client.id }])
        expectRefusal(
          await chargeBack(ref, psp.apiKey, headers),
          409,
          'ALREADY_CHARGED_BACK',
          `a chargeback for the transaction with the ref '${ref}' exists already`,
        );
      expect([await entryCount(t), await status(transactionId)]).toEqual(before);
    });

    it('lets one of many concurrent chargebacks win', async () => {
      const { ref, transactionId } = await verified();
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, i) => chargeBack(ref, psp.apiKey, i % 2 ? { 'x-client-id': client.id } : {})),
      );
      expect(answers.filter((r) => r.status === 200)).toHaveLength(1);
      for (const r of answers.filter((r) => r.status !== 200)) expectRefusal(r, 409, 'ALREADY_CHARGED_BACK');
      const { chargeback } = await status(transactionId);
      expect(
        await rowCount(t, 'chargebacks', 'transaction_id IN (SELECT id FROM transactions WHERE ref = $1)', [ref]),
      ).toBe(1);
      expect(chargeback.id).toBe(contentOf(answers.find((r) => r.status === 200)!).chargebackId);
    });

    it('lets one of many win with two processes on one database', async () => {
      const env = { ASSAY_MASTER_KEY: 'ab'.repeat(32) };
      const one = await makeTestApp({ env });
      try {
        const two = await makeTestApp({ env, database: one.database });
        try {
          const house = await one.makePsp();
          for (let i = 0; i < 5; i++) {
            const body = order();
            contentOf(await one.post('/v1/transaction/verifyTransaction', body, house.apiKey));
            const answers = await Promise.all(
              [one, two, one, two].map((app) => app.post(path, { ref: body.ref }, house.apiKey)),
            );
            expect(answers.map((r) => r.status).sort()).toEqual([200, 409, 409, 409]);
          }
          await expectJournalComplete(one);
        } finally {
          await two.stop();
        }
      } finally {
        await one.stop();
      }
    });
  });

  describe('tells', () => {
    it('writes an entry for the chargeback and one for the transaction, each the exact resource', async () => {
      const { ref, transactionId } = await verified();
      const c = contentOf(await chargeBack(ref, psp.apiKey));
      const { vatAmount, processingFee, merchantAmount, transactionFee, transactionVAT, ...ids } = c;
      const [back] = await told(t, c.chargebackId);
      expect(back?.kind).toBe('chargeback.created');
      expect(back?.body).toMatchObject({ clientId: client.id, version: 1, actor: { account: psp.id } });
      expect(back?.body.data).toEqual({
        ...ids,
        amounts: { vatAmount, processingFee, merchantAmount, transactionFee, transactionVAT },
      });
      const entries = await told(t, transactionId);
      expect(entries.map((e) => [e.kind, e.body.event, e.body.version])).toEqual([
        ['transaction.created', 'New Transaction', 1],
        ['transaction.updated', 'Transaction Change', 2],
      ]);
      expect(entries[1]?.body.data).toEqual(await status(transactionId));
      // Both of one commit, side by side.
      expect(entries[1]?.seq).toBe((back?.seq as number) + 1);
    });

    it('keeps records and journal one to one, numbered without gaps', async () => {
      const many = await Promise.all(Array.from({ length: 10 }, () => verified()));
      await Promise.all(many.map(({ ref }) => chargeBack(ref)));
      await expectJournalComplete(t);
    });
  });
});
