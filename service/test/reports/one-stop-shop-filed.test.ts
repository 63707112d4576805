// Three quarters of a shop's sales to five Member States, charged back, won again, declined and corrected across quarters: what
// its filed returns of the one-stop shop declare, of each state and quarter of sale, against what the database has of the sales.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeArchive } from '../../src/modules/archive/index.ts';
import { system } from '../../src/modules/kernel/principal.ts';
import { type Account, makeDatabase, makeTestApp, type TestApp, type TestDatabase } from '../support/app.ts';
import { allSealed } from '../support/audit.ts';
import { contentOf } from '../support/guarantees.ts';
import { readersAtEnd } from '../support/journal.ts';
import { made } from '../support/reports.ts';
import { numbersOf, totalled } from '../totals/life.ts';

let t: TestApp;
let database: TestDatabase;
let psp: Account;
let operator: Account;
let shop: Account;

type Row = Readonly<Record<string, string | null>>;
const to = (iso: string) => t.advance(Date.parse(iso) - t.now());
const post = async (path: string, body: object, by: Account, headers: Record<string, string> = {}) =>
  contentOf(await t.post(path, body, by.apiKey, headers));
const rowsOf = async (reportId: string) => {
  const { body } = await t.get(`/v1/report/${reportId}/json`, psp.apiKey);
  const { sections } = body as { sections: { name: string; rows: readonly Row[] }[] };
  return (name: string) => sections.find((s) => s.name === name)?.rows ?? [];
};
async function returnOf(quarter: string) {
  await totalled(t);
  const r = await made(t, { kind: 'oneStopShop', quarter }, psp.apiKey, { 'x-client-id': shop.id });
  expect([r.reason, r.state]).toEqual([null, 'DONE']);
  return { reportId: r.reportId as string, rows: await rowsOf(r.reportId) };
}
const file = (reportId: string, over: object = {}, by = psp) => {
  const filedOn = new Date(t.now()).toISOString().slice(0, 10);
  return t.post(`/v1/report/${reportId}/filed`, { reference: 'OSS-1', filedOn, ...over }, by.apiKey);
};

/** Standard rates on the days of this test. */
const rates: Readonly<Record<string, number>> = { FR: 20, ES: 21, NL: 21, PL: 23, SE: 25 };
const states = Object.keys(rates);
/** Zloty a euro on the last day of a quarter, so that whole multiples of 23 zloty are whole cents. */
const zloty: Readonly<Record<string, number>> = { '2026-Q3': 4, '2026-Q4': 4.6, '2027-Q1': 5 };

const publish = (day: string, rate: number) =>
  post('/v1/exchange-rates', { name: 'eurofxref.csv', text: `Date,PLN,\n${day},${rate},\n` }, operator);

interface Sale {
  readonly ref: string;
  readonly state: string;
  readonly quarter: string;
  readonly tax: number;
  gone?: string;
}
const sold: Sale[] = [];
const draw = numbersOf(20_260_928);
async function sell(quarter: string, count: number): Promise<void> {
  for (let i = 0; i < count; i += 1) {
    const state = states[draw(states.length)] as string;
    const rate = rates[state] as number;
    const hundreds = 1 + draw(40);
    const ref = `${quarter}-${i}`;
    const body = { ref, totalAmount: hundreds * (100 + rate), countryCode: state, paymentMethods: {}, mcc: '5732' };
    const currency = state === 'PL' ? 'PLN' : 'EUR';
    await post('/v1/transaction/verifyTransaction', { ...body, currency, transactionFee: 0 }, shop);
    sold.push({ ref, state, quarter, tax: hundreds * rate });
  }
}
const pick = (quarter: string): Sale => {
  const open = sold.filter((s) => s.quarter === quarter && s.gone === undefined);
  return open[draw(open.length)] as Sale;
};
const chargeback = async (s: Sale): Promise<string> => {
  s.gone = 'back';
  return (await post('/v1/transaction/chargeBack', { ref: s.ref }, psp, { 'x-client-id': shop.id })).chargebackId;
};
async function win(s: Sale, chargebackId: string): Promise<void> {
  const evidenceDueAt = new Date(t.now() + 86_400_000).toISOString();
  const { disputeId } = await post('/v1/dispute', { chargebackId, reason: 'it was delivered', evidenceDueAt }, psp);
  await post(`/v1/dispute/${disputeId}/resolve`, { outcome: 'WON', reason: 'the scheme says so' }, psp);
  s.gone = 'won';
}
async function decline(s: Sale): Promise<void> {
  s.gone = 'declined';
  await post('/v1/transaction/declineTransaction', { ref: s.ref }, shop);
}

