// What is behind the boxes of returns: amounts in another currency at published rates, adjusting entries of corrected
// rates, duties on a whole period, and taxes on calls.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isoTime } from '../../src/core/calendar.ts';
import { exampleOf } from '../client/shape.ts';
import { until } from '../durability/support/conditions.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf } from '../support/guarantees.ts';
import { made } from '../support/reports.ts';
import { totalled } from '../totals/life.ts';

let t: TestApp;
let psp: Account;
let shop: Account;
let operator: Account;
const customer = { email: 'ada@example.com' };

type Row = Readonly<Record<string, string | null>>;
async function returnOf(body: object, by = psp) {
  await totalled(t);
  const report = await made(t, { kind: 'filing', ...body }, by.apiKey);
  expect([report.reason, report.state]).toEqual([null, 'DONE']);
  const { facts, sections } = (await t.get(`/v1/report/${report.reportId}/json`, by.apiKey)).body as {
    facts: readonly Row[];
    sections: { name: string; rows: readonly Row[] }[];
  };
  const rows = (name: string) => sections.find((s) => s.name === name)?.rows ?? [];
  return { rows, facts, boxes: Object.fromEntries(rows('boxes').map((b) => [b.box as string, b.figure])) };
}
const post = async (path: string, body: object, by: Account) => contentOf(await t.post(path, body, by.apiKey));
const sale = (ref: string, totalAmount: number, currency: string, countryCode: string, by = shop, more = {}) => {
  const body = { ref, totalAmount, currency, countryCode, paymentMethods: {}, transactionFee: 0, ...more };
  return post('/v1/transaction/verifyTransaction', body, by);
};
/** A rule is replaced by one of another rate from a day on, also where that is past. */
async function supersede(ruleId: string, by: string, rate: string, from: string): Promise<void> {
  const { file: country } = contentOf(await t.get('/v1/admin/tax/NG', operator.apiKey));
  const old = country.rules.find((r: { ruleId: string }) => r.ruleId === ruleId);
  country.rules.push({ ...old, ruleId: by, rate, validFrom: from });
  old.validTo = from;
  await post('/v1/admin/tax', { reason: 'overlooked', country }, operator);
}
const correct = (from: string, to: string) =>
  post('/v1/correction', { clientId: psp.id, countryCode: 'NG', from, to, reason: 'overlooked' }, operator);
const to = (iso: string) => t.advance(Date.parse(iso) - t.now());

beforeAll(async () => {
  t = await makeTestApp({ startAt: '2026-11-03T10:00:00Z' });
  psp = await t.makePsp();
  operator = await t.makeOperator();
  shop = await t.makeClient(psp);
});
afterAll(() => t.stop());

