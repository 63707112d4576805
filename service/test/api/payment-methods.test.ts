// How a sale was paid counts: discounts are no consideration, single-purpose vouchers were taxed before, and cash never
// reaches the PSP (Spec 2.5). Nigeria's VAT is 7.5 % of the net; the fee of a sale is 1 % of its total.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { localDate } from '../../src/core/calendar.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, expectRefusal } from '../support/guarantees.ts';
import { expectJournalComplete } from '../support/journal.ts';
import { made } from '../support/reports.ts';
import { totalled } from '../totals/life.ts';

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

const path = '/v1/transaction/verifyTransaction';
const order = (totalAmount: number, paymentMethods: Record<string, number>, over: object = {}) => ({
  ref: `p-${++n}`,
  totalAmount,
  currency: 'NGN',
  countryCode: 'NG',
  paymentMethods,
  transactionFee: 0,
  ...over,
});
const verify = (body: object) => t.post(`${path}?expand=tax,decision`, body, client.apiKey);
const sell = async (...of: Parameters<typeof order>) => contentOf(await verify(order(...of)));
// biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire says
const partsSum = (c: any) =>
  Math.round(
    (c.vatAmount + c.processingFee + c.transactionFee + c.transactionVAT + c.merchantAmount + Number.EPSILON) * 100,
  ) / 100;
const observed = async ({ transactionId }: { transactionId: string }): Promise<string[]> => {
  const found = contentOf(await t.get(`/v1/transaction/${transactionId}`, client.apiKey));
  return found.observations.map((o: { code: string }) => o.code);
};
const today = () => localDate('Africa/Lagos', t.now());
const statement = async () => {
  await totalled(t);
  const { items } = contentOf(await t.get(`/v1/settlement/statement?dayFrom=${today()}&dayTo=${today()}`, psp.apiKey));
  expect(items.map((i: { balance: number }) => i.balance)).toEqual(items.map(() => 0));
  return items[0];
};
type Row = Readonly<Record<string, string | null>>;
async function report(body: object): Promise<(name: string) => readonly Row[]> {
  const done = await made(t, body, psp.apiKey);
  expect([done.state, done.reason]).toEqual(['DONE', null]);
  const { sections } = (await t.get(`/v1/report/${done.reportId}/json`, psp.apiKey)).body;
  return (name) => sections.find((s: { name: string }) => s.name === name).rows;
}

describe('the name of a method', () => {
  it.each([
    ['Cash', 'cash'],
    ['CASH ', 'cash'],
    ['Discounts', 'discounts'],
    ['VOUCHERS', 'vouchers'],
    ['Card', 'card'],
    ['ｃash', 'cash'],
  ])('%j is refused with the spelling of the contract, for a sale, a quote and a basket', async (name, spelled) => {
    const because = `the field 'paymentMethods.${name}' must be written '${spelled}'`;
    const paid = { [name]: 1075 };
    expectRefusal(await verify(order(1075, paid)), 400, 'FIELD_INVALID', because);
    const place = { currency: 'NGN', countryCode: 'NG' };
    const quoted = { operation: 'verifyTransaction', totalAmount: 1075, ...place, paymentMethods: paid };
    expectRefusal(await t.post('/v1/tax/quote', quoted, client.apiKey), 400, 'FIELD_INVALID', because);
    const item = { sku: 'R', title: 'Rice', description: 'A sack', quantity: 1, price: 1075, subTotal: 1075 };
    const basket = { ref: `b-${++n}`, ...place, totalAmount: 1075, paymentMethods: paid, items: [item] };
    const sent = await t.post('/v1/basket/submitBasket', basket, client.apiKey);
    expectRefusal(sent, 400, 'FIELD_INVALID', because);
  });

  it('is free for other methods, in any letters', async () => {
    const sale = await sell(1075, { giftCard: 500, GIFTCARD: 500, 'cash on delivery': 75 });
    expect(await observed(sale)).toEqual([]);
  });
});

