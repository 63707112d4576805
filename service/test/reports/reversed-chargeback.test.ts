// A chargeback whose dispute was won, in returns and statements: the amount returned in its month is due again in the
// month of the win. The figures are calculated by hand: 10,750 NGN contain 750 of Nigeria's VAT of 7.5%.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf } from '../support/guarantees.ts';
import { made } from '../support/reports.ts';
import { totalled } from '../totals/life.ts';

let t: TestApp;
let psp: Account;
/** Both fees of the sale, and the VAT on them, in cents. */
let fees: { processing: number; transaction: number; vat: number };
const cents = (amount: number) => Math.round(amount * 100);

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
  const shop = await t.makeClient(psp);
  const sale = contentOf(
    await t.post(
      '/v1/transaction/verifyTransaction',
      { ref: 's', totalAmount: 10_750, currency: 'NGN', countryCode: 'NG', paymentMethods: {}, transactionFee: 100 },
      shop.apiKey,
    ),
  );
  fees = {
    processing: cents(sale.processingFee),
    transaction: cents(sale.transactionFee),
    vat: cents(sale.transactionVAT),
  };
  const { chargebackId } = contentOf(await t.post('/v1/transaction/chargeBack', { ref: 's' }, psp.apiKey));
  const evidenceDueAt = '2027-02-01T00:00:00Z';
  const opened = { chargebackId, reason: 'the goods were delivered', evidenceDueAt };
  const { disputeId } = contentOf(await t.post('/v1/dispute', opened, psp.apiKey));
  t.advance(Date.parse('2026-12-15T12:00:00Z') - t.now());
  const won = { outcome: 'WON', reason: 'the issuer accepted the proof' };
  contentOf(await t.post(`/v1/dispute/${disputeId}/resolve`, won, psp.apiKey));
  await totalled(t);
});
afterAll(() => t?.stop());

type Row = Readonly<Record<string, string | number | null>>;

async function rowsOf(kind: string, period: string, name: string): Promise<readonly Row[]> {
  const report = await made(t, { kind, period, ...(kind === 'vatReturn' ? { countryCode: 'NG' } : {}) }, psp.apiKey);
  expect([report.state, report.reason]).toEqual(['DONE', null]);
  const { sections } = (await t.get(`/v1/report/${report.reportId}/json`, psp.apiKey)).body as {
    sections: { name: string; rows: Row[] }[];
  };
  return sections.find((s) => s.name === name)?.rows ?? [];
}
const sum = (rows: readonly Row[], column: string) => rows.reduce((n, r) => n + cents(Number(r[column] ?? 0)), 0);

describe('a chargeback that was reversed in the next month', () => {
  it('leaves the VAT return of its own month as it was: what was charged was returned', async () => {
    const rows = await rowsOf('vatReturn', '2026-11', 'due');
    const vat = 75_000 + fees.vat;
    expect(['tax', 'taxReturned', 'taxDue'].map((c) => sum(rows, c))).toEqual([vat, vat, 0]);
  });

  it('has its VAT due again in the month in which the dispute was won', async () => {
    expect(sum(await rowsOf('vatReturn', '2026-12', 'due'), 'taxDue')).toBe(75_000 + fees.vat);
  });

  it('has its fees due again in that month', async () => {
    const [own, then] = [
      await rowsOf('feeStatement', '2026-11', 'byFee'),
      await rowsOf('feeStatement', '2026-12', 'byFee'),
    ];
    const due = (rows: readonly Row[]) => ['processingFeeDue', 'transactionFeeDue'].map((c) => sum(rows, c));
    expect([due(own), due(then)]).toEqual([
      [0, 0],
      [fees.processing, fees.transaction],
    ]);
  });

  it('is listed with the moment of its reversal, and its amounts stand in the month of the win', async () => {
    const own = await rowsOf('chargebacks', '2026-11', 'chargebacks');
    expect(own.map((r) => r.reversedAt)).toEqual(['2026-12-15T12:00:00.000Z']);
    expect(await rowsOf('chargebacks', '2026-11', 'reversed')).toEqual([]);
    const then = await rowsOf('chargebacks', '2026-12', 'reversed');
    expect(then.map((r) => [r.currency, r.chargebacks, r.amount, r.vatAmount])).toEqual([['NGN', 1, '10750', '750']]);
    expect(await rowsOf('chargebacks', '2026-12', 'chargebacks')).toEqual([]);
  });
});
