// The operation verifyTransaction (Spec 4.1).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import {
  contentOf,
  expectRefusal,
  guardsClientHeader,
  limitsText,
  namesIgnoredFields,
  placeHold,
  put,
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
const path = '/v1/transaction/verifyTransaction';
const order = (over: Record<string, unknown> = {}): Record<string, unknown> => ({
  ref: `order-${++n}`,
  totalAmount: 107.5,
  currency: 'NGN',
  countryCode: 'NG',
  paymentMethods: { card: 107.5 },
  transactionFee: 1.5,
  ...over,
});
const verify = (body: unknown, key = client.apiKey, headers: Record<string, string> = {}) =>
  t.post(path, body, key, headers);
const status = async (transactionId: string, expand = '', key = psp.apiKey) =>
  contentOf(
    await t.get(
      `/v1/transaction/verifyTransactionStatus?transactionId=${transactionId}${expand && `&expand=${expand}`}`,
      key,
    ),
  );
const wire: Wire = { app: () => t, method: 'POST', path, caller: () => client, body: order };
const required = ['ref', 'totalAmount', 'currency', 'countryCode', 'paymentMethods', 'transactionFee'];

async function submitBasket(over: Record<string, unknown> = {}, key = client.apiKey, headers = {}) {
  const body = {
    ref: `cart-${++n}`,
    totalAmount: 215,
    items: [
      { sku: 'B', title: 'Book', description: '', quantity: 2, price: 53.75, subTotal: 107.5, vatExempt: true },
      { sku: 'P', title: 'Pen', description: '', quantity: 10, price: 10.75, subTotal: 107.5 },
    ],
    paymentMethods: { card: 215 },
    currency: 'NGN',
    countryCode: 'NG',
    ...over,
  };
  return contentOf(await t.post('/v1/basket/submitBasket', body, key, headers));
}
const paid = (transactionID: string, over: Record<string, unknown> = {}) =>
  order({ totalAmount: 215, paymentMethods: { card: 215 }, transactionID, ...over });

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
  client = await t.makeClient(psp);
});
afterAll(() => t?.stop());