describe('a return in another currency', () => {
  it('converts each day at the rate of that day, names it with its publisher, and adds nothing without one', async () => {
    // Ireland's rate is 23 %: 123 dollars hold 100 and 23.
    await sale('mon', 123, 'USD', 'IE');
    to('2026-11-04T10:00:00Z');
    await sale('tue', 246, 'USD', 'IE');
    await sale('own', 1.23, 'EUR', 'IE');
    await sale('naira', 123, 'NGN', 'IE');
    const before = await returnOf({ form: 'IE-VAT3', period: '2026-11' }, shop);
    expect([before.boxes.T1, before.boxes['RTD-23']]).toEqual(['0.23', '1']);
    // The fees are exempt, and in the currency of their sale too.
    const taxed = before.rows('notConverted').filter((l) => l.tax !== '0');
    expect(taxed.map((l) => [l.currency, l.taxable, l.tax])).toEqual([
      ['NGN', '100', '23'],
      ['USD', '300', '69'],
    ]);
    const left = (facts: readonly Row[]) => facts.find((f) => f.name === 'notConverted')?.value;
    const untaxed = (facts: readonly Row[]) => facts.find((f) => f.name === 'untaxedNotConverted')?.value;
    expect(left(before.facts)).toBe('NGN 23, USD 69');
    // The PSP's exempt fees are in the lines, but in no box of this form, which lacks nothing for want of their rate.
    const ofPsp = await returnOf({ form: 'IE-VAT3', period: '2026-11' });
    expect(
      ofPsp
        .rows('notConverted')
        .filter((l) => l.tax === '0')
        .map((l) => l.currency),
    ).toEqual(['NGN', 'USD']);
    expect([left(ofPsp.facts), untaxed(ofPsp.facts)]).toEqual(['NGN 23, USD 69', undefined]);
    // Where a box takes sales without tax they are named apart: of them no tax is missing.
    await sale('exempt', 50, 'USD', 'NG', shop, { mcc: '8062' });
    const exempt = await returnOf({ form: 'NG-VAT', period: '2026-11' }, shop);
    expect([left(exempt.facts), untaxed(exempt.facts)]).toEqual([undefined, 'USD 50']);
    const text = 'Date,USD,\n2026-11-04,1.25,\n2026-11-03,1.6,\n';
    await post('/v1/exchange-rates', { name: 'eurofxref-hist.csv', text }, operator);
    const after = await returnOf({ form: 'IE-VAT3', period: '2026-11' }, shop);
    // 100 / 1.6 = 62.50 and 23 / 1.6 = 14.375; 200 / 1.25 = 160 and 46 / 1.25 = 36.80.
    expect(left(after.facts)).toBe('NGN 23');
    expect([after.boxes.T1, after.boxes['RTD-23']]).toEqual(['51.41', '223.5']);
    const usd = after.rows('lines').filter((l) => l.currency === 'USD' && l.foreignTax !== '0');
    // Each line leads to the records that it sums: of its currency, in the days of the return.
    const behind = await t.get(usd[0]?.open as string, shop.apiKey);
    expect(contentOf(behind).items.map((i: { ref: string }) => i.ref)).toEqual(['tue', 'mon']);
    expect(usd.map((l) => [l.exchangeRate, l.exchangeDay, l.exchangePublisher, l.foreignTax, l.tax])).toEqual([
      ['1 EUR = 1.6 USD', '2026-11-03', 'ECB', '23', '14.38'],
      ['1 EUR = 1.25 USD', '2026-11-04', 'ECB', '46', '36.8'],
    ]);
    expect(new Set(after.rows('notConverted').map((l) => l.currency))).toEqual(new Set(['NGN']));
  });
});

describe('a return after a rate was corrected', () => {
  const boxesOf = async () => [
    (await returnOf({ form: 'NG-VAT', period: '2026-11' }, shop)).boxes['45'],
    (await returnOf({ form: 'NG-VAT', period: '2026-12' }, shop)).boxes['45'],
  ];
  it('has the corrected tax in the month of the sale, and what happens to the sale happens to it', async () => {
    await sale('oct-like', 1_075, 'NGN', 'NG');
    await sale('kept', 2_150, 'NGN', 'NG');
    to('2026-12-03T10:00:00Z');
    await supersede('NG-VAT-STANDARD-2026', 'NG-VAT-STANDARD-2026-11', '10', '2026-11-01');
    await correct('2026-11-01', '2026-11-30');
    const november = await returnOf({ form: 'NG-VAT', period: '2026-11' }, shop);
    // 7.5 % was recorded in November: 75 and 150. At 10 %, 3,225 hold 97.73 and 195.45.
    const rules = november.rows('lines').map((l) => [l.rule, l.operation, l.tax]);
    expect(rules).toEqual([
      ['NG-VAT-STANDARD-2026', 'verifyTransaction', '0'],
      ['NG-VAT-STANDARD-2026-11', 'verifyTransaction', '293.18'],
    ]);
    // The corrected tax is no other record's: its line leads to the sales that bear it.
    const behind = contentOf(await t.get(november.rows('lines')[1]?.open as string, shop.apiKey)).items;
    expect(behind.map((i: { ref: string }) => i.ref)).toEqual(['kept', 'oct-like']);
    expect(await boxesOf()).toEqual(['293.18', '0']);
    // A declined sale owes nothing, corrected or not.
    await post('/v1/transaction/declineTransaction', { ref: 'oct-like' }, shop);
    expect(await boxesOf()).toEqual(['195.45', '0']);
    // A chargeback returns the corrected tax in its own month, and a reversal takes that back.
    const charged = await t.post('/v1/transaction/chargeBack', { ref: 'kept' }, psp.apiKey, { 'x-client-id': shop.id });
    expect(await boxesOf()).toEqual(['195.45', '-195.45']);
    // A month that has but the chargeback leads to what was charged back.
    const december = await returnOf({ form: 'NG-VAT', period: '2026-12' }, shop);
    const [returned] = december.rows('lines').filter((l) => l.tax === '-195.45');
    const came = contentOf(await t.get(returned?.open as string, shop.apiKey)).items;
    expect(came.map((i: { ref: string }) => i.ref)).toEqual(['kept']);
    const dispute = { chargebackId: contentOf(charged).chargebackId, reason: 'delivered' };
    const { disputeId } = await post('/v1/dispute', { ...dispute, evidenceDueAt: '2026-12-31T00:00:00Z' }, psp);
    await post(`/v1/dispute/${disputeId}/resolve`, { outcome: 'WON', reason: 'signed for' }, psp);
    expect(await boxesOf()).toEqual(['195.45', '0']);
  });
});

