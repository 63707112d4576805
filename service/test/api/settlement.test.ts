// Chargebacks as amounts to subtract from later settlements (Spec 4.4): listed by party and age, netted once and never
// beyond the outstanding amount; and statements that balance.
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { localDate } from '../../src/core/calendar.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { upTo } from '../support/depth.ts';
import { contentOf, expectRefusal, refusesOperators } from '../support/guarantees.ts';
import { expectJournalComplete, told } from '../support/journal.ts';
import { live, makeCast, totalled } from '../totals/life.ts';

let t: TestApp;
let psp: Account;
let client: Account;
let n = 0;

beforeAll(async () => {
  t = await makeTestApp();
});
beforeEach(async () => {
  psp = await t.makePsp();
  client = await t.makeClient(psp);
});
afterAll(() => t.stop());

/** 107.50 NGN: VAT 7.50, processing fee 1.08, fee 1.50, VAT on both 0.19, merchant 97.23. */
async function sell(over: Record<string, unknown> = {}, by = psp): Promise<{ transactionId: string; ref: string }> {
  const body = {
    ref: `s-${++n}`,
    totalAmount: 107.5,
    currency: 'NGN',
    countryCode: 'NG',
    paymentMethods: {},
    transactionFee: 1.5,
  };
  const path = '/v1/transaction/verifyTransaction';
  return contentOf(await t.post(path, { ...body, ...over }, by.apiKey, by === psp ? { 'x-client-id': client.id } : {}));
}
async function chargedBack(over: Record<string, unknown> = {}, by = psp): Promise<string> {
  const { ref } = await sell(over, by);
  return contentOf(await t.post('/v1/transaction/chargeBack', { ref }, psp.apiKey)).chargebackId;
}
const net = (body: Record<string, unknown>, key = psp.apiKey) =>
  t.post('/v1/settlement/net', { ref: `n-${++n}`, ...body }, key);
const outstanding = async (key = psp.apiKey, query = '') =>
  contentOf(await t.get(`/v1/settlement/outstanding${query}`, key));
// biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire says
const left = async (): Promise<any> => (await outstanding()).items[0]?.outstanding;
const everything = {
  vatAmount: 7.5,
  processingFee: 1.08,
  merchantAmount: 97.23,
  transactionFee: 1.5,
  transactionVAT: 0.19,
};

const revise = (ref: string, over: Record<string, unknown>) =>
  t.post(
    '/v1/transaction/verifyTransaction',
    {
      ref,
      totalAmount: 107.5,
      currency: 'NGN',
      countryCode: 'NG',
      paymentMethods: {},
      transactionFee: 1.5,
      ...over,
    },
    psp.apiKey,
    { 'x-client-id': client.id },
  );
const step = fc.tuple(
  fc.constantFrom('net', 'net', 'net', 'revise', 'revise', 'decline'),
  fc.integer({ min: 1, max: 40 }),
);

/**
 * By the database's own sums: transactions with more netted than they settle to a party, or of a chargeback than it is.
 */
const overNetted = () =>
  t.database.admin.query(
    `SELECT x.ref FROM transactions x JOIN nettings n ON n.psp_id = x.psp_id AND n.against_id = x.id
     GROUP BY x.psp_id, x.id, x.ref, x.status, x.vat_amount, x.transaction_vat, x.remainder, x.processing_fee
     HAVING sum(n.vat_amount + n.transaction_vat) > CASE x.status WHEN 'APPROVED' THEN x.vat_amount + x.transaction_vat ELSE 0 END
       OR sum(n.merchant_amount) > CASE x.status WHEN 'APPROVED' THEN x.remainder ELSE 0 END
       OR sum(n.processing_fee) > CASE x.status WHEN 'APPROVED' THEN x.processing_fee ELSE 0 END
     UNION ALL
     SELECT t.ref FROM chargebacks c JOIN transactions t ON t.psp_id = c.psp_id AND t.id = c.transaction_id
     JOIN nettings n ON n.psp_id = c.psp_id AND n.chargeback_id = c.id
     GROUP BY c.id, t.ref, t.vat_amount, t.remainder
     HAVING sum(n.vat_amount) > t.vat_amount OR sum(n.merchant_amount) > t.remainder
       OR sum(n.vat_amount) < 0 OR sum(n.merchant_amount) < 0`,
  );

