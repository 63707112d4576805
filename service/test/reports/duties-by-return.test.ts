// Duties on payments that somebody owes by a return of the period: recorded with each payment, counted in the return of who
// owes them, and no part of any split. The figures are worked out by hand from the laws of Zimbabwe (section 22G of the
// Finance Act: 1.5 % of ZiG from 2026, 2 % of US dollars and at most 10,150) and of Nigeria (50 naira from 10,000 on).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dayOfCountry, verifyTotals } from '../../src/modules/totals/index.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf } from '../support/guarantees.ts';
import { made } from '../support/reports.ts';
import { totalled } from '../totals/life.ts';

let t: TestApp;
let psp: Account;
let shop: Account;
let bookmaker: Account;
const dayMs = 86_400_000;
/** Of what was approved in ZiG, taxes in the splits, in cents. */
let taxes = 0;
const customer = { email: 'ada@example.com' };

interface Recorded {
  readonly transactionId: string;
  readonly vatAmount: number;
  readonly processingFee: number;
  readonly transactionFee: number;
  readonly transactionVAT?: number;
  readonly merchantAmount?: number;
  readonly netAmount?: number;
  readonly tax: readonly {
    readonly taxCode: string;
    readonly method: string;
    readonly owedBy: string;
    readonly tax: number;
  }[];
}
const cents = (...amounts: readonly (number | undefined)[]) =>
  amounts.reduce<number>((sum, a) => sum + Math.round((a ?? 0) * 100), 0);
const post = async (path: string, body: object, by: Account, headers: Record<string, string> = {}) =>
  contentOf(await t.post(`${path}?expand=tax`, body, by.apiKey, headers)) as Recorded;
const sale = (ref: string, totalAmount: number, over: object = {}) =>
  post(
    '/v1/transaction/verifyTransaction',
    {
      ...{ ref, totalAmount, currency: 'ZWG', countryCode: 'ZW', transactionFee: 1 },
      ...{ paymentMethods: { card: totalAmount }, ...over },
    },
    shop,
  );
const moved = (kind: string, ref: string, totalAmount: number, countryCode: string, currency: string) =>
  post(
    `/v1/payment/${kind}`,
    {
      ref,
      totalAmount,
      currency,
      countryCode,
      customer,
      transactionFee: 1,
      toAddress: { bank: 'GTB', accountNumber: '1' },
    },
    bookmaker,
  );
const dues = (r: Recorded) => r.tax.filter((l) => l.method === 'BY_RETURN').map((l) => [l.taxCode, l.owedBy, l.tax]);

async function documentOf(body: object, by: Account) {
  const { reportId, state } = await made(t, body, by.apiKey);
  expect(state).toBe('DONE');
  const { sections } = (await t.get(`/v1/report/${reportId}/json`, by.apiKey)).body as {
    sections: { name: string; rows: readonly Record<string, string | null>[] }[];
  };
  return { reportId, sections };
}

async function boxesOf(form: string, period: string, by: Account) {
  const { reportId, sections } = await documentOf({ kind: 'filing', form, period }, by);
  const rows = (name: string) => sections.find((s) => s.name === name)?.rows ?? [];
  return { reportId, boxes: Object.fromEntries(rows('boxes').map((b) => [b.box, b.figure])), lines: rows('lines') };
}

beforeAll(async () => {
  t = await makeTestApp({ startAt: '2026-11-05T10:00:00Z' });
  psp = await t.makePsp('Harare Payments', 'ZW');
  shop = await t.makeClient(psp, { countryCode: 'ZW' });
  bookmaker = await t.makeClient(psp, { countryCode: 'NG', classification: 'IGAMING_LOCAL' });
});
afterAll(() => t?.stop());

