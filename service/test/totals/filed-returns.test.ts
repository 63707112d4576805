// Months of random sales, declines, decisions made again and chargebacks, each filed when it is over: whatever happened
// after, the filed returns and the open one add up to the totals of today.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { plain, sumOf } from '../../src/core/sums.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf } from '../support/guarantees.ts';
import { made } from '../support/reports.ts';
import { type Cast, live, makeCast, numbersOf, totalled } from './life.ts';

let t: TestApp;
let c: Cast;
const months = ['2026-10', '2026-11', '2026-12', '2027-01'];

beforeAll(async () => {
  t = await makeTestApp({ startAt: '2026-10-10T10:00:00Z' });
  c = await makeCast(t);
});
afterAll(() => t.stop());

/** VAT on all that was sold in Nigeria, in naira, less what was charged back, in SQL from the totals alone. */
async function owed(account: Account | undefined): Promise<string> {
  const [r] = await t.database.admin.query<{ tax: string }>(
    `SELECT coalesce(sum(CASE verdict WHEN 'CHARGED_BACK' THEN -tax ELSE tax END), 0)::text AS tax FROM totals_by_tax
     WHERE psp_id = $1 AND ($2::uuid IS NULL OR account_id = $2) AND country = 'NG' AND currency = 'NGN'
       AND verdict IN ('APPROVED', 'CHARGED_BACK', 'REVERSED', 'RECORDED') AND rule LIKE 'NG-VAT-%'
       AND ($2 IS NULL OR rule NOT LIKE '%FEE%')`,
    [c.psp.uuid, account?.uuid ?? null],
  );
  return plain(r?.tax ?? '0');
}

/** Sales of earlier months are declined, decided again at another price, or charged back. */
async function changeEarlier(seed: number): Promise<void> {
  const n = numbersOf(seed);
  const sales = await t.database.admin.query<{ ref: string; account_id: string }>(
    `SELECT ref, account_id FROM transactions WHERE psp_id = $1 AND kind = 'verifyTransaction' AND country = 'NG'
       AND status = 'APPROVED' AND chargeback IS NULL AND decided_on < $2::date ORDER BY ref, account_id`,
    [c.psp.uuid, `${months[seed]}-01`],
  );
  for (const { ref, account_id } of sales) {
    const by = c.clients.find((p) => p.uuid === account_id) as Account;
    const again = {
      ref,
      totalAmount: 107.5 + n(900),
      currency: 'NGN',
      countryCode: 'NG',
      paymentMethods: {},
      transactionFee: 1,
    };
    const what = n(4);
    if (what === 0) await t.post('/v1/transaction/declineTransaction', { ref }, by.apiKey);
    if (what === 1) await t.post('/v1/transaction/verifyTransaction', again, by.apiKey);
    if (what === 2) await t.post('/v1/transaction/chargeBack', { ref }, c.psp.apiKey, { 'x-client-id': by.id });
  }
}

async function returnOf(period: string, about: Account | undefined) {
  const headers: Record<string, string> = about ? { 'x-client-id': about.id } : {};
  const report = await made(t, { kind: 'filing', form: 'NG-VAT', period }, c.psp.apiKey, headers);
  expect([report.reason, report.state]).toEqual([null, 'DONE']);
  const { sections } = (await t.get(`/v1/report/${report.reportId}/json`, c.psp.apiKey)).body;
  const rows = (name: string) => sections.find((s: { name: string }) => s.name === name).rows;
  const box = rows('boxes').find((b: { box: string }) => b.box === '120');
  return {
    reportId: report.reportId as string,
    payable: box.figure as string,
    corrections: rows('adjustments').length,
  };
}

it('filed returns and the open one together are the totals of today', async () => {
  const taxpayers = [undefined, ...c.clients];
  const filed = new Map(taxpayers.map((p) => [p, [] as string[]]));
  let corrections = 0;
  for (const [k, month] of months.entries()) {
    await live(t, c, 77 + k, 50);
    if (k > 0) await changeEarlier(k);
    await totalled(t);
    for (const p of taxpayers) {
      const open = await returnOf(month, p);
      corrections += open.corrections;
      expect(sumOf([...(filed.get(p) ?? []), open.payable]), `${month} of ${p?.id ?? 'the PSP'}`).toBe(await owed(p));
    }
    const next = months[k + 1];
    if (next === undefined) break;
    t.advance(Date.parse(`${next}-05T10:00:00Z`) - t.now());
    for (const p of taxpayers) {
      const { reportId, payable } = await returnOf(month, p);
      const body = { reference: `NRS-${month}`, filedOn: `${next}-05` };
      contentOf(await t.post(`/v1/report/${reportId}/filed`, body, c.psp.apiKey));
      filed.get(p)?.push(payable);
    }
  }
  // Else nothing was tried.
  expect(corrections).toBeGreaterThan(0);
});
