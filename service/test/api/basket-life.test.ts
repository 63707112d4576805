// Baskets through submission, verification and decline (Spec 3, decisions 12, 19 and 20).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, expectRefusal, setStanding } from '../support/guarantees.ts';
import { expectJournalComplete, rowCount, told } from '../support/journal.ts';

let t: TestApp;
let psp: Account;
let client: Account;
let n = 0;
/** Half of it exempt: of 215 in Nigeria 107.50 bear 7.50 VAT. */
const cart = (over: Record<string, unknown> = {}): Record<string, unknown> => ({
  ref: `cart-${++n}`,
  totalAmount: 215,
  items: [
    { sku: 'B', title: 'Book', description: '', quantity: 2, price: 53.75, subTotal: 107.5, vatExempt: true },
    { sku: 'P', title: 'Pen', description: 'Blue', quantity: 10, price: 10.75, subTotal: 107.5 },
  ],
  paymentMethods: { card: 215 },
  currency: 'NGN',
  countryCode: 'NG',
  ...over,
});
const payment = (over: Record<string, unknown> = {}): Record<string, unknown> => ({
  ref: `pay-${++n}`,
  totalAmount: 215,
  currency: 'NGN',
  countryCode: 'NG',
  paymentMethods: { card: 215 },
  transactionFee: 1.5,
  ...over,
});
const submit = async (over: Record<string, unknown> = {}, key = client.apiKey) =>
  contentOf(await t.post('/v1/basket/submitBasket', cart(over), key));
const verify = (body: unknown, key = client.apiKey) => t.post('/v1/transaction/verifyTransaction', body, key);
const decline = (ref: unknown, key = client.apiKey) => t.post('/v1/transaction/declineTransaction', { ref }, key);
const basketOf = async (basketId: string) => contentOf(await t.get(`/v1/basket/${basketId}`, psp.apiKey));
const transactionOf = async (id: string) => contentOf(await t.get(`/v1/transaction/${id}`, psp.apiKey));

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
  client = await t.makeClient(psp);
});
afterAll(() => t?.stop());

