// Returns made over HTTP, compared with figures worked out by hand: Nigeria's form 002 at 7.5 %, filed each month by the
// 21st of the next.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf } from '../support/guarantees.ts';
import { made } from '../support/reports.ts';
import { totalled } from '../totals/life.ts';

let t: TestApp;
let psp: Account;
let shop: Account;
let other: Account;
const dayMs = 86_400_000;

type Row = Readonly<Record<string, string | number | null>>;
interface Return {
  readonly provisional: boolean;
  readonly title: string;
  rows(section: string): readonly Row[];
  readonly boxes: Readonly<Record<string, string | null>>;
  readonly head: Readonly<Record<string, string>>;
  readonly reportId: string;
  readonly parameters: Row;
}

async function returnOf(body: object, by = psp, headers: Record<string, string> = {}): Promise<Return> {
  const report = await made(t, { kind: 'filing', ...body }, by.apiKey, headers);
  expect([report.reason, report.state]).toEqual([null, 'DONE']);
  const { sections, provisional, title } = (await t.get(`/v1/report/${report.reportId}/json`, by.apiKey)).body as {
    sections: { name: string; rows: readonly Row[] }[];
    provisional: boolean;
    title: string;
  };
  const rows = (name: string) => sections.find((s) => s.name === name)?.rows ?? [];
  return {
    provisional,
    title,
    rows,
    boxes: Object.fromEntries(rows('boxes').map((b) => [b.box, b.figure as string | null])),
    head: Object.fromEntries(rows('return').map((r) => [r.field as string, r.value as string])),
    reportId: report.reportId,
    parameters: report.parameters,
  };
}
const post = async (path: string, body: object, by: Account, headers: Record<string, string> = {}) => {
  const r = await t.post(path, body, by.apiKey, headers);
  expect(r.status, r.text).toBe(200);
  return r.body.content;
};
const sale = (ref: string, totalAmount: number, over: object = {}, by = shop) =>
  post(
    '/v1/transaction/verifyTransaction',
    { ref, totalAmount, currency: 'NGN', countryCode: 'NG', paymentMethods: {}, transactionFee: 100, ...over },
    by,
  );
const cents = (amount: number) => Math.round(amount * 100);
/** Fees of sales in kobo, as the answers have them. */
let fees = 0;
let tax = 0;

beforeAll(async () => {
  t = await makeTestApp({ startAt: '2026-11-05T10:00:00Z' });
  psp = await t.makePsp('Naira Payments');
  shop = await t.makeClient(psp);
  other = await t.makeClient(psp, { registeredName: 'Kano Shoes' });
  for (const made of [await sale('a', 10_750), await sale('b', 1_075, {}, other)]) {
    fees += cents(made.transactionFee) + cents(made.processingFee);
    tax += cents(made.transactionVAT);
  }
  const back = await sale('c', 2_150);
  await post('/v1/transaction/chargeBack', { ref: 'c' }, psp, { 'x-client-id': shop.id });
  expect(back.vatAmount).toBe(150);
  await sale('d', 5_375);
  await post('/v1/transaction/declineTransaction', { ref: 'd' }, shop);
  await sale('usd', 107.5, { currency: 'USD', transactionFee: 1 });
  await sale('clinic', 500, { mcc: '8062' });
  t.advance(30 * dayMs);
  await totalled(t);
});
afterAll(() => t.stop());

describe('the return of a client', () => {
  it('has its sales without chargebacks and declined ones, zero-rated ones apart, in the boxes of form 002', async () => {
    const r = await returnOf({ form: 'NG-VAT', period: '2026-11' }, psp, { 'x-client-id': shop.id });
    // 10,750 holds 10,000 and 750; 2,150 was charged back; 500 of a hospital is zero-rated.
    expect(r.boxes).toMatchObject({ 20: '10500', 25: '0', 30: '500', 40: '10000', 45: '750', 75: null, 120: '750' });
    expect(r.provisional).toBe(false);
    expect(r.head).toMatchObject({
      Form: 'NG-VAT',
      Taxpayer: 'Lagos Books Ltd',
      TIN: '12345678-0001',
      Period: '2026-11: 2026-11-01 to 2026-11-30',
      'Due on': '2026-12-21',
      Currency: 'NGN',
    });
    expect(r.title).toContain('Lagos Books Ltd');
  });

  it("shows the tax on the PSP's fees as what may be deducted, in no box", async () => {
    const r = await returnOf({ form: 'NG-VAT', period: '2026-11' }, shop);
    const own = r.rows('fees').filter((l) => l.currency === 'NGN');
    expect(own.map((l) => l.rule)).not.toEqual([]);
    expect(own.every((l) => String(l.rule).includes('FEE'))).toBe(true);
    expect(r.rows('lines').some((l) => String(l.rule).includes('FEE'))).toBe(false);
    expect(r.boxes['45']).toBe('750');
  });

  it('does not add what is in another currency without a rate, and says so', async () => {
    const r = await returnOf({ form: 'NG-VAT', period: '2026-11' }, shop);
    const [line] = r.rows('notConverted').filter((l) => l.taxable === '100');
    expect([line?.currency, line?.tax]).toEqual(['USD', '7.5']);
    expect(r.rows('lines').every((l) => l.currency === 'NGN')).toBe(true);
  });

  it('names each line with its rule, rate and operation', async () => {
    const r = await returnOf({ form: 'NG-VAT', period: '2026-11' }, shop);
    const standard = r.rows('lines').find((l) => l.tax === '750');
    expect([standard?.rate, standard?.taxCode, standard?.operation, standard?.taxable]).toEqual([
      '7.5',
      'VAT',
      'verifyTransaction',
      '10000',
    ]);
  });
});

