// A rule that was wrong: the dry run shows what would be adjusted, adjusting entries are made once, and an interrupted
// run can be repeated.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { differenceOf, sumOf } from '../../src/core/sums.ts';
import { until } from '../durability/support/conditions.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, expectRefusal } from '../support/guarantees.ts';
import { made } from '../support/reports.ts';

const wrong = 'NG-VAT-STANDARD-2026';
const right = 'NG-VAT-STANDARD-2026-11';
const days = { countryCode: 'NG', from: '2026-11-01', to: '2026-11-30' };
/** More than one portion. */
const sales = 290;

let t: TestApp;
let psp: Account;
let operator: Account;
let client: Account;

beforeAll(async () => {
  t = await makeTestApp({ env: { LOG_LEVEL: 'info' } });
  psp = await t.makePsp();
  operator = await t.makeOperator();
  client = await t.makeClient(psp);
  const sale = { currency: 'NGN', countryCode: 'NG', paymentMethods: {}, transactionFee: 1 };
  const verify = (body: object) => t.post('/v1/transaction/verifyTransaction', { ...sale, ...body }, client.apiKey);
  const refs = Array.from({ length: sales }, (_, i) => `s${i}`);
  // More at once are refused where the machine is busy.
  for (let from = 0; from < sales; from += 20)
    await Promise.all(
      refs.slice(from, from + 20).map(async (ref, i) => {
        contentOf(await verify({ ref, totalAmount: (10_000 + (from + i) * 37) / 100 }));
      }),
    );
  contentOf(await verify({ ref: 'abroad', totalAmount: 119, currency: 'EUR', countryCode: 'DE' }));
  contentOf(await verify({ ref: 'returned', totalAmount: 500 }));
  contentOf(await t.post('/v1/transaction/chargeBack', { ref: 'returned' }, psp.apiKey));
  contentOf(await verify({ ref: 'declined', totalAmount: 500 }));
  contentOf(await t.post('/v1/transaction/declineTransaction', { ref: 'declined' }, client.apiKey));
  const item = { sku: 's', title: 't', description: '', quantity: 1, price: 100, subTotal: 100 };
  const basket = contentOf(
    await t.post(
      '/v1/basket/submitBasket',
      { ...sale, ref: 'b1', totalAmount: 200, items: [item, { ...item, vatExempt: true }] },
      client.apiKey,
    ),
  );
  contentOf(await verify({ ref: 'basket', totalAmount: 200, transactionID: basket.transactionId }));
});
afterAll(() => t?.stop());

/** Nigeria's rate was 10 % from the first of November on, as one sees on the 21st. */
async function supersede(rate: string): Promise<void> {
  const country = JSON.parse(readFileSync(new URL('../../data/tax/NG.json', import.meta.url), 'utf8'));
  const old = country.rules.find((r: { ruleId: string }) => r.ruleId === wrong);
  country.rules.push({ ...old, ruleId: right, rate, validFrom: '2026-11-01' });
  old.validTo = '2026-11-01';
  contentOf(await t.post('/v1/admin/tax', { reason: 'overlooked', country }, operator.apiKey));
}

const correct = async (over: object = {}) => {
  const body = { clientId: psp.id, ...days, reason: 'overlooked', ...over };
  return contentOf(await t.post('/v1/correction', body, operator.apiKey));
};

async function corrected(over: object = {}): Promise<{ looked: number; adjusted: number }> {
  const sum = { looked: 0, adjusted: 0 };
  for (let after: object = {}; ; ) {
    const portion = await correct({ ...over, ...after });
    sum.looked += portion.looked;
    sum.adjusted += portion.adjusted;
    if (portion.next === null) return sum;
    after = { after: portion.next };
  }
}

// biome-ignore lint/suspicious/noExplicitAny: tests read whatever the document says
type Rows = Record<string, any>[];
async function sectionsOf(over: object = {}, headers?: Record<string, string>): Promise<Record<string, Rows>> {
  const report = await made(t, { kind: 'rateCorrection', ...days, ...over }, psp.apiKey, headers);
  expect([report.reason, report.state]).toEqual([null, 'DONE']);
  const { body } = await t.get(`/v1/report/${report.reportId}/json`, psp.apiKey, headers);
  return Object.fromEntries(body.sections.map((s: { name: string; rows: Rows }) => [s.name, s.rows]));
}

/** VAT contained in what bears it, worked out in SQL from the records alone. */
async function vatAt(percent: number): Promise<{ n: number; vat: string }> {
  const [r] = await t.database.admin.query(
    `SELECT count(*)::int AS n, sum(round(coalesce(b.taxable_amount, t.amount) * $2 / (100 + $2), 2))::text AS vat
     FROM transactions t LEFT JOIN baskets b ON b.psp_id = t.psp_id AND b.id = t.basket_id
     WHERE t.psp_id = $1 AND t.country = 'NG' AND t.status = 'APPROVED' AND t.chargeback IS NULL`,
    [psp.uuid, percent],
  );
  return { n: r?.n as number, vat: sumOf([r?.vat as string]) };
}

