// Goods and services apart in the return of the one-stop shop: its lines against the law's own list of fields (Directive
// 2006/112/EC, article 369g), with figures worked out by hand: a German shop that sells things and work to consumers abroad.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf } from '../support/guarantees.ts';
import { made } from '../support/reports.ts';
import { numbersOf, totalled } from '../totals/life.ts';

let t: TestApp;
let psp: Account;
let shop: Account;
let operator: Account;

type Row = Readonly<Record<string, string | null>>;
const to = (iso: string) => t.advance(Date.parse(iso) - t.now());
const post = async (path: string, body: object, by: Account, headers: Record<string, string> = {}) =>
  contentOf(await t.post(path, body, by.apiKey, headers));
const sale = (ref: string, countryCode: string, totalAmount: number, over: object = {}, by = shop) =>
  post(
    '/v1/transaction/verifyTransaction',
    { ref, totalAmount, currency: 'EUR', countryCode, paymentMethods: {}, transactionFee: 0, mcc: '5732', ...over },
    by,
  );
const back = (ref: string, of = shop) => post('/v1/transaction/chargeBack', { ref }, psp, { 'x-client-id': of.id });
async function returnOf(quarter: string, by = shop) {
  await totalled(t);
  const report = await made(t, { kind: 'oneStopShop', quarter }, by.apiKey);
  expect([report.reason, report.state]).toEqual([null, 'DONE']);
  const { body } = await t.get(`/v1/report/${report.reportId}/json`, by.apiKey);
  const { sections, facts } = body as {
    sections: { name: string; rows: readonly Row[] }[];
    facts: { name: string; value: string }[];
  };
  const rows = (name: string) => sections.find((s) => s.name === name)?.rows ?? [];
  const values = (name: string, ...fields: string[]) => rows(name).map((r) => fields.map((f) => r[f]));
  const fact = (name: string) => facts.find((f) => f.name === name)?.value;
  return { id: report.reportId as string, rows, values, fact };
}
const line = ['memberState', 'kind', 'suppliedFrom', 'rateType', 'rate', 'taxable', 'tax'] as const;

beforeAll(async () => {
  t = await makeTestApp({ startAt: '2026-10-05T10:00:00Z' });
  psp = await t.makePsp('Rhein Zahlung', 'DE');
  operator = await t.makeOperator();
  shop = await t.makeClient(psp, { countryCode: 'DE', registeredName: 'Kiel Radio GmbH' });
  const warehouse = { countryCode: 'PL', validFrom: '2026-01-01', registered: false, taxNumber: 'PL5260001246' };
  await post(`/v1/client/${shop.id}/tax-profile`, warehouse, psp);
});
afterAll(() => t.stop());

