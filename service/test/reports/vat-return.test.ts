// The VAT return compared with taxes calculated by hand from the laws' rates: Nigeria 7.5% VAT; Kenya 16% VAT, 15%
// excise on fees and 5% on deposits for gaming; Ghana 15% VAT and two levies of 2.5% on the same value.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { made } from '../support/reports.ts';
import { totalled } from '../totals/life.ts';

let t: TestApp;
let psp: Account;
const period = '2026-11';
const customer = { email: 'ada@example.com' };

type Row = Readonly<Record<string, string | number | null>>;
interface Section {
  readonly name: string;
  readonly title: string;
  readonly rows: readonly Row[];
}

async function returnOf(countryCode: string): Promise<{ sections: Section[]; rows(name: string): readonly Row[] }> {
  const report = await made(t, { kind: 'vatReturn', period, countryCode }, psp.apiKey);
  expect([report.state, report.reason]).toEqual(['DONE', null]);
  const { sections } = (await t.get(`/v1/report/${report.reportId}/json`, psp.apiKey)).body as { sections: Section[] };
  return { sections, rows: (name) => sections.find((s) => s.name === name)?.rows ?? [] };
}
const only = (row: Row | undefined, ...names: string[]) => names.map((n) => row?.[n]);
const post = async (path: string, body: object, by: Account) => {
  const r = await t.post(path, body, by.apiKey);
  expect(r.status, r.text).toBe(200);
  return r.body.content;
};

/** What both fees of a sale come to, in cents, as the answer has them. */
const fees: Record<string, number> = {};
const cents = (amount: number) => Math.round(amount * 100);
const feesOf = (r: { transactionFee: number; processingFee: number }) =>
  cents(r.transactionFee) + cents(r.processingFee);
/** Half up, as the rules say. */
const part = (of: number, per: number) => Math.floor((of * per + 500) / 1000);
const text = (n: number) => String(n / 100);

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
  const shop = await t.makeClient(psp);
  const casino = await t.makeClient(psp, { countryCode: 'KE', classification: 'IGAMING_LOCAL' });
  const lagosCasino = await t.makeClient(psp, { countryCode: 'NG', classification: 'IGAMING_LOCAL' });
  const sale = (ref: string, totalAmount: number, currency: string, countryCode: string, transactionFee = 0) =>
    post(
      '/v1/transaction/verifyTransaction',
      { ref, totalAmount, currency, countryCode, paymentMethods: {}, transactionFee },
      shop,
    );
  fees['ng-1'] = feesOf(await sale('ng-1', 10_750, 'NGN', 'NG', 100));
  fees['ng-2'] = feesOf(await sale('ng-2', 2_150, 'NGN', 'NG'));
  await post('/v1/transaction/chargeBack', { ref: 'ng-2' }, psp);
  await sale('ng-3', 1_075, 'NGN', 'NG');
  await post('/v1/transaction/declineTransaction', { ref: 'ng-3' }, shop);
  await post('/captureWager', { amount: 500, ref: 'ng-w', customer, ip: '102.0.2.44', type: 'Sports' }, lagosCasino);
  await post('/capturePayout', { amount: 1_500, ref: 'ng-p', customer, wagerReference: 'ng-w' }, lagosCasino);
  fees['ke-1'] = feesOf(await sale('ke-1', 1_160, 'KES', 'KE', 100));
  await post(
    '/v1/payment/deposit',
    { ref: 'ke-2', totalAmount: 1_000, customer, transactionFee: 0, currency: 'KES', countryCode: 'KE' },
    casino,
  );
  fees['gh-1'] = feesOf(await sale('gh-1', 1_200, 'GHS', 'GH'));
  await totalled(t);
});
afterAll(() => t.stop());

describe('the VAT return', () => {
  it('of Nigeria: VAT of sales and fees less chargebacks, nothing of what was declined, withholding tax beside it', async () => {
    const { rows } = await returnOf('NG');
    // 10,750 holds 10,000 and 750; 2,150 holds 2,000 and 150, charged back; both fees of each bear 7.5%.
    const [kept, back] = [fees['ng-1'] as number, fees['ng-2'] as number];
    const tax = (of: number) => part(of, 75);
    expect(rows('due').map((r) => only(r, 'currency', 'taxCode', 'taxable', 'tax', 'taxReturned', 'taxDue'))).toEqual([
      [
        'NGN',
        'VAT',
        text(1_200_000 + kept + back),
        text(90_000 + tax(kept) + tax(back)),
        text(15_000 + tax(back)),
        text(75_000 + tax(kept)),
      ],
    ]);
    // The stake is exempt, and counts once.
    expect(rows('due')[0]?.untaxed).toBe('500');
    // 5% of winnings of 1,000.
    expect(rows('wht').map((r) => only(r, 'taxCode', 'taxable', 'tax', 'taxDue'))).toEqual([
      ['WHT', '1000', '50', '50'],
    ]);
    const declined = rows('byVerdict').filter((r) => r.verdict === 'DECLINED');
    expect(declined.map((r) => only(r, 'count', 'gross', 'vat', 'transactionVat'))).toEqual([[1, '1075', '0', '0']]);
  });

  it('of Kenya: excise is under its own heading and in no figure of VAT', async () => {
    const { sections, rows } = await returnOf('KE');
    // 1,160 holds 160; the fees bear 15% of excise, and 16% of VAT on both.
    const base = fees['ke-1'] as number;
    const onFees = part(base, 150);
    const sales = rows('byRule').filter((r) => r.kind === 'verifyTransaction');
    expect(sales.map((r) => only(r, 'taxCode', 'tax')).sort()).toEqual([
      ['VAT', '160'],
      ['VAT', text(part(base + onFees, 160))],
    ]);
    expect(new Set([...rows('due'), ...rows('byRule')].map((r) => r.taxCode))).toEqual(new Set(['VAT']));
    expect(sections.find((s) => s.name === 'excise')?.title).toBe('Excise due');
    const excise = (kind: string, rate: string) => rows('exciseByRule').find((r) => r.kind === kind && r.rate === rate);
    expect(only(excise('verifyTransaction', '15'), 'taxable', 'tax')).toEqual([text(base), text(onFees)]);
    expect(only(excise('deposit', '5'), 'taxable', 'tax')).toEqual(['1000', '50']);
    const sum = (name: string) => rows(name).reduce((n, r) => n + Number(r.taxDue), 0);
    expect(sum('exciseByRule')).toBeCloseTo(sum('excise'), 6);
    expect(sum('byRule')).toBeCloseTo(sum('due'), 6);
  });

  it('of Ghana: three taxes on one value count that value once each, under three headings', async () => {
    const { rows } = await returnOf('GH');
    // 1,200 holds 1,000, and the fee is a value of its own: 15%, 2.5% and 2.5% of both.
    const base = fees['gh-1'] as number;
    const line = (code: string, per: number) => [[code, text(100_000 + base), text(100 * per + part(base, per))]];
    const totals = ['due', 'nhil', 'getfund'].map((name) =>
      rows(name).map((r) => only(r, 'taxCode', 'taxable', 'tax')),
    );
    expect(totals).toEqual([line('VAT', 150), line('NHIL', 25), line('GETFUND', 25)]);
    const [approved] = rows('byVerdict').filter((r) => r.verdict === 'APPROVED');
    expect(approved?.vat).toBe('200');
  });
});