const journalled = () =>
  t.database.admin.query("SELECT body FROM journal WHERE psp_id = $1 AND kind = 'tax.adjusted' ORDER BY seq", [
    psp.uuid,
  ]);

describe('a rate that was wrong', () => {
  it('is no difference before the rules say otherwise', async () => {
    const sections = await sectionsOf();
    expect([sections.summary, sections.transactions, sections.adjustments]).toEqual([[], [], []]);
    expect(await corrected()).toEqual({ looked: sales + 1, adjusted: 0 });
    expect(await journalled()).toEqual([]);
  });

  it('is told by the dry run as an independent sum has it, and nothing is changed', async () => {
    await supersede('10');
    const [was, is] = [await vatAt(7.5), await vatAt(10)];
    const { summary, byRule, byClient, transactions } = await sectionsOf({ rule: wrong });
    const [line] = summary as Rows;
    expect(summary).toHaveLength(1);
    expect([line?.currency, line?.transactions, line?.vatStands, line?.vatNow]).toEqual([
      'NGN',
      was.n,
      was.vat,
      is.vat,
    ]);
    expect(sumOf([line?.vatDelta as string, was.vat])).toBe(is.vat);
    expect(sumOf([line?.vatDelta as string, line?.merchantDelta as string])).toBe('0');
    expect(byRule?.map((r) => [r.rule, r.transactions])).toEqual([
      [wrong, was.n],
      [right, was.n],
    ]);
    expect(sumOf(byRule?.map((r) => r.taxDelta as string) ?? [])).toBe(line?.vatDelta);
    expect(byClient?.map((r) => [r.clientId, r.vatDelta])).toEqual([[client.id, line?.vatDelta]]);
    expect(transactions).toHaveLength(was.n);
    const shown = contentOf(await t.get(transactions?.[0]?.open as string, psp.apiKey));
    expect(sumOf([String(shown.vatAmount)])).toBe(transactions?.[0]?.vatStands);
    expect(await journalled()).toEqual([]);
  });

  it('opens, for one client, to the rows of that client alone', async () => {
    const all = await sectionsOf({ rule: wrong });
    const its = await sectionsOf({ rule: wrong }, { 'x-client-id': client.id });
    expect(its.summary?.[0]?.transactions).toBe(all.summary?.[0]?.transactions);
    expect(new URL(its.summary?.[0]?.open, t.address).searchParams.get('clientId')).toBe(client.id);
    expect(all.summary?.[0]?.open).not.toContain('clientId');
    expect(its.byClient?.[0]?.open).toBe(its.summary?.[0]?.open);
    const { items } = contentOf(await t.get(its.summary?.[0]?.open, psp.apiKey));
    expect(new Set(items.map((i: { clientId: string }) => i.clientId))).toEqual(new Set([client.id]));
  });

  it('leaves nothing of a portion whose process lost its database in the middle of it', async () => {
    await t.database.admin.transaction(async (tx) => {
      await tx.query('SELECT 1 FROM journal_heads WHERE psp_id = $1 FOR UPDATE', [psp.uuid]);
      const body = { clientId: psp.id, ...days, reason: 'overlooked' };
      const answer = t.post('/v1/correction', body, operator.apiKey);
      await until('the portion waits to be journalled, and is cut off', async () => {
        const rows = await t.database.admin.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%commit_batch_%'`,
        );
        return rows.length > 0;
      });
      expect((await answer).status).toBeGreaterThanOrEqual(500);
    });
    expect(await t.database.admin.query('SELECT 1 FROM adjustments')).toEqual([]);
    expect(await journalled()).toEqual([]);
  });

  it('is adjusted from the beginning after a run that ended early, each transaction once', async () => {
    const first = await correct();
    expect([first.looked, first.adjusted]).toEqual([250, 250]);
    expect(first.next).toMatch(/^txn_/);
    const { n } = await vatAt(10);
    expect(await corrected()).toEqual({ looked: n, adjusted: n - 250 });
    const [sum] = await t.database.admin.query(
      `SELECT count(*)::int AS n, count(DISTINCT transaction_id)::int AS transactions, sum(vat_after)::text AS vat,
         sum(vat_after - vat_before + remainder_after - remainder_before)::text AS moved FROM adjustments`,
    );
    expect([sum?.n, sum?.transactions, sumOf([sum?.vat as string]), sumOf([sum?.moved as string])]).toEqual([
      n,
      n,
      (await vatAt(10)).vat,
      '0',
    ]);
  });

  it('stands in the journal with before, after and difference, and in no transaction', async () => {
    const entries = (await journalled()).map((r) => JSON.parse(r.body as string));
    const adjustments = entries.flatMap((e) => e.data.adjustments);
    expect(adjustments).toHaveLength((await vatAt(10)).n);
    for (const a of adjustments)
      expect(sumOf([String(a.before.vatAmount), String(a.delta.vatAmount)])).toBe(sumOf([String(a.after.vatAmount)]));
    expect(entries[0].evidence.reason).toBe('overlooked');
    expect(
      (await t.database.admin.query('SELECT 1 FROM transactions WHERE evidence LIKE $1', [`%${right}%`])).length,
    ).toBe(0);
  });

  it('is no difference any more: the dry run is empty, a repeat changes nothing', async () => {
    expect((await corrected()).adjusted).toBe(0);
    const { summary, adjustments } = await sectionsOf();
    expect(summary).toEqual([]);
    expect(adjustments?.map((a) => [a.madeOn, a.adjustments, a.reason])).toEqual([
      ['2026-11-21', (await vatAt(10)).n, 'overlooked'],
    ]);
  });

  it('stands apart in the VAT return of the month it was adjusted in', async () => {
    const report = await made(t, { kind: 'vatReturn', countryCode: 'NG', period: '2026-11' }, psp.apiKey);
    const { body } = await t.get(`/v1/report/${report.reportId}/json`, psp.apiKey);
    const rows = body.sections.find((s: { name: string }) => s.name === 'adjustments').rows;
    const [was, is] = [await vatAt(7.5), await vatAt(10)];
    expect(rows.map((r: Rows[0]) => [r.currency, r.count, sumOf([r.vat, was.vat])])).toEqual([['NGN', is.n, is.vat]]);
  });

  it('is adjusted further from where it stands, when the rules change once more', async () => {
    await supersede('12');
    const [was, is] = [await vatAt(10), await vatAt(12)];
    // Narrowed to the rule by which they stand, though they were recorded by another one.
    for (const over of [{}, { rule: right }]) {
      const { summary } = await sectionsOf(over);
      expect([summary?.[0]?.vatStands, summary?.[0]?.vatNow]).toEqual([was.vat, is.vat]);
    }
    expect((await corrected({ rule: right })).adjusted).toBe(is.n);
    expect((await sectionsOf()).summary).toEqual([]);
  });
});

