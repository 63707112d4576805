// The operation submitBasket (Spec 4.16).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import {
  contentOf,
  expectRefusal,
  guardsClientHeader,
  limitsText,
  namesIgnoredFields,
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
const path = '/v1/basket/submitBasket';
const book = {
  sku: 'BOOK-1',
  title: 'Exercise book',
  description: 'Ruled, 60 leaves',
  quantity: 2,
  price: 53.75,
  subTotal: 107.5,
  vatExempt: true,
};
const pen = { sku: 'PEN-1', title: 'Pen', description: '', quantity: 10, price: 10.75, subTotal: 107.5 };
const cart = (over: Record<string, unknown> = {}): Record<string, unknown> => ({
  ref: `cart-${++n}`,
  totalAmount: 215,
  items: [book, pen],
  paymentMethods: { card: 200, vouchers: 15 },
  currency: 'NGN',
  countryCode: 'NG',
  ...over,
});
const line = (subTotal: number, over: Record<string, unknown> = {}) => ({
  ...pen,
  quantity: 1,
  price: subTotal,
  subTotal,
  ...over,
});
const submit = (body: unknown = cart(), key = client.apiKey, headers: Record<string, string> = {}) =>
  t.post(path, body, key, headers);
const basket = async (id: string) => contentOf(await t.get(`/v1/basket/${id}`, psp.apiKey));
const wire: Wire = { app: () => t, method: 'POST', path, caller: () => client, body: cart };

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
  client = await t.makeClient(psp);
});
afterAll(() => t?.stop());

