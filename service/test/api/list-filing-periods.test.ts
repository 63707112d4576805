// What is to be filed and when: which periods, of whose accounts, and what becomes of one when it is filed.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf } from '../support/guarantees.ts';
import { made } from '../support/reports.ts';
import { totalled } from '../totals/life.ts';

let t: TestApp;
let psp: Account;
let shop: Account;
let idle: Account;

interface Period {
  readonly form: string;
  readonly period: string;
  readonly state: string;
  readonly dueOn: string;
  readonly hasRecords: boolean;
  readonly reportId: string | null;
  readonly clientId: string;
  readonly payable: string | null;
  readonly filed: { readonly reference: string } | null;
}

const to = (iso: string) => t.advance(Date.parse(iso) - t.now());
async function sell(by: Account, ref: string, countryCode = 'NG', currency = 'NGN') {
  const body = { ref, totalAmount: 1_075, currency, countryCode, paymentMethods: {}, transactionFee: 0 };
  const r = await t.post('/v1/transaction/verifyTransaction', body, by.apiKey);
  expect(r.status, r.text).toBe(200);
}
const periods = async (query = '', by = psp, headers: Record<string, string> = {}): Promise<Period[]> =>
  contentOf(await t.get(`/v1/filing-periods${query}`, by.apiKey, headers)).items;
const short = (list: readonly Period[], form: string) =>
  list.filter((p) => p.form === form).map((p) => [p.period, p.state, p.hasRecords]);

beforeAll(async () => {
  t = await makeTestApp({ startAt: '2026-09-05T10:00:00Z' });
  psp = await t.makePsp('Naira Payments');
  shop = await t.makeClient(psp);
  idle = await t.makeClient(psp, { registeredName: 'Kano Shoes' });
  await sell(shop, 'sep');
  await sell(shop, 'gb', 'GB', 'GBP');
  to('2026-11-05T10:00:00Z');
  await sell(shop, 'nov');
  await totalled(t);
});
afterAll(() => t.stop());

