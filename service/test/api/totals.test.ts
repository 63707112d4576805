// GET /v1/totals and /v1/totals/tax: the totals equal the sums of the records, every line links to its rows, and no
// caller sees those of another.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localDate } from '../../src/core/calendar.ts';
import { decimal, formatDecimal, formatUnits, unitsAt } from '../../src/core/money.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, expectRefusal, refusesOperators, type Wire } from '../support/guarantees.ts';
import { type Cast, live, makeCast, totalled } from '../totals/life.ts';

let t: TestApp;
let cast: Cast;
const days = 'dayFrom=2026-11-01&dayTo=2027-12-31';
const every = 'by=day,countryCode,clientId,kind,verdict,productLine,rule';

beforeAll(async () => {
  t = await makeTestApp({ env: { LOG_LEVEL: 'info' } });
  cast = await makeCast(t);
  await live(t, cast, 7, 500);
  await totalled(t);
});
afterAll(() => t.stop());

// biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire says
type Line = any;
const ask = async (path: string, key = cast.psp.apiKey): Promise<Line[]> => contentOf(await t.get(path, key)).items;

/** All pages of a list. */
async function all(path: string, key = cast.psp.apiKey): Promise<Line[]> {
  const items: Line[] = [];
  for (let cursor = ''; ; ) {
    const page = contentOf(await t.get(`${path}&limit=7${cursor}`, key));
    items.push(...page.items);
    if (page.nextCursor === null) return items;
    cursor = `&cursor=${page.nextCursor}`;
  }
}

const sum = (numbers: readonly number[]): string => {
  const units = numbers.map((n) => unitsAt(decimal(String(n)), 30) as bigint).reduce((a, b) => a + b, 0n);
  return formatDecimal(decimal(formatUnits(units, 30)));
};

const deals = ['verifyTransaction CHARGED_BACK', 'deposit APPROVED'];
const plays = ['captureWager RECORDED', 'capturePayout RECORDED'];

describe.each([
  ['listTotals', '/v1/totals', [...deals, ...plays]],
  ['listTaxTotals', '/v1/totals/tax', deals],
  ['listAccrualTotals', '/v1/totals/accrual', plays],
])('%s', (id, path, among) => {
  const wire: Wire = { app: () => t, path: `${path}?${days}`, method: 'GET', caller: () => cast.psp };
  refusesOperators(wire, id);

  it('opens every line to exactly the rows it is made of', async () => {
    const lines = await ask(`${path}?${days}&${every}`);
    const kinds = new Set(lines.map((l) => `${l.kind} ${l.verdict}`));
    expect(among.filter((k) => !kinds.has(k))).toEqual([]);
    for (const l of lines) {
      const rows = await all(l.rows);
      expect(rows, l.rows).toHaveLength(l.count);
      // Amounts of 18 decimals are no longer exact once a test reads them as doubles.
      if (l.gross !== undefined && l.currency !== 'ETH')
        expect(sum(rows.map((r) => r.totalAmount ?? r.amount)), l.rows).toBe(sum([l.gross]));
    }
  });

  it('sums over days what it says of each, and over everything with one filter less', async () => {
    const byDay = await ask(`${path}?${days}&by=day,kind`);
    const whole = await ask(`${path}?${days}&by=kind`);
    for (const l of whole) {
      const parts = byDay.filter((d) => d.kind === l.kind && d.currency === l.currency && d.verdict === l.verdict);
      expect(parts.reduce((n, d) => n + d.count, 0)).toBe(l.count);
    }
    const one = whole[0];
    const filters = `kind=${one.kind}&currency=${one.currency}&verdict=${one.verdict}`;
    const [filtered] = await ask(`${path}?${days}&by=kind&${filters}`);
    expect({ ...filtered, rows: null }).toEqual({ ...one, rows: null });
  });

  it('never adds what was charged back or declined to what was approved', async () => {
    for (const l of await ask(`${path}?${days}&by=countryCode`)) {
      const apart = await ask(`${path}?${days}&by=countryCode&verdict=${l.verdict}`);
      expect(apart).toContainEqual(l);
    }
  });

  it('shows a client its own alone, and a PSP one client where it names one', async () => {
    const client = among === plays ? cast.gaming : (cast.clients[0] as Account);
    const foreign = among === plays ? (cast.clients[0] as Account) : cast.gaming;
    const own = await ask(`${path}?${days}&${every}`, client.apiKey);
    expect(new Set(own.map((l) => l.clientId))).toEqual(new Set([client.id]));
    expect(await ask(`${path}?${days}&${every}&clientId=${client.id}`)).toEqual(own);
    const stranger = await t.makeClient(await t.makePsp());
    expectRefusal(await t.get(`${path}?${days}&clientId=${stranger.id}`, cast.psp.apiKey), 404, 'NOT_FOUND');
    expectRefusal(await t.get(`${path}?${days}&clientId=${foreign.id}`, client.apiKey), 404, 'NOT_FOUND');
    expect(await ask(`${path}?${days}`, stranger.apiKey)).toEqual([]);
  });

  it.each([
    ['', "the query parameters 'dayFrom' and 'dayTo' are required: 2026-11-01"],
    ['dayFrom=2026-11-01', "the query parameter 'dayTo' is missing; 'dayFrom' goes with it"],
    ['dayTo=2026-11-01', "the query parameter 'dayFrom' is missing; 'dayTo' goes with it"],
    ['dayFrom=2026-02-30&dayTo=2026-03-01', "the query parameter 'dayFrom' must be a date from 2000 on: 2026-11-21"],
    ['dayFrom=2026-11-02&dayTo=2026-11-01', "the query parameter 'dayTo' is before 'dayFrom'"],
    [`${days}&by=colour`, /^the query parameter 'by' knows day, countryCode/],
  ])('refuses %s', async (query, message) => {
    expectRefusal(await t.get(`${path}?${query}`, cast.psp.apiKey), 400, 'QUERY_INVALID', message);
  });

  it('says how many entries it is behind', async () => {
    expect(contentOf(await t.get(`${path}?${days}`, cast.psp.apiKey)).entriesBehind).toBe(0);
  });
});