/** VAT in the sales that are neither declined nor charged back, in euros, by state and quarter of sale. */
async function inTheDatabase(): Promise<Record<string, number>> {
  const rows = await database.admin.query<{ of: string; tax: number }>(
    `SELECT t.country || ' ' || to_char((t.evidence::jsonb ->> 'date')::date, 'YYYY"-Q"Q') AS of, sum((l ->> 'tax')::numeric)::float AS tax
     FROM transactions t CROSS JOIN jsonb_array_elements(coalesce((SELECT a.tax_after::jsonb FROM adjustments a
       WHERE a.psp_id = $2 AND a.transaction_id = t.id ORDER BY revision DESC, number DESC LIMIT 1), t.evidence::jsonb -> 'tax')) l
     WHERE t.psp_id = $2 AND t.account_id = $1 AND t.status = 'APPROVED' AND l ->> 'rule' NOT LIKE '%fee%' AND NOT EXISTS (SELECT FROM chargebacks c
       LEFT JOIN disputes d ON d.psp_id = $2 AND d.chargeback_id = c.id AND d.state = 'WON'
       WHERE c.psp_id = $2 AND c.transaction_id = t.id AND d.id IS NULL)
     GROUP BY 1 HAVING sum((l ->> 'tax')::numeric) <> 0`,
    [shop.uuid, psp.uuid],
  );
  const inEuros = (of: string, tax: number) => (of.startsWith('PL') ? tax / (zloty[of.slice(3)] ?? 1) : tax);
  return Object.fromEntries(rows.map(({ of, tax }) => [of, Math.round(inEuros(of, tax) * 100) / 100]));
}
/** What all filed returns declare together, by state and quarter of sale: the lines as they are recorded. */
async function declared(): Promise<Record<string, number>> {
  const found = await database.admin.query<{ period: string; lines: string }>(
    "SELECT period, lines FROM filings WHERE account_id = $1 AND form = 'EU-OSS'",
    [shop.uuid],
  );
  const sums: Record<string, number> = {};
  for (const f of found)
    for (const l of JSON.parse(f.lines) as { period?: string; rule: string; tax: string }[]) {
      const of = `${l.rule.slice(0, 2).toUpperCase()} ${l.period ?? f.period}`;
      sums[of] = Math.round(((sums[of] ?? 0) + Number(l.tax)) * 100) / 100;
    }
  return Object.fromEntries(Object.entries(sums).filter(([, tax]) => tax !== 0));
}
/** What a return says that each state is owed, from its own lines. */
const balances = (rows: (name: string) => readonly Row[]): Record<string, number> =>
  Object.fromEntries(rows('balances').map((b) => [b.memberState, Number(b.balance)]));

const readers = () => (t.app.following?.readers ?? []).map((r) => r.name);
const archive = (month: string) =>
  makeArchive(
    { services: t.app.services, principal: system, owner: database.admin, month, signal: new AbortController().signal },
    readers(),
  );

beforeAll(async () => {
  database = await makeDatabase();
  const env = { ASSAY_MASTER_KEY: '5d'.repeat(32), ARCHIVE_AFTER_MONTHS: '1' };
  t = await makeTestApp({ database, env, startAt: '2026-08-20T10:00:00Z' });
  psp = await t.makePsp('Rhein Zahlung', 'DE');
  operator = await t.makeOperator();
  shop = await t.makeClient(psp, { countryCode: 'DE', registeredName: 'Kiel Radio GmbH' });
});
afterAll(() => t.stop());