describe('the return of the one-stop shop', () => {
  it('has each field of the law for goods and services apart', async () => {
    // Things by their code (electronics), work by its code (programming), as all records of before say it.
    await sale('radio', 'FR', 240);
    await sale('radio-2', 'FR', 120);
    await sale('app', 'FR', 60, { mcc: '7372' });
    // Food at a reduced rate is goods (art. 278-0 bis CGI, 5.5 %), a meal is a service (art. 279 m, 10 %).
    await sale('coffee', 'FR', 105.5, { mcc: '5411' });
    await sale('meal', 'FR', 110, { mcc: '5812' });
    // The caller knows better than the code.
    await sale('repair', 'ES', 121, { taxDetails: { kind: 'SERVICES' } });
    // Sent from a warehouse in Poland, and from home, which nobody has to say.
    await sale('from-pl', 'NL', 242, { taxDetails: { kind: 'GOODS', suppliedFrom: 'PL' } });
    await sale('from-de', 'NL', 121, { taxDetails: { suppliedFrom: 'DE' } });
    await sale('unsaid', 'NL', 12.1);
    // A code of both, and no code.
    await sale('snack', 'SE', 125, { mcc: '5814', taxDetails: { category: 'books' } });
    await sale('software', 'SE', 250, { mcc: '5734' });
    await sale('no-code', 'SE', 12.5, { mcc: undefined });
    to('2027-01-05T10:00:00Z');
    const r = await returnOf('2026-Q4');
    // Member State of consumption, goods or services, state supplied from, kind of rate, rate, taxable amount, VAT. Swedish
    // books bear 6 % (ML 9 kap. 14 §), all else there 25 %: 125 × 6/106 = 7.08.
    expect(r.values('supplies', ...line)).toEqual([
      ['ES', 'SERVICES', null, 'STANDARD', '21', '100', '21'],
      ['FR', 'GOODS', null, 'STANDARD', '20', '300', '60'],
      ['FR', 'GOODS', null, 'REDUCED', '5.5', '100', '5.5'],
      ['FR', 'SERVICES', null, 'STANDARD', '20', '50', '10'],
      ['FR', 'SERVICES', null, 'REDUCED', '10', '100', '10'],
      ['NL', 'GOODS', null, 'STANDARD', '21', '10', '2.1'],
      ['NL', 'GOODS', 'DE', 'STANDARD', '21', '100', '21'],
      ['NL', 'GOODS', 'PL', 'STANDARD', '21', '200', '42'],
      ['SE', 'UNKNOWN', null, 'STANDARD', '25', '210', '52.5'],
      ['SE', 'UNKNOWN', null, 'REDUCED', '6', '117.92', '7.08'],
    ]);
    // The tax number in the state that goods are sent from (paragraph 2).
    expect(
      r
        .rows('supplies')
        .filter((l) => l.taxNumber !== null)
        .map((l) => [l.suppliedFrom, l.taxNumber]),
    ).toEqual([['PL', 'PL5260001246']]);
    // The total VAT due, and by state.
    expect(r.values('balances', 'memberState', 'balance')).toEqual([
      ['ES', '21'],
      ['FR', '85.5'],
      ['NL', '65.1'],
      ['SE', '59.58'],
    ]);
    expect(r.fact('payable')).toBe('EUR 231.18');
  });

  it('says what it does not know, by code and with the reason, and in no other way', async () => {
    const r = await returnOf('2026-Q4');
    expect(r.values('kindUnknown', 'memberState', 'mcc', 'reason', 'rate', 'taxable', 'tax').sort()).toEqual([
      ['SE', null, 'no code says what was sold', '25', '10', '2.5'],
      ['SE', '5734', 'merchants of this code sell goods and services', '25', '200', '50'],
      ['SE', '5814', 'merchants of this code sell goods and services', '6', '117.92', '7.08'],
    ]);
    expect(r.fact('kindUnknown')).toBe('EUR 59.58');
    expect(r.fact('suppliedWithin')).toBe(undefined);
  });

  it('corrects a quarter by state and quarter alone (paragraph 4), and divides what is left of a quarter by its end', async () => {
    await sale('gone', 'FR', 12, { mcc: '7372' });
    await sale('kept', 'FR', 24, { mcc: '7372' });
    await back('gone');
    await back('app');
    to('2027-04-06T10:00:00Z');
    await back('kept');
    const first = await returnOf('2027-Q1');
    // What is charged back after the quarter corrects it in the next return, and is no loss of this one's services.
    expect(first.values('supplies', ...line)).toEqual([['FR', 'SERVICES', null, 'STANDARD', '20', '20', '4']]);
    expect(first.rows('corrections').map((c) => Object.keys(c))).toEqual([['memberState', 'quarter', 'tax']]);
    expect(first.values('corrections', 'memberState', 'quarter', 'tax')).toEqual([['FR', '2026-Q4', '-10']]);
    const fourth = await returnOf('2026-Q4');
    expect(fourth.values('supplies', 'memberState', 'kind', 'tax')).toContainEqual(['FR', 'SERVICES', '10']);
  });

  it('names what is supplied from the state of consumption itself, which is no sale of the scheme', async () => {
    await sale('within', 'NL', 121, { taxDetails: { suppliedFrom: 'NL' } });
    to('2027-07-05T10:00:00Z');
    expect((await returnOf('2027-Q2')).fact('suppliedWithin')).toBe('EUR 21');
  });

  it('is in words in the files of people, in French too', async () => {
    const { id } = await returnOf('2026-Q4');
    const french = await t.get(`/v1/report/${id}/csv?section=supplies&language=fr`, shop.apiKey);
    expect(french.text).toMatch(/Biens ou services/);
    expect(french.text).toMatch(/Services/);
    expect(french.text).toMatch(/Biens\b/);
    const english = await t.get(`/v1/report/${id}/csv?section=kindUnknown&language=en`, shop.apiKey);
    expect(english.text).toContain('merchants of this code sell goods and services');
  });
});