/** Of each call its own: a chargeback and a later sale. */
const nettable = async () => {
  const chargebackId = await chargedBack();
  const { transactionId } = await sell();
  return { ref: `k-${++n}`, chargebackId, transactionId, vatAmount: 1 };
};

describe('netChargeback', () => {
  refusesOperators(
    {
      app: () => t,
      method: 'POST',
      path: '/v1/settlement/net',
      caller: () => psp,
      body: nettable,
    },
    'netChargeback',
  );

  it('takes what was netted from what is outstanding, part by part, until nothing is left', async () => {
    const chargebackId = await chargedBack();
    expect(await left()).toEqual(everything);
    const { transactionId } = await sell();
    const first = contentOf(await net({ chargebackId, transactionId, vatAmount: 7.5, merchantAmount: 50 }));
    expect(first).toMatchObject({
      chargebackId,
      transactionId,
      clientId: client.id,
      currency: 'NGN',
      countryCode: 'NG',
    });
    expect(await left()).toEqual({ ...everything, vatAmount: 0, merchantAmount: 47.23 });
    const rest = { processingFee: 1.08, merchantAmount: 47.23, transactionFee: 1.5, transactionVAT: 0.19 };
    contentOf(await net({ chargebackId, transactionId, ...rest }));
    expect((await outstanding()).items).toEqual([]);
    const [entry] = await told(t, first.nettingId);
    expect(entry).toMatchObject({ kind: 'chargeback.netted', body: { data: first } });
    await expectJournalComplete(t);
  });

  it('answers an equal repetition with the same reply and records nothing; another body is refused', async () => {
    const chargebackId = await chargedBack();
    const { transactionId } = await sell();
    const body = { ref: `r-${++n}`, chargebackId, transactionId, vatAmount: 1.25 };
    const first = await net(body);
    const again = await net(body);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await left()).toMatchObject({ vatAmount: 6.25 });
    expectRefusal(
      await net({ ...body, vatAmount: 1 }),
      409,
      'REF_CONFLICT',
      `the ref '${body.ref}' was used before with another 'vatAmount'`,
    );
  });

  it('never nets more than is outstanding, however many ask at once', async () => {
    const chargebackId = await chargedBack();
    const later = await Promise.all(Array.from({ length: 12 }, () => sell()));
    const answers = await Promise.all(
      later.map(({ transactionId }) => net({ chargebackId, transactionId, vatAmount: 1, merchantAmount: 10 })),
    );
    expect(answers.filter((r) => r.status === 200)).toHaveLength(7);
    for (const r of answers.filter((a) => a.status !== 200)) expectRefusal(r, 409, 'NETTING_EXCESS');
    expect(await left()).toMatchObject({ vatAmount: 0.5, merchantAmount: 27.23 });
  });

  it('never nets more against a transaction than it settles to a party, over all chargebacks', async () => {
    const chargebacks = [await chargedBack(), await chargedBack()];
    const { transactionId } = await sell();
    contentOf(await net({ chargebackId: chargebacks[0], transactionId, merchantAmount: 60 }));
    expectRefusal(
      await net({ chargebackId: chargebacks[1], transactionId, merchantAmount: 60 }),
      409,
      'NETTING_EXCESS',
      'the transaction of transactionId settles only 37.23 more to MERCHANT; 60 cannot be subtracted from it',
    );
    contentOf(await net({ chargebackId: chargebacks[1], transactionId, merchantAmount: 37.23 }));
  });

  it('gives back what was netted against a transaction that is declined later', async () => {
    const chargebackId = await chargedBack();
    const { transactionId, ref } = await sell();
    contentOf(await net({ chargebackId, transactionId, vatAmount: 7.5 }));
    contentOf(await t.post('/v1/transaction/declineTransaction', { ref }, psp.apiKey));
    expect(await left()).toEqual(everything);
    expectRefusal(await net({ chargebackId, transactionId, vatAmount: 1 }), 409, 'STATE_CONFLICT');
    // What was released does not come back with the transaction.
    contentOf(await revise(ref, { transactionFee: 1 }));
    expect(await left()).toEqual(everything);
  });

  it('releases what was netted against a transaction that is revised below it, with an entry and in the same commit', async () => {
    const chargebackId = await chargedBack({ totalAmount: 1075 });
    const { transactionId, ref } = await sell({ totalAmount: 5000 });
    const before = await left();
    const first = contentOf(await net({ chargebackId, transactionId, vatAmount: 60 }));
    const second = contentOf(await net({ chargebackId, transactionId, vatAmount: 15, merchantAmount: 900 }));
    // The tax still covers both.
    contentOf(await revise(ref, { totalAmount: 4000 }));
    expect((await left()).vatAmount).toBe(0);
    contentOf(await revise(ref, { totalAmount: 1000 }));
    expect((await left()).vatAmount).toBe(15);
    contentOf(await revise(ref, { totalAmount: 50 }));
    expect(await left()).toEqual(before);
    for (const { nettingId } of [first, second])
      expect((await told(t, nettingId)).map((e) => [e.kind, e.body.version, e.body.data.nettingId])).toEqual([
        ['chargeback.netted', 1, nettingId],
        ['chargeback.netting_released', 2, nettingId],
      ]);
    const { items } = contentOf(await t.get(`/v1/transaction/${transactionId}/history`, psp.apiKey));
    expect(items.filter((i: { step: string }) => i.step === 'NETTING_RELEASED')).toHaveLength(2);
    await expectJournalComplete(t);
  });

  it('releases all of it where the transaction moves to another currency', async () => {
    const chargebackId = await chargedBack();
    const { transactionId, ref } = await sell({ totalAmount: 5000 });
    contentOf(await net({ chargebackId, transactionId, vatAmount: 7.5 }));
    contentOf(await revise(ref, { totalAmount: 5000, currency: 'KES', countryCode: 'KE' }));
    expect(await left()).toEqual(everything);
  });

  it('never has more netted than the later transaction settles, over random lives', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
        const [one, two] = [await chargedBack(), await chargedBack({ totalAmount: 1075 })];
        const { transactionId, ref } = await sell({ totalAmount: 1075 });
        for (const [what, size] of steps) {
          const chargebackId = size % 2 === 0 ? one : two;
          if (what === 'net') await net({ chargebackId, transactionId, vatAmount: size, merchantAmount: size * 9 });
          else if (what === 'revise') contentOf(await revise(ref, { totalAmount: size * 40 }));
          else contentOf(await t.post('/v1/transaction/declineTransaction', { ref }, psp.apiKey));
          expect(await overNetted(), JSON.stringify(steps)).toEqual([]);
        }
      }),
      { numRuns: upTo(4, 12), seed: 20261122 },
    );
  });

  it('refuses what does not belong together, and says why', async () => {
    const before = await sell();
    t.advance(60_000);
    const { ref, transactionId: own } = await sell();
    const { chargebackId } = contentOf(await t.post('/v1/transaction/chargeBack', { ref }, psp.apiKey));
    const euros = await sell({ currency: 'EUR', countryCode: 'DE' });
    const { transactionId } = await sell();
    const amounts = { chargebackId, transactionId, vatAmount: 1 };
    expectRefusal(
      await net({ ...amounts, transactionId: before.transactionId }),
      409,
      'STATE_CONFLICT',
      /before the chargeback/,
    );
    expectRefusal(await net({ ...amounts, transactionId: own }), 409, 'STATE_CONFLICT', /its own transaction/);
    expectRefusal(
      await net({ ...amounts, transactionId: euros.transactionId }),
      409,
      'STATE_CONFLICT',
      /NGN and country NG/,
    );
    expectRefusal(await net({ ...amounts, vatAmount: 7.51 }), 409, 'NETTING_EXCESS', /more than is outstanding.*7\.5$/);
    expectRefusal(await net({ ...amounts, vatAmount: 0.001 }), 400, 'AMOUNT_PRECISION');
    expectRefusal(await net({ chargebackId, transactionId }), 400, 'FIELD_REQUIRED');
    expectRefusal(await net({ ...amounts, chargebackId: 'chb_x' }), 404, 'NOT_FOUND');
    const stranger = await t.makePsp();
    expectRefusal(await net(amounts, stranger.apiKey), 404, 'NOT_FOUND');
    expectRefusal(await net(amounts, client.apiKey), 403, 'NOT_RECORDER');
    expect((await outstanding()).items[0].outstanding).toEqual(everything);
  });

  it('refuses it to a client, also between transactions that it recorded itself', async () => {
    const chargebackId = await chargedBack({}, client);
    const { transactionId } = await sell({}, client);
    expectRefusal(await net({ chargebackId, transactionId, vatAmount: 7.5 }, client.apiKey), 403, 'NOT_RECORDER');
    contentOf(await net({ chargebackId, transactionId, vatAmount: 7.5 }));
  });
});