describe('days of totals', () => {
  it("are those of the country's own calendar, and a chargeback counts on its own day", async () => {
    const psp = await t.makePsp();
    const client = await t.makeClient(psp);
    // Shortly before midnight in Lagos, which is an hour ahead of UTC.
    t.advance(86_400_000 - ((t.now() + 3_600_000) % 86_400_000) - 60_000);
    const sale = { totalAmount: 100, paymentMethods: {}, transactionFee: 0, currency: 'NGN', countryCode: 'NG' };
    const verify = (ref: string) => t.post('/v1/transaction/verifyTransaction', { ...sale, ref }, client.apiKey);
    const first = localDate('Africa/Lagos', t.now());
    await verify('late');
    t.advance(120_000);
    await verify('early');
    await t.post('/v1/transaction/chargeBack', { ref: 'late' }, psp.apiKey);
    const second = localDate('Africa/Lagos', t.now());
    expect(second > first).toBe(true);
    await totalled(t);
    const lines = await ask(`/v1/totals?dayFrom=${first}&dayTo=${second}&by=day,countryCode,kind,verdict`, psp.apiKey);
    expect(lines.map((l) => [l.day, l.verdict, l.count])).toEqual([
      [first, 'APPROVED', 1],
      [second, 'APPROVED', 1],
      [second, 'CHARGED_BACK', 1],
    ]);
    const rows = await Promise.all(lines.map((l) => all(l.rows, psp.apiKey)));
    expect(rows.map((r) => r.map((x) => x.ref))).toEqual([['late'], ['early'], ['late']]);
  });
});

describe('taxes of days', () => {
  it('counts a record once for each of its rules, and tells what is owed by a return from what is in the amounts', async () => {
    const psp = await t.makePsp();
    const client = await t.makeClient(psp);
    const sale = { ref: 'duty', totalAmount: 20_000, paymentMethods: { card: 20_000 }, transactionFee: 100 };
    const { content } = (
      await t.post('/v1/transaction/verifyTransaction', { ...sale, currency: 'NGN', countryCode: 'NG' }, client.apiKey)
    ).body;
    await totalled(t);
    const lines = await ask(`/v1/totals/tax?${days}&by=rule`, psp.apiKey);
    expect(lines.map((l) => [l.rule, l.taxCode, l.count, l.method])).toEqual([
      ['NG-STAMPDUTY-PAYMENT-2026', 'STAMP_DUTY', 1, 'BY_RETURN'],
      ['NG-VAT-FEE-2020', 'VAT', 1, undefined],
      ['NG-VAT-STANDARD-2026', 'VAT', 1, undefined],
    ]);
    // What the split has: the rest is no part of the amounts.
    expect(sum(lines.filter((l) => l.method === undefined).map((l) => l.tax))).toBe(
      sum([content.vatAmount, content.transactionVAT]),
    );
    const [whole] = await ask(`/v1/totals/tax?${days}&by=kind`, psp.apiKey);
    expect(whole.count).toBe(3);
  });
});
