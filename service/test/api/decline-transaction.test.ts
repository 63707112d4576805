// The operation declineTransaction (Spec 4.3).
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
import { entryCount, expectJournalComplete, told } from '../support/journal.ts';

let t: TestApp;
let psp: Account;
let client: Account;
let n = 0;
const path = '/v1/transaction/declineTransaction';
const decline = (ref: string, key = client.apiKey, headers: Record<string, string> = {}) =>
  t.post(path, { ref }, key, headers);
const status = async (id: string) => contentOf(await t.get(`/v1/transaction/${id}`, psp.apiKey));
async function verified(key = client.apiKey, over: Record<string, unknown> = {}, headers = {}) {
  const body = {
    ref: `order-${++n}`,
    totalAmount: 107.5,
    currency: 'NGN',
    countryCode: 'NG',
    paymentMethods: { card: 107.5 },
    transactionFee: 1.5,
    ...over,
  };
  return contentOf(await t.post('/v1/transaction/verifyTransaction', body, key, headers));
}
async function submitBasket() {
  return contentOf(
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
}
let known: string;
const wire: Wire = {
  app: () => t,
  method: 'POST',
  path,
  caller: () => client,
  body: () => ({ ref: known }),
};

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
  client = await t.makeClient(psp);
  known = (await verified()).ref;
});
afterAll(() => t?.stop());