describe('the list of periods', () => {
  it('has those of the countries with records since the account is known, overdue ones first', async () => {
    const list = await periods('', shop);
    expect(short(list, 'NG-VAT')).toEqual([
      ['2026-09', 'OVERDUE', true],
      ['2026-10', 'DUE', false],
      ['2026-11', 'OPEN', true],
    ]);
    expect(short(list, 'GB-VAT100')).toEqual([
      ['2026-Q3', 'DUE', true],
      ['2026-Q4', 'OPEN', false],
    ]);
    // Both countries have returns of gaming, too, which who has no gaming does not file.
    expect(new Set(list.map((p) => p.form))).toEqual(new Set(['NG-VAT', 'GB-VAT100']));
    const order = list.map((p) => p.state);
    expect(order).toEqual(
      [...order].sort((a, b) => ['OVERDUE', 'DUE', 'OPEN'].indexOf(a) - ['OVERDUE', 'DUE', 'OPEN'].indexOf(b)),
    );
    const overdue = list.filter((p) => p.state === 'OVERDUE').map((p) => p.dueOn);
    expect(overdue).toEqual([...overdue].sort());
    expect(list.every((p) => p.clientId === shop.id && p.filed === null && p.payable === null)).toBe(true);
  });

  it('has the weeks of a weekly form, each due on the Wednesday after', async () => {
    const weeks = await periods('?countryCode=UG&form=UG-GAMING', shop);
    expect(weeks.find((w) => w.state === 'OPEN')).toMatchObject({ period: '2026-W45', dueOn: '2026-11-11' });
    expect(weeks.find((w) => w.state === 'DUE')).toBeUndefined();
    expect(weeks.filter((w) => w.state === 'OVERDUE')[0]).toMatchObject({ period: '2026-W36', dueOn: '2026-09-09' });
    expect(weeks).toHaveLength(10);
  });

  it('is of one country or form if asked, and refuses countries that do not exist', async () => {
    const one = await periods('?countryCode=NGA&form=ng-vat', idle);
    expect(short(one, 'NG-VAT')).toEqual([
      ['2026-09', 'OVERDUE', false],
      ['2026-10', 'DUE', false],
      ['2026-11', 'OPEN', false],
    ]);
    expect(one).toHaveLength(3);
    expect(await periods('', idle)).toEqual([]);
    expect((await t.get('/v1/filing-periods?countryCode=XX', shop.apiKey)).status).toBe(400);
    expect((await t.get('/v1/filing-periods')).status).toBe(401);
  });

  it("is of the PSP with all its clients, or of the client it names; of nobody else's", async () => {
    expect(short(await periods('?countryCode=NG'), 'NG-VAT')[0]).toEqual(['2026-09', 'OVERDUE', true]);
    const named = await periods('?countryCode=NG', psp, { 'x-client-id': shop.id });
    expect(named.every((p) => p.clientId === shop.id)).toBe(true);
    const stranger = await t.makePsp('Elsewhere Pay');
    expect((await t.get('/v1/filing-periods', stranger.apiKey, { 'x-client-id': shop.id })).status).toBe(404);
    expect((await t.get('/v1/filing-periods', idle.apiKey, { 'x-client-id': shop.id })).status).toBe(404);
    expect(await periods('', stranger)).toEqual([]);
  });

  it('names the return that was made of a period, and what it was filed as', async () => {
    const headers = { 'x-client-id': shop.id };
    const asked = { kind: 'filing', form: 'NG-VAT', period: '2026-09' };
    const { reportId } = await made(t, asked, psp.apiKey, headers);
    const before = (await periods('?form=NG-VAT', shop)).find((p) => p.period === '2026-09');
    expect(before).toMatchObject({ state: 'OVERDUE', reportId, filed: null });
    const body = { reference: 'NRS-9', filedOn: '2026-11-04' };
    contentOf(await t.post(`/v1/report/${reportId}/filed`, body, psp.apiKey));
    const list = await periods('?form=NG-VAT', shop);
    expect(short(list, 'NG-VAT')).toEqual([
      ['2026-10', 'DUE', false],
      ['2026-11', 'OPEN', true],
      ['2026-09', 'FILED', true],
    ]);
    expect(list[2]).toMatchObject({ reportId, payable: '75', filed: { reference: 'NRS-9', filedOn: '2026-11-04' } });
    // The PSP and its client are different taxpayers.
    expect(short(await periods('?form=NG-VAT'), 'NG-VAT')[0]).toEqual(['2026-09', 'OVERDUE', true]);
  });

  it('has the quarters of the one-stop shop, which takes the place of returns where nobody is registered', async () => {
    const kiel = await t.makeClient(psp, { countryCode: 'DE', registeredName: 'Kiel Radio GmbH' });
    const headers = { 'x-client-id': kiel.id };
    const italy = { countryCode: 'IT', validFrom: '2026-01-01', registered: true };
    contentOf(await t.post(`/v1/client/${kiel.id}/tax-profile`, italy, psp.apiKey));
    await sell(kiel, 'it', 'IT', 'EUR');
    await sell(kiel, 'de', 'DE', 'EUR');
    await totalled(t);
    expect(short(await periods('', kiel), 'EU-OSS')).toEqual([]);
    await sell(kiel, 'fr', 'FR', 'EUR');
    await totalled(t);
    expect(short(await periods('', kiel), 'EU-OSS')).toEqual([['2026-Q4', 'OPEN', true]]);
    expect(short(await periods('', kiel), 'FR-CA3')).toEqual([['2026-11', 'OPEN', true]]);
    to('2027-02-02T10:00:00Z');
    const [due] = await periods('?form=eu-oss', kiel);
    expect(due).toMatchObject({ period: '2026-Q4', state: 'OVERDUE', dueOn: '2027-01-31', reportId: null });
    const { reportId } = await made(t, { kind: 'oneStopShop', quarter: '2026-Q4' }, psp.apiKey, headers);
    expect((await periods('?form=EU-OSS', kiel))[0]).toMatchObject({ reportId, filed: null });
    const filed = { reference: 'OSS-7', filedOn: '2027-02-02' };
    contentOf(await t.post(`/v1/report/${reportId}/filed`, filed, psp.apiKey));
    const list = await periods('', kiel);
    // Who uses the shop files each quarter, also without sales.
    expect(short(list, 'EU-OSS').sort()).toEqual([
      ['2026-Q4', 'FILED', true],
      ['2027-Q1', 'OPEN', false],
    ]);
    // France is declared in the shop now.
    expect(short(list, 'FR-CA3')).toEqual([]);
    expect(short(list, 'IT-LIPE').length).toBeGreaterThan(0);
    expect(short(list, 'DE-USTVA').length).toBeGreaterThan(0);
    expect(short(await periods('?countryCode=FR', kiel), 'EU-OSS')).toEqual([]);
    expect(short(await periods('?countryCode=DE', kiel), 'EU-OSS')).toHaveLength(2);
  });
});