describe('a discount', () => {
  it('of 10 % is not taxed, and the parts still add up to the total', async () => {
    // 967.50 holds 900.00 and 67.50.
    const c = await sell(1075, { card: 967.5, discounts: 107.5 });
    expect(c).toMatchObject({ vatAmount: 67.5, processingFee: 10.75, transactionVAT: 0.81, merchantAmount: 995.94 });
    expect(partsSum(c)).toBe(1075);
    expect(c.tax[0]).toMatchObject({ taxableAmount: 900, tax: 67.5 });
    expect(c.decision.untaxed).toEqual({ discounts: 107.5, singlePurposeVouchers: 0 });
  });

  it('of the whole price leaves nothing to tax; one beyond it neither, and is observed', async () => {
    const all = await sell(1075, { discounts: 1075 });
    expect([all.vatAmount, partsSum(all)]).toEqual([0, 1075]);
    expect(await observed(all)).toEqual([]);
    const more = await sell(1075, { discounts: 2000 });
    expect([more.vatAmount, more.decision.untaxed.discounts]).toEqual([0, 1075]);
    expect(await observed(more)).toEqual(['PAYMENT_METHODS_SUM', 'DISCOUNTS_EXCEED_TOTAL']);
  });

  it('is quoted as it is decided', async () => {
    const body = order(1075, { card: 900, discounts: 175 });
    const { ref: _, ...asked } = body;
    const quote = contentOf(await t.post('/v1/tax/quote', { operation: 'verifyTransaction', ...asked }, client.apiKey));
    const { vatAmount, processingFee, transactionVAT, merchantAmount } = contentOf(await verify(body));
    expect(quote).toMatchObject({ vatAmount, processingFee, transactionVAT, merchantAmount });
    expect(vatAmount).toBe(62.79);
  });

  it('that comes with a revision changes the tax', async () => {
    const body = order(1075, { card: 1075 });
    expect(contentOf(await verify(body)).vatAmount).toBe(75);
    expect(contentOf(await verify({ ...body, paymentMethods: { card: 967.5, discounts: 107.5 } })).vatAmount).toBe(
      67.5,
    );
  });

  it('is spread over the lines of a basket, and the payment has the same tax', async () => {
    const line = (sku: string, subTotal: number, vatExempt: boolean) => {
      return { sku, title: sku, description: '', quantity: 1, price: subTotal, subTotal, vatExempt };
    };
    const paymentMethods = { card: 193.5, discounts: 21.5 };
    const money = { totalAmount: 215, currency: 'NGN', countryCode: 'NG', paymentMethods };
    const items = [line('book', 107.5, true), line('pen', 64.5, false), line('ink', 43, false)];
    const basket = contentOf(
      await t.post('/v1/basket/submitBasket', { ...money, ref: `b-${++n}`, items }, client.apiKey),
    );
    // A tenth off the 107.50 that bear VAT leaves 96.75, which hold 90.00 and 6.75.
    expect(basket.vatAmount).toBe(6.75);
    const paid = await sell(215, paymentMethods, { transactionID: basket.transactionId });
    expect([paid.vatAmount, paid.tax[0].taxableAmount, partsSum(paid)]).toEqual([6.75, 90, 215]);
    // Without the discount at the till, the customer paid all of it.
    const body = { ...money, ref: `b-${++n}`, items };
    const other = contentOf(await t.post('/v1/basket/submitBasket', body, client.apiKey));
    expect((await sell(215, { card: 215 }, { transactionID: other.transactionId })).vatAmount).toBe(7.5);
  });
});

describe('a voucher', () => {
  it('is taxed as money is, and not again where it was taxed when it was sold', async () => {
    const methods = { card: 537.5, vouchers: 537.5 };
    expect((await sell(1075, methods)).vatAmount).toBe(75);
    const c = await sell(1075, methods, { taxDetails: { singlePurposeVouchers: 215 } });
    expect([c.vatAmount, c.decision.untaxed]).toEqual([60, { discounts: 0, singlePurposeVouchers: 215 }]);
    expect(partsSum(c)).toBe(1075);
  });

  it('that was not used was not taxed before, which is observed', async () => {
    const c = await sell(1075, { card: 1075 }, { taxDetails: { singlePurposeVouchers: 215 } });
    expect(c.vatAmount).toBe(75);
    expect(await observed(c)).toEqual(['SINGLE_PURPOSE_VOUCHERS_EXCEED']);
  });

  it.each([
    [-1, 400, 'FIELD_INVALID'],
    ['215', 400, 'FIELD_INVALID'],
    [0.001, 400, 'AMOUNT_PRECISION'],
  ])('of %j is refused', async (singlePurposeVouchers, status, code) => {
    const body = order(1075, { vouchers: 1075 }, { taxDetails: { singlePurposeVouchers } });
    expectRefusal(await verify(body), status, code, /taxDetails\.singlePurposeVouchers/);
  });
});