describe('the filed returns of the one-stop shop', () => {
  it('are filed once each, of a quarter that has ended, by those who may', async () => {
    await sell('2026-Q3', 100);
    for (let i = 0; i < 8; i += 1) await chargeback(pick('2026-Q3'));
    const early = await returnOf('2026-Q3');
    expect((await file(early.reportId)).status).toBe(409);
    // The quarter has ended in Germany, and has an hour to go in Portugal.
    to('2026-09-30T22:30:00Z');
    expect((await file((await returnOf('2026-Q3')).reportId)).status).toBe(409);
    to('2026-10-12T10:00:00Z');
    await publish('2026-09-30', 4);
    for (let i = 0; i < 4; i += 1) await chargeback(pick('2026-Q3'));
    const r = await returnOf('2026-Q3');
    const third = r.reportId;
    expect((await file(third, {}, shop)).status).toBe(403);
    expect((await file(third, {}, await t.makePsp('Other Payments'))).status).toBe(404);
    expect((await file(third, { filedOn: '2026-09-30' })).status).toBe(400);
    const filed = contentOf(await file(third));
    expect(filed).toMatchObject({ form: 'EU-OSS', countryCode: 'DE', period: '2026-Q3', currency: 'EUR' });
    expect([filed.firstDay, filed.lastDay]).toEqual(['2026-07-01', '2026-09-30']);
    const boxes = filed.boxes as { box: string; figure: string }[];
    expect(Object.fromEntries(boxes.map((b) => [b.box, Number(b.figure)]))).toEqual(balances(r.rows));
    expect(Number(filed.payable)).toBe(boxes.reduce((n, b) => n + Number(b.figure), 0));
    expect((await file(third)).headers.get('idempotency-replayed')).toBe('true');
    const again = await file((await returnOf('2026-Q3')).reportId, { reference: 'OSS-2' });
    expect([again.status, again.body.message]).toEqual([409, expect.stringContaining('OSS-1')]);
    const shown = contentOf(await t.get(`/v1/report/${third}`, psp.apiKey));
    expect(shown.filed).toMatchObject({ reference: 'OSS-1', filedOn: '2026-10-12' });
  });

  it('correct the quarter of the sale by what changed since: chargebacks, won disputes, declines', async () => {
    await sell('2026-Q4', 100);
    for (let i = 0; i < 10; i += 1) await chargeback(pick('2026-Q3'));
    for (let i = 0; i < 6; i += 1) await chargeback(pick('2026-Q4'));
    for (let i = 0; i < 5; i += 1) await decline(pick('2026-Q3'));
    const disputed = [pick('2026-Q3'), pick('2026-Q4'), pick('2026-Q4')];
    const backs: string[] = [];
    for (const s of disputed) backs.push(await chargeback(s));
    to('2027-01-15T10:00:00Z');
    await publish('2026-12-31', 4.6);
    const truth = await inTheDatabase();
    const fourth = await returnOf('2026-Q4');
    expect(fourth.rows('tooOld')).toEqual([]);
    contentOf(await file(fourth.reportId, { reference: 'OSS-4' }));
    expect(await declared()).toEqual(truth);
    // Won in the next quarter: the tax of the sale's quarter is owed again.
    for (const [i, s] of disputed.entries()) await win(s, backs[i] as string);
  });

  it('hold what nothing but a correction of rates changed, and a negative balance that no other state pays', async () => {
    await sell('2027-Q1', 60);
    const profile = { countryCode: 'SE', validFrom: '2026-10-01', registered: false };
    await post(`/v1/client/${shop.id}/tax-profile`, profile, psp);
    const range = {
      clientId: shop.id,
      countryCode: 'SE',
      from: '2026-10-01',
      to: '2027-03-31',
      reason: 'never registered',
    };
    const { adjusted } = await post('/v1/correction', range, operator);
    expect(adjusted).toBeGreaterThan(10);
    for (let i = 0; i < 12; i += 1) await chargeback(pick('2026-Q4'));
    to('2027-04-10T10:00:00Z');
    await publish('2027-03-31', 5);
    const truth = await inTheDatabase();
    const first = await returnOf('2027-Q1');
    const owed = balances(first.rows);
    expect(owed.SE).toBeLessThan(0);
    const positive = Object.values(owed).filter((n) => n > 0);
    const sum = Math.round(positive.reduce((a, b) => a + b, 0) * 100) / 100;
    const filed = contentOf(await file(first.reportId, { reference: 'OSS-7' }));
    expect(Number(filed.payable)).toBe(sum);
    expect(await declared()).toEqual(truth);
  });

  it('move a chargeback to its quarter whose sale went to the archive since', async () => {
    for (let i = 0; i < 5; i += 1) await chargeback(pick('2026-Q3'));
    const before = await returnOf('2027-Q2');
    expect(before.rows('corrections').length).toBeGreaterThan(0);
    await allSealed(t);
    await readersAtEnd(t, readers());
    await archive('2026-07');
    await archive('2026-08');
    const after = await returnOf('2027-Q2');
    for (const name of ['supplies', 'corrections', 'balances']) expect(after.rows(name)).toEqual(before.rows(name));
    const gone = await t.post('/v1/report', { kind: 'oneStopShop', quarter: '2026-Q3' }, psp.apiKey);
    expect([gone.status, gone.headers.get('x-error-code')]).toEqual([410, 'ARCHIVED']);
  });
});
