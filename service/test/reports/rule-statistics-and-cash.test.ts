// The reports of what rules found, and of cash that is to be reported, against what was recorded.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cashProblems } from '../../src/core/cases/cash-reporting.ts';
import { loadCashFigures } from '../../src/platform/data-files.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, expectRefusal } from '../support/guarantees.ts';
import { readersAtEnd } from '../support/journal.ts';
import { made } from '../support/reports.ts';
import { totalled } from '../totals/life.ts';

let t: TestApp;
let psp: Account;
let client: Account;
let n = 0;

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
  client = await t.makeClient(psp);
});
afterAll(() => t?.stop());

async function paid(amount: number, methods: object, over: object = {}): Promise<string> {
  const sale = { ref: `s${++n}`, totalAmount: amount, transactionFee: 0, currency: 'NGN', countryCode: 'NG' };
  const body = { ...sale, paymentMethods: methods, ...over };
  return contentOf(await t.post('/v1/transaction/verifyTransaction', body, client.apiKey)).transactionId;
}

// biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire says
type Shown = any;
/** Rows of a section, by the names of its columns. */
async function rowsOf(kind: string, name: string, period = '2026-11'): Promise<Shown[]> {
  const { reportId, state, reason } = await made(t, { kind, period }, psp.apiKey);
  expect([state, reason]).toEqual(['DONE', null]);
  const report = JSON.parse((await t.get(`/v1/report/${reportId}/json`, psp.apiKey)).text);
  const section = report.sections.find((s: Shown) => s.name === name);
  const names = section.columns.map((c: Shown) => c.name);
  return section.rows.map((r: Shown) =>
    Array.isArray(r.cells) ? Object.fromEntries(names.map((c: string, i: number) => [c, r.cells[i]])) : r,
  );
}

describe('ruleStatistics', () => {
  it('counts true, false and open alerts by rule, and the hours they took, with the median', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 4; i++) ids.push(await paid(100, { card: 100 }));
    const reviews: string[] = [];
    for (const transactionId of ids)
      reviews.push(contentOf(await t.post('/v1/review', { transactionId, reason: 'odd' }, psp.apiKey)).reviewId);
    const outcomes = ['CONFIRMED', 'CLEARED', 'CLEARED'];
    for (const [i, outcome] of outcomes.entries()) {
      // Closed after 1, 3 and 8 hours.
      t.advance(([1, 2, 5][i] as number) * 3_600_000);
      contentOf(await t.post(`/v1/review/${reviews[i]}/resolve`, { outcome, note: 'seen' }, psp.apiKey));
    }
    // A later note changes nothing about when it was resolved.
    t.advance(3_600_000);
    contentOf(await t.post(`/v1/review/${reviews[0]}/note`, { note: 'a word more' }, psp.apiKey));
    const [row, ...more] = await rowsOf('ruleStatistics', 'byRule');
    expect(more).toEqual([]);
    expect(row).toMatchObject({ rule: 'BY_HAND', severity: 'MEDIUM', alerts: 4, stillOpen: 1, confirmed: 1 });
    expect(row).toMatchObject({ cleared: 2, precision: '33.33', mean: '4.00', median: '3.00' });
  });

  it('is nothing for a client', async () => {
    const asked = { kind: 'ruleStatistics', period: '2026-11' };
    expectRefusal(await t.post('/v1/report', asked, client.apiKey), 403, 'AUDIENCE');
  });
});