describe('the statement', () => {
  it('of 900 in cash and 100 by card leaves the PSP 100 to settle from, and the merchant has 900 already', async () => {
    const c = await sell(1000, { cash: 900, card: 100 });
    // 1,000 hold 930.23 and 69.77, however they are paid.
    expect(c).toMatchObject({ vatAmount: 69.77, processingFee: 10, transactionVAT: 0.75, merchantAmount: 919.48 });
    const s = await statement();
    expect(s.collected).toEqual({ heldByPsp: 100, cash: 900, vouchers: 0, discounts: 0 });
    expect(s.payable).toEqual({ TAX_AUTHORITY: 70.52, SERVICE: 10, MERCHANT: 19.48, PSP: 0 });
    expect(s.debts).toEqual([
      { from: 'PSP', to: 'TAX_AUTHORITY', amount: 70.52 },
      { from: 'PSP', to: 'SERVICE', amount: 10 },
      { from: 'PSP', to: 'MERCHANT', amount: 19.48 },
    ]);
    expect(s.postings).toContainEqual({ kind: 'CASH', account: 'MERCHANT', debit: 900, credit: 0 });
    expect(s.postings).toContainEqual({ kind: 'CASH', account: 'CUSTOMERS', debit: 0, credit: 900 });
  });

  it('of a sale in cash alone has the merchant owe its tax and fees', async () => {
    const c = await sell(1000, { cash: 1000 }, { transactionFee: 5 });
    const s = await statement();
    expect(s.collected).toMatchObject({ heldByPsp: 0, cash: 1000 });
    expect(s.payable.MERCHANT).toBe(Math.round((c.merchantAmount - 1000) * 100) / 100);
    expect(s.debts.find((d: { from: string }) => d.from === 'MERCHANT')).toEqual({
      from: 'MERCHANT',
      to: 'PSP',
      amount: -s.payable.MERCHANT,
    });
  });

  it('has discounts borne by the merchant and vouchers not held by the PSP; other names it holds', async () => {
    const c = await sell(1075, { 'mobile money': 600, vouchers: 367.5, discounts: 107.5 });
    const s = await statement();
    expect(s.collected).toEqual({ heldByPsp: 600, cash: 0, vouchers: 367.5, discounts: 107.5 });
    expect(s.payable.MERCHANT).toBe(Math.round((c.merchantAmount - 475) * 100) / 100);
    const all = Object.values(s.payable as Record<string, number>).reduce((sum, a) => sum + a, 0);
    expect(all).toBeCloseTo(600, 6);
  });

  it('of what was charged back leaves nobody owing anything', async () => {
    const { ref } = await sell(1000, { cash: 900, card: 100 });
    contentOf(await t.post('/v1/transaction/chargeBack', { ref }, psp.apiKey));
    const s = await statement();
    expect(s.toReturn).toEqual(s.payable);
    // The customer's 900 are the merchant's to give back: the PSP can subtract nothing for them.
    const { items } = contentOf(await t.get('/v1/settlement/outstanding', psp.apiKey));
    expect(items[0].outstanding).toMatchObject({ vatAmount: 69.77, processingFee: 10, merchantAmount: 19.48 });
  });

  it('is made of amounts that GET /v1/totals has too', async () => {
    await sell(1000, { cash: 900, card: 100 });
    await totalled(t);
    const { items } = contentOf(await t.get(`/v1/totals?dayFrom=${today()}&dayTo=${today()}`, psp.apiKey));
    expect(items).toHaveLength(1);
    expect(items[0]).toMatchObject({ gross: 1000, cash: 900, vouchers: 0, discounts: 0 });
  });

  it('as a report says where the money is and who owes whom', async () => {
    await sell(1000, { cash: 950, card: 50 });
    await totalled(t);
    const rows = await report({ kind: 'settlement', period: today().slice(0, 7) });
    expect(rows('collected')[0]).toMatchObject({ gross: '1000', heldByPsp: '50', cash: '950', discounts: '0' });
    expect(rows('debts').map((r) => [r.from, r.to, r.amount])).toEqual([
      ['PSP', 'TAX_AUTHORITY', '70.52'],
      ['PSP', 'SERVICE', '10'],
      ['MERCHANT', 'PSP', '30.52'],
    ]);
    const posted = (side: string) => rows('postings').reduce((sum, r) => sum + Number(r[side]), 0);
    expect(posted('debit')).toBeCloseTo(posted('credit'), 6);
  });
});