describe("the PSP's return", () => {
  it('has the records of all its clients, and its own fees as output', async () => {
    const r = await returnOf({ form: 'NG-VAT', period: '2026-11' });
    // Both shops: 10,000 and 1,000; fees bear 7.5 % as the transactions' replies say.
    const untaxed = cents(Number(r.boxes['25'])) + cents(Number(r.boxes['30']));
    expect(cents(Number(r.boxes['45']))).toBe(75_000 + 7_500 + tax + extraFeeTax(r));
    expect(cents(Number(r.boxes['20'])) - untaxed).toBeGreaterThanOrEqual(1_100_000 + fees);
    expect(r.rows('fees')).toEqual([]);
    expect(r.head.Taxpayer).toBe('Naira Payments, for itself and all its clients');
  });

  /** The hospital's sale bore fees too; its chargeback and the declined sale bear none. */
  const extraFeeTax = (r: Return): number => {
    const onFees = r.rows('lines').filter((l) => String(l.rule).includes('FEE') && l.currency === 'NGN');
    const all = onFees.reduce((sum, l) => sum + cents(Number(l.tax)), 0);
    return all - tax;
  };
});

describe('a return', () => {
  it('is of the last finished period if none is named, and is kept under that name', async () => {
    const r = await returnOf({ form: 'ng-vat' }, shop);
    expect(r.parameters).toEqual({ form: 'NG-VAT', period: '2026-11' });
  });

  it('of a period that has not ended is provisional; of one that has not begun it is refused', async () => {
    expect((await returnOf({ form: 'NG-VAT', period: '2026-12' }, shop)).provisional).toBe(true);
    const r = await t.post('/v1/report', { kind: 'filing', form: 'NG-VAT', period: '2027-01' }, shop.apiKey);
    expect([r.status, r.body.message]).toEqual([400, expect.stringContaining('has not started')]);
  });

  it('is refused for a form nobody knows, and for a period the form does not have, with those it has', async () => {
    const form = await t.post('/v1/report', { kind: 'filing', form: 'NG-PAYE' }, shop.apiKey);
    expect([form.status, form.body.message]).toEqual([400, expect.stringContaining('NG-VAT')]);
    const period = await t.post('/v1/report', { kind: 'filing', form: 'NG-VAT', period: '2026-Q3' }, shop.apiKey);
    expect([period.status, period.body.message]).toEqual([400, expect.stringContaining('months such as 2026-09')]);
    const none = await t.post('/v1/report', { kind: 'filing' }, shop.apiKey);
    expect(none.status).toBe(400);
  });

  it('says where the number of a registration may be of another kind: a German one has two', async () => {
    const berlin = await t.makeClient(psp, { countryCode: 'DE', organizationTin: 'DE136695976' });
    const r = await returnOf({ form: 'DE-USTVA', period: '2026-Q3' }, berlin);
    expect(r.head.Steuernummer).toMatch(
      /^DE136695976: the number of the registration; check that it is the Steuernummer/,
    );
  });

  it.each([
    ['DE', 'DE-USTVA', '2026-Q3', 'Steuernummer', 'VAT', 'DE136695976', true],
    ['DE', 'DE-USTVA', '2026-Q3', 'Steuernummer', 'TIN', '181/815/08155', false],
    ['GB', 'GB-VAT100', '2026-10', 'VAT registration number', 'VAT', 'GB980780684', false],
    ['GB', 'GB-VAT100', '2026-10', 'VAT registration number', 'COMPANY', '01234567', true],
    ['FR', 'FR-CA3', '2026-10', 'SIREN / n° TVA intracommunautaire', 'COMPANY', '552008443', false],
  ])(
    'of %s (%s, %s) asks for the %s: a %s number of the tax profile (%s) is of another kind: %s',
    async (countryCode, form, period, asked, taxNumberKind, taxNumber, another) => {
      const client = await t.makeClient(psp, { countryCode });
      const profile = { countryCode, validFrom: '2026-01-01', registered: true, taxNumber, taxNumberKind };
      contentOf(await t.post(`/v1/client/${client.id}/tax-profile`, profile, psp.apiKey));
      const r = await returnOf({ form, period }, client);
      const said = `: a number of another kind by the tax profile; the form asks for the ${asked}`;
      expect(r.head[asked]).toBe(`${taxNumber}${another ? said : ''}`);
    },
  );

  it('of a client without records is empty, and says that the tax number is missing', async () => {
    const r = await returnOf({ form: 'GB-VAT100', period: '2026-10' }, other);
    expect(r.boxes).toMatchObject({ 1: '0', 5: '0', 6: '0', 7: null });
    expect(r.head['VAT registration number']).toContain('missing');
  });
});

describe('the list of forms', () => {
  it('has each form with authority, last period, due day, confidence and source, by country if asked', async () => {
    const { items } = (await t.get('/v1/filing-forms?countryCode=NGA', shop.apiKey)).body.content;
    const vat = items.find((f: { form: string }) => f.form === 'NG-VAT');
    expect(vat).toMatchObject({
      countryCode: 'NG',
      authority: 'Nigeria Revenue Service',
      currency: 'NGN',
      lastPeriod: '2026-11',
      dueOn: '2026-12-21',
    });
    expect(vat.source.url).toMatch(/^https?:/);
    expect(items.every((f: { countryCode: string }) => f.countryCode === 'NG')).toBe(true);
    expect((await t.get('/v1/filing-forms?countryCode=XX', shop.apiKey)).status).toBe(400);
    expect((await t.get('/v1/filing-forms')).status).toBe(401);
  });
});
