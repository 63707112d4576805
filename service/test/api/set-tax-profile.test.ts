// Whether a client owes tax on its sales: said by its PSP or by staff, in force for the next sale of that day, told by
// the evidence of each, and never by the client itself.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { localDate } from '../../src/core/calendar.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, expectRefusal, setStanding, type Wire } from '../support/guarantees.ts';
import { entryCount, expectJournalComplete } from '../support/journal.ts';
import { totalled } from '../totals/life.ts';

let t: TestApp;
let psp: Account;
let client: Account;
let n = 0;

beforeAll(async () => {
  t = await makeTestApp({ startAt: '2026-11-10T12:00:00Z' });
});
beforeEach(async () => {
  psp = await t.makePsp();
  client = await t.makeClient(psp);
});
afterAll(() => t?.stop());

const profile = { countryCode: 'NG', validFrom: '2026-11-01', registered: false };
const set = (body: object, key = psp.apiKey, of = client) => t.post(`/v1/client/${of.id}/tax-profile`, body, key);
const sale = (over: object = {}) => ({
  ref: `order-${++n}`,
  totalAmount: 107.5,
  currency: 'NGN',
  countryCode: 'NG',
  paymentMethods: { card: 107.5 },
  transactionFee: 1,
  ...over,
});
const verify = async (over: object = {}, key = client.apiKey) =>
  contentOf(await t.post('/v1/transaction/verifyTransaction?expand=tax,decision', sale(over), key));

const wire: Wire = {
  app: () => t,
  method: 'POST',
  get path() {
    return `/v1/client/${client.id}/tax-profile`;
  },
  caller: () => psp,
  body: () => ({ ...profile, validFrom: `2026-10-${String((++n % 27) + 1).padStart(2, '0')}` }),
};