describe('a duty on a whole period', () => {
  it('is worked out for each operator: the loss of one does not lessen the duty of another', async () => {
    const casino = async (name: string, stake: number, payout: number) => {
      const over = { registeredName: name, countryCode: 'GH', classification: 'IGAMING_LOCAL' };
      const client = await t.makeClient(psp, over);
      const wager = { amount: stake, ref: `w-${name}`, customer, ip: '102.0.2.44', type: 'Casino' };
      await post('/captureWager', wager, client);
      await post('/capturePayout', { amount: payout, ref: `p-${name}`, customer, wagerReference: `w-${name}` }, client);
      return client;
    };
    const winner = await casino('Accra', 1_000, 250);
    const loser = await casino('Kumasi', 100, 500);
    const asked = { form: 'GH-GGR', period: '2026-12' };
    // 20 % of 750; of a loss of 400 nothing.
    expect((await returnOf(asked, winner)).boxes).toMatchObject({ GGR: '750', TAX: '150' });
    expect((await returnOf(asked, loser)).boxes).toMatchObject({ GGR: '-400', TAX: '0' });
    expect((await returnOf(asked)).boxes).toMatchObject({ GGR: '350', TAX: '150' });
  });
});

const example = exampleOf('recordCDR') as { billing_information: object };
/** A call of two minutes that has just ended. */
const call = (cdr_id: string, call_cost: number) => ({
  ...example,
  ...{ cdr_id, timestamp: isoTime(t.now()), call_duration_seconds: 120 },
  ...{ call_start_time: isoTime(t.now() - 120_000), call_end_time: isoTime(t.now()) },
  ...{ caller_number: '+233241234567', receiver_number: '+233201234567' },
  billing_information: { ...example.billing_information, call_cost, currency: 'GHS' },
});
const analysed = (telecom: Account, records: number) =>
  until('the calls are analysed', async () => {
    const { items, progress } = contentOf(await t.get('/v1/telecom/analysis', telecom.apiKey));
    const read = items.reduce((n: number, i: { records: number }) => n + i.records, 0);
    return progress.complete === true && read === records;
  });

describe('taxes on calls', () => {
  it('are lines of the taxes that only calls bear; VAT is shown beside, since sales bear it', async () => {
    const telecom = await t.makeClient(psp, { countryCode: 'GH' });
    for (const id of ['a', 'b']) await post('/v1/telecom/recordCDR', call(id, 100.05), telecom);
    await analysed(telecom, 2);
    const cst = await returnOf({ form: 'GH-CST', period: '2026-12' }, telecom);
    // 5 % of 200.10 is 10.005, rounded once.
    const [line] = cst.rows('lines');
    expect([line?.operation, line?.taxable, line?.tax]).toEqual(['recordCDR', '200.1', '10.01']);
    expect(cst.boxes['9']).toBe('10.01');
    const vat = await returnOf({ form: 'GH-VAT', period: '2026-12' }, telecom);
    expect(vat.rows('lines')).toEqual([]);
    expect(vat.rows('calls').length).toBeGreaterThan(0);
  });
});

