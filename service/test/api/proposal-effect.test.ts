// What a proposed change of tax rules would have done to last month's records, held against sums by hand.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDays } from '../../src/core/calendar.ts';
import type { CountryTax, TaxRule } from '../../src/core/tax/rule.ts';
import { effectOf } from '../../src/modules/proposals/effect.ts';
import { findProposal } from '../../src/modules/proposals/proposal-store.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, expectRefusal } from '../support/guarantees.ts';
import { entryCount, uuidOf } from '../support/journal.ts';
import { totalled } from '../totals/life.ts';

const day = 86_400_000;
const begins = '2027-01-01';
let t: TestApp;
let psp: Account;
let client: Account;
let bookmaker: Account;
let staff: Account;
let other: Account;
let n = 0;
const sales: string[] = [];
let wagerId: string;
let payoutId: string;

/** A country's file with a row that ends when another rate begins. */
function changed(code: string, ruleId: string, rate: string): CountryTax {
  const file = JSON.parse(readFileSync(new URL(`../../data/tax/${code}.json`, import.meta.url), 'utf8')) as CountryTax;
  const row = file.rules.find((r) => r.ruleId === ruleId) as TaxRule;
  const { reason, example, ...of } = row;
  const next = { ...of, ruleId: `${ruleId}-NEXT`, rate, validFrom: begins };
  const rules = file.rules.map((r) => (r === row ? { ...r, validTo: begins } : r));
  return { ...file, rules: [...rules, next] };
}

async function sale(over: Record<string, unknown> = {}, by = client): Promise<string> {
  const body = {
    ...{ ref: `s${++n}`, totalAmount: 107.5, currency: 'NGN', countryCode: 'NG' },
    ...{ paymentMethods: { card: 107.5 }, transactionFee: 1.5, ...over },
  };
  return contentOf(await t.post('/v1/transaction/verifyTransaction', body, by.apiKey)).transactionId;
}
const propose = async (country: CountryTax): Promise<string> =>
  contentOf(await t.post('/v1/admin/proposal', { reason: 'a new law', country }, staff.apiKey)).proposalId;
const reject = async (id: string) =>
  contentOf(await t.post(`/v1/admin/proposal/${id}/reject`, { reason: 'looked at' }, staff.apiKey));
const effect = (id: string, key = staff.apiKey) => t.get(`/v1/admin/proposal/${id}/effect`, key);

beforeAll(async () => {
  t = await makeTestApp({ startAt: '2026-09-30T10:00:00Z' });
  [psp, staff, other] = [await t.makePsp(), await t.makeOperator(), await t.makeOperator()];
  client = await t.makeClient(psp);
  bookmaker = await t.makeClient(psp, { classification: 'IGAMING_LOCAL', countryCode: 'KE' });
  await sale();
  t.advance(day);
  for (const totalAmount of [107.5, 215, 1075]) sales.push(await sale({ totalAmount, paymentMethods: {} }));
  await sale({ currency: 'KES', countryCode: 'KE' });
  const back = await sale({ ref: 'returned' });
  contentOf(await t.post('/v1/transaction/chargeBack', { ref: 'returned' }, psp.apiKey).then((r) => r));
  expect(back).toMatch(/^txn_/);
  const customer = { email: 'kip@example.com' };
  const bet = { amount: 1000, ref: 'bet', customer, ip: '102.0.2.44', type: 'sports' };
  wagerId = contentOf(await t.post('/captureWager', bet, bookmaker.apiKey)).wagerId;
  const win = { amount: 400, ref: 'win', customer, wagerReference: 'bet' };
  payoutId = contentOf(await t.post('/capturePayout', win, bookmaker.apiKey)).payoutId;
  t.advance(31 * day);
  await sale();
  await totalled(t);
});
afterAll(() => t?.stop());

