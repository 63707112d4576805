// POST /v1/tax/quote: the split of an amount as it would be recorded, with its rules, without recording anything.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { movements } from '../../src/core/transaction.ts';
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
import { entryCount, rowCount } from '../support/journal.ts';

let t: TestApp;
let psp: Account;
let client: Account;
const path = '/v1/tax/quote';
const question = (over: Record<string, unknown> = {}): Record<string, unknown> => ({
  operation: 'verifyTransaction',
  totalAmount: 107.5,
  currency: 'NGN',
  countryCode: 'NG',
  transactionFee: 1.5,
  ...over,
});
const quote = (over: Record<string, unknown> = {}, key = client.apiKey, headers = {}) =>
  t.post(path, question(over), key, headers);
const wire: Wire = { app: () => t, method: 'POST', path, caller: () => client, body: question };

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
  client = await t.makeClient(psp);
});
afterAll(() => t.stop());

describe('taxQuote', () => {
  describe('accepts', () => {
    it('says since and until when a rule holds, and of a decree that has ended that no renewal is on record', async () => {
      const thai = { currency: 'THB', countryCode: 'TH' };
      const now = contentOf(await quote({ ...thai, date: '2027-09-30' }));
      expect(now.tax[0]).toMatchObject({ rate: '7', validFrom: '2026-10-01', validTo: null, sunsetOn: '2027-09-30' });
      expect(now.observations).toEqual([]);
      const later = contentOf(await quote({ ...thai, date: '2028-01-01' }));
      expect(later.observations[0]).toMatchObject({
        code: 'TAX_SUNSET_PASSED',
        message:
          'TH-VAT-SALE-2026 ended on 2027-09-30 unless renewed, and no renewal is on record; its rate was used for 2028-01-01',
      });
      expect(now.tax[0].endsSoon).toBe('2027-09-30');
      expect(later.tax[0].endsSoon).toBeNull();
      // Viet Nam's cut of VAT ends with the year 2026.
      const viet = async (date: string) =>
        contentOf(await quote({ currency: 'VND', countryCode: 'VN', totalAmount: 108000, transactionFee: 0, date }))
          .tax[0].endsSoon;
      expect([await viet('2026-11-21'), await viet('2026-08-01')]).toEqual(['2026-12-31', null]);
      // A first day that nobody looked up is none.
      const zambia = contentOf(await quote({ currency: 'ZMW', countryCode: 'ZM', date: '2026-11-21' }));
      expect(zambia.tax[0]).toMatchObject({ rate: '16', validFrom: null });
    });

    it('answers with the split, the ground of each tax and the fee row', async () => {
      const c = contentOf(await quote());
      expect(c).toMatchObject({
        totalAmount: 107.5,
        vatAmount: 7.5,
        processingFee: 1.08,
        transactionFee: 1.5,
        merchantAmount: 97.23,
        transactionVAT: 0.19,
        currency: 'NGN',
        countryCode: 'NG',
        date: '2026-11-21',
      });
      expect(c.tax.map((x: { ruleId: string; tax: number }) => [x.ruleId, x.tax])).toEqual([
        ['NG-VAT-STANDARD-2026', 7.5],
        ['NG-VAT-FEE-2020', 0.19],
      ]);
      for (const x of c.tax) expect(x.source).toMatchObject({ title: expect.any(String) });
      expect(c.fees).toMatchObject({ feeId: 'DEFAULT-ECOMM-2024', percent: '1.00', ofThisPsp: false });
    });

    it.each(['verifyTransaction', ...movements])('quotes what %s then records, to the cent', async (operation) => {
      const body = { ...question(), operation: undefined, ref: `quoted-${operation}` };
      const customer = { email: 'ada@example.com' };
      const extra: Record<string, Record<string, unknown>> = {
        verifyTransaction: { paymentMethods: { card: 107.5 } },
        cryptoDeposit: { blochainHash: '0xabc', customer },
        cryptoWithdrawal: { blochainHash: '0xabc', toAddress: '0xdef', customer },
        deposit: { customer },
        withdrawal: { toAddress: { bank: 'GTB' }, customer },
      };
      const place = operation === 'verifyTransaction' ? '/v1/transaction' : '/v1/payment';
      const made = contentOf(await t.post(`${place}/${operation}`, { ...body, ...extra[operation] }, client.apiKey));
      const c = contentOf(await quote({ operation }));
      const { transactionId: _id, ref: _ref, status, ...split } = made;
      expect(status).toBe('APPROVED');
      expect(c).toMatchObject(split);
    });

    it('prices on the day asked for', async () => {
      const medical = (date: string) => quote({ mcc: '8011', date });
      const [before, after] = [contentOf(await medical('2025-12-31')), contentOf(await medical('2026-01-01'))];
      expect([before.date, before.tax[0].ruleId]).toEqual(['2025-12-31', 'NG-VAT-EXEMPT-MEDICAL-2020']);
      expect([after.date, after.tax[0].ruleId]).toEqual(['2026-01-01', 'NG-VAT-ZERO-MEDICAL-2026']);
    });

    it('takes the money of that day: the lev was tender in Bulgaria to the end of January 2026', async () => {
      const lev = contentOf(await quote({ currency: 'BGN', countryCode: 'BG', totalAmount: 120, date: '2026-01-31' }));
      expect([lev.currency, lev.vatAmount, lev.date]).toEqual(['BGN', 20, '2026-01-31']);
      expect(contentOf(await quote({ countryCode: 'FR', currency: 'EUR', date: '2024-02-29' })).date).toBe(
        '2024-02-29',
      );
    });

    it('takes no transactionFee for none, and crypto assets with all their decimals', async () => {
      expect(contentOf(await quote({ transactionFee: undefined }))).toMatchObject({
        transactionFee: 0,
        // 7.5 % of the processing fee of 1.08 alone.
        transactionVAT: 0.08,
      });
      const r = await t.post(
        path,
        '{"operation":"cryptoDeposit","totalAmount":1.000000000000000001,"currency":"ETH","countryCode":"NG"}',
        client.apiKey,
      );
      expect(contentOf(r)).toMatchObject({ currency: 'ETH' });
      expect(r.text).toContain('"totalAmount":1.000000000000000001,');
    });

    it("prices for the client a PSP's key names, by its trade", async () => {
      const player = await t.makeClient(psp, { classification: 'IGAMING_LOCAL' });
      const own = await quote({}, player.apiKey);
      const named = await quote({}, psp.apiKey, { 'x-client-id': player.id });
      expect(contentOf(named)).toEqual(contentOf(own));
    });

    it('answers whoever would be declined: a quote is no verdict', async () => {
      const held = await t.makeClient(psp);
      await setStanding(t, held, { operationalStanding: 'SUSPENDED' });
      expect(contentOf(await quote({}, held.apiKey))).toMatchObject({ vatAmount: 7.5 });
    });
  });

  describe('validates', () => {
    requiresFields(wire, ['operation', 'totalAmount', 'currency', 'countryCode']);
    refusesWrongTypes(wire, {
      text: ['operation', 'currency', 'countryCode', 'mcc', 'date'],
      number: ['totalAmount', 'transactionFee'],
    });
    limitsText(wire, { currency: 12, countryCode: 3 });
    namesIgnoredFields(wire);

    it.each([
      [{ operation: 'captureWager' }, 'FIELD_INVALID', /^the field 'operation' must be one of/],
      [{ totalAmount: 0 }, 'FIELD_INVALID', /^the field 'totalAmount' must be/],
      [{ transactionFee: -1 }, 'FIELD_INVALID', /^the field 'transactionFee' must be/],
      [{ totalAmount: 1.005 }, 'AMOUNT_PRECISION', /NGN has 2/],
      [{ currency: 'XXZ' }, 'UNKNOWN_CURRENCY', /'XXZ'/],
      [{ currency: 'USDT' }, 'UNKNOWN_CURRENCY', /'USDT'/],
      [{ countryCode: 'ZZ' }, 'UNKNOWN_COUNTRY', /'ZZ'/],
      [{ mcc: '0000' }, 'UNKNOWN_MCC', /'0000'/],
      [
        { date: '1990-01-01' },
        'NO_TAX_RULE',
        "no tax rule for country 'NG' on 1990-01-01; an operator of the service can add one",
      ],
      [{ date: '2026-1-1' }, 'FIELD_INVALID', /^the field 'date' must be a day of the calendar/],
      [{ date: '2025-02-29' }, 'FIELD_INVALID', /^the field 'date' must be a day of the calendar/],
      [{ currency: 'EUR', countryCode: 'BG', date: '2026-02-01', totalAmount: 1.005 }, 'AMOUNT_PRECISION', /EUR has 2/],
      [{ currency: 'BGN', countryCode: 'BG', date: '2026-02-01' }, 'UNKNOWN_CURRENCY', /withdrawn on 2026-02-01/],
      [{ totalAmount: 1, transactionFee: 5 }, 'SPLIT_NEGATIVE', /^the field 'totalAmount' is less than/],
    ])('refuses %j with %s', async (over, code, message) => {
      expectRefusal(await quote(over), 400, code, message);
    });
  });

  describe('authorises', () => {
    refusesOperators(wire, 'taxQuote');
    guardsClientHeader(wire);
  });

  describe('tells', () => {
    it('records nothing, whatever it answers', async () => {
      const before = [await entryCount(t), await rowCount(t, 'transactions')];
      contentOf(await quote());
      expect((await t.post(path, put(question(), 'currency', 'XXZ'), client.apiKey)).status).toBe(400);
      expect([await entryCount(t), await rowCount(t, 'transactions')]).toEqual(before);
    });
  });
});