describe('a basket', () => {
  it('is PENDING, then VERIFIED with its transaction, then CANCELLED with it, a revision each', async () => {
    const made = await submit();
    const body = payment({ transactionID: made.transactionId });
    const states = [await basketOf(made.basketId)];
    contentOf(await verify(body));
    states.push(await basketOf(made.basketId));
    contentOf(await decline(body.ref));
    states.push(await basketOf(made.basketId));
    expect(states.map((b) => [b.status, b.revision])).toEqual([
      ['PENDING', 1],
      ['VERIFIED', 2],
      ['CANCELLED', 3],
    ]);
    expect((await told(t, made.basketId)).map((e) => [e.kind, e.body.event, e.body.data.status])).toEqual([
      ['basket.created', 'New Basket', 'PENDING'],
      ['basket.updated', undefined, 'VERIFIED'],
      ['basket.updated', undefined, 'CANCELLED'],
    ]);
    expect((await told(t, made.transactionId)).map((e) => e.body.data.status)).toEqual([
      'PENDING',
      'APPROVED',
      'DECLINED',
    ]);
  });

  it('says on its payment where that bears another tax than the basket was answered with', async () => {
    // France: 20 % (art. 278 CGI) of 120 while nothing is said of the merchant, 10 % of meals (art. 279 m): 120 × 10/110.
    const french = { totalAmount: 120, currency: 'EUR', countryCode: 'FR', paymentMethods: { card: 120 } };
    const items = [{ sku: 'M', title: 'Menu', description: '', quantity: 1, price: 120, subTotal: 120 }];
    const differs = async (over: Record<string, unknown>) => {
      const made = await submit({ ...french, items });
      expect(made.vatAmount).toBe(20);
      contentOf(await verify(payment({ ...french, transactionID: made.transactionId, ...over })));
      const { observations, vatAmount } = await transactionOf(made.transactionId);
      const said = observations.filter((o: { code: string }) => o.code === 'BASKET_TAX_DIFFERS');
      return [vatAmount, said.map((o: { message: string }) => o.message.match(/[\d.]+/gu))];
    };
    expect(await differs({})).toEqual([20, []]);
    expect(await differs({ mcc: '5812' })).toEqual([10.91, [['20.00', '10.91']]]);
    expect(await differs({ paymentMethods: { card: 60, discounts: 60 } })).toEqual([10, [['20.00', '10.00']]]);
  });

  it('keeps what was submitted through all its states', async () => {
    const made = await submit();
    const body = payment({ transactionID: made.transactionId });
    contentOf(await verify(body));
    contentOf(await decline(body.ref));
    const { originalBasketData, vatAmount, lineVat } = await basketOf(made.basketId);
    expect(originalBasketData).toEqual(made.originalBasketData);
    expect([vatAmount, lineVat]).toEqual([made.vatAmount, [0, 7.5]]);
  });

  it('is VERIFIED again when its declined ref is verified again with a changed body', async () => {
    const made = await submit();
    const body = payment({ transactionID: made.transactionId });
    contentOf(await verify(body));
    contentOf(await decline(body.ref));
    expect(contentOf(await verify(body))).toMatchObject({ status: 'DECLINED', vatAmount: 7.5 });
    expect((await basketOf(made.basketId)).status).toBe('CANCELLED');
    expect(contentOf(await verify({ ...body, transactionFee: 2 }))).toMatchObject({
      status: 'APPROVED',
      vatAmount: 7.5,
    });
    expect(await basketOf(made.basketId)).toMatchObject({ status: 'VERIFIED', revision: 4 });
    await expectJournalComplete(t);
  });

  it('stays PENDING when its verification is declined, and is VERIFIED once the standing allows it', async () => {
    const someone = await t.makeClient(psp);
    const made = await submit({}, someone.apiKey);
    const body = payment({ transactionID: made.transactionId });
    await setStanding(t, someone, { operationalStanding: 'SUSPENDED' });
    expect(contentOf(await verify(body, someone.apiKey)).status).toBe('DECLINED');
    expect(await basketOf(made.basketId)).toMatchObject({ status: 'PENDING', revision: 1 });
    await setStanding(t, someone, { operationalStanding: 'ACTIVE' });
    expect(contentOf(await verify(body, someone.apiKey)).status).toBe('APPROVED');
    expect((await basketOf(made.basketId)).status).toBe('VERIFIED');
  });

  it('stays VERIFIED when its transaction is charged back', async () => {
    const made = await submit();
    const body = payment({ transactionID: made.transactionId });
    contentOf(await verify(body));
    contentOf(await t.post('/v1/transaction/chargeBack', { ref: body.ref }, psp.apiKey));
    expect(await basketOf(made.basketId)).toMatchObject({ status: 'VERIFIED', revision: 2 });
  });

  it('has no ref that could be declined or charged back before it is verified', async () => {
    const body = cart();
    const { transactionId } = contentOf(await t.post('/v1/basket/submitBasket', body, client.apiKey));
    expectRefusal(await decline(body.ref), 404, 'NOT_FOUND');
    expectRefusal(await t.post('/v1/transaction/chargeBack', { ref: body.ref }, psp.apiKey), 404, 'NOT_FOUND');
    expect((await transactionOf(transactionId)).status).toBe('PENDING');
  });

  it('keeps its exempt lines when its ref is verified again without transactionID', async () => {
    const made = await submit();
    const body = payment({ transactionID: made.transactionId });
    contentOf(await verify(body));
    const { transactionID: _, ...again } = body;
    const c = contentOf(await verify({ ...again, transactionFee: 2 }));
    expect(c).toMatchObject({ transactionId: made.transactionId, vatAmount: 7.5 });
    expect(await transactionOf(made.transactionId)).toMatchObject({ revision: 3, basketId: made.basketId });
    expect(await basketOf(made.basketId)).toMatchObject({ status: 'VERIFIED', revision: 2 });
  });

  it('refuses another total or currency under its ref, with transactionID and without', async () => {
    const made = await submit();
    const body = payment({ transactionID: made.transactionId });
    contentOf(await verify(body));
    const { transactionID: _, ...without } = body;
    for (const again of [body, without]) {
      expectRefusal(
        await verify({ ...again, totalAmount: 100, paymentMethods: { card: 100 } }),
        409,
        'BASKET_MISMATCH',
        "the field 'totalAmount' differs from the basket's: 215.00",
      );
      expectRefusal(
        await verify({ ...again, currency: 'USD' }),
        409,
        'BASKET_MISMATCH',
        "the field 'currency' differs from the basket's: NGN",
      );
    }
    expect((await transactionOf(made.transactionId)).revision).toBe(2);
  });

  it('refuses to be verified under a second ref, in every state', async () => {
    const made = await submit();
    const body = payment({ transactionID: made.transactionId });
    contentOf(await verify(body));
    const other = payment({ transactionID: made.transactionId });
    expectRefusal(
      await verify(other),
      409,
      'STATE_CONFLICT',
      `the basket of transactionID was verified before under the ref '${body.ref}'`,
    );
    contentOf(await decline(body.ref));
    expectRefusal(await verify(other), 409, 'STATE_CONFLICT');
    expect(await rowCount(t, 'refs', 'ref = $1', [other.ref])).toBe(0);
  });

  it('refuses the transactionID of another basket under the ref of the first', async () => {
    const [one, two] = [await submit(), await submit()];
    const body = payment({ transactionID: one.transactionId });
    contentOf(await verify(body));
    expectRefusal(await verify({ ...body, transactionID: two.transactionId }), 409, 'BASKET_MISMATCH');
    expect((await basketOf(two.basketId)).status).toBe('PENDING');
  });

  it('is submitted once by thirty concurrent equal requests, all answered alike', async () => {
    const body = cart();
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => t.post('/v1/basket/submitBasket', body, client.apiKey)),
    );
    expect(new Set(answers.map((r) => r.text)).size).toBe(1);
    const { basketId, transactionId } = contentOf(answers[0] as (typeof answers)[0]);
    expect(await rowCount(t, 'baskets', 'ref = $1', [body.ref])).toBe(1);
    for (const id of [basketId, transactionId]) expect(await told(t, id)).toHaveLength(1);
  });

  it('is verified once by thirty concurrent equal requests, all answered alike', async () => {
    const made = await submit();
    const body = payment({ transactionID: made.transactionId });
    const answers = await Promise.all(Array.from({ length: 30 }, () => verify(body)));
    expect(new Set(answers.map((r) => r.text)).size).toBe(1);
    expect(contentOf(answers[0] as (typeof answers)[0]).status).toBe('APPROVED');
    expect((await told(t, made.basketId)).map((e) => e.kind)).toEqual(['basket.created', 'basket.updated']);
    expect((await basketOf(made.basketId)).revision).toBe(2);
  });

  it('ends in one consistent state when it is verified and declined at once', async () => {
    const made = await submit();
    const body = payment({ transactionID: made.transactionId });
    contentOf(await verify(body));
    await Promise.all([
      decline(body.ref),
      verify({ ...body, transactionFee: 2 }),
      decline(body.ref),
      verify({ ...body, transactionFee: 3 }),
    ]);
    const [basket, transaction] = [await basketOf(made.basketId), await transactionOf(made.transactionId)];
    expect(basket.status).toBe(transaction.status === 'APPROVED' ? 'VERIFIED' : 'CANCELLED');
    await expectJournalComplete(t);
  });

  it.each([
    ['NG', 'NGN'],
    ['GH', 'GHS'],
    ['KE', 'KES'],
    ['DE', 'EUR'],
    ['IN', 'INR'],
    ['US', 'USD'],
    ['JP', 'JPY'],
  ])('gives its lines VAT in %s that sums to its own and to that of its payment', async (countryCode, currency) => {
    const prices = [1, 2, 3, 7, 11, 13, 333, 1009].flatMap((price) => [
      { price, exempt: false },
      { price: price + 1, exempt: price % 3 === 0 },
    ]);
    const items = prices.map(({ price, exempt }, i) => ({
      sku: `S${i}`,
      title: 'Thing',
      description: '',
      quantity: 1,
      price,
      subTotal: price,
      ...(exempt ? { vatExempt: true } : {}),
    }));
    const totalAmount = prices.reduce((a, { price }) => a + price, 0);
    const money = { totalAmount, currency, countryCode, paymentMethods: { card: totalAmount } };
    const made = await submit({ ...money, items });
    const { lineVat } = await basketOf(made.basketId);
    const cents = (v: number) => Math.round(v * 100);
    expect(lineVat).toHaveLength(items.length);
    expect(lineVat.reduce((a: number, v: number) => a + cents(v), 0)).toBe(cents(made.vatAmount));
    for (const [i, { exempt }] of prices.entries()) if (exempt) expect(lineVat[i]).toBe(0);
    const paid = contentOf(await verify(payment({ ...money, transactionFee: 0, transactionID: made.transactionId })));
    expect(paid.vatAmount).toBe(made.vatAmount);
  });
});
