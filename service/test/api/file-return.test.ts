// A return is filed once: who may, what is refused, what is kept, and what later changes of a filed period become.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { VerifiedReceipt } from '../../src/core/audit/receipt.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { allSealed, check, keyOf, receiptOf } from '../support/audit.ts';
import { contentOf } from '../support/guarantees.ts';
import { made } from '../support/reports.ts';
import { totalled } from '../totals/life.ts';

let t: TestApp;
let psp: Account;
let shop: Account;
let sister: Account;
const dayMs = 86_400_000;

type Row = Readonly<Record<string, string | null>>;
const to = (iso: string) => t.advance(Date.parse(iso) - t.now());
const sale = async (ref: string, totalAmount: number, by = shop) => {
  const body = { ref, totalAmount, currency: 'NGN', countryCode: 'NG', paymentMethods: {}, transactionFee: 0 };
  const r = await t.post('/v1/transaction/verifyTransaction', body, by.apiKey);
  expect(r.status, r.text).toBe(200);
};
async function returnOf(period: string, about = shop): Promise<string> {
  await totalled(t);
  const headers: Record<string, string> = about === psp ? {} : { 'x-client-id': about.id };
  const r = await made(t, { kind: 'filing', form: 'NG-VAT', period }, psp.apiKey, headers);
  expect([r.reason, r.state]).toEqual([null, 'DONE']);
  return r.reportId;
}
const file = (reportId: string, body: object = {}, by = psp, headers: Record<string, string> = {}) =>
  t.post(`/v1/report/${reportId}/filed`, { reference: 'NRS-1', filedOn: '2026-12-05', ...body }, by.apiKey, headers);
async function sectionOf(reportId: string, name: string): Promise<readonly Row[]> {
  const { sections } = (await t.get(`/v1/report/${reportId}/json`, psp.apiKey)).body as {
    sections: { name: string; rows: readonly Row[] }[];
  };
  return sections.find((s) => s.name === name)?.rows ?? [];
}
const boxOf = async (reportId: string, box: string) =>
  (await sectionOf(reportId, 'boxes')).find((b) => b.box === box)?.figure;

beforeAll(async () => {
  t = await makeTestApp({ startAt: '2026-11-05T10:00:00Z' });
  psp = await t.makePsp('Naira Payments');
  shop = await t.makeClient(psp);
  sister = await t.makeClient(psp, { registeredName: 'Kano Shoes' });
  await sale('nov-1', 10_750);
  await sale('nov-2', 2_150);
  await sale('sister', 1_075, sister);
});
afterAll(() => t.stop());

