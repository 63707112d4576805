// Published exchange rates: loaded from files in their real forms, once; corrected; listed; and asked for by reports.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RateRule } from '../../src/core/exchange/conversion.ts';
import { conversions } from '../../src/modules/exchange-rates/index.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, expectRefusal, refusesWrongTypes, requiresFields, type Wire } from '../support/guarantees.ts';
import { rowCount } from '../support/journal.ts';

let t: TestApp;
let operator: Account;
let psp: Account;
let client: Account;

beforeAll(async () => {
  t = await makeTestApp();
  operator = await t.makeOperator();
  psp = await t.makePsp();
  client = await t.makeClient(psp);
});
afterAll(() => t.stop());

const load = (name: string, text: string, more: object = {}, key = operator.apiKey) =>
  t.post('/v1/exchange-rates', { name, text, ...more }, key);
const loaded = async (name: string, text: string, more: object = {}) => contentOf(await load(name, text, more));
const list = async (query = '', key = psp.apiKey) => contentOf(await t.get(`/v1/exchange-rates${query}`, key));
const entries = async () =>
  (await t.database.admin.query("SELECT body FROM journal WHERE kind = 'exchange_rates.loaded' ORDER BY id")).map((r) =>
    JSON.parse(r.body as string),
  );

/** ECB reference rates of the first week of January 2024. */
const ecb = `Date,USD,CNY,
2024-01-05,1.0921,7.8130,
2024-01-04,1.0953,7.8330,
2024-01-03,1.0919,7.8057,
2024-01-02,1.0956,7.8264,
`;
const asked = {
  publisher: 'ECB',
  to: 'EUR',
  currencies: ['USD', 'NGN'],
  firstDay: '2024-01-01',
  lastDay: '2024-01-31',
};
const rate = async (rule: RateRule, currency: string, day: string, over: object = {}) => {
  const c = (await conversions(t.app.services.db, { ...asked, rate: rule, ...over }))(currency, day);
  return c && `${c.rate} of ${c.day} by ${c.publisher}`;
};