describe('setTaxProfile', () => {
  it('has the sales of a client that is not registered bear no VAT, and says why', async () => {
    const before = await verify();
    expect([before.vatAmount, before.decision.supplier]).toEqual([7.5, 'ASSUMED_REGISTERED']);
    contentOf(await set(profile));
    const after = await verify();
    expect(after).toMatchObject({
      vatAmount: 0,
      // What the PSP charges for its service bears VAT as before, and what the client keeps is more by its own.
      transactionVAT: before.transactionVAT,
      merchantAmount: before.merchantAmount + 7.5,
      decision: { supplier: 'NOT_REGISTERED' },
    });
    expect(after.tax[0]).toMatchObject({ taxCode: 'VAT', tax: 0, taxableAmount: 0, reason: 'NOT_REGISTERED' });
  });

  it('is in force from its day on, in its country alone', async () => {
    contentOf(await set({ ...profile, validFrom: '2026-11-11' }));
    expect((await verify()).vatAmount).toBe(7.5);
    t.advance(86_400_000);
    expect((await verify()).vatAmount).toBe(0);
    const abroad = await verify({
      countryCode: 'KE',
      currency: 'KES',
      totalAmount: 116,
      paymentMethods: { card: 116 },
    });
    expect([abroad.vatAmount, abroad.decision.supplier]).toEqual([16, 'ASSUMED_REGISTERED']);
    contentOf(await set({ ...profile, validFrom: '2026-11-12', registered: true }));
    t.advance(86_400_000);
    expect((await verify()).decision.supplier).toBe('REGISTERED');
  });

  it('leaves what was recorded as it was, and the same ref its answer', async () => {
    const body = sale();
    const path = '/v1/transaction/verifyTransaction';
    const first = contentOf(await t.post(path, body, client.apiKey));
    contentOf(await set(profile));
    expect(contentOf(await t.post(path, body, client.apiKey))).toEqual(first);
  });

  it('books nothing to the tax authority', async () => {
    contentOf(await set(profile));
    const sold = await verify();
    await totalled(t);
    const day = localDate('Africa/Lagos', t.now());
    const { items } = contentOf(await t.get(`/v1/settlement/statement?dayFrom=${day}&dayTo=${day}`, psp.apiKey));
    // The VAT on the fees alone, which is the PSP's.
    expect(items[0]).toMatchObject({ payable: { TAX_AUTHORITY: sold.transactionVAT }, balance: 0 });
    const basket = {
      ref: `cart-${++n}`,
      totalAmount: 107.5,
      items: [{ sku: 'B', title: 'Book', description: '', quantity: 1, price: 107.5, subTotal: 107.5 }],
      paymentMethods: { card: 107.5 },
      currency: 'NGN',
      countryCode: 'NG',
    };
    expect(contentOf(await t.post('/v1/basket/submitBasket', basket, client.apiKey)).vatAmount).toBe(0);
  });

  it('is said of a quote too', async () => {
    contentOf(await set(profile));
    const { ref: _, paymentMethods: __, ...asked } = sale();
    const quote = contentOf(await t.post('/v1/tax/quote', { ...asked, operation: 'verifyTransaction' }, client.apiKey));
    expect([quote.vatAmount, quote.tax[0].reason]).toEqual([0, 'NOT_REGISTERED']);
  });

  it('is shown with the client, with whether its number can be one, and kept in its history', async () => {
    const number = { taxNumber: 'FR40303265045', countryCode: 'FR', registered: true };
    contentOf(await set({ ...profile, ...number, reason: 'it registered' }));
    contentOf(await set({ ...profile, ...number, validFrom: '2026-12-01', taxNumber: 'FR40303265046' }));
    const { taxProfiles } = contentOf(await t.get(`/v1/client/${client.id}`, psp.apiKey));
    expect(taxProfiles).toEqual([
      {
        country: 'FR',
        validFrom: '2026-11-01',
        registered: true,
        scheme: 'STANDARD',
        taxNumber: 'FR40303265045',
        taxNumberValid: true,
        subdivision: null,
        supply: null,
      },
      expect.objectContaining({ validFrom: '2026-12-01', taxNumberValid: false }),
    ]);
    await expectJournalComplete(t);
  });

  it('compares the number with those of its kind alone, and needs a number to compare', async () => {
    // A VAT number of the United Kingdom, which is no unique taxpayer reference.
    const number = { ...profile, countryCode: 'GB', registered: true, taxNumber: 'GB980780684' };
    contentOf(await set({ ...number, taxNumberKind: 'VAT' }));
    contentOf(await set({ ...number, validFrom: '2026-11-02', taxNumberKind: 'TIN' }));
    const { taxProfiles } = contentOf(await t.get(`/v1/client/${client.id}`, psp.apiKey));
    expect(taxProfiles).toMatchObject([
      { taxNumberKind: 'VAT', taxNumberValid: true },
      { taxNumberKind: 'TIN', taxNumberValid: false },
    ]);
    expectRefusal(await set({ ...profile, taxNumberKind: 'VAT' }), 400, 'FIELD_REQUIRED');
    await expectJournalComplete(t);
  });

  it('records nothing where nothing changes', async () => {
    contentOf(await set(profile));
    const entries = await entryCount(t);
    contentOf(await set(profile));
    expect(await entryCount(t)).toBe(entries);
  });

  it('is refused to the client itself, and to another PSP as if the client were not there', async () => {
    expectRefusal(await set(profile, client.apiKey), 403, 'AUDIENCE');
    const other = await t.makePsp();
    expectRefusal(await set(profile, other.apiKey), 404, 'NOT_FOUND');
    expect((await verify()).vatAmount).toBe(7.5);
  });

  it.each<[string, object, string]>([
    ['a day that is none', { validFrom: '2026-02-30' }, 'FIELD_INVALID'],
    ['a country that is none', { countryCode: 'ZZ' }, 'UNKNOWN_COUNTRY'],
    ['a part of another country', { subdivision: 'ES-CN' }, 'FIELD_INVALID'],
    ['a small business that charges tax', { registered: true, scheme: 'SMALL_BUSINESS' }, 'FIELD_INVALID'],
  ])('is refused for %s', async (_, over, code) => {
    expectRefusal(await set({ ...profile, ...over }), 400, code);
  });

  it('is refused for a closed client', async () => {
    await setStanding(t, client, { operationalStanding: 'CLOSED' });
    expectRefusal(await set(profile), 409, 'STATE_CONFLICT');
  });

  it('answers a body without its fields by name', async () => {
    for (const field of ['countryCode', 'validFrom', 'registered']) {
      const body = { ...(await wire.body?.()), [field]: undefined };
      expectRefusal(await t.post(wire.path, body, psp.apiKey), 400, 'FIELD_REQUIRED', new RegExp(field));
    }
  });
});

