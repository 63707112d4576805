// The return of the one-stop shop over HTTP, compared with figures worked out by hand from the Directive and the rates of
// the Member States: a German shop that sells to consumers abroad.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { made } from '../support/reports.ts';
import { totalled } from '../totals/life.ts';

let t: TestApp;
let psp: Account;
let shop: Account;
/** Registered in France from the middle of a month on. */
let late: Account;

type Row = Readonly<Record<string, string | null>>;
async function shopReturn(quarter: string, by = shop) {
  const report = await made(t, { kind: 'oneStopShop', quarter }, by.apiKey);
  expect([report.reason, report.state]).toEqual([null, 'DONE']);
  const { body } = await t.get(`/v1/report/${report.reportId}/json`, by.apiKey);
  const { sections, facts, provisional } = body as {
    sections: { name: string; rows: readonly Row[] }[];
    facts: { name: string; value: string }[];
    provisional: boolean;
  };
  const rows = (name: string) => sections.find((s) => s.name === name)?.rows ?? [];
  const values = (name: string, ...fields: string[]) => rows(name).map((r) => fields.map((f) => r[f]));
  return { values, provisional, payable: facts.find((f) => f.name === 'payable')?.value, rows };
}
const post = async (path: string, body: object, by: Account, headers: Record<string, string> = {}) => {
  const r = await t.post(path, body, by.apiKey, headers);
  expect(r.status, r.text).toBe(200);
  return r.body.content;
};
const sale = (ref: string, countryCode: string, totalAmount: number, over: object = {}, by = shop) =>
  post(
    '/v1/transaction/verifyTransaction',
    { ref, totalAmount, currency: 'EUR', countryCode, paymentMethods: {}, transactionFee: 0, mcc: '5732', ...over },
    by,
  );
const back = (ref: string, of = shop) => post('/v1/transaction/chargeBack', { ref }, psp, { 'x-client-id': of.id });
async function nationalReturn(form: string, period: string, by: Account) {
  const report = await made(t, { kind: 'filing', form, period }, by.apiKey);
  const { body } = await t.get(`/v1/report/${report.reportId}/json`, by.apiKey);
  const { sections } = body as { sections: { name: string; rows: readonly Row[] }[] };
  return (name: string) => sections.find((s) => s.name === name)?.rows ?? [];
}
const to = (iso: string) => t.advance(Date.parse(iso) - t.now());

beforeAll(async () => {
  t = await makeTestApp({ startAt: '2026-09-20T10:00:00Z' });
  psp = await t.makePsp('Rhein Zahlung', 'DE');
  const operator = await t.makeOperator();
  shop = await t.makeClient(psp, {
    countryCode: 'DE',
    registeredName: 'Kiel Radio GmbH',
    organizationTin: 'DE136695976',
  });
  late = await t.makeClient(psp, { countryCode: 'DE', registeredName: 'Husum Radio GmbH' });
  const france = { countryCode: 'FR', validFrom: '2026-11-15', registered: true };
  await post(`/v1/client/${late.id}/tax-profile`, france, psp);
  const italy = { countryCode: 'IT', validFrom: '2026-01-01', registered: true };
  await post(`/v1/client/${shop.id}/tax-profile`, italy, psp);
  await sale('fr-q3', 'FR', 120);
  await sale('pl-q3', 'PL', 123, { currency: 'PLN' });
  await sale('nl-q3', 'NL', 121);
  to('2026-10-20T10:00:00Z');
  await sale('home', 'DE', 119);
  await sale('fr', 'FR', 240);
  await sale('fr-meal', 'FR', 110, { mcc: '5812' });
  await sale('fr-back', 'FR', 60);
  await sale('fr-doctor', 'FR', 500, { mcc: '8062' });
  const business = { customerCountry: 'FR', customerTaxNumber: 'FR40303265045' };
  await sale('fr-business', 'FR', 600, { mcc: '7372', taxDetails: business });
  await sale('es', 'ES', 121);
  await sale('pl', 'PL', 246, { currency: 'PLN' });
  await sale('it', 'IT', 122);
  for (const ref of ['fr-q3', 'pl-q3', 'nl-q3', 'fr-back']) await back(ref);
  await sale('october', 'FR', 120, {}, late);
  await sale('october-back', 'FR', 60, {}, late);
  to('2026-11-05T10:00:00Z');
  await sale('november', 'FR', 36, {}, late);
  to('2026-11-20T10:00:00Z');
  await sale('registered', 'FR', 240, {}, late);
  await sale('registered-back', 'FR', 12, {}, late);
  await back('registered-back', late);
  await back('october-back', late);
  to('2027-01-08T10:00:00Z');
  await totalled(t);
  // Nothing was published on the last day of the fourth quarter: the next rate counts, not the one before.
  const text = 'Date,PLN,\n2027-01-04,4,\n2026-12-30,4.4,\n2026-09-30,4.25,\n2026-09-29,4.5,\n';
  await post('/v1/exchange-rates', { name: 'eurofxref-hist.csv', text }, operator);
});
afterAll(() => t.stop());