describe('loadExchangeRates', () => {
  const wire: Wire = {
    app: () => t,
    method: 'POST',
    path: '/v1/exchange-rates',
    caller: () => operator,
    body: () => ({ name: 'eurofxref-hist.csv', text: ecb }),
  };

  it('reads a file, stores its rates once, and journals what came from it', async () => {
    const done = await loaded('eurofxref-hist.csv', ecb);
    const sha256 = createHash('sha256').update(ecb).digest('hex');
    expect(done).toEqual({
      loadIds: [expect.stringMatching(/^fxl_/)],
      publisher: 'ECB',
      kind: 'DAY',
      name: 'eurofxref-hist.csv',
      sha256,
      from: '2024-01-02',
      to: '2024-01-05',
      currencies: 2,
      added: 8,
      corrected: 0,
      unchanged: 0,
      correctedSince: 0,
    });
    const [entry] = await entries();
    expect(entry).toMatchObject({
      schema: 'exchange_rates.loaded/1',
      data: { loadId: done.loadIds[0], publisher: 'ECB', sha256, from: '2024-01-02', to: '2024-01-05', added: 8 },
    });
    expect(entry.evidence).toEqual({ rowsSha256: expect.stringMatching(/^[0-9a-f]{64}$/), rowsColumns: 13 });

    // The same file again, and another one that says the same: nothing is new.
    const again = await load('eurofxref-hist.csv', ecb);
    expect(contentOf(again)).toEqual({ ...done, loadIds: [], added: 0, unchanged: 8 });
    expect(again.body.message).toBe('nothing was new: all rates of the file are in force already');
    expect((await loaded('other.csv', `${ecb}\n`)).added).toBe(0);
    expect([await rowCount(t, 'exchange_rates', 'true'), (await entries()).length]).toEqual([8, 1]);
  });

  it('keeps the former rate of a correction, uses the later one, and does not go back to a file loaded before', async () => {
    const corrected = ecb.replace('1.0953', '1.0954');
    expect(await loaded('corrected.csv', corrected)).toMatchObject({ added: 0, corrected: 1 });
    expect(await rate('DAY', 'USD', '2024-01-04')).toBe('1/1.0954 of 2024-01-04 by ECB');
    const former = await load('eurofxref-hist.csv', ecb);
    expect(contentOf(former)).toMatchObject({ loadIds: [], corrected: 0, unchanged: 7, correctedSince: 1 });
    expect(former.body.message).toBe(
      'nothing was new: the file was loaded before, and 1 of its 8 rates were corrected by later files, which stay in force',
    );
    expect(await rate('DAY', 'USD', '2024-01-04')).toBe('1/1.0954 of 2024-01-04 by ECB');
    const day = '?currency=USD&dayFrom=2024-01-04&dayTo=2024-01-04';
    expect((await list(day)).items.map((r: { rate: string }) => r.rate)).toEqual(['1.0954']);
    const both = (await list(`${day}&former=true`)).items;
    expect(both.map((r: { rate: string; revision: number }) => [r.revision, r.rate])).toEqual([
      [2, '1.0954'],
      [1, '1.0953'],
    ]);
  });

  it('refuses a damaged file whole, with its name, line and reason', async () => {
    const before = await rowCount(t, 'exchange_rates', 'true');
    const bad = ecb.replace('2024-01-02,1.0956', '2024-01-02,n/a');
    expectRefusal(
      await load('bad.csv', bad),
      400,
      'RATES_INVALID',
      "the file bad.csv was refused, nothing of it is loaded: line 5: the rate 'n/a' of USD is not a decimal",
    );
    expectRefusal(await load('page.html', '<html></html>'), 400, 'RATES_INVALID', /its form is not known/);
    const ahead = 'Date,USD,\n2031-01-02,1.1,\n';
    expectRefusal(await load('ahead.csv', ahead), 400, 'RATES_INVALID', /a rate of USD for 2031-01-02, a day to come$/);
    expect(await rowCount(t, 'exchange_rates', 'true')).toBe(before);
  });

  it('reads from the day that is asked for, by default from where the tax rules begin', async () => {
    const old = 'Date,CHF,\n2024-02-01,0.9381,\n2023-12-29,0.9260,\n';
    expect(await loaded('old.csv', old)).toMatchObject({ from: '2024-02-01', added: 1 });
    expect(await loaded('old.csv', old, { from: '2023-01-01' })).toMatchObject({ from: '2023-12-29', added: 1 });
  });

  it('is for staff alone', async () => {
    for (const key of [psp.apiKey, client.apiKey])
      expectRefusal(await load('eurofxref-hist.csv', ecb, {}, key), 403, 'AUDIENCE');
    expectRefusal(await t.post('/v1/exchange-rates', { name: 'a', text: ecb }), 401, 'KEY_MISSING');
  });

  requiresFields(wire, ['name', 'text']);
  refusesWrongTypes(wire, { text: ['name', 'text', 'from'] });

  it('takes the whole history since the tax rules begin in one file', async () => {
    const currencies = Array.from({ length: 30 }, (_, i) => `Q${String.fromCharCode(65 + (i % 26), 65 + (i >> 4))}`);
    const days = Array.from({ length: 250 }, (_, i) => new Date(Date.UTC(2024, 0, 1 + i)).toISOString().slice(0, 10));
    const rows = days.map((day, i) => [day, ...currencies.map((_, j) => `${1 + j}.${1000 + i}`)].join(','));
    const text = `Date,${currencies.join(',')},\n${rows.join(',\n')},\n`;
    expect(await loaded('eurofxref-hist.csv', text)).toMatchObject({ added: 7_500, corrected: 0 });
    expect((await loaded('eurofxref-hist.csv', text)).loadIds).toEqual([]);
    expect((await loaded('again.csv', `${text}\n`)).added).toBe(0);

    // A load that ended between two portions is taken up again.
    await t.database.admin.query("DELETE FROM exchange_rates WHERE currency = 'QAA' AND day > '2024-08-01'");
    await t.database.admin.query("UPDATE exchange_rates SET read_from = NULL WHERE currency LIKE 'Q%'");
    expect(await loaded('eurofxref-hist.csv', text)).toMatchObject({ added: 36 });
  });

  it('takes two loads at once one after the other', async () => {
    const text = 'Publisher,Day,Currency,Units,Rate\nBOZ,2026-09-01,USD,1,23.5\n';
    const done = await Promise.all([1, 2, 3].map(() => load('boz.csv', text)));
    expect(done.map((r) => contentOf(r).added).sort()).toEqual([0, 0, 1]);
  });
});