describe('taxDetails of a sale', () => {
  const spain = { countryCode: 'ES', currency: 'EUR', totalAmount: 110, paymentMethods: { card: 110 } };

  it('are not needed for what the merchant code says: a restaurant in Spain at 10 %, a hospital in Germany at none', async () => {
    const meal = await verify({ ...spain, mcc: '5812' });
    expect([meal.vatAmount, meal.decision.supply]).toEqual([10, 'restaurants']);
    const cure = await verify({ ...spain, countryCode: 'DE', mcc: '8062' });
    expect([cure.vatAmount, cure.tax[0].reason, cure.tax[0].legalRef]).toEqual([
      0,
      'EXEMPT',
      expect.stringMatching(/UStG.*4.*14|4.*14.*UStG/),
    ]);
  });

  it('say what is sold where the code does not', async () => {
    const book = { ...spain, totalAmount: 104, paymentMethods: { card: 104 }, mcc: '5999' };
    expect((await verify(book)).vatAmount).toBe(18.05);
    expect((await verify({ ...book, taxDetails: { category: 'books' } })).vatAmount).toBe(4);
  });

  it('make a business in another country, by a number that can be one', async () => {
    const abroad = (customerTaxNumber?: string) =>
      verify({ ...spain, mcc: '7372', taxDetails: { customerCountry: 'FR', customerTaxNumber } });
    const business = await abroad('FR40303265045');
    expect([business.vatAmount, business.decision.customer]).toEqual([0, 'BUSINESS_ABROAD']);
    for (const number of [undefined, 'FR40303265046']) {
      const consumer = await abroad(number);
      expect([consumer.vatAmount, consumer.decision.customer]).toEqual([19.09, 'CONSUMER']);
      const { observations } = contentOf(await t.get(`/v1/transaction/${consumer.transactionId}`, client.apiKey));
      expect(observations.map((o: { code: string }) => o.code)).toContain('CUSTOMER_ABROAD');
    }
  });

  it('make a business of the country owe the tax on services of a client from another one, unless the client is registered there', async () => {
    const german = { ...spain, countryCode: 'DE', totalAmount: 119, paymentMethods: { card: 119 }, mcc: '7372' };
    const to = (customerTaxNumber?: string) =>
      verify({ ...german, taxDetails: { customerCountry: 'DE', customerTaxNumber } });
    // Directive 2006/112/EC, art. 196: nothing of 119 is the client's to pay; 119 × 19/119 of a consumer, or a number that is none.
    const business = await to('DE136695976');
    expect([business.vatAmount, business.decision.customer]).toEqual([0, 'BUSINESS_AT_HOME']);
    expect(business.tax[0]).toMatchObject({ tax: 0, reason: 'REVERSE_CHARGE' });
    for (const number of [undefined, 'DE136695977']) {
      const consumer = await to(number);
      expect([consumer.vatAmount, consumer.decision.customer]).toEqual([19, 'CONSUMER']);
    }
  });

  it('say in which part of the country the customer is: Ontario at 13 %, Québec at 14.975 %', async () => {
    const canada = { countryCode: 'CA', currency: 'CAD', mcc: '5651' };
    const total = (totalAmount: number) => ({ ...canada, totalAmount, paymentMethods: { card: totalAmount } });
    const of = (part: string) => ({ taxDetails: { customerSubdivision: part } });
    expect((await verify({ ...total(113), ...of('CA-ON') })).vatAmount).toBe(13);
    const quebec = await verify({ ...total(1149.75), ...of('CA-QC') });
    expect([
      quebec.vatAmount,
      quebec.tax
        .map((x: { taxCode: string }) => x.taxCode)
        .slice(0, 2)
        .sort(),
    ]).toEqual([149.75, ['GST', 'QST']]);
  });

  it('belong to the request: the same ref with others is another request', async () => {
    const body = sale({ ...spain, mcc: '5999' });
    const path = '/v1/transaction/verifyTransaction';
    const first = contentOf(await t.post(path, body, client.apiKey));
    const again = contentOf(await t.post(path, { ...body, taxDetails: { category: 'books' } }, client.apiKey));
    expect(again.transactionId).toBe(first.transactionId);
    expect(again.vatAmount).toBeLessThan(first.vatAmount);
  });
});