describe('listOutstandingChargebacks', () => {
  it('sums what each party has to give back by age, over all pages', async () => {
    await chargedBack();
    t.advance(40 * 86_400_000);
    const young = await chargedBack();
    await chargedBack({ currency: 'EUR', countryCode: 'DE' });
    const page = await outstanding(psp.apiKey, '?limit=1');
    expect(page.items).toHaveLength(1);
    expect(page.items[0]).toMatchObject({ ageDays: 40, clientId: client.id, outstanding: everything });
    const ofNaira = page.parties.filter((p: { currency: string }) => p.currency === 'NGN');
    expect(ofNaira).toEqual([
      {
        currency: 'NGN',
        party: 'TAX_AUTHORITY',
        outstanding: 15.38,
        byAge: { days0to30: 7.69, days31to60: 7.69, days61to90: 0, over90: 0 },
      },
      {
        currency: 'NGN',
        party: 'SERVICE',
        outstanding: 2.16,
        byAge: { days0to30: 1.08, days31to60: 1.08, days61to90: 0, over90: 0 },
      },
      {
        currency: 'NGN',
        party: 'MERCHANT',
        outstanding: 194.46,
        byAge: { days0to30: 97.23, days31to60: 97.23, days61to90: 0, over90: 0 },
      },
      {
        currency: 'NGN',
        party: 'PSP',
        outstanding: 3,
        byAge: { days0to30: 1.5, days31to60: 1.5, days61to90: 0, over90: 0 },
      },
    ]);
    const next = await outstanding(psp.apiKey, `?limit=1&cursor=${page.nextCursor}`);
    expect(next.items[0].chargebackId).toBe(young);
    expect((await outstanding(psp.apiKey, '?currency=eur')).items).toHaveLength(1);
    expect((await outstanding(client.apiKey)).items).toHaveLength(3);
    expect((await outstanding((await t.makeClient(psp)).apiKey)).items).toEqual([]);
  });
});