describe('a request', () => {
  const body = {
    ref: 'said',
    totalAmount: 10,
    currency: 'EUR',
    countryCode: 'FR',
    paymentMethods: {},
    transactionFee: 0,
  };
  it.each(['US', 'de', 'XX'])('refuses to be supplied from %s', async (suppliedFrom) => {
    const r = await t.post('/v1/transaction/verifyTransaction', { ...body, taxDetails: { suppliedFrom } }, shop.apiKey);
    expect([r.status, r.body.message]).toEqual([
      400,
      expect.stringContaining("'taxDetails.suppliedFrom' must be a Member State"),
    ]);
  });
  it('refuses a kind that is neither goods nor services', async () => {
    const r = await t.post('/v1/transaction/verifyTransaction', { ...body, taxDetails: { kind: 'BOTH' } }, shop.apiKey);
    expect(r.status).toBe(400);
  });
});

describe('a life of a quarter', () => {
  it('is divided to the cent, whatever was declined, charged back, won, corrected or decided again', async () => {
    const busy = await t.makeClient(psp, { countryCode: 'DE', registeredName: 'Husum Radio GmbH' });
    const draw = numbersOf(20_261_129);
    const codes = ['5732', '7372', '5411', '5812', '5814', undefined];
    const states = ['FR', 'ES', 'NL', 'SE', 'PL'];
    const refs: string[] = [];
    for (let i = 0; i < 80; i += 1) {
      const state = states[draw(states.length)] as string;
      const over = { mcc: codes[draw(codes.length)], currency: state === 'PL' ? 'PLN' : 'EUR' };
      await sale(`busy-${i}`, state, 1 + draw(50_000) / 100, over, busy);
      refs.push(`busy-${i}`);
    }
    const taken = () => refs.splice(draw(refs.length), 1)[0] as string;
    for (let i = 0; i < 6; i += 1) await back(taken(), busy);
    for (let i = 0; i < 4; i += 1) await post('/v1/transaction/declineTransaction', { ref: taken() }, busy);
    for (let i = 0; i < 3; i += 1) {
      const { chargebackId } = await back(taken(), busy);
      const evidenceDueAt = new Date(t.now() + 86_400_000).toISOString();
      const { disputeId } = await post('/v1/dispute', { chargebackId, reason: 'it was delivered', evidenceDueAt }, psp);
      await post(`/v1/dispute/${disputeId}/resolve`, { outcome: 'WON', reason: 'the scheme says so' }, psp);
    }
    const profile = { countryCode: 'SE', validFrom: '2027-07-01', registered: false };
    await post(`/v1/client/${busy.id}/tax-profile`, profile, psp);
    const range = {
      clientId: busy.id,
      countryCode: 'SE',
      from: '2027-07-01',
      to: '2027-09-30',
      reason: 'not registered',
    };
    expect((await post('/v1/correction', range, operator)).adjusted).toBeGreaterThan(0);
    await back(taken(), busy);
    to('2027-10-06T10:00:00Z');
    await back(taken(), busy);
    await post('/v1/exchange-rates', { name: 'eurofxref.csv', text: 'Date,PLN,\n2027-09-30,4.37,\n' }, operator);
    const r = await returnOf('2027-Q3', busy);
    expect(r.rows('supplies').length).toBeGreaterThan(10);
    // Nothing is left that the transactions do not have.
    expect(r.values('kindUnknown', 'reason').flat()).not.toContainEqual(expect.stringContaining('do not have it'));
    const cents = (rows: readonly Row[], field: string) =>
      rows.reduce((n, l) => n + Math.round(Number(l[field]) * 100), 0);
    const own = r.rows('lines').filter((l) => l.quarter === '2027-Q3');
    for (const field of ['taxable', 'tax']) expect(cents(r.rows('supplies'), field)).toBe(cents(own, field));
    expect(cents(r.rows('balances'), 'supplies')).toBe(cents(r.rows('supplies'), 'tax'));
    expect(r.rows('supplies').every((l) => Number(l.tax) >= 0)).toBe(true);
  });
});