describe('proposalEffect', () => {
  it("says what last month's sales would have borne, to the kobo, and records nothing", async () => {
    const id = await propose(changed('NG', 'NG-VAT-STANDARD-2026', '10'));
    const entries = await entryCount(t);
    const e = contentOf(await effect(id));
    expect(e).toMatchObject({
      ...{ proposalId: id, countryCode: 'NG', from: '2026-10-01', to: '2026-10-31', begins },
      ...{ looked: 3, sampled: false, changed: 3, correctable: 0, left: 0, notLookedAt: [] },
    });
    const [line, ...rest] = e.lines;
    expect([rest, line.records, line.currency, line.operation]).toEqual([[], 3, 'NGN', 'verifyTransaction']);
    // 10/110 in place of 7.5/107.5 of 107.50, 215 and 1,075: 9.77 + 19.55 + 97.73 less 7.50 + 15 + 75.
    expect(line.difference).toBe(29.55);
    expect(Math.round((line.taxNow + line.difference - line.taxProposed) * 100)).toBe(0);
    expect(e.examples.map((x: { recordId: string }) => x.recordId)).toEqual(sales.toReversed());
    expect(e.examples[0]).toMatchObject({ clientId: client.id, date: '2026-10-01', amount: 1075, difference: 22.73 });
    expect(await entryCount(t)).toBe(entries);
    await reject(id);
  });

  it('works out duties by return on wagers and payouts', async () => {
    const id = await propose(changed('KE', 'KE-GGR-GAMBLING-2019', '20'));
    const e = contentOf(await effect(id));
    expect(e).toMatchObject({ looked: 2, changed: 2, duties: [{ currency: 'KES', difference: 30 }] });
    // 15 and 20 % of 1,000 staked less 400 paid out.
    expect(e.duties).toEqual([{ currency: 'KES', taxNow: 90, taxProposed: 120, difference: 30 }]);
    expect(e.examples.map((x: { recordId: string }) => x.recordId).sort()).toEqual([payoutId, wagerId].sort());
    await reject(id);
  });

  it('works out what is due of a winning by itself', async () => {
    const id = await propose(changed('KE', 'KE-EXCISE-STAKE-2025', '5'));
    const { lines } = contentOf(await effect(id));
    expect(lines).toMatchObject([{ operation: 'captureWager', currency: 'KES', taxNow: 0, taxProposed: 50 }]);
    await reject(id);
  });

  it('is nothing where only words change', async () => {
    const file = changed('NG', 'NG-VAT-STANDARD-2026', '10');
    const rules = file.rules
      .filter((r) => !r.ruleId.endsWith('-NEXT'))
      .map((r) => (r.validTo === begins ? { ...r, validTo: null, says: 'read again' } : r));
    const id = await propose({ ...file, rules });
    expect(contentOf(await effect(id))).toMatchObject({ records: 0, looked: 0, lines: [], begins: null });
    await reject(id);
  });

  it('reads no more records than its bound, and says so', async () => {
    const id = await propose(changed('NG', 'NG-VAT-STANDARD-2026', '10'));
    const p = await findProposal(t.app.services.db, uuidOf(id));
    const few = await effectOf(t.app.services, p as NonNullable<typeof p>, t.now(), 2);
    expect(few).toMatchObject({ looked: 2, sampled: true });
    expect(few.records).toBeGreaterThan(2);
    await reject(id);
  });

  it('tells what a correction would adjust anyway', async () => {
    const file = changed('NG', 'NG-VAT-STANDARD-2026', '10');
    const now = {
      ...file,
      rules: file.rules.map((r) => (r.ruleId === 'NG-VAT-STANDARD-2026' ? { ...r, rate: '8' } : r)),
    };
    contentOf(await t.post('/v1/admin/tax', { reason: 'a slip', country: now }, staff.apiKey));
    const id = await propose(file);
    const e = contentOf(await effect(id));
    expect(e).toMatchObject({ correctable: 3, changed: 3 });
    await reject(id);
    contentOf(await t.post('/v1/admin/tax', { reason: 'back', country: { ...file, name: 'Nigeria' } }, staff.apiKey));
  });

  it('is of open proposals of tax rules alone', async () => {
    const id = await propose(changed('KE', 'KE-GGR-GAMBLING-2019', '20'));
    contentOf(await t.post(`/v1/admin/proposal/${id}/approve`, {}, other.apiKey));
    expectRefusal(await effect(id), 409, 'STATE_CONFLICT', /APPROVED/);
    const fee = { feeId: 'EFFECT-FEE', percent: '1', validFrom: addDays(begins, 1) };
    const made = contentOf(await t.post('/v1/admin/proposal', { reason: 'contract', fee }, staff.apiKey));
    expectRefusal(await effect(made.proposalId), 409, 'STATE_CONFLICT', /tax rules/);
  });

  it('is not for others', async () => {
    const id = await propose(changed('NG', 'NG-VAT-STANDARD-2026', '11'));
    expectRefusal(await t.get(`/v1/admin/proposal/${id}/effect`), 401, 'KEY_MISSING');
    for (const key of [psp.apiKey, client.apiKey]) expectRefusal(await effect(id, key), 403, 'AUDIENCE');
    expectRefusal(await effect('prp_01h455vb4pex5vsknk084sn02q'), 404, 'NOT_FOUND');
    expectRefusal(await effect('x'), 404, 'NOT_FOUND');
  });
});
