// A correction takes what is true of the client on the day of the sale: the classification it had then, though it has another
// now, and the tax profile that is in force for that day, though it was set afterwards.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf } from '../support/guarantees.ts';
import { made } from '../support/reports.ts';
import { totalled } from '../totals/life.ts';

const day = 86_400_000;
let t: TestApp;
let psp: Account;
let operator: Account;
let n = 0;

beforeAll(async () => {
  t = await makeTestApp({ startAt: '2026-10-05T12:00:00Z' });
  psp = await t.makePsp();
  operator = await t.makeOperator();
});
afterAll(() => t?.stop());

const sale = (over: object = {}) => ({
  ...{ ref: `f${++n}`, totalAmount: 107.5, currency: 'NGN', countryCode: 'NG', paymentMethods: {}, transactionFee: 0 },
  ...over,
});
const verify = async (client: Account, over: object = {}) =>
  contentOf(await t.post('/v1/transaction/verifyTransaction', sale(over), client.apiKey));
const withdraw = async (client: Account) => {
  const bank = { accountNumber: 'GE29NB0000000101904917', bankName: 'x' };
  const body = { ...sale(), currency: 'GEL', countryCode: 'GE', customer: { email: 'a@b.example' }, toAddress: bank };
  return contentOf(
    await t.post('/v1/payment/withdrawal', { ...body, totalAmount: 100, paymentMethods: undefined }, client.apiKey),
  );
};
const corrected = async (client: Account, countryCode: string, from: string, to: string) => {
  const body = { clientId: client.id, countryCode, from, to, reason: 'checked' };
  const { looked, adjusted, next } = contentOf(await t.post('/v1/correction', body, operator.apiKey));
  expect(next).toBeNull();
  return [looked, adjusted];
};
const profile = async (client: Account, body: object) =>
  contentOf(await t.post(`/v1/client/${client.id}/tax-profile`, { countryCode: 'NG', ...body }, psp.apiKey));
/** The return of a month: its boxes by name, and its corrections of earlier ones. */
async function vatOf(client: Account, period: string) {
  const headers = { 'x-client-id': client.id };
  await totalled(t);
  const report = await made(t, { kind: 'filing', form: 'NG-VAT', period }, psp.apiKey, headers);
  const { body } = await t.get(`/v1/report/${report.reportId}/json`, psp.apiKey, headers);
  const rows = (name: string) => body.sections.find((s: { name: string }) => s.name === name).rows;
  const tax = (name: string) =>
    rows(name).map((r: { rule: string; taxable: string; tax: string }) => [r.taxable, r.tax]);
  return { id: report.reportId, lines: tax('lines'), adjustments: tax('adjustments') };
}

describe('a classification that has changed since', () => {
  it('is that of the sale, by the record or, where it has none, by the journal', async () => {
    const client = await t.makeClient(psp, { classification: 'IGAMING_LOCAL', countryCode: 'GE' });
    // Article 134 of the Georgian tax code: 5 % of what a player takes out of a gaming account.
    const { vatAmount, processingFee } = await withdraw(client);
    expect([vatAmount, processingFee]).toEqual([5, 0.75]);
    t.advance(day);
    contentOf(
      await t.post(`/v1/client/${client.id}/update`, { classification: 'ECOMM_LOCAL', reason: 'sold' }, psp.apiKey),
    );
    expect((await withdraw(client)).vatAmount).toBeLessThan(1);
    expect(await corrected(client, 'GE', '2026-10-01', '2026-10-31')).toEqual([2, 0]);
    await t.database.admin.query(
      `UPDATE transactions SET evidence = regexp_replace(evidence, '"classification":"[A-Z_]+",', '') WHERE account_id = $1`,
      [client.uuid],
    );
    expect(await corrected(client, 'GE', '2026-10-01', '2026-10-31')).toEqual([2, 0]);
  });
});

describe('a registration that is told afterwards', () => {
  it('is corrected from its first day on, in the open period and in one that was filed', async () => {
    const client = await t.makeClient(psp);
    await profile(client, { validFrom: '2026-01-01', registered: false });
    expect((await verify(client)).vatAmount).toBe(0);
    t.advance(15 * day);
    expect((await verify(client)).vatAmount).toBe(0);
    t.advance(20 * day);
    const october = await vatOf(client, '2026-10');
    const filed = { reference: 'r1', filedOn: '2026-11-09' };
    contentOf(await t.post(`/v1/report/${october.id}/filed`, filed, psp.apiKey));
    expect((await verify(client)).vatAmount).toBe(0);
    // The authority registers it from the middle of October on.
    await profile(client, { validFrom: '2026-10-15', registered: true });
    expect((await verify(client)).vatAmount).toBe(7.5);
    expect(await corrected(client, 'NG', '2026-10-01', '2026-11-30')).toEqual([4, 2]);
    t.advance(25 * day);
    const november = await vatOf(client, '2026-11');
    expect(november.lines).toEqual([['200', '15']]);
    expect(november.adjustments).toEqual([['100', '7.5']]);
    expect(await corrected(client, 'NG', '2026-10-01', '2026-11-30')).toEqual([4, 0]);
  });

  it('takes back the tax of a client that was registered for no day, and what a part of the country has', async () => {
    const client = await t.makeClient(psp);
    expect((await verify(client, { totalAmount: 215 })).vatAmount).toBe(15);
    const body = { totalAmount: 113, currency: 'CAD', countryCode: 'CA', mcc: '5999' };
    expect((await verify(client, body)).vatAmount).toBe(5.38);
    const said = { taxDetails: { customerSubdivision: 'CA-AB' } };
    expect((await verify(client, { ...body, ...said })).vatAmount).toBe(5.38);
    await profile(client, { validFrom: '2026-12-01', registered: false });
    await profile(client, { countryCode: 'CA', validFrom: '2026-12-01', registered: true, subdivision: 'CA-ON' });
    expect(await corrected(client, 'NG', '2026-12-01', '2026-12-31')).toEqual([1, 1]);
    // 13 % in Ontario; what the request said of the customer stays.
    expect(await corrected(client, 'CA', '2026-12-01', '2026-12-31')).toEqual([2, 1]);
    const [row] = await t.database.admin.query(
      "SELECT string_agg(vat_before || ' ' || vat_after, ', ' ORDER BY country DESC) AS all FROM adjustments WHERE account_id = $1",
      [client.uuid],
    );
    expect(row?.all).toBe('15.00 0.00, 5.38 13.00');
  });
});