describe('a return of November', () => {
  let provisional: string;
  let november: string;

  it('cannot be filed before the period has ended', async () => {
    provisional = await returnOf('2026-11');
    expect((await file(provisional, { filedOn: '2026-11-05' })).status).toBe(409);
    to('2026-12-05T10:00:00Z');
    const still = await file(provisional);
    expect([still.status, still.headers.get('x-error-code')]).toEqual([409, 'STATE_CONFLICT']);
    expect(still.body.message).toContain('provisional');
  });

  it('is refused with what is wrong: the day, the reference, a report that is no return', async () => {
    november = await returnOf('2026-11');
    for (const [body, says] of [
      [{ filedOn: '2026-12-06' }, 'after today'],
      [{ filedOn: '2026-11-30' }, 'not after the period'],
      [{ filedOn: '2026-12-32' }, 'must be a day'],
      [{ reference: '' }, 'reference'],
    ] as const) {
      const r = await file(november, body);
      expect([r.status, r.body.message]).toEqual([400, expect.stringContaining(says)]);
    }
    const vat = await made(t, { kind: 'vatReturn', period: '2026-11', countryCode: 'NG' }, psp.apiKey);
    const r = await file(vat.reportId);
    expect([r.status, r.body.message]).toEqual([409, expect.stringContaining('vatReturn')]);
    expect((await file('rpt_01h455vb4pex5vsknk084sn02q')).status).toBe(404);
  });

  it('is filed by nobody else: no key, another PSP, a client, a key without the scope, on behalf of another client', async () => {
    const stranger = await t.makePsp('Other Payments');
    expect((await t.post(`/v1/report/${november}/filed`, { reference: 'x', filedOn: '2026-12-05' })).status).toBe(401);
    expect((await file(november, {}, stranger)).status).toBe(404);
    expect((await file(november, {}, shop)).status).toBe(403);
    expect((await file(november, {}, sister)).status).toBe(403);
    expect((await file(november, {}, psp, { 'x-client-id': sister.id })).status).toBe(404);
    const key = contentOf(await t.post('/v1/key', { name: 'pos', scopes: ['payments'] }, psp.apiKey));
    const r = await file(november, {}, { ...psp, apiKey: key.apiKey });
    expect([r.status, r.headers.get('x-error-code')]).toEqual([403, 'SCOPE']);
    expect(contentOf(await t.get('/v1/filings', psp.apiKey)).items).toEqual([]);
  });

  it('is filed with its figures, hash and reference, in the journal with its lines', async () => {
    const r = await file(november);
    expect(r.status, r.text).toBe(200);
    const filing = contentOf(r);
    const report = contentOf(await t.get(`/v1/report/${november}`, psp.apiKey));
    expect(filing).toMatchObject({
      reportId: november,
      clientId: shop.id,
      form: 'NG-VAT',
      countryCode: 'NG',
      period: '2026-11',
      firstDay: '2026-11-01',
      lastDay: '2026-11-30',
      currency: 'NGN',
      // 10,750 and 2,150 hold 750 and 150.
      payable: '900',
      reference: 'NRS-1',
      filedOn: '2026-12-05',
      documentSha256: report.manifest.files.find((f: { name: string }) => f.name === 'json').sha256,
    });
    expect(filing.boxes.find((b: { box: string }) => b.box === '20').figure).toBe('12000');
    expect(report.filed).toMatchObject({ filingId: filing.filingId, reference: 'NRS-1', filedOn: '2026-12-05' });
    const [entry] = await t.database.admin.query<{ body: string }>(
      "SELECT body FROM journal WHERE kind = 'return.filed' ORDER BY seq DESC LIMIT 1",
    );
    const told = JSON.parse(entry?.body ?? '{}');
    expect([told.schema, told.data.filingId, told.clientId]).toEqual(['return.filed/1', filing.filingId, shop.id]);
    expect(told.evidence.lines).toEqual([
      // The PSP's fees, 1 % of 12,900, are kept too, so that a later return can say what has changed of them.
      expect.objectContaining({ rule: 'NG-VAT-FEE-2020', taxable: '129', tax: '9.67' }),
      expect.objectContaining({ operation: 'verifyTransaction', currency: 'NGN', taxable: '12000', tax: '900' }),
    ]);
  });

  it('has a receipt, for the PSP and its taxpayer alone', async () => {
    const [{ filingId }] = contentOf(await t.get('/v1/filings', psp.apiKey)).items;
    await allSealed(t);
    const receipt = await receiptOf(t, psp, filingId);
    const { entries } = check(receipt, await keyOf(t, psp)) as VerifiedReceipt;
    const [{ body }] = (await t.database.admin.query(
      "SELECT body FROM journal WHERE kind = 'return.filed' ORDER BY seq DESC LIMIT 1",
    )) as [{ body: string }];
    expect(entries.map((e) => [e.kind, e.body])).toEqual([['return.filed', body]]);
    expect(await receiptOf(t, shop, filingId)).toEqual(receipt);
    for (const other of [sister, await t.makePsp('Other Payments')])
      expect((await t.get(`/v1/audit/receipt/${filingId}`, other.apiKey)).status).toBe(404);
  });

  it('is the same if it is sent again, and refused with what was filed if it is another one', async () => {
    const again = await file(november);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
    const other = await file(november, { reference: 'NRS-2' });
    expect([other.status, other.headers.get('x-error-code')]).toEqual([409, 'STATE_CONFLICT']);
    for (const part of ['2026-11', '2026-12-05', 'NRS-1', november]) expect(other.body.message).toContain(part);
    const made = await returnOf('2026-11');
    expect((await file(made)).status).toBe(409);
    const { items } = contentOf(await t.get('/v1/filings', psp.apiKey));
    expect(items).toHaveLength(1);
  });

  it('is named by a return of other days that hold it, which cannot be filed', async () => {
    const pay = await t.makePsp();
    const german = await t.makeClient(pay, { countryCode: 'DE' });
    const headers = { 'x-client-id': german.id };
    const make = (period: string) => made(t, { kind: 'filing', form: 'DE-USTVA', period }, pay.apiKey, headers);
    const detail = async (id: string) => contentOf(await t.get(`/v1/report/${id}`, pay.apiKey));
    await totalled(t);
    const [early, month] = [await make('2026-Q3'), await make('2026-09')];
    expect((await detail(early.reportId)).filedInstead).toBeNull();
    expect((await file(month.reportId, { reference: 'DE-9' }, pay)).status).toBe(200);
    expect((await detail(month.reportId)).filedInstead).toBeNull();
    const late = await make('2026-Q3');
    for (const { reportId } of [early, late]) {
      expect((await detail(reportId)).filedInstead).toMatchObject({ period: '2026-09', reference: 'DE-9' });
      const refused = await file(reportId, {}, pay);
      expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('was filed for 2026-09')]);
    }
    const facts = async (id: string) =>
      (await t.get(`/v1/report/${id}/json`, pay.apiKey)).body.facts as { name: string }[];
    expect(await facts(late.reportId)).toContainEqual({
      name: 'filedBefore',
      title: 'Filed before for days of this period',
      value:
        '2026-09, on 2026-12-05, reference DE-9: this return counts days of it again and cannot be recorded as filed',
    });
    expect((await facts(early.reportId)).map((f) => f.name)).not.toContain('filedBefore');
  });

  it('of another taxpayer is its own', async () => {
    const r = await file(await returnOf('2026-11', sister), { reference: 'NRS-S' });
    expect([r.status, contentOf(r).payable]).toEqual([200, '75']);
  });
});