describe('ctr', () => {
  it('lists cash above the figure of the country, and days whose transactions reach it together', async () => {
    const over = await paid(6_000_000, { cash: 5_000_000.01, card: 999_999.99 });
    // Nigeria's law names what exceeds five million.
    await paid(5_000_000, { cash: 5_000_000 });
    await paid(6_000_000, { card: 6_000_000 });
    // Methods have any name: none hides cash beside it, and none that only ends so is cash.
    const beside = await paid(6_000_000, { 'A}': 0.5, 'B\\"cash': 0.25, cash: 5_999_999.25 });
    await paid(6_000_000, { 'petty"cash': 6_000_000 });
    await readersAtEnd(t, ['reviews']);
    const rows = await rowsOf('ctr', 'transactions');
    expect(rows.map((r) => [r.transactionId, r.cash, r.figure])).toEqual([
      [over, '5000000.01', '5000000'],
      [beside, '5999999.25', '5000000'],
    ]);
    expect(await rowsOf('ctr', 'days')).toMatchObject([{ countryCode: 'NG', transactions: 3, cash: '15999999.26' }]);
  });

  it('adds up a month where the law does, without what is too small for it', async () => {
    const italian = { currency: 'EUR', countryCode: 'IT' };
    const months = async () => (await rowsOf('ctr', 'months')).filter((r) => r.countryCode === 'IT');
    // By the provvedimento of the UIF: 10,000 or more in a month, of transactions of 1,000 or more each.
    for (const cash of [4000, 5000, 999.99, 999.99]) await paid(cash, { cash }, italian);
    t.advance(86_400_000);
    expect(await months()).toEqual([]);
    await paid(1000, { cash: 1000 }, italian);
    expect(await months()).toMatchObject([{ month: '2026-11', transactions: 3, cash: '10000', figure: '10000' }]);
    expect((await rowsOf('ctr', 'days')).filter((r) => r.countryCode === 'IT')).toEqual([]);
    // France's names what exceeds it.
    for (const cash of [4000, 6000]) await paid(cash, { cash }, { currency: 'EUR', countryCode: 'FR' });
    const french = async () => (await rowsOf('ctr', 'months')).filter((r) => r.countryCode === 'FR');
    expect(await french()).toEqual([]);
    await paid(0.01, { cash: 0.01 }, { currency: 'EUR', countryCode: 'FR' });
    expect(await french()).toMatchObject([{ transactions: 3, cash: '10000.01' }]);
  });

  it('counts what was decided again on the day of that decision, as every other report does', async () => {
    // A minute before December in Lagos, and some days later.
    t.advance(Date.parse('2026-11-30T22:59:00Z') - t.now());
    const late = { ref: 'late' };
    await paid(10, { cash: 10 }, late);
    t.advance(5 * 86_400_000);
    const again = await paid(6_000_000, { cash: 6_000_000 }, late);
    await totalled(t);
    expect((await rowsOf('ctr', 'transactions')).map((r) => r.transactionId)).not.toContain(again);
    const december = await rowsOf('ctr', 'transactions', '2026-12');
    expect(december).toMatchObject([{ transactionId: again, cash: '6000000' }]);
  });

  it('rests on figures of at least twenty countries, each with its law and how sure it is', () => {
    const figures = loadCashFigures();
    expect(cashProblems(figures)).toEqual([]);
    expect(new Set(figures.map((f) => f.country)).size).toBeGreaterThanOrEqual(20);
  });

  it('says of a figure what was read of its law, and where', async () => {
    const figures = await rowsOf('ctr', 'figures');
    expect(figures.find((f) => f.countryCode === 'US')).toMatchObject({
      ...{ figure: '10000', exceeds: 'ABOVE', confidence: 'official' },
      url: expect.stringContaining('1010-311'),
    });
    // Bulgaria's figure is in euros since it has them.
    expect(figures.filter((f) => f.countryCode === 'BG').map((f) => [f.currency, f.confidence])).toEqual([
      ['EUR', 'assumed'],
    ]);
  });

  it('would refuse figures that overlap, or name no law', () => {
    const [one] = loadCashFigures();
    if (!one) throw new Error('no figures');
    expect(cashProblems([one, one])).toHaveLength(1);
    expect(cashProblems([{ ...one, law: '' }])).toHaveLength(1);
    expect(cashProblems([{ ...one, until: one.from }])).toHaveLength(1);
    expect(cashProblems([{ ...one, source: { ...one.source, read: '' } }])).toHaveLength(1);
    const nowhere = { ...one, source: { ...one.source, url: null } };
    expect(cashProblems([{ ...nowhere, confidence: 'secondary' }])).toHaveLength(1);
    expect(cashProblems([{ ...nowhere, confidence: 'assumed' }])).toEqual([]);
  });
});