describe('declineTransaction', () => {
  describe('accepts', () => {
    it('declines a verified transaction and confirms it', async () => {
      const { ref, transactionId } = await verified();
      const r = await decline(ref, psp.apiKey);
      expect(contentOf(r)).toEqual({ transactionId, ref, status: 'DECLINED' });
      expect(r.body.message).toBe('transaction declined');
      expect(await status(transactionId)).toMatchObject({
        status: 'DECLINED',
        reason: 'declined by the PSP',
        revision: 2,
        vatAmount: 7.5,
      });
    });

    it.each(['cryptoDeposit', 'cryptoWithdrawal', 'deposit', 'withdrawal'])(
      'declines what %s recorded',
      async (kind) => {
        const ref = `m-${++n}`;
        const { transactionId } = contentOf(
          await t.post(
            `/v1/payment/${kind}`,
            {
              ref,
              totalAmount: 100,
              currency: 'NGN',
              blochainHash: '0xabc',
              customer: { email: 'a@example.com' },
              toAddress: kind === 'withdrawal' ? { iban: 'x' } : 'Txyz',
              countryCode: 'NG',
              transactionFee: 0,
            },
            client.apiKey,
          ),
        );
        expect(contentOf(await decline(ref))).toMatchObject({ transactionId, status: 'DECLINED' });
        expect(await status(transactionId)).toMatchObject({ type: kind, status: 'DECLINED' });
      },
    );

    it('cancels the basket of the transaction', async () => {
      const basket = await submitBasket();
      const { ref } = await verified(client.apiKey, { transactionID: basket.transactionId });
      contentOf(await decline(ref));
      expect(contentOf(await t.get(`/v1/basket/${basket.basketId}`, client.apiKey)).status).toBe('CANCELLED');
    });

    it('is open to a suspended client: declining moves no money', async () => {
      const someone = await t.makeClient(psp);
      const { ref } = await verified(someone.apiKey);
      await setStanding(t, someone, { operationalStanding: 'SUSPENDED' });
      expect(contentOf(await decline(ref, someone.apiKey)).status).toBe('DECLINED');
    });

    it("finds a client's ref by the PSP's key, without x-client-id where one client has it", async () => {
      const { ref, transactionId } = await verified();
      expect(contentOf(await decline(ref, psp.apiKey)).transactionId).toBe(transactionId);
    });
  });

  describe('validates', () => {
    requiresFields(wire, ['ref']);
    refusesWrongTypes(wire, { text: ['ref'] });
    limitsText(wire, { ref: 200 });

    it('refuses a ref that no transaction has', async () => {
      expectRefusal(await decline('no-such-ref'), 404, 'NOT_FOUND', "no transaction with the ref 'no-such-ref'");
    });

    it('does not take the ref of a basket, a wager or a payout for one of a transaction', async () => {
      const basket = await submitBasket();
      expectRefusal(await decline(basket.originalBasketData.ref), 404, 'NOT_FOUND');
      const customer = { email: 'a@example.com' };
      contentOf(
        await t.post(
          '/captureWager',
          { amount: 1, ref: 'bet-1', customer, ip: '102.0.2.44', type: 'sports' },
          client.apiKey,
        ),
      );
      contentOf(
        await t.post('/capturePayout', { amount: 1, ref: 'win-1', customer, wagerReference: 'bet-1' }, client.apiKey),
      );
      expectRefusal(await decline('bet-1'), 404, 'NOT_FOUND');
      expectRefusal(await decline('win-1'), 404, 'NOT_FOUND');
    });

    it('refuses a transaction that was charged back', async () => {
      const { ref, transactionId } = await verified();
      contentOf(await t.post('/v1/transaction/chargeBack', { ref }, psp.apiKey));
      expectRefusal(
        await decline(ref),
        409,
        'ALREADY_CHARGED_BACK',
        `the transaction with the ref '${ref}' was charged back and cannot be declined`,
      );
      expect(await status(transactionId)).toMatchObject({ status: 'APPROVED', revision: 2 });
    });
  });

  describe('authorises', () => {
    refusesOperators(wire, 'declineTransaction');

    it('refuses the ref of another account exactly as one that does not exist, and changes nothing', async () => {
      const { ref, transactionId } = await verified();
      const sibling = await t.makeClient(psp);
      const stranger = await t.makePsp();
      const strangersClient = await t.makeClient(stranger);
      for (const { apiKey } of [sibling, stranger, strangersClient])
        expectRefusal(await decline(ref, apiKey), 404, 'NOT_FOUND', `no transaction with the ref '${ref}'`);
      for (const headers of [{ 'x-client-id': sibling.id }, { 'x-client-id': psp.id }])
        expectRefusal(
          await decline(ref, psp.apiKey, headers),
          404,
          'NOT_FOUND',
          `no transaction with the ref '${ref}'`,
        );
      expectRefusal(
        await decline(ref, stranger.apiKey, { 'x-client-id': client.id }),
        404,
        'NOT_FOUND',
        `no transaction with the ref '${ref}'`,
      );
      expect((await status(transactionId)).status).toBe('APPROVED');
    });

    it('refuses a client what its PSP recorded for it, whatever recorded it, and changes nothing', async () => {
      const on = { 'x-client-id': client.id };
      const sale = await verified(psp.apiKey, {}, on);
      const deposit = contentOf(
        await t.post(
          '/v1/payment/deposit',
          {
            ref: `m-${++n}`,
            totalAmount: 100,
            currency: 'NGN',
            customer: { email: 'a@example.com' },
            countryCode: 'NG',
            transactionFee: 0,
          },
          psp.apiKey,
          on,
        ),
      );
      for (const { ref, transactionId } of [sale, deposit]) {
        expectRefusal(
          await decline(ref),
          403,
          'NOT_RECORDER',
          `the transaction with the ref '${ref}' was recorded by your PSP; only it may decline it`,
        );
        expect(await status(transactionId)).toMatchObject({ status: 'APPROVED', revision: 1 });
        expect(contentOf(await decline(ref, psp.apiKey)).status).toBe('DECLINED');
        expectRefusal(await decline(ref), 403, 'NOT_RECORDER');
      }
    });

    it("refuses a PSP's own transaction to its client", async () => {
      const { ref } = await verified(psp.apiKey);
      expectRefusal(await decline(ref), 404, 'NOT_FOUND');
    });

    it('asks a PSP to name the client when several have the ref, and then declines that one only', async () => {
      const other = await t.makeClient(psp);
      const one = await verified();
      const two = await verified(other.apiKey, { ref: one.ref });
      expectRefusal(
        await decline(one.ref, psp.apiKey),
        409,
        'REF_AMBIGUOUS',
        `the ref '${one.ref}' exists for several of your clients; name one in the header x-client-id`,
      );
      expect(contentOf(await decline(one.ref, psp.apiKey, { 'x-client-id': other.id })).transactionId).toBe(
        two.transactionId,
      );
      expect((await status(one.transactionId)).status).toBe('APPROVED');
    });
  });

  describe('repeats', () => {
    it('answers a second decline like the first and records nothing new', async () => {
      const { ref } = await verified();
      const first = await decline(ref);
      const before = await entryCount(t);
      const again = await decline(ref);
      expect(again.text).toBe(first.text);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(await entryCount(t)).toBe(before);
    });

    it('leaves a trace of a decline on top of one for want of standing, which then holds', async () => {
      const someone = await t.makeClient(psp);
      await setStanding(t, someone, { operationalStanding: 'SUSPENDED' });
      const { ref, transactionId } = await verified(someone.apiKey);
      expect(contentOf(await decline(ref, psp.apiKey))).toEqual({ transactionId, ref, status: 'DECLINED' });
      await setStanding(t, someone, { operationalStanding: 'ACTIVE' });
      expect((await verified(someone.apiKey, { ref })).status).toBe('DECLINED');
      expect(await status(transactionId)).toMatchObject({ revision: 2, reason: 'declined by the PSP' });
    });

    it('leaves a trace of each of two who decline, who and when, and says both', async () => {
      for (const [one, two] of [
        [client, psp],
        [psp, client],
      ] as const) {
        const { ref, transactionId } = await verified();
        t.advance(1000);
        contentOf(await decline(ref, one.apiKey));
        const first = one === psp ? 'declined by the PSP' : 'declined by the client';
        expect((await status(transactionId)).reason).toBe(first);
        t.advance(1000);
        contentOf(await decline(ref, two.apiKey));
        expect((await decline(ref, one.apiKey)).headers.get('idempotency-replayed')).toBe('true');
        expect((await decline(ref, two.apiKey)).headers.get('idempotency-replayed')).toBe('true');
        const { items } = contentOf(await t.get(`/v1/transaction/${transactionId}/history`, client.apiKey));
        expect(
          items.map((i: { step: string; actor: { account: string }; reason: string }) => [
            i.step,
            i.actor.account,
            i.reason,
          ]),
        ).toEqual([
          ['RECORDED', client.id, null],
          ['DECLINED', one.id, first],
          ['DECLINED', two.id, 'declined by the PSP and by the client'],
        ]);
        expect(new Set(items.map((i: { at: string }) => i.at)).size).toBe(3);
        expect(contentOf(await decline(ref, psp.apiKey)).status).toBe('DECLINED');
      }
      await expectJournalComplete(t);
    });

    it('declines once under concurrent calls and answers all alike', async () => {
      const { ref, transactionId } = await verified();
      const answers = await Promise.all(Array.from({ length: 20 }, () => decline(ref)));
      expect(new Set(answers.map((r) => r.text)).size).toBe(1);
      expect((await status(transactionId)).revision).toBe(2);
    });

    it('never both declines and charges back: of two concurrent calls the chargeback wins or comes too late', async () => {
      for (let i = 0; i < 5; i++) {
        const { ref, transactionId } = await verified();
        const [declined, back] = await Promise.all([
          decline(ref),
          t.post('/v1/transaction/chargeBack', { ref }, psp.apiKey),
        ]);
        expect([declined.status, back.status].sort()).toEqual([200, 409]);
        const s = await status(transactionId);
        expect([s.status, s.chargeback === null]).toEqual(
          declined.status === 200 ? ['DECLINED', true] : ['APPROVED', false],
        );
      }
    });
  });

  describe('tells', () => {
    it('writes one entry with the exact resource and who declined', async () => {
      const { ref, transactionId } = await verified();
      t.advance(1000);
      contentOf(await decline(ref, psp.apiKey));
      const entries = await told(t, transactionId);
      expect(entries.map((e) => [e.kind, e.body.event, e.body.version])).toEqual([
        ['transaction.created', 'New Transaction', 1],
        ['transaction.updated', 'Transaction Change', 2],
      ]);
      expect(entries[1]?.body).toMatchObject({
        clientId: client.id,
        actor: { account: psp.id },
        timestamp: new Date(t.now()).toISOString(),
      });
      expect(entries[1]?.body.data).toEqual(await status(transactionId));
    });

    it('tells of the basket it cancelled', async () => {
      const basket = await submitBasket();
      const { ref } = await verified(client.apiKey, { transactionID: basket.transactionId });
      contentOf(await decline(ref));
      const entries = await told(t, basket.basketId);
      expect(entries.map((e) => [e.kind, e.body.version, e.body.data.status])).toEqual([
        ['basket.created', 1, 'PENDING'],
        ['basket.updated', 2, 'VERIFIED'],
        ['basket.updated', 3, 'CANCELLED'],
      ]);
      expect(entries[2]?.body.data).toEqual(contentOf(await t.get(`/v1/basket/${basket.basketId}`, client.apiKey)));
    });

    it('keeps records and journal one to one, numbered without gaps', async () => {
      const many = await Promise.all(Array.from({ length: 10 }, () => verified()));
      await Promise.all(many.map(({ ref }) => decline(ref)));
      await expectJournalComplete(t);
    });
  });
});