describe('a rate corrected after the return was filed', () => {
  it('is a correction of the filed period in the next return, once', async () => {
    await sale('december', 1_100, 'NGN', 'NG');
    to('2027-01-05T10:00:00Z');
    await totalled(t);
    const december = await made(t, { kind: 'filing', form: 'NG-VAT', period: '2026-12' }, shop.apiKey);
    await post(`/v1/report/${december.reportId}/filed`, { reference: 'NRS-1', filedOn: '2027-01-05' }, psp);
    await supersede('NG-VAT-STANDARD-2026-11', 'NG-VAT-STANDARD-2026-12', '12.5', '2026-12-01');
    await correct('2026-12-01', '2026-12-31');
    const january = await returnOf({ form: 'NG-VAT', period: '2027-01' }, shop);
    // 10 % was filed: 100 of 1,100. At 12.5 % it is 122.22.
    expect(january.rows('lines')).toEqual([]);
    expect(january.rows('adjustments').map((l) => [l.period, l.rule, l.tax])).toEqual([
      ['2026-12', 'NG-VAT-STANDARD-2026-11', '-100'],
      ['2026-12', 'NG-VAT-STANDARD-2026-12', '122.22'],
    ]);
    expect(january.boxes['45']).toBe('22.22');
    to('2027-02-05T10:00:00Z');
    await totalled(t);
    const filed = await made(t, { kind: 'filing', form: 'NG-VAT', period: '2027-01' }, shop.apiKey);
    await post(`/v1/report/${filed.reportId}/filed`, { reference: 'NRS-2', filedOn: '2027-02-05' }, psp);
    const february = await returnOf({ form: 'NG-VAT', period: '2027-02' }, shop);
    expect([february.rows('adjustments'), february.boxes['45']]).toEqual([[], '0']);
  });
});

describe('a rule that is in no file any more', () => {
  it('stays in the returns of the records that it taxed, and in the VAT return', async () => {
    const seller = await t.makeClient(psp);
    await sale('gone', 1_125, 'NGN', 'NG', seller);
    const { file: country } = contentOf(await t.get('/v1/admin/tax/NG', operator.apiKey));
    const old = country.rules.find((r: { ruleId: string }) => r.ruleId === 'NG-VAT-STANDARD-2026-12');
    old.ruleId = 'NG-VAT-RENAMED-2026';
    await post('/v1/admin/tax', { reason: 'renamed', country }, operator);
    const made = await returnOf({ form: 'NG-VAT', period: '2027-02' }, seller);
    expect(made.rows('lines').map((l) => [l.rule, l.taxCode, l.taxable, l.tax])).toEqual([
      ['NG-VAT-STANDARD-2026-12', 'VAT', '1000', '125'],
    ]);
    expect(made.boxes['45']).toBe('125');
    // With 7.5 % of the fee of 11.25.
    const month = await returnOf({ kind: 'vatReturn', countryCode: 'NG', period: '2027-02' }, seller);
    expect(month.rows('due').map((r) => [r.taxCode, r.taxDue])).toEqual([['VAT', '125.84']]);
  });
});

describe('calls of a month that was filed', () => {
  it('are corrected and withdrawn in the next return', async () => {
    const telecom = await t.makeClient(psp, { countryCode: 'GH' });
    const right = call('c', 80);
    for (const id of ['c', 'd']) await post('/v1/telecom/recordCDR', call(id, 100.05), telecom);
    await analysed(telecom, 2);
    const [last, first] = contentOf(await t.get('/v1/telecom/cdr', telecom.apiKey)).items;
    to('2027-03-03T10:00:00Z');
    await totalled(t);
    const filed = await made(t, { kind: 'filing', form: 'GH-CST', period: '2027-02' }, telecom.apiKey);
    await post(`/v1/report/${filed.reportId}/filed`, { reference: 'GRA-1', filedOn: '2027-03-03' }, psp);
    await post(`/v1/telecom/cdr/${first.cdrId}/correct`, { reason: 'the tariff of February', record: right }, telecom);
    await post(`/v1/telecom/cdr/${last.cdrId}/withdraw`, { reason: 'a test of the switch' }, telecom);
    await analysed(telecom, 1);
    const next = await returnOf({ form: 'GH-CST', period: '2027-03' }, telecom);
    // 80 are left of 200.10, and 4.00 of the 10.01 that were declared.
    expect(next.rows('lines')).toEqual([]);
    expect(next.rows('adjustments').map((l) => [l.period, l.taxable, l.tax])).toEqual([['2027-02', '-120.1', '-6.01']]);
    expect(next.boxes['9']).toBe('-6.01');
  });
});