describe('changes of a filed month', () => {
  it('are corrections in the next return, once, and all returns together are the totals of today', async () => {
    // The second sale of November is decided again in December; the first is charged back in December, which counts then.
    const declined = await t.post('/v1/transaction/declineTransaction', { ref: 'nov-2' }, shop.apiKey);
    expect(declined.status, declined.text).toBe(200);
    await sale('dec-1', 5_375);
    to('2027-01-08T10:00:00Z');
    const december = await returnOf('2026-12');
    const corrections = await sectionOf(december, 'adjustments');
    expect(corrections.map((c) => [c.period, c.currency, c.taxable, c.tax])).toEqual([
      ['2026-11', 'NGN', '-2000', '-150'],
    ]);
    // The fee of the declined sale, 1 % of 2,150, bore 7.5 % that the client has deducted.
    const onFees = await sectionOf(december, 'feeAdjustments');
    expect(onFees.map((c) => [c.period, c.taxable, c.tax])).toEqual([['2026-11', '-21.5', '-1.61']]);
    // 375 of December less the 150 that November declared too much.
    expect([await boxOf(december, '45'), await boxOf(december, '20')]).toEqual(['225', '3000']);
    expect((await file(december, { reference: 'NRS-3', filedOn: '2027-01-08' })).status).toBe(200);

    t.advance(31 * dayMs);
    const january = await returnOf('2027-01');
    expect([await sectionOf(january, 'adjustments'), await boxOf(january, '45')]).toEqual([[], '0']);
    expect(await sectionOf(january, 'feeAdjustments')).toEqual([]);
    // 900 and 225 were declared; November is 750 today, December 375.
    const { items } = contentOf(await t.get(`/v1/filings?clientId=${shop.id}&form=ng-vat`, psp.apiKey));
    const declared = items.reduce((sum: number, f: { payable: string }) => sum + Number(f.payable), 0);
    expect(declared).toBe(750 + 375);
  });

  it('that another return may have corrected meanwhile are not corrected twice', async () => {
    // Both are made before either is filed: only the first can be.
    await t.post('/v1/transaction/declineTransaction', { ref: 'dec-1' }, shop.apiKey);
    const january = await returnOf('2027-01');
    t.advance(28 * dayMs);
    const february = await returnOf('2027-02');
    expect([await boxOf(january, '45'), await boxOf(february, '45')]).toEqual(['-375', '-375']);
    const day = new Date(t.now()).toISOString().slice(0, 10);
    expect((await file(january, { reference: 'NRS-4', filedOn: day })).status).toBe(200);
    const r = await file(february, { reference: 'NRS-5', filedOn: day });
    expect([r.status, r.body.message]).toEqual([409, expect.stringContaining('run the report again')]);
    const again = await returnOf('2027-02');
    expect(await boxOf(again, '45')).toBe('0');
    expect((await file(again, { reference: 'NRS-5', filedOn: day })).status).toBe(200);
  });
});

describe('the list of filed returns', () => {
  it('is of the PSP and its clients, by form, country, period and client, in pages', async () => {
    const list = async (query: string, by = psp) => contentOf(await t.get(`/v1/filings${query}`, by.apiKey));
    expect((await list('')).items).toHaveLength(5);
    expect((await list('?period=2026-11')).items).toHaveLength(2);
    expect((await list('?countryCode=GB')).items).toEqual([]);
    expect((await list('?form=NG-VAT&countryCode=NGA')).items).toHaveLength(5);
    expect((await list(`?clientId=${sister.id}`)).items).toHaveLength(1);
    expect((await list('', sister)).items.map((f: { clientId: string }) => f.clientId)).toEqual([sister.id]);
    const first = await list('?limit=3');
    const rest = await list(`?limit=3&cursor=${first.nextCursor}`);
    expect([first.items.length, rest.items.length, rest.nextCursor]).toEqual([3, 2, null]);
    const stranger = await t.makePsp('Third Payments');
    expect((await list('', stranger)).items).toEqual([]);
    expect((await t.get(`/v1/filings?clientId=${shop.id}`, stranger.apiKey)).status).toBe(404);
    expect((await list('', await t.makeOperator())).items).toHaveLength(6);
  });
});