describe('getStatement', () => {
  const statement = async (query = '', key = psp.apiKey) => {
    await totalled(t);
    const day = localDate('Africa/Lagos', t.now());
    return contentOf(await t.get(`/v1/settlement/statement?dayFrom=${day}&dayTo=${day}${query}`, key));
  };

  it('posts an approved transaction to its parties, a chargeback to what they return, a netting between the two', async () => {
    const chargebackId = await chargedBack();
    const { transactionId } = await sell();
    contentOf(await net({ chargebackId, transactionId, merchantAmount: 20 }));
    const { items, entriesBehind } = await statement();
    expect(entriesBehind).toBe(0);
    expect(items).toHaveLength(1);
    const { postings, ...s } = items[0];
    expect(s).toEqual({
      clientId: client.id,
      countryCode: 'NG',
      timeZone: 'Africa/Lagos',
      currency: 'NGN',
      approved: 2,
      chargedBack: 1,
      collected: { heldByPsp: 215, cash: 0, vouchers: 0, discounts: 0 },
      paidOut: 0,
      debts: [
        { from: 'PSP', to: 'TAX_AUTHORITY', amount: 15.38 },
        { from: 'PSP', to: 'SERVICE', amount: 2.16 },
        { from: 'PSP', to: 'MERCHANT', amount: 174.46 },
      ],
      payable: { TAX_AUTHORITY: 15.38, SERVICE: 2.16, MERCHANT: 174.46, PSP: 3 },
      toReturn: { TAX_AUTHORITY: 7.69, SERVICE: 1.08, MERCHANT: 77.23, PSP: 1.5 },
      balance: 0,
    });
    expect(postings).toContainEqual({ kind: 'APPROVED', account: 'CUSTOMERS', debit: 215, credit: 0 });
    expect(postings).toContainEqual({ kind: 'CHARGED_BACK', account: 'CUSTOMERS', debit: 0, credit: 107.5 });
    expect(postings).toContainEqual({ kind: 'NETTED', account: 'MERCHANT', debit: 20, credit: 0 });
    expect(postings).toContainEqual({ kind: 'NETTED', account: 'MERCHANT_TO_RETURN', debit: 0, credit: 20 });
  });

  it.each([
    ['deposit', 'withdrawal', 'NGN', {}, { iban: 'NG00' }],
    ['cryptoDeposit', 'cryptoWithdrawal', 'BTC', { blochainHash: 'h-1' }, 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'],
  ])('has the merchant pay for a %s taken out again by a %s', async (paidIn, takenOut, currency, more, toAddress) => {
    const move = async (op: string, totalAmount: number, over = {}) =>
      contentOf(
        await t.post(
          `/v1/payment/${op}`,
          {
            ...{ ref: `m-${++n}`, totalAmount, currency, countryCode: 'NG', transactionFee: 1 },
            customer: { name: 'Ada Obi', email: 'ada@example.ng', phoneNumber: '+2348030000001' },
            ...over,
          },
          client.apiKey,
        ),
      );
    const deposit = await move(paidIn, 1000, more);
    const withdrawal = await move(takenOut, 400, { ...more, toAddress });
    const { items } = await statement();
    expect(items).toHaveLength(1);
    const [s] = items;
    expect(s).toMatchObject({ currency, approved: 2, balance: 0 });
    expect(s.collected.heldByPsp).toBe(1000);
    expect(s.paidOut).toBe(withdrawal.netAmount);
    expect(s.payable.MERCHANT).toBeCloseTo(deposit.netAmount - 400, 8);
    // What the PSP has left is what it owes, with its own fees.
    const due = Object.values(s.payable as Record<string, number>).reduce((a, b) => a + b, 0);
    expect(due).toBeCloseTo(1000 - withdrawal.netAmount, 8);
    expect(s.postings).toContainEqual({ kind: 'WITHDRAWN', account: 'MERCHANT', debit: 400, credit: 0 });
  });

  it('settles nothing to the merchant by a withdrawal, so that nothing of a chargeback is subtracted there', async () => {
    const chargebackId = await chargedBack();
    const { transactionId } = contentOf(
      await t.post(
        '/v1/payment/withdrawal',
        {
          ...{ ref: `m-${++n}`, totalAmount: 400, currency: 'NGN', countryCode: 'NG', transactionFee: 1 },
          customer: { name: 'Ada Obi', email: 'ada@example.ng', phoneNumber: '+2348030000001' },
          toAddress: { iban: 'NG00' },
        },
        client.apiKey,
      ),
    );
    const refused = await net({ chargebackId, transactionId, merchantAmount: 20 });
    expect(refused.status).toBe(409);
    expect(refused.text).toContain('settles only 0 more to MERCHANT');
  });

  it('balances to zero over random lives, for every client, country and currency', async () => {
    const cast = await makeCast(t);
    await live(t, cast, 99, upTo(150, 400));
    await totalled(t);
    const { items } = contentOf(
      await t.get('/v1/settlement/statement?dayFrom=2026-01-01&dayTo=2029-12-31', cast.psp.apiKey),
    );
    expect(items.length).toBeGreaterThan(4);
    expect(items.some((i: { chargedBack: number }) => i.chargedBack > 0)).toBe(true);
    for (const i of items) expect(i.balance).toBe(0);
  });

  it('asks for its days', async () => {
    expectRefusal(await t.get('/v1/settlement/statement', psp.apiKey), 400, 'QUERY_INVALID');
  });
});