describe('netting', () => {
  it('takes from a later sale no more than the PSP has of it for the merchant', async () => {
    const { ref } = await sell(1000, { card: 1000 });
    const { chargebackId } = contentOf(await t.post('/v1/transaction/chargeBack', { ref }, psp.apiKey));
    const later = await sell(1000, { cash: 900, card: 100 });
    const net = (amount: number) => {
      const body = { ref: `n-${++n}`, chargebackId, transactionId: later.transactionId, merchantAmount: amount };
      return t.post('/v1/settlement/net', body, psp.apiKey);
    };
    expectRefusal(
      await net(19.49),
      409,
      'NETTING_EXCESS',
      'the transaction of transactionId settles only 19.48 more to MERCHANT; 19.49 cannot be subtracted from it',
    );
    contentOf(await net(19.48));
    // Paid in cash after all, the sale settles nothing to the merchant, and what was netted is outstanding again.
    contentOf(await verify(order(1000, { cash: 1000 }, { ref: later.ref })));
    const { items } = contentOf(await t.get('/v1/settlement/outstanding', psp.apiKey));
    expect(items[0].outstanding.merchantAmount).toBe(919.48);
    await expectJournalComplete(t);
  });
});

describe('the VAT return and rate corrections', () => {
  it('agree with the tax that was decided, whatever was paid by', async () => {
    const sales = [
      await sell(1075, { card: 967.5, discounts: 107.5 }),
      await sell(1075, { discounts: 1075 }),
      await sell(1000, { cash: 900, card: 100 }),
      await sell(1075, { card: 537.5, vouchers: 537.5 }, { taxDetails: { singlePurposeVouchers: 215 } }),
    ];
    await totalled(t);
    const cents = sales.reduce((sum, c) => sum + Math.round((c.vatAmount + c.transactionVAT) * 100), 0);
    const rows = await report({ kind: 'vatReturn', period: today().slice(0, 7), countryCode: 'NG' });
    expect(rows('due').map((r) => [r.taxCode, r.tax, r.taxDue])).toEqual([
      ['VAT', String(cents / 100), String(cents / 100)],
    ]);
    // 67.50 + 0 + 69.77 + 60.00 in the sales.
    const standard = rows('byRule').find((r) => r.category === 'standard');
    expect(standard?.tax).toBe('197.27');
  });

  it('change nothing under the rules by which it was decided, and keep discounts out under others', async () => {
    const discounted = await sell(1075, { card: 967.5, discounts: 107.5 });
    const cashed = await sell(1100, { cash: 1100 });
    const range = { countryCode: 'NG', from: today(), to: today() };
    const dryRun = async () => (await report({ kind: 'rateCorrection', ...range }))('transactions');
    expect(await dryRun()).toEqual([]);
    const operator = await t.makeOperator();
    const load = async (change: (country: { rules: { ruleId: string; rate?: string }[] }) => object) => {
      const country = JSON.parse(readFileSync(new URL('../../data/tax/NG.json', import.meta.url), 'utf8'));
      const body = { reason: 'a test', country: { ...country, ...change(country) } };
      contentOf(await t.post('/v1/admin/tax', body, operator.apiKey));
    };
    await load(({ rules }) => ({
      rules: rules.map((r) => (r.ruleId === 'NG-VAT-STANDARD-2026' ? { ...r, rate: '10' } : r)),
    }));
    // At 10 %: 967.50 hold 87.95, and 1,100 hold 100.
    const now = new Map((await dryRun()).map((r) => [r.transactionId, r.vatNow]));
    expect(now).toEqual(
      new Map([
        [discounted.transactionId, '87.95'],
        [cashed.transactionId, '100'],
      ]),
    );
    // A law that taxes discounts is found out about afterwards.
    const source = { title: 'Act', publisher: 'State', url: 'https://law.example', retrievedOn: '2026-11-21' };
    const fact = { treatment: 'TAXED', validFrom: '2020-01-01', validTo: null, source: 'act', legalRef: null };
    await load((country) => ({
      sources: { ...(country as unknown as { sources: object }).sources, act: source },
      discounts: [{ ...fact, confidence: 'official', says: 'Tax is due on the price before discounts.' }],
    }));
    expect((await dryRun()).map((r) => [r.transactionId, r.vatStands, r.vatNow])).toEqual([
      [discounted.transactionId, '67.5', '75'],
    ]);
    expect((await sell(1075, { card: 967.5, discounts: 107.5 })).vatAmount).toBe(75);
    const rates = contentOf(await t.get('/v1/tax/rates?country=NG', client.apiKey));
    expect(rates.discounts).toMatchObject([{ treatment: 'TAXED', source }]);
  });
});