describe('submitBasket', () => {
  describe('accepts', () => {
    it('answers with exactly the fields of the specification, in its order, PENDING', async () => {
      const r = await submit();
      const c = contentOf(r);
      expect(Object.keys(c)).toEqual(['basketId', 'vatAmount', 'originalBasketData', 'status', 'transactionId']);
      expect(c.basketId).toMatch(/^bsk_[0-9a-z]{26}$/);
      expect(c.transactionId).toMatch(/^txn_[0-9a-z]{26}$/);
      expect(c.status).toBe('PENDING');
      expect(r.body.message).toBe('basket received');
    });

    it('echoes the basket as sent, with subTotal written subtotal', async () => {
      const body = cart({ currency: 'ngn', countryCode: 'nga' });
      const { originalBasketData } = contentOf(await submit(body));
      const renamed = ({ subTotal, ...rest }: Record<string, unknown>) => ({ ...rest, subtotal: subTotal });
      expect(originalBasketData).toEqual({ ...body, items: [renamed(book), renamed(pen)] });
      expect(Object.keys(originalBasketData)).toEqual([
        'ref',
        'totalAmount',
        'items',
        'paymentMethods',
        'currency',
        'countryCode',
      ]);
      expect(Object.keys(originalBasketData.items[1])).toEqual([
        'sku',
        'title',
        'description',
        'quantity',
        'price',
        'subtotal',
      ]);
    });

    it('echoes numbers beyond a double exactly', async () => {
      const text = JSON.stringify(cart())
        .replaceAll('53.75', '53.750000000000000001')
        .replace('"quantity":10', '"quantity":12345678901234567890');
      const r = await submit(text);
      expect(r.text).toContain('"price":53.750000000000000001');
      expect(r.text).toContain('"quantity":12345678901234567890');
    });

    it('takes no VAT on exempt lines', async () => {
      expect(contentOf(await submit()).vatAmount).toBe(7.5);
      const none = cart({ totalAmount: 107.5, items: [book], paymentMethods: { card: 107.5 } });
      expect(contentOf(await submit(none)).vatAmount).toBe(0);
      const all = cart({ items: [{ ...book, vatExempt: false }, pen] });
      expect(contentOf(await submit(all)).vatAmount).toBe(15);
    });

    it('taxes each line by its category, and keeps to it when the customer pays at a merchant of another kind', async () => {
      // Art. 279 m and 278 CGI: of a meal 10 %, of its wine 20 %. A book to take home, 5.5 % (art. 278-0 bis).
      const items = [line(110), line(24, { category: 'other' }), line(10.55, { category: 'books' })];
      const france = { currency: 'EUR', countryCode: 'FR', totalAmount: 144.55, paymentMethods: { card: 144.55 } };
      const c = contentOf(await submit(cart({ items, ...france })));
      expect(c.originalBasketData.items.map((i: { category?: string }) => i.category)).toEqual([
        undefined,
        'other',
        'books',
      ]);
      // Nothing says yet that the meal is one: 110 × 20/120.
      expect((await basket(c.basketId)).lineVat).toEqual([18.33, 4, 0.55]);
      const { transactionId } = c;
      const paid = { ...france, ref: `meal-${n}`, transactionID: transactionId, transactionFee: 0, mcc: '5812' };
      const verified = contentOf(await t.post('/v1/transaction/verifyTransaction', paid, client.apiKey));
      expect(verified.vatAmount).toBe(14.55);
      const ask = `/v1/transaction/verifyTransactionStatus?transactionId=${transactionId}&expand=tax,decision`;
      const { tax, decision } = contentOf(await t.get(ask, client.apiKey));
      const contained = tax.filter((l: { tax: number }) => l.tax > 0 && [10, 4, 0.55].includes(l.tax));
      expect(
        contained.map((l: { taxableAmount: number }) => l.taxableAmount).sort((a: number, b: number) => a - b),
      ).toEqual([10, 20, 100]);
      expect(decision).toMatchObject({ supply: 'restaurants', supplySaidBy: 'CODE' });
      expect(decision.goods).toEqual([
        { taxable: 110 },
        { category: 'other', taxable: 24 },
        { category: 'books', taxable: 10.55 },
      ]);
      expectRefusal(await submit(cart({ items: [line(215, { category: 'wine' })] })), 400, 'FIELD_INVALID');
    });

    it('shares VAT over the lines by largest remainder, so that the lines sum to the whole', async () => {
      // 100 = three lines of 33.33, 33.33 and 33.34; VAT 7.5/107.5 of it is 6.98 in all.
      const items = [line(33.33), line(33.33), line(33.34)];
      const c = contentOf(await submit(cart({ totalAmount: 100, items, paymentMethods: { card: 100 } })));
      expect(c.vatAmount).toBe(6.98);
      expect((await basket(c.basketId)).lineVat).toEqual([2.33, 2.32, 2.33]);
    });

    it('scales lines to the total where they do not sum to it, exempt share and all', async () => {
      // Lines say 200, the total 100: half of it is exempt.
      const items = [line(100, { vatExempt: true }), line(100)];
      const c = contentOf(await submit(cart({ totalAmount: 100, items, paymentMethods: { card: 100 } })));
      expect(c.vatAmount).toBe(3.49);
      expect((await basket(c.basketId)).observations).toEqual([
        { code: 'LINES_SUM', field: 'items', message: 'lines sum to 200.00, totalAmount is 100.00' },
      ]);
    });

    it('notices a line that is not price times quantity and methods that do not sum, without refusing', async () => {
      const c = contentOf(
        await submit(cart({ items: [book, { ...pen, quantity: 9 }], paymentMethods: { card: 214 } })),
      );
      expect((await basket(c.basketId)).observations).toEqual([
        {
          code: 'PAYMENT_METHODS_SUM',
          field: 'paymentMethods',
          message: 'payment methods sum to 214.00, totalAmount is 215.00',
        },
        {
          code: 'LINE_PRODUCT',
          field: 'items[1].subTotal',
          message: 'price × quantity is 96.75, subTotal is 107.50',
        },
      ]);
      expect((await basket(contentOf(await submit()).basketId)).observations).toEqual([]);
    });

    it('takes lines free of charge and fractions of a quantity', async () => {
      const free = line(0);
      contentOf(await submit(cart({ items: [free, { ...pen, quantity: 2.5, price: 43 }, book] })));
      expect(contentOf(await submit(cart({ items: [free, free] }))).vatAmount).toBe(15);
    });

    it('creates the associated transaction, PENDING and without a ref of its own', async () => {
      const body = cart();
      const c = contentOf(await submit(body));
      expect(contentOf(await t.get(`/v1/transaction/${c.transactionId}`, client.apiKey))).toMatchObject({
        status: 'PENDING',
        ref: null,
        basketId: c.basketId,
        totalAmount: 215,
        vatAmount: 7.5,
        clientId: client.id,
        type: 'verifyTransaction',
      });
    });

    it('takes five thousand items in a body of up to a mebibyte', async () => {
      const items = Array.from({ length: 5000 }, (_, i) => ({
        sku: `S${i}`,
        title: 'T',
        description: 'd'.repeat(100),
        quantity: 1,
        price: 1,
        subTotal: 1,
      }));
      const body = JSON.stringify(cart({ totalAmount: 5000, items, paymentMethods: { card: 5000 } }));
      expect(body.length).toBeGreaterThan(262_144);
      expect(body.length).toBeLessThan(1_048_576);
      const c = contentOf(await submit(body));
      expect(c.vatAmount).toBe(348.84);
      expect(c.originalBasketData.items).toHaveLength(5000);
    });

    it('records the basket of a suspended client: the verdict comes with its transaction', async () => {
      const someone = await t.makeClient(psp);
      await setStanding(t, someone, { operationalStanding: 'SUSPENDED' });
      expect(contentOf(await submit(cart(), someone.apiKey)).status).toBe('PENDING');
    });

    it("concerns the PSP's own account without x-client-id, and the named client with it", async () => {
      expect(await basket(contentOf(await submit(cart(), psp.apiKey)).basketId)).toMatchObject({ clientId: psp.id });
      const named = contentOf(await submit(cart(), psp.apiKey, { 'x-client-id': client.id }));
      expect(await basket(named.basketId)).toMatchObject({ clientId: client.id });
    });
  });

  describe('validates', () => {
    requiresFields(wire, [
      'ref',
      'totalAmount',
      'items',
      'items[0].sku',
      'items[0].title',
      'items[0].description',
      'items[0].quantity',
      'items[0].price',
      'items[0].subTotal',
      'items[1].sku',
      'paymentMethods',
      'currency',
      'countryCode',
    ]);
    refusesWrongTypes(wire, {
      text: ['ref', 'currency', 'countryCode', 'items[0].sku', 'items[0].title', 'items[0].description'],
      number: ['totalAmount', 'items[0].quantity', 'items[0].price', 'items[1].subTotal', 'paymentMethods.card'],
      boolean: ['items[0].vatExempt'],
      object: ['paymentMethods', 'items[1]'],
      array: ['items'],
    });
    limitsText(wire, { ref: 200 });
    namesIgnoredFields(wire);

    it('names fields of an item it does not know: a misspelt exemption is seen', async () => {
      const r = await submit(cart({ items: [{ ...pen, vatExcempt: true }, book] }));
      contentOf(r);
      expect(r.headers.get('x-ignored-fields')).toBe('items%5B0%5D.vatExcempt');
    });

    it('knows the line total only as subTotal', async () => {
      const { subTotal, ...rest } = pen;
      expectRefusal(
        await submit(cart({ items: [book, { ...rest, subtotal: subTotal }] })),
        400,
        'FIELD_REQUIRED',
        "the field 'items[1].subTotal' is required; 'subtotal' is not known here",
      );
    });

    it('refuses a basket without items and one with more than five thousand', async () => {
      expectRefusal(
        await submit(cart({ items: [] })),
        400,
        'FIELD_INVALID',
        /^the field 'items' must have at least 1 /,
      );
      const items = Array.from({ length: 5001 }, () => ({ ...line(1), sku: 's', title: 't' }));
      expectRefusal(
        await submit(cart({ items })),
        400,
        'FIELD_INVALID',
        "the field 'items' may have at most 5000 entries",
      );
    });

    it('refuses a body over a mebibyte, and over its own limit only there', async () => {
      const items = [{ ...pen, description: 'd'.repeat(1_048_576) }];
      expectRefusal(await submit(cart({ items })), 413, 'BODY_TOO_LARGE', 'the body is larger than 1048576 bytes');
    });

    it.each([
      ['items[0].subTotal', -1, "the field 'items[0].subTotal' must be zero or more"],
      ['items[1].quantity', -1, "the field 'items[1].quantity' must be zero or more"],
      ['items[1].price', -0.01, "the field 'items[1].price' must be zero or more"],
      ['totalAmount', 0, "the field 'totalAmount' must be greater than zero"],
      ['paymentMethods.card', -1, "the field 'paymentMethods.card' must be zero or more"],
    ])('refuses %s of %d', async (field, value, message) => {
      expectRefusal(await submit(put(cart(), field, value)), 400, 'FIELD_INVALID', message);
    });

    it('refuses more decimals than the currency has, also in a line', async () => {
      expectRefusal(
        await submit(put(cart(), 'items[1].subTotal', 1.001)),
        400,
        'AMOUNT_PRECISION',
        "the field 'items[1].subTotal' has more decimals than NGN allows: 1.001 (NGN has 2)",
      );
      expectRefusal(await submit(cart({ totalAmount: 215.001 })), 400, 'AMOUNT_PRECISION');
    });

    it('refuses unknown countries and currencies, crypto assets, and countries without a tax rule', async () => {
      expectRefusal(await submit(cart({ countryCode: 'ZZ' })), 400, 'UNKNOWN_COUNTRY');
      expectRefusal(await submit(cart({ currency: 'USDT' })), 400, 'UNKNOWN_CURRENCY');
      expectRefusal(await submit(cart({ countryCode: 'KP' })), 400, 'NO_TAX_RULE');
    });

    it('records nothing of what it refuses', async () => {
      const before = [await entryCount(t), await rowCount(t, 'baskets'), await rowCount(t, 'refs')];
      await submit(cart({ currency: 'ZZZ' }));
      await submit(cart({ items: [] }));
      expect([await entryCount(t), await rowCount(t, 'baskets'), await rowCount(t, 'refs')]).toEqual(before);
    });
  });

  describe('authorises', () => {
    refusesOperators(wire, 'submitBasket');
    guardsClientHeader(wire);
  });

  describe('repeats', () => {
    it('answers an equal body with the identical reply, marked as a repetition, and records nothing new', async () => {
      const body = cart();
      const first = await submit(body);
      const before = await entryCount(t);
      t.advance(86_400_000);
      const again = await submit(Object.fromEntries(Object.entries(body).reverse()));
      expect(again.text).toBe(first.text);
      expect(first.headers.get('idempotency-replayed')).toBeNull();
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(await entryCount(t)).toBe(before);
    });

    it('repeats the reply word by word after the basket was verified', async () => {
      const body = cart();
      const first = await submit(body);
      const { transactionId } = contentOf(first);
      contentOf(
        await t.post(
          '/v1/transaction/verifyTransaction',
          {
            ref: `pay-${n}`,
            totalAmount: 215,
            currency: 'NGN',
            countryCode: 'NG',
            paymentMethods: { card: 215 },
            transactionFee: 0,
            transactionID: transactionId,
          },
          client.apiKey,
        ),
      );
      expect((await submit(body)).text).toBe(first.text);
    });

    it.each([
      ['totalAmount', 216, 'totalAmount'],
      ['items', [pen, book], 'items[0].description'],
      ['items', [book, { ...pen, title: 'Pencil' }], 'items[1].title'],
      ['items', [book], 'items'],
      ['paymentMethods', { card: 215 }, 'paymentMethods.card'],
      ['currency', 'USD', 'currency'],
      ['countryCode', 'GH', 'countryCode'],
    ])("refuses the same ref with another '%s', naming what differs", async (field, value, path) => {
      const body = cart();
      const c = contentOf(await submit(body));
      expectRefusal(
        await submit({ ...body, [field]: value }),
        409,
        'REF_CONFLICT',
        `the ref '${body.ref}' was used before with another '${path}'`,
      );
      expect((await basket(c.basketId)).revision).toBe(1);
    });

    it('keeps refs of baskets apart from those of transactions and of other accounts', async () => {
      const other = await t.makeClient(psp);
      const body = cart();
      const one = contentOf(await submit(body));
      const two = contentOf(await submit({ ...body, currency: 'USD' }, other.apiKey));
      expect(one.basketId).not.toBe(two.basketId);
      contentOf(
        await t.post(
          '/v1/transaction/verifyTransaction',
          {
            ref: body.ref,
            totalAmount: 1,
            currency: 'NGN',
            countryCode: 'NG',
            paymentMethods: { card: 1 },
            transactionFee: 0,
          },
          client.apiKey,
        ),
      );
    });

    it('records many concurrent equal requests once and answers all alike', async () => {
      const body = cart();
      const answers = await Promise.all(Array.from({ length: 20 }, () => submit(body)));
      expect(new Set(answers.map((r) => r.text)).size).toBe(1);
      expect(await rowCount(t, 'baskets', 'ref = $1', [body.ref])).toBe(1);
      expect(await rowCount(t, 'transactions', 'basket_ref = $1', [body.ref])).toBe(1);
    });
  });

  describe('tells', () => {
    it('writes an entry for the basket and one for its transaction, each the exact resource', async () => {
      const c = contentOf(await submit(cart(), psp.apiKey, { 'x-client-id': client.id }));
      const [entry, ...more] = await told(t, c.basketId);
      expect(more).toEqual([]);
      expect(entry?.body).toMatchObject({
        type: 'basket.created',
        event: 'New Basket',
        clientId: client.id,
        version: 1,
        actor: { account: psp.id, by: expect.stringMatching(/^key_/) },
        evidence: { tax: expect.any(Array) },
      });
      expect(entry?.body.data).toEqual(await basket(c.basketId));
      const [tx, ...rest] = await told(t, c.transactionId);
      expect(rest).toEqual([]);
      expect(tx?.body).toMatchObject({ type: 'transaction.created', event: 'New Transaction', version: 1 });
      expect(tx?.body.data).toEqual(contentOf(await t.get(`/v1/transaction/${c.transactionId}`, psp.apiKey)));
      expect(tx?.seq).toBe((entry?.seq as number) + 1);
    });

    it('keeps records and journal one to one, numbered without gaps', async () => {
      await Promise.all(Array.from({ length: 10 }, () => submit()));
      await expectJournalComplete(t);
    });
  });
});