describe('verifyTransaction', () => {
  describe('accepts', () => {
    it('answers with exactly the fields of the specification, in its order', async () => {
      const body = order();
      const r = await verify(body);
      const c = contentOf(r);
      expect(Object.keys(c)).toEqual([
        'transactionId',
        'vatAmount',
        'processingFee',
        'merchantAmount',
        'transactionFee',
        'transactionVAT',
        'status',
        'ref',
      ]);
      expect(c.transactionId).toMatch(/^txn_[0-9a-z]{26}$/);
      expect(c).toMatchObject({ status: 'APPROVED', ref: body.ref });
      expect(r.body.message).toBe('transaction approved');
      expect(r.headers.get('x-api-version')).toBe('1.0');
      expect(r.headers.get('cache-control')).toBe('no-store');
    });

    it('finds 7.50 VAT in 107.50 of Nigeria, taxes both fees and leaves the rest of the split to the merchant', async () => {
      // VAT on the fees: 7.5 % of 1.08 + 1.50 = 0.1935.
      expect(contentOf(await verify(order()))).toMatchObject({
        vatAmount: 7.5,
        processingFee: 1.08,
        transactionFee: 1.5,
        transactionVAT: 0.19,
        merchantAmount: 97.23,
      });
    });

    it('finds 19 VAT in 119 of Germany and none on the fee of a payment', async () => {
      const r = await verify(order({ totalAmount: 119, currency: 'EUR', countryCode: 'DE', transactionFee: 1 }));
      expect(contentOf(r)).toMatchObject({
        vatAmount: 19,
        processingFee: 1.19,
        transactionFee: 1,
        transactionVAT: 0,
        merchantAmount: 97.81,
      });
    });

    it('finds 20 in 120 of Ghana and shows its three components with their sources', async () => {
      const c = contentOf(
        await verify(order({ totalAmount: 120, currency: 'GHS', countryCode: 'GH', transactionFee: 0 })),
      );
      expect(c).toMatchObject({ vatAmount: 20, processingFee: 1.2, transactionVAT: 0.24, merchantAmount: 98.56 });
      const { tax } = await status(c.transactionId, 'tax');
      const contained = tax.filter((line: { method: string }) => line.method === 'CONTAINED');
      expect(
        contained.map((l: Record<string, unknown>) => [l.taxCode, l.rate, l.taxableAmount, l.tax, l.jurisdiction]),
      ).toEqual(
        expect.arrayContaining([
          ['VAT', '15', 100, 15, 'GH'],
          ['NHIL', '2.5', 100, 2.5, 'GH'],
          ['GETFUND', '2.5', 100, 2.5, 'GH'],
        ]),
      );
      expect(contained).toHaveLength(3);
      for (const line of tax) {
        expect(line).toMatchObject({ source: { title: expect.any(String), publisher: expect.any(String) } });
        expect(['official', 'secondary', 'unverified']).toContain(line.confidence);
        expect(line.dataset).toEqual(expect.any(String));
      }
    });

    it('taxes by the calendar of the country: the rate changes at its own midnight', async () => {
      // Ghana's three components on one base hold from 2026-01-01; before that VAT compounded on the levies.
      const early = await makeTestApp({ startAt: '2025-12-31T23:59:59Z' });
      try {
        const owner = await early.makePsp();
        const ask = async () =>
          contentOf(
            await early.post(
              path,
              order({ totalAmount: 120, currency: 'GHS', countryCode: 'GH', transactionFee: 0 }),
              owner.apiKey,
            ),
          );
        expect((await ask()).vatAmount).toBeGreaterThan(20);
        early.advance(1000);
        expect((await ask()).vatAmount).toBe(20);
      } finally {
        await early.stop();
      }
    });

    it('taxes a merchant category by its own rule', async () => {
      const c = contentOf(
        await verify(order({ totalAmount: 107, currency: 'EUR', countryCode: 'DE', mcc: '5942', transactionFee: 0 })),
      );
      expect(c.vatAmount).toBe(7);
      expect(contentOf(await verify(order({ mcc: '8011', transactionFee: 0 }))).vatAmount).toBe(0);
    });

    it('says why when a country takes no VAT', async () => {
      const c = contentOf(await verify(order({ currency: 'KWD', countryCode: 'KW' })));
      expect(c.vatAmount).toBe(0);
      const { tax } = await status(c.transactionId, 'tax');
      expect(tax[0]).toMatchObject({ tax: 0, reason: expect.any(String) });
    });

    it('splits exactly: the parts always sum to the total', async () => {
      const cents = (v: number) => Math.round(v * 100);
      for (const totalAmount of [10.01, 33.33, 99.99, 1234.56, 0.2, 7777.77, 1000000.01]) {
        const c = contentOf(
          await verify(order({ totalAmount, transactionFee: 0.03, paymentMethods: { card: totalAmount } })),
        );
        expect(
          cents(c.vatAmount) +
            cents(c.processingFee) +
            cents(c.merchantAmount) +
            cents(c.transactionFee) +
            cents(c.transactionVAT),
        ).toBe(cents(totalAmount));
      }
    });

    it('keeps amounts beyond a double exact', async () => {
      const ref = `order-${++n}`;
      const r = await verify(
        `{"ref":"${ref}","totalAmount":12345678901234567890.12,"currency":"NGN","countryCode":"NG","paymentMethods":{"card":12345678901234567890.12},"transactionFee":0}`,
      );
      const { transactionId } = contentOf(r);
      const text = (await t.get(`/v1/transaction/${transactionId}`, psp.apiKey)).text;
      expect(text).toContain('"totalAmount":12345678901234567890.12,');
      // 7.5/107.5 of it, and 1 %, each half-up to the kobo.
      expect(r.text).toContain('"vatAmount":861326434969853573.73,');
      expect(r.text).toContain('"processingFee":123456789012345678.9,');
    });

    it('takes whole amounts of a currency without decimals', async () => {
      const c = contentOf(
        await verify(
          order({
            totalAmount: 400,
            currency: 'JPY',
            countryCode: 'JP',
            transactionFee: 0,
            paymentMethods: { card: 400 },
          }),
        ),
      );
      expect(c).toMatchObject({ vatAmount: 36, processingFee: 4, merchantAmount: 360 });
    });

    it('takes a number however JSON writes it', async () => {
      const text = (total: string) =>
        `{"ref":"order-${++n}","totalAmount":${total},"currency":"NGN","countryCode":"NG","paymentMethods":{"card":107.50},"transactionFee":0.0}`;
      for (const total of ['107.50', '107.5000', '1.075e2', '1075E-1'])
        expect(contentOf(await verify(text(total))).vatAmount).toBe(7.5);
    });

    it('knows countries by two letters, three or a VAT alias, and currencies, in any case', async () => {
      for (const [countryCode, stored] of [
        ['ng', 'NG'],
        ['NGA', 'NG'],
        ['nga', 'NG'],
      ]) {
        const { transactionId } = contentOf(await verify(order({ countryCode, currency: 'ngn' })));
        expect(await status(transactionId)).toMatchObject({ countryCode: stored, currency: 'NGN' });
      }
      const greek = contentOf(await verify(order({ countryCode: 'EL', currency: 'EUR' })));
      expect(await status(greek.transactionId)).toMatchObject({ countryCode: 'GR' });
    });

    it('takes any payment method by name and notices a sum that differs, without refusing', async () => {
      const even = contentOf(await verify(order({ paymentMethods: { card: 50, vouchers: 7.5, 'mobile money': 50 } })));
      expect((await status(even.transactionId)).observations).toEqual([]);
      const odd = contentOf(await verify(order({ paymentMethods: { card: 50, discounts: 0, cash: 7.5 } })));
      expect(odd.status).toBe('APPROVED');
      expect((await status(odd.transactionId)).observations).toEqual([
        {
          code: 'PAYMENT_METHODS_SUM',
          field: 'paymentMethods',
          message: 'payment methods sum to 57.50, totalAmount is 107.50',
        },
      ]);
    });

    it('explains its own fee on request', async () => {
      const { transactionId } = contentOf(await verify(order()));
      expect((await status(transactionId, 'fees')).fees).toMatchObject({ percent: '1.00', processingFee: 1.08 });
    });

    it("concerns the PSP's own account without x-client-id, and the named client with it", async () => {
      const own = contentOf(await verify(order(), psp.apiKey));
      expect(await status(own.transactionId)).toMatchObject({ clientId: psp.id, recordedBy: psp.id });
      const forClient = contentOf(await verify(order(), psp.apiKey, { 'x-client-id': client.id }));
      expect(await status(forClient.transactionId)).toMatchObject({ clientId: client.id, recordedBy: psp.id });
      const byClient = contentOf(await verify(order()));
      expect(await status(byClient.transactionId)).toMatchObject({ clientId: client.id, recordedBy: client.id });
    });

    it('uses the VAT of the lines of a basket named by transactionID and marks the basket VERIFIED', async () => {
      const basket = await submitBasket();
      const c = contentOf(await verify(paid(basket.transactionId)));
      expect(c).toMatchObject({
        transactionId: basket.transactionId,
        vatAmount: 7.5,
        processingFee: 2.15,
        transactionVAT: 0.27,
        merchantAmount: 203.58,
        status: 'APPROVED',
      });
      expect(contentOf(await t.get(`/v1/basket/${basket.basketId}`, client.apiKey)).status).toBe('VERIFIED');
      expect((await status(c.transactionId)).basketId).toBe(basket.basketId);
    });

    it("concerns the basket's client when a PSP names a basket without x-client-id", async () => {
      const basket = await submitBasket();
      const { transactionId } = contentOf(await verify(paid(basket.transactionId), psp.apiKey));
      expect(await status(transactionId)).toMatchObject({ clientId: client.id, recordedBy: psp.id });
    });

    describe('by the standing of the client', () => {
      it.each([
        ['a suspended client', { operationalStanding: 'SUSPENDED' }, 'the client is suspended'],
        ['a closed client', { operationalStanding: 'CLOSED' }, 'the client is closed'],
        [
          'an unverified client',
          { verificationLevel: 'UNVERIFIED' },
          "the client's verification level is UNVERIFIED; BASIC is required",
        ],
      ])('declines for %s, as a result with its reason in plain words', async (_who, change, reason) => {
        const someone = await t.makeClient(psp);
        await setStanding(t, someone, change);
        const r = await verify(order(), someone.apiKey);
        const c = contentOf(r);
        expect(c.status).toBe('DECLINED');
        expect(r.body.message).toBe(`transaction declined: ${reason}`);
        expect(c.vatAmount).toBe(7.5);
        expect(await status(c.transactionId)).toMatchObject({ status: 'DECLINED', reason });
      });

      it('declines for all clients of a suspended PSP and approves again when it is active', async () => {
        const house = await t.makePsp();
        const shop = await t.makeClient(house);
        await setStanding(t, house, { operationalStanding: 'SUSPENDED' });
        const declined = await verify(order(), shop.apiKey);
        expect(contentOf(declined).status).toBe('DECLINED');
        expect(declined.body.message).toBe("transaction declined: the client's PSP is suspended");
        const own = await verify(order(), house.apiKey);
        expect(own.body.message).toBe('transaction declined: the PSP is suspended');
        await setStanding(t, house, { operationalStanding: 'ACTIVE' });
        expect(contentOf(await verify(order(), shop.apiKey)).status).toBe('APPROVED');
      });

      it('declines while a blocking hold is in force: from its first moment to the one before its end', async () => {
        const someone = await t.makeClient(psp);
        const from = t.now() + 3_600_000;
        const until = from + 3_600_000;
        await placeHold(t, someone, {
          code: 'SANCTIONS_REVIEW',
          reason: 'name match',
          from: new Date(from).toISOString(),
          until: new Date(until).toISOString(),
        });
        const at = async (ms: number) => {
          t.advance(ms - t.now());
          return verify(order(), someone.apiKey);
        };
        expect(contentOf(await at(from - 1)).status).toBe('APPROVED');
        const held = await at(from);
        expect(contentOf(held).status).toBe('DECLINED');
        expect(held.body.message).toBe(
          'transaction declined: the client is on hold (UNDER_REVIEW): the account is under review',
        );
        expect(contentOf(await at(until - 1)).status).toBe('DECLINED');
        expect(contentOf(await at(until)).status).toBe('APPROVED');
      });

      it('approves under a hold that does not block', async () => {
        const someone = await t.makeClient(psp);
        await placeHold(t, someone, { blocking: false });
        expect(contentOf(await verify(order(), someone.apiKey)).status).toBe('APPROVED');
      });

      it('asks for the level that the policy names for the classification', async () => {
        const strict = await makeTestApp({ env: { REQUIRED_LEVEL: 'BASIC,IGAMING_LOCAL=ENHANCED' } });
        try {
          const house = await strict.makePsp();
          const casino = await strict.makeClient(house, { classification: 'IGAMING_LOCAL' });
          const shop = await strict.makeClient(house);
          expect(contentOf(await strict.post(path, order(), shop.apiKey)).status).toBe('APPROVED');
          expect(contentOf(await strict.post(path, order(), casino.apiKey)).status).toBe('DECLINED');
          await setStanding(strict, casino, { verificationLevel: 'ENHANCED' });
          expect(contentOf(await strict.post(path, order(), casino.apiKey)).status).toBe('APPROVED');
        } finally {
          await strict.stop();
        }
      });

      it('approves nothing after a suspension is acknowledged, even amid concurrent calls', async () => {
        const someone = await t.makeClient(psp);
        const refs: string[] = [];
        let acknowledged = false;
        const late: string[] = [];
        const caller = async () => {
          for (let i = 0; i < 12; i++) {
            const body = order();
            const after = acknowledged;
            const c = contentOf(await verify(body, someone.apiKey));
            refs.push(c.status);
            if (after) late.push(c.status);
          }
        };
        const callers = Promise.all(Array.from({ length: 6 }, caller));
        await setStanding(t, someone, { operationalStanding: 'SUSPENDED' });
        acknowledged = true;
        await callers;
        late.push(contentOf(await verify(order(), someone.apiKey)).status);
        expect(refs).toHaveLength(72);
        expect(new Set(late)).toEqual(new Set(['DECLINED']));
      });
    });
  });

  describe('validates', () => {
    requiresFields(wire, required);
    refusesWrongTypes(wire, {
      text: ['ref', 'currency', 'countryCode', 'transactionID', 'mcc'],
      number: ['totalAmount', 'transactionFee', 'paymentMethods.card'],
      object: ['paymentMethods'],
    });
    limitsText(wire, { ref: 200, currency: 12, countryCode: 3 });
    namesIgnoredFields(wire);

    it.each([
      ['totalAmount', '0', "the field 'totalAmount' must be greater than zero"],
      ['totalAmount', '-5', "the field 'totalAmount' must be greater than zero"],
      ['totalAmount', '-0', "the field 'totalAmount' must be greater than zero"],
      ['totalAmount', '0.0e9', "the field 'totalAmount' must be greater than zero"],
      ['transactionFee', '-0.01', "the field 'transactionFee' must be zero or more"],
    ])('refuses %s of %s', async (field, value, message) => {
      const text = JSON.stringify(order({ [field]: '@' })).replace('"@"', value);
      expectRefusal(await verify(text), 400, 'FIELD_INVALID', message);
    });

    it('refuses a negative payment method and one without a name', async () => {
      expectRefusal(
        await verify(order({ paymentMethods: { card: -1 } })),
        400,
        'FIELD_INVALID',
        "the field 'paymentMethods.card' must be zero or more",
      );
      expectRefusal(await verify(order({ paymentMethods: { '': 1 } })), 400, 'FIELD_INVALID');
      expectRefusal(await verify('{"paymentMethods":{"__proto__":1}}'), 400, 'FIELD_REQUIRED');
      const many = Object.fromEntries(Array.from({ length: 41 }, (_, i) => [`m${i}`, 1]));
      expectRefusal(await verify(order({ paymentMethods: many })), 400, 'FIELD_INVALID');
    });

    it('refuses more decimals than the currency has, naming field and currency', async () => {
      for (const field of ['totalAmount', 'transactionFee', 'paymentMethods.card'])
        expectRefusal(
          await verify(put(order(), field, 1.005)),
          400,
          'AMOUNT_PRECISION',
          `the field '${field}' has more decimals than NGN allows: 1.005 (NGN has 2)`,
        );
      expectRefusal(
        await verify(order({ totalAmount: 400.5, currency: 'JPY', countryCode: 'JP' })),
        400,
        'AMOUNT_PRECISION',
        "the field 'totalAmount' has more decimals than JPY allows: 400.5 (JPY has 0)",
      );
      expect(
        contentOf(await verify(order({ totalAmount: 1.005, currency: 'KWD', countryCode: 'KW', transactionFee: 0 })))
          .vatAmount,
      ).toBe(0);
    });

    // Spec 8.2
    it.each(['1e400', '1e-39', '123456789012345678901234567890123456789', `1.${'1'.repeat(38)}`])(
      'refuses %s, which has more than 38 digits',
      async (value) => {
        const text = JSON.stringify(order({ totalAmount: '@' })).replace('"@"', value);
        expectRefusal(await verify(text), 400, 'FIELD_INVALID', "the field 'totalAmount' must have at most 38 digits");
      },
    );

    it.each([
      ['ZZZ', /not an ISO 4217 currency code: 'ZZZ'/],
      ['€', /not an ISO 4217 currency code/],
      ['USDT', /not an ISO 4217 currency code: 'USDT'/],
      ['HRK', /'HRK', which was withdrawn on 2023/],
      ['BGN', /'BGN', which was withdrawn on 2026-02-01/],
      ['ANG', /'ANG', which was withdrawn/],
    ])('refuses the currency %s', async (currency, message) => {
      expectRefusal(await verify(order({ currency })), 400, 'UNKNOWN_CURRENCY', message);
    });

    it.each(['ZZ', 'QQQ', '56', 'Nİ'])('refuses the country %s', async (countryCode) => {
      expectRefusal(await verify(order({ countryCode })), 400, 'UNKNOWN_COUNTRY', /not an ISO 3166-1 country code/);
    });

    it('refuses a country without a tax rule rather than taking its VAT for nothing', async () => {
      expectRefusal(
        await verify(order({ countryCode: 'KP', currency: 'KPW' })),
        400,
        'NO_TAX_RULE',
        `no tax rule for country 'KP' on ${new Date(t.now() + 9 * 3_600_000).toISOString().slice(0, 10)}; an operator of the service can add one`,
      );
    });

    it.each(['541', '54111', 'abcd', '0000', ''])("refuses '%s' as a merchant category", async (mcc) => {
      expectRefusal(await verify(order({ mcc })), 400, 'UNKNOWN_MCC');
    });

    it('refuses an amount below its own taxes and fees, with the parts', async () => {
      expectRefusal(
        await verify(order({ totalAmount: 1, transactionFee: 1 })),
        400,
        'SPLIT_NEGATIVE',
        "the field 'totalAmount' is less than its taxes and fees: 0.07 VAT + 0.01 processing fee + 1.00 transaction fee + 0.08 VAT on the fees",
      );
    });

    it('records nothing of what it refuses', async () => {
      const before = [await entryCount(t), await rowCount(t, 'refs'), await rowCount(t, 'transactions')];
      await verify(order({ currency: 'ZZZ' }));
      await verify(order({ totalAmount: 1, transactionFee: 1 }));
      await verify(order({ totalAmount: 'x' }));
      await verify(paid('txn_00000000000000000000000000'));
      expect([await entryCount(t), await rowCount(t, 'refs'), await rowCount(t, 'transactions')]).toEqual(before);
    });

    describe('transactionID', () => {
      const unknown = 'no basket transaction with this transactionID';

      it('refuses an id that is no basket transaction: malformed, absent, of a plain transaction', async () => {
        const plain = contentOf(await verify(order()));
        for (const id of ['nonsense', 'txn_00000000000000000000000000', plain.transactionId])
          expectRefusal(await verify(paid(id)), 404, 'NOT_FOUND', unknown);
      });

      it("refuses another account's basket exactly as an absent one", async () => {
        const basket = await submitBasket();
        const sibling = await t.makeClient(psp);
        const stranger = await t.makePsp();
        for (const key of [sibling.apiKey, stranger.apiKey])
          expectRefusal(await verify(paid(basket.transactionId), key), 404, 'NOT_FOUND', unknown);
        expectRefusal(
          await verify(paid(basket.transactionId), psp.apiKey, { 'x-client-id': sibling.id }),
          404,
          'NOT_FOUND',
          unknown,
        );
      });

      it("refuses a total or a currency that differs from the basket's, naming the field", async () => {
        const basket = await submitBasket();
        expectRefusal(
          await verify(paid(basket.transactionId, { totalAmount: 214.99 })),
          409,
          'BASKET_MISMATCH',
          "the field 'totalAmount' differs from the basket's: 215.00",
        );
        expectRefusal(
          await verify(paid(basket.transactionId, { currency: 'USD' })),
          409,
          'BASKET_MISMATCH',
          "the field 'currency' differs from the basket's: NGN",
        );
        expect(contentOf(await t.get(`/v1/basket/${basket.basketId}`, client.apiKey)).status).toBe('PENDING');
      });

      it('refuses a basket that was verified before under another ref', async () => {
        const basket = await submitBasket();
        const first = paid(basket.transactionId);
        contentOf(await verify(first));
        expectRefusal(await verify(paid(basket.transactionId)), 409, 'STATE_CONFLICT', new RegExp(`'${first.ref}'$`));
      });

      it('lets only one of two refs verify a basket at once', async () => {
        const basket = await submitBasket();
        const answers = await Promise.all([verify(paid(basket.transactionId)), verify(paid(basket.transactionId))]);
        expect(answers.map((r) => r.status).sort()).toEqual([200, 409]);
      });

      it('refuses a ref that stands for another transaction', async () => {
        const basket = await submitBasket();
        const body = order();
        contentOf(await verify(body));
        expectRefusal(await verify(paid(basket.transactionId, { ref: body.ref })), 409, 'BASKET_MISMATCH');
      });

      it('refuses a cancelled basket under a new ref', async () => {
        const basket = await submitBasket();
        const body = paid(basket.transactionId);
        contentOf(await verify(body));
        contentOf(await t.post('/v1/transaction/declineTransaction', { ref: body.ref }, client.apiKey));
        expectRefusal(await verify(paid(basket.transactionId)), 409, 'STATE_CONFLICT');
      });
    });
  });

  describe('authorises', () => {
    refusesOperators(wire, 'verifyTransaction');
    it('refuses a client a revision of what its PSP recorded for it, and changes nothing', async () => {
      const body = order({ totalAmount: 1_075_000, paymentMethods: { card: 1_075_000 } });
      const on = { 'x-client-id': client.id };
      const first = contentOf(await verify(body, psp.apiKey, on));
      const entries = await entryCount(t);
      for (const change of [{ totalAmount: 1.07 }, { transactionFee: 2 }, { currency: 'KES' }, { mcc: '5411' }])
        expectRefusal(
          await verify({ ...body, transactionFee: 0, ...change }),
          403,
          'NOT_RECORDER',
          `the transaction with the ref '${body.ref}' was recorded by your PSP; only it may revise it`,
        );
      expect(await entryCount(t)).toBe(entries);
      // The equal body changes nothing, so that the client may read its answer.
      expect(contentOf(await verify(body))).toEqual(first);
      contentOf(await verify({ ...body, transactionFee: 2 }, psp.apiKey, on));
      expect((await status(first.transactionId)).revision).toBe(2);
    });

    it('does not let a client have decided again what its PSP recorded and standing declined', async () => {
      const someone = await t.makeClient(psp);
      const on = { 'x-client-id': someone.id };
      await setStanding(t, someone, { operationalStanding: 'SUSPENDED' });
      const body = order();
      contentOf(await verify(body, psp.apiKey, on));
      await setStanding(t, someone, { operationalStanding: 'ACTIVE' });
      expect(contentOf(await verify(body, someone.apiKey)).status).toBe('DECLINED');
      expect(contentOf(await verify(body, psp.apiKey, on)).status).toBe('APPROVED');
    });

    it('lets the PSP revise what its client recorded', async () => {
      const body = order();
      const { transactionId } = contentOf(await verify(body));
      contentOf(await verify({ ...body, transactionFee: 2 }, psp.apiKey, { 'x-client-id': client.id }));
      expect(await status(transactionId)).toMatchObject({ revision: 2, recordedBy: client.id });
    });

    guardsClientHeader(wire);

    it('keeps refs of different accounts apart', async () => {
      const [one, two] = [await t.makeClient(psp), await t.makeClient(psp)];
      const body = order();
      const ids = [];
      for (const key of [one.apiKey, two.apiKey, psp.apiKey])
        ids.push(contentOf(await verify(body, key)).transactionId);
      expect(new Set(ids).size).toBe(3);
    });
  });

  describe('repeats', () => {
    it('answers an equal body with the identical reply, marked as a repetition, and records nothing new', async () => {
      const body = order();
      const first = await verify(body);
      expect(first.headers.get('idempotency-replayed')).toBeNull();
      const before = await entryCount(t);
      const again = await verify(body);
      expect(again.text).toBe(first.text);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(await entryCount(t)).toBe(before);
    });

    it('takes bodies as equal when keys stand in another order, numbers are written differently or unknown fields differ', async () => {
      const ref = `order-${++n}`;
      const first = await verify(
        `{"ref":"${ref}","totalAmount":107.5,"currency":"NGN","countryCode":"NG","paymentMethods":{"card":100,"cash":7.5},"transactionFee":1}`,
      );
      const again = await verify(
        `{"transactionFee":1.00,"paymentMethods":{"cash":7.50,"card":1e2},"countryCode":"NG","currency":"NGN","totalAmount":107.50,"ref":"${ref}","note":"x"}`,
      );
      expect(again.text).toBe(first.text);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
    });

    it('never forgets a ref', async () => {
      const body = order();
      const first = await verify(body);
      t.advance(400 * 86_400_000);
      expect((await verify(body)).text).toBe(first.text);
    });

    it('makes a new revision of a changed body and keeps the old one', async () => {
      const body = order();
      const first = contentOf(await verify(body));
      t.advance(1000);
      const r = await verify({ ...body, totalAmount: 215, paymentMethods: { card: 215 } });
      expect(r.headers.get('idempotency-replayed')).toBeNull();
      expect(contentOf(r)).toMatchObject({ transactionId: first.transactionId, vatAmount: 15, status: 'APPROVED' });
      const s = await status(first.transactionId, 'revisions');
      expect(s).toMatchObject({ revision: 2, totalAmount: 215 });
      expect(s.revisions).toHaveLength(1);
      expect(s.revisions[0]).toMatchObject({ revision: 1, totalAmount: 107.5, vatAmount: 7.5 });
      expect(s.createdAt < s.updatedAt).toBe(true);
    });

    it('keeps the first recorder through an update', async () => {
      const body = order();
      const first = contentOf(await verify(body));
      contentOf(await verify({ ...body, transactionFee: 2 }, psp.apiKey, { 'x-client-id': client.id }));
      expect(await status(first.transactionId)).toMatchObject({ revision: 2, recordedBy: client.id });
    });

    it('counts a change of only an optional field as a change', async () => {
      const body = order({ mcc: '5732' });
      contentOf(await verify(body));
      const { transactionId } = contentOf(await verify({ ...body, mcc: undefined }));
      expect((await status(transactionId)).revision).toBe(2);
    });

    it("decides a declined ref again by today's standing", async () => {
      const someone = await t.makeClient(psp);
      await setStanding(t, someone, { operationalStanding: 'SUSPENDED' });
      const body = order();
      const declined = await verify(body, someone.apiKey);
      expect(contentOf(declined).status).toBe('DECLINED');
      expect((await verify(body, someone.apiKey)).text).toBe(declined.text);
      await setStanding(t, someone, { operationalStanding: 'ACTIVE' });
      const approved = contentOf(await verify(body, someone.apiKey));
      expect(approved).toMatchObject({ status: 'APPROVED', transactionId: contentOf(declined).transactionId });
      expect((await status(approved.transactionId)).revision).toBe(2);
    });

    it('answers DECLINED to a late copy of what was declined on request, and decides only a changed body', async () => {
      for (const key of [client.apiKey, psp.apiKey]) {
        const body = order();
        const first = contentOf(await verify(body));
        contentOf(await t.post('/v1/transaction/declineTransaction', { ref: body.ref }, key));
        for (const copy of [await verify(body), await verify(body, psp.apiKey, { 'x-client-id': client.id })]) {
          expect(contentOf(copy)).toEqual({ ...first, status: 'DECLINED' });
          expect(copy.headers.get('idempotency-replayed')).toBe('true');
        }
        expect((await status(first.transactionId)).revision).toBe(2);
        // Its PSP's decline is nothing that a client undoes by another fee.
        const changed = { ...body, transactionFee: 2 };
        const byClient = await verify(changed);
        if (key === psp.apiKey) expectRefusal(byClient, 403, 'NOT_RECORDER', /was declined by your PSP; only it/);
        const approved =
          key === psp.apiKey ? await verify(changed, psp.apiKey, { 'x-client-id': client.id }) : byClient;
        expect(contentOf(approved)).toMatchObject({ status: 'APPROVED', transactionId: first.transactionId });
      }
    });

    it('answers hundreds of late copies of what was declined with DECLINED, and writes nothing', async () => {
      const body = order();
      const { transactionId } = contentOf(await verify(body));
      contentOf(await t.post('/v1/transaction/declineTransaction', { ref: body.ref }, psp.apiKey));
      const before = await entryCount(t);
      for (let i = 0; i < 3; i++) {
        const copies = await Promise.all(Array.from({ length: 100 }, () => verify(body)));
        expect(new Set(copies.map((c) => contentOf(c).status))).toEqual(new Set(['DECLINED']));
      }
      expect(await entryCount(t)).toBe(before);
      expect((await status(transactionId)).revision).toBe(2);
    });

    it('refuses a ref that was charged back, equal or changed', async () => {
      const body = order();
      contentOf(await verify(body));
      contentOf(await t.post('/v1/transaction/chargeBack', { ref: body.ref }, psp.apiKey));
      for (const again of [body, { ...body, totalAmount: 108 }])
        expectRefusal(await verify(again), 409, 'ALREADY_CHARGED_BACK', /was charged back$/);
    });

    it('refuses a ref that a deposit used before', async () => {
      const ref = `order-${++n}`;
      contentOf(
        await t.post(
          '/v1/payment/deposit',
          {
            ref,
            totalAmount: 100,
            currency: 'NGN',
            customer: { email: 'a@example.com' },
            countryCode: 'NG',
            transactionFee: 0,
          },
          client.apiKey,
        ),
      );
      expectRefusal(await verify(order({ ref })), 409, 'REF_CONFLICT', `the ref '${ref}' was used before by deposit`);
    });

    it('records a hundred concurrent equal requests once and answers all alike', async () => {
      const body = order();
      const answers = await Promise.all(Array.from({ length: 100 }, () => verify(body)));
      expect(new Set(answers.map((r) => r.text)).size).toBe(1);
      const { transactionId } = contentOf(answers[0]!);
      expect(answers.filter((r) => r.headers.get('idempotency-replayed') === null)).toHaveLength(1);
      expect(await told(t, transactionId)).toHaveLength(1);
      expect(await rowCount(t, 'transactions', 'ref = $1', [body.ref])).toBe(1);
    });

    it('makes one revision of each of two concurrent changes, in some order', async () => {
      const body = order();
      const { transactionId } = contentOf(await verify(body));
      await Promise.all([verify({ ...body, transactionFee: 2 }), verify({ ...body, transactionFee: 3 })]);
      expect((await told(t, transactionId)).map((e) => e.body.version)).toEqual([1, 2, 3]);
    });

    it('repeats a verification with a basket', async () => {
      const body = paid((await submitBasket()).transactionId);
      const first = await verify(body);
      contentOf(first);
      expect((await verify(body)).text).toBe(first.text);
    });
  });

  describe('tells', () => {
    it('writes one entry with the exact resource, who did it and why it is taxed so', async () => {
      const body = order();
      const { transactionId } = contentOf(await verify(body, psp.apiKey, { 'x-client-id': client.id }));
      const entries = await told(t, transactionId);
      expect(entries.map((e) => e.kind)).toEqual(['transaction.created']);
      const { data, ...entry } = entries[0]?.body ?? {};
      // Whether it is reviewed comes later than the entry.
      expect({ ...data, review: null }).toEqual(await status(transactionId));
      expect(entry).toMatchObject({
        type: 'transaction.created',
        event: 'New Transaction',
        clientId: client.id,
        version: 1,
        timestamp: new Date(t.now()).toISOString(),
        actor: { account: psp.id, by: expect.stringMatching(/^key_/) },
        evidence: { date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), fee: expect.any(String), tax: expect.any(Array) },
      });
    });

    it('writes one entry per revision, versions without a gap', async () => {
      const body = order();
      const { transactionId } = contentOf(await verify(body));
      contentOf(await verify({ ...body, transactionFee: 2 }));
      contentOf(await verify({ ...body, transactionFee: 3 }));
      const entries = await told(t, transactionId);
      expect(entries.map((e) => [e.kind, e.body.event, e.body.version, e.body.data.transactionFee])).toEqual([
        ['transaction.created', 'New Transaction', 1, 1.5],
        ['transaction.updated', 'Transaction Change', 2, 2],
        ['transaction.updated', 'Transaction Change', 3, 3],
      ]);
      expect({ ...entries[2]?.body.data, review: null }).toEqual(await status(transactionId));
    });

    it('tells of a declined transaction with its reason', async () => {
      const someone = await t.makeClient(psp);
      await setStanding(t, someone, { operationalStanding: 'SUSPENDED' });
      const { transactionId } = contentOf(await verify(order(), someone.apiKey));
      expect((await told(t, transactionId))[0]?.body.data).toMatchObject({
        status: 'DECLINED',
        reason: 'the client is suspended',
      });
    });

    it('tells of the basket it verified', async () => {
      const basket = await submitBasket();
      contentOf(await verify(paid(basket.transactionId)));
      expect((await told(t, basket.basketId)).map((e) => [e.kind, e.body.version, e.body.data.status])).toEqual([
        ['basket.created', 1, 'PENDING'],
        ['basket.updated', 2, 'VERIFIED'],
      ]);
      expect((await told(t, basket.transactionId)).map((e) => e.kind)).toEqual([
        'transaction.created',
        'transaction.updated',
      ]);
    });

    it('keeps records and journal one to one, numbered without gaps', async () => {
      await Promise.all(Array.from({ length: 20 }, () => verify(order())));
      await expectJournalComplete(t);
    });
  });
});