describe('a corrected transaction that is undone afterwards', () => {
  it('takes back its tax as corrected: what was recorded, and the adjustments that were made of it', async () => {
    const vatReturn = async (): Promise<Record<string, Rows>> => {
      const report = await made(t, { kind: 'vatReturn', countryCode: 'NG', period: '2026-11' }, psp.apiKey);
      const { body } = await t.get(`/v1/report/${report.reportId}/json`, psp.apiKey);
      return Object.fromEntries(body.sections.map((s: { name: string; rows: Rows }) => [s.name, s.rows]));
    };
    expect((await vatReturn()).adjustmentsTakenBack).toEqual([]);
    const [before] = (await vatReturn()).adjustments as Rows;
    // 10 % of what it is now 12 % of, twice adjusted, of three transactions.
    contentOf(await t.post('/v1/transaction/chargeBack', { ref: 's0' }, psp.apiKey));
    contentOf(await t.post('/v1/transaction/declineTransaction', { ref: 's1' }, client.apiKey));
    contentOf(await t.post('/v1/transaction/declineTransaction', { ref: 'basket' }, client.apiKey));
    const [recorded] = await t.database.admin.query(
      `SELECT sum(vat_amount)::text AS vat FROM transactions WHERE psp_id = $1 AND ref IN ('s0', 's1', 'basket')`,
      [psp.uuid],
    );
    const after = await vatReturn();
    const [back] = after.adjustmentsTakenBack as Rows;
    expect(after.adjustments?.[0]).toEqual(before);
    expect([back?.currency, back?.count]).toEqual(['NGN', 6]);
    // By the law's own figures: 12/112 of 100.00, of 100.37, and of the half of the basket that bears tax.
    const asCorrected = sumOf(['10.71', '10.75', '10.71']);
    expect(differenceOf(recorded?.vat as string, back?.vat as string)).toBe(asCorrected);
    expect(sumOf([sumOf([before?.vat as string, back?.vat as string]), (await vatAt(7.5)).vat])).toBe(
      (await vatAt(12)).vat,
    );
  });
});

describe('what cannot be corrected', () => {
  it.each([
    [{ from: '2026-13-01' }, 'FIELD_INVALID', /'from' must be a date/],
    [{ to: '2026-10-01' }, 'FIELD_INVALID', /'to' is before 'from'/],
    [{ from: '2027-01-01', to: '2027-01-31' }, 'FIELD_INVALID', /has not started/],
    [{ countryCode: 'ZZ' }, 'UNKNOWN_COUNTRY', /ZZ/],
  ])('%j', async (over, code, message) => {
    const body = { clientId: psp.id, ...days, reason: 'x', ...over };
    expectRefusal(await t.post('/v1/correction', body, operator.apiKey), 400, code, message);
    expectRefusal(
      await t.post('/v1/report', { kind: 'rateCorrection', ...days, ...over }, psp.apiKey),
      400,
      code,
      message,
    );
  });

  it('is an account nobody has, or asked for by a PSP itself', async () => {
    const body = { clientId: 'cli_01h455vb4pex5vsknk084sn02q', ...days, reason: 'x' };
    expectRefusal(await t.post('/v1/correction', body, operator.apiKey), 404, 'NOT_FOUND', /./);
    expect((await t.post('/v1/correction', body, psp.apiKey)).status).toBe(403);
  });
});