describe('a payment', () => {
  it('is recorded with its duty, which is no part of the split, and says who owes it', async () => {
    const made = await sale('a', 1000);
    expect(dues(made)).toEqual([['IMTT', 'PAYER_PROVIDER', 15]]);
    const { vatAmount, processingFee, transactionFee, transactionVAT, merchantAmount } = made;
    taxes += cents(vatAmount, transactionVAT);
    expect(cents(vatAmount, processingFee, transactionFee, transactionVAT, merchantAmount)).toBe(100_000);
    // 15.5 % of VAT is contained: 1,000 × 15.5 / 115.5.
    expect(vatAmount).toBe(134.2);
    const told = contentOf(
      await t.get(`/v1/transaction/verifyTransactionStatus?transactionId=${made.transactionId}`, shop.apiKey),
    );
    expect(told.observations).toEqual([
      {
        code: 'TAX_DUE_BY_RETURN',
        field: 'totalAmount',
        message:
          '15.00 ZWG of IMTT by ZW-IMTT-PAYMENT-2026 are no part of the amount and its split: the institution that keeps the account of the payer owes them by a return of the period',
      },
    ]);
  });

  it('bears it on what was transferred, not on cash and vouchers', async () => {
    const made = await sale('cash', 1000, { paymentMethods: { cash: 700, vouchers: 200, card: 100 } });
    expect(dues(made)).toEqual([['IMTT', 'PAYER_PROVIDER', 1.5]]);
    taxes += cents(made.vatAmount, made.transactionVAT);
  });

  it('in US dollars bears the rate and the ceiling of foreign currency', async () => {
    expect(dues(await sale('usd', 600_000, { currency: 'USD' }))).toEqual([['IMTT_FX', 'PAYER_PROVIDER', 10_150]]);
  });

  it('in a currency whose rate nobody has is recorded without it, and says so', async () => {
    const quote = { operation: 'verifyTransaction', totalAmount: 100, currency: 'ZAR', countryCode: 'ZW' };
    const { observations } = contentOf(await t.post('/v1/tax/quote', quote, shop.apiKey));
    expect(observations.map((o: { code: string }) => o.code)).toEqual(['TAX_NOT_CONVERTED', 'TAX_NOT_CONVERTED']);
  });

  it('out of an account of the client bears the 50 naira of the sender from 10,000 naira on; the player gets all', async () => {
    const below = await moved('withdrawal', 'w0', 9999.99, 'NG', 'NGN');
    const from = await moved('withdrawal', 'w1', 10_000, 'NG', 'NGN');
    expect(dues(below)).toEqual([]);
    expect(dues(from)).toEqual([['STAMP_DUTY', 'PAYER_PROVIDER', 50]]);
    // Beside the PSP's fee of 1.
    expect(cents(from.vatAmount, from.processingFee, from.netAmount)).toBe(999_900);
  });
});

describe('the return', () => {
  it('of the institution has the duties of approved payments, less those of chargebacks in their month', async () => {
    await sale('no', 5000);
    await t.post('/v1/transaction/declineTransaction', { ref: 'no' }, shop.apiKey);
    taxes += cents((await moved('deposit', 'd', 200, 'ZW', 'ZWG')).vatAmount);
    t.advance(30 * dayMs);
    contentOf(await t.post('/v1/transaction/chargeBack', { ref: 'a' }, psp.apiKey, { 'x-client-id': shop.id }));
    t.advance(30 * dayMs);
    await totalled(t);
    // 1,000 + 100 + 200 at 1.5 %.
    const november = await boxesOf('ZW-IMTT', '2026-11', psp);
    expect(november.boxes).toEqual({ BASE: '1300', COLLECTED: '19.5', OTHERS: null, TAX: '19.5' });
    expect((await boxesOf('ZW-IMTT-USD', '2026-11', psp)).boxes).toMatchObject({ BASE: '600000', TAX: '10150' });
    expect((await boxesOf('NG-STAMP-DUTY', '2026-11', psp)).boxes).toMatchObject({ BASE: '10000', TAX: '50' });
    expect((await boxesOf('ZW-IMTT', '2026-12', psp)).boxes).toMatchObject({ BASE: '-1000', TAX: '-15' });
    contentOf(
      await t.post(`/v1/report/${november.reportId}/filed`, { reference: 'R5B', filedOn: '2026-12-10' }, psp.apiKey),
    );
  });

  it('of a client has none of what the institution owes', async () => {
    const { boxes, lines } = await boxesOf('ZW-IMTT', '2026-11', shop);
    expect([boxes.TAX, lines]).toEqual(['0', []]);
  });

  it('counts what an audit of the totals counts again from the journal', async () => {
    const { cells, differences } = await verifyTotals(t.app.services.db, psp.uuid, dayOfCountry(t.app.services));
    expect(cells).toBeGreaterThan(0);
    expect(differences).toEqual([]);
  });

  it('books nothing in the settlement: what is owed to authorities is what the splits hold', async () => {
    const { sections } = await documentOf({ kind: 'settlement', period: '2026-11' }, psp);
    const rows = sections.find((x) => x.name === 'payable')?.rows.filter((r) => r.countryCode === 'ZW') ?? [];
    const payable = rows.filter((r) => r.currency === 'ZWG').map((r) => Number(r.taxAuthority));
    expect(cents(...payable)).toBe(taxes);
  });
});