describe('the return of the one-stop shop', () => {
  it('has the sales of the quarter by state and rate, and corrects the quarter that a chargeback is of', async () => {
    const r = await shopReturn('2026-Q4');
    expect(r.provisional).toBe(false);
    expect(r.values('supplies', 'memberState', 'rateType', 'rate', 'taxable', 'tax').sort()).toEqual([
      ['ES', 'STANDARD', '21', '100', '21'],
      ['FR', 'REDUCED', '10', '100', '10'],
      ['FR', 'STANDARD', '20', '200', '40'],
      ['PL', 'STANDARD', '23', '50', '11.5'],
    ]);
    // 23 zloty at the rate of the quarter they were sold in: 23 / 4.25 = 5.4117.
    expect(r.values('corrections', 'memberState', 'quarter', 'tax')).toEqual([
      ['FR', '2026-Q3', '-20'],
      ['NL', '2026-Q3', '-21'],
      ['PL', '2026-Q3', '-5.41'],
    ]);
    expect(r.values('balances', 'memberState', 'balance')).toEqual([
      ['ES', '21'],
      ['FR', '30'],
      ['NL', '-21'],
      ['PL', '6.09'],
    ]);
    // The Netherlands pay back their 21; Spain, France and Poland are owed 21 + 30 + 6.09.
    expect(r.payable).toBe('EUR 57.09');
    expect(r.values('registered', 'memberState', 'taxable', 'tax')).toEqual([['IT', '100', '22']]);
    expect(r.rows('return').find((l) => l.field === 'Due on')?.value).toBe('2027-01-31');
    expect(r.rows('return').find((l) => l.field === 'Member State of identification')?.value).toBe('DE');
    const zloty = r.rows('lines').filter((l) => l.currency === 'PLN');
    expect(zloty.map((l) => [l.quarter, l.exchangeDay, l.foreignTax])).toEqual([
      ['2026-Q3', '2026-09-30', '-23'],
      ['2026-Q4', '2027-01-04', '46'],
    ]);
  });

  it('leaves the quarter of the sale as it was declared', async () => {
    const r = await shopReturn('2026-Q3');
    expect(r.values('balances', 'memberState', 'supplies', 'corrections', 'balance')).toEqual([
      ['FR', '20', '0', '20'],
      ['NL', '21', '0', '21'],
      ['PL', '5.41', '0', '5.41'],
    ]);
    expect(r.payable).toBe('EUR 46.41');
  });

  it('is named by the return of a state that the client is not registered in, which has the same sales', async () => {
    const shopText = async (form: string, period: string) =>
      (await nationalReturn(form, period, shop))('return').find((r) => r.field === 'One-stop shop')?.value;
    expect(await shopText('FR-CA3', '2026-10')).toContain('not to be filed here too');
    expect(await shopText('IT-LIPE', '2026-Q4')).toBe(undefined);
    expect(await shopText('DE-USTVA', '2026-10')).toBe(undefined);
  });

  it('ends on the day from which the client is registered in a state, whose own return begins with it', async () => {
    const r = await shopReturn('2026-Q4', late);
    // 120 and 36 with 20 per cent; what was charged back after the registration was sold before it.
    expect(r.values('supplies', 'memberState', 'taxable', 'tax')).toEqual([['FR', '130', '26']]);
    expect(r.values('corrections', 'tax')).toEqual([]);
    expect(r.values('registered', 'memberState', 'taxable', 'tax')).toEqual([['FR', '200', '40']]);
    const november = await nationalReturn('FR-CA3', '2026-11', late);
    expect(november('return').find((l) => l.field === 'One-stop shop')?.value).toMatch(
      /registered in FR from 2026-11-15 on: what it sold before is in the report oneStopShop/,
    );
    expect(
      november('lines')
        .filter((l) => l.operation === 'verifyTransaction')
        .map((l) => l.tax),
    ).toEqual(['40']);
    const december = await nationalReturn('FR-CA3', '2026-12', late);
    expect(december('return').find((l) => l.field === 'One-stop shop')).toBe(undefined);
  });

  it('is of one taxpayer: that of a PSP has its own sales, and none of its clients', async () => {
    const r = await shopReturn('2026-Q4', psp);
    expect([r.values('supplies', 'tax'), r.values('corrections', 'tax'), r.payable]).toEqual([[], [], 'EUR 0']);
  });
});