describe('listExchangeRates', () => {
  it('lists by day, the last first, page by page, filtered', async () => {
    const known = ['CHF', 'CNY', 'USD'];
    const first = await list('?publisher=ECB&dayTo=2024-01-05&limit=3');
    const rows = [...first.items];
    for (let cursor = first.nextCursor; cursor !== null; ) {
      const next = await list(`?publisher=ECB&dayTo=2024-01-05&limit=7&cursor=${cursor}`);
      rows.push(...next.items);
      cursor = next.nextCursor;
    }
    const seen = rows.filter((r) => known.includes(r.currency));
    expect(rows.length - seen.length).toBe(5 * 30);
    expect(seen.map((r) => `${r.day} ${r.currency} ${r.rate}`)).toEqual([
      '2024-01-05 CNY 7.8130',
      '2024-01-05 USD 1.0921',
      '2024-01-04 CNY 7.8330',
      '2024-01-04 USD 1.0954',
      '2024-01-03 CNY 7.8057',
      '2024-01-03 USD 1.0919',
      '2024-01-02 CNY 7.8264',
      '2024-01-02 USD 1.0956',
      '2023-12-29 CHF 0.9260',
    ]);
    for (const key of [client.apiKey, operator.apiKey])
      expect((await list('?publisher=BOZ', key)).items).toMatchObject([{ base: 'ZMW', per: 'CURRENCY', units: 1 }]);
  });

  it('refuses a cursor of another list, and what is no day', async () => {
    const get = (q: string) => t.get(`/v1/exchange-rates?${q}`, psp.apiKey);
    expectRefusal(await get('cursor=2024-01-05.ECB.DAY.usd.1'), 400, 'QUERY_INVALID', /not a cursor/);
    expectRefusal(await get('dayFrom=2024-02-30'), 400, 'QUERY_INVALID', /'dayFrom' must be a day of the calendar/);
    expectRefusal(await get("currency=U'D"), 400, 'QUERY_INVALID');
  });

  it('says what is stored of each publisher, and where its files are', async () => {
    const { items } = contentOf(await t.get('/v1/exchange-publishers', psp.apiKey));
    const of = (id: string) => items.find((p: { publisher: string }) => p.publisher === id);
    expect(of('ECB')).toMatchObject({
      name: 'European Central Bank',
      base: 'EUR',
      address: 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml',
      stored: [{ kind: 'DAY', firstDay: '2023-12-29', currencies: expect.arrayContaining(['CHF', 'CNY', 'USD']) }],
    });
    expect(of('HMRC').stored).toEqual([]);
  });
});

describe('the question of reports', () => {
  it('gives the last rate published for a weekend, none where there is none', async () => {
    expect(await rate('DAY', 'USD', '2024-01-06')).toBe('1/1.0921 of 2024-01-05 by ECB');
    expect(await rate('DAY_BEFORE', 'USD', '2024-01-05')).toBe('1/1.0954 of 2024-01-04 by ECB');
    expect(await rate('DAY', 'NGN', '2024-01-05')).toBeUndefined();
    expect(await rate('DAY', 'USD', '2024-01-01')).toBeUndefined();
    expect(await rate('DAY', 'USD', '2024-01-05', { publisher: 'NOBODY' })).toBeUndefined();
    expect(await rate('DAY', 'EUR', '2024-01-05')).toBe('1 of 2024-01-05 by ECB');
  });

  it('crosses through the euro, and takes the month’s mean', async () => {
    const cross = { to: 'CNY', currencies: ['USD'] };
    expect(await rate('DAY', 'USD', '2024-01-05', cross)).toBe('7.8130/1.0921 of 2024-01-05 by ECB');
    // (1.0956 + 1.0919 + 1.0954 + 1.0921) / 4
    expect(await rate('MONTH_AVERAGE', 'USD', '2024-01-20')).toBe('1/1.0938 of 2024-01 by ECB');
  });

  it('has an authority’s monthly rate for every day of its month', async () => {
    const head = 'Country/Territories,Currency,Currency Code,Currency Units per £1,Start date,End date\n';
    expect(await loaded('hmrc.csv', `${head}USA,Dollar,USD,1.2700,01/09/2026,30/09/2026\n`)).toMatchObject({
      publisher: 'HMRC',
      kind: 'MONTH',
    });
    const of = (day: string) =>
      rate('MONTH', 'USD', day, { publisher: 'HMRC', to: 'GBP', firstDay: '2026-08-01', lastDay: '2026-10-31' });
    expect(await of('2026-09-30')).toBe('1/1.2700 of 2026-09 by HMRC');
    expect(await of('2026-10-01')).toBeUndefined();
  });
});
