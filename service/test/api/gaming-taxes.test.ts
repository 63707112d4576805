// The taxes of a wager or payout with `?expand=tax`: those within the event, and those it adds to a periodic return. An
// operator's return can be computed from the stored records.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CountryTax, TaxRule } from '../../src/core/tax/rule.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, expectRefusal } from '../support/guarantees.ts';
import { entryCount, rowCount, told, uuidOf } from '../support/journal.ts';

let t: TestApp;
let psp: Account;
let operator: Account;
const clients = new Map<string, Account>();
let n = 0;
const customer = { email: 'kip@example.com' };

async function clientIn(countryCode: string): Promise<Account> {
  const known = clients.get(countryCode);
  if (known) return known;
  const made = await t.makeClient(psp, { classification: 'IGAMING_LOCAL', countryCode });
  clients.set(countryCode, made);
  return made;
}

const bet = (over: Record<string, unknown> = {}) => ({
  amount: 100,
  ref: `bet-${++n}`,
  customer,
  ip: '102.0.2.44',
  type: 'casino',
  ...over,
});
const wager = async (country: string, over: Record<string, unknown> = {}, expand = '?expand=tax') =>
  contentOf(await t.post(`/captureWager${expand}`, bet(over), (await clientIn(country)).apiKey));

/** A payout of a wager of 100. */
async function payout(country: string, amount: number, type = 'casino', expand = '?expand=tax') {
  const { apiKey } = await clientIn(country);
  const b = bet({ type });
  contentOf(await t.post('/captureWager', b, apiKey));
  const body = { amount, ref: `win-${n}`, customer, wagerReference: b.ref };
  return contentOf(await t.post(`/capturePayout${expand}`, body, apiKey));
}

const shipped = (country: string): CountryTax =>
  JSON.parse(readFileSync(join(import.meta.dirname, `../../data/tax/${country}.json`), 'utf8'));

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp('Island Pay', 'MT');
  operator = await t.makeOperator();
});
afterAll(() => t?.stop());

describe('without expand', () => {
  it('both replies are exactly those of the specification, whatever the taxes', async () => {
    expect(Object.keys(await wager('DE', {}, ''))).toEqual(['wagerId']);
    expect(Object.keys(await payout('RW', 300, 'sports', ''))).toEqual(['payoutId', 'wagerId', 'ref']);
  });

  it('the records read back show no accrual', async () => {
    const { wagerId } = await wager('GB', {}, '');
    const r = await t.get(`/v1/wager/${wagerId}`, psp.apiKey);
    expect(contentOf(r)).not.toHaveProperty('tax');
    expect(r.text).not.toContain('GGR');
  });
});

describe('a product line', () => {
  const unknown = async (country: string, type: string): Promise<string[]> => {
    const { wagerId } = await wager(country, { type });
    const { observations } = contentOf(await t.get(`/v1/wager/${wagerId}`, psp.apiKey));
    return observations
      .filter((o: { code: string }) => o.code === 'PRODUCT_LINE_UNKNOWN')
      .map((o: { message: string }) => o.message);
  };

  it('that no rule of the country names is observed, since nothing taxes it, and is no exemption', async () => {
    // Gambling Act of Poland, art. 74: 12 per cent of stakes in betting, other rates for other games.
    expect(await unknown('PL', 'Sports Betting')).toEqual([
      expect.stringMatching(
        /^no tax rule of PL names the product line 'Sports Betting'.* it taxes betting, bingo, casino, /,
      ),
    ]);
    for (const type of ['sports', 'BETTING', 'lottery', 'casino'])
      expect([type, await unknown('PL', type)]).toEqual([type, []]);
    // One rate for all lines, and others for some.
    expect(await unknown('TZ', 'casino')).toEqual([]);
    expect(await unknown('DE', 'football pools')).toEqual([]);
  });
});

describe('expand=tax', () => {
  it('on captureWager tells the exempt VAT and the accrual, with rule, source and dataset', async () => {
    const c = await wager('GB');
    expect(c).toEqual({
      wagerId: expect.stringMatching(/^wgr_/),
      currency: 'GBP',
      localDate: '2026-11-21',
      tax: [
        expect.objectContaining({
          jurisdiction: 'GB',
          taxCode: 'VAT',
          ruleId: 'GB-VAT-WAGER-1994',
          rate: '0',
          base: 'STAKE',
          taxableAmount: 100,
          tax: 0,
          reason: 'EXEMPT',
        }),
      ],
      accruals: [
        {
          jurisdiction: 'GB',
          taxCode: 'GGR',
          taxName: 'Gaming duty',
          category: 'gambling',
          supplies: [],
          subdivision: null,
          ruleId: 'GB-GGR-REMOTEGAMING-2026',
          rate: '40',
          terms: '40 %',
          says: null,
          base: 'GGR_PERIOD',
          productLine: 'casino',
          contribution: 100,
          reason: null,
          validFrom: '2026-04-01',
          validTo: null,
          sunsetOn: null,
          endsSoon: null,
          bearer: 'OPERATOR',
          source: expect.objectContaining({ title: expect.any(String), publisher: expect.any(String) }),
          legalRef: expect.anything(),
          confidence: expect.stringMatching(/^(official|secondary|assumed|unverified)$/),
          note: expect.anything(),
          dataset: t.app.services.rates.book.version,
        },
      ],
    });
  });

  it('on capturePayout tells what is withheld, and takes the payout from the revenue', async () => {
    const c = await payout('RW', 300, 'sports');
    expect(c).toMatchObject({ ref: `win-${n}`, currency: 'RWF' });
    expect(c.tax).toMatchObject([
      { ruleId: 'RW-WHT-WINNINGS-2025', rate: '25', base: 'WINNINGS', taxableAmount: 200, tax: 50, bearer: 'PLAYER' },
    ]);
    expect(c.accruals).toMatchObject([{ ruleId: 'RW-GGR-GAMBLING-2025', rate: '40', contribution: -300 }]);
  });

  it('tells a tax that the stake contains as contained', async () => {
    const c = await wager('DE', { amount: 105.3 });
    expect(c.tax).toContainEqual(
      expect.objectContaining({ ruleId: 'DE-STAKE-WAGER-2021', method: 'CONTAINED', taxableAmount: 100, tax: 5.3 }),
    );
    expect(c.accruals).toEqual([]);
  });

  it("goes by the wager's product line, also for its payout, in any case", async () => {
    expect((await wager('GB', { type: 'Sports' })).accruals).toMatchObject([{ rate: '15', productLine: 'sports' }]);
    expect((await payout('GB', 300, 'CASINO')).accruals).toMatchObject([{ rate: '40', productLine: 'casino' }]);
    expect((await payout('UG', 300, 'sports')).tax).toMatchObject([{ taxCode: 'WHT', taxableAmount: 300, tax: 45 }]);
    expect((await payout('UG', 300, 'CASINO')).tax).toMatchObject([{ taxCode: 'WHT', tax: 0, reason: 'ABOLISHED' }]);
  });

  it('on the records read back is what the capture told, and the same in the journal', async () => {
    const { wagerId, ...evidence } = await wager('MT');
    const read = contentOf(await t.get(`/v1/wager/${wagerId}?expand=tax`, (await clientIn('MT')).apiKey));
    expect(read).toMatchObject(evidence);
    expect(read).toMatchObject({ wagerId, amount: 100, type: 'casino' });
    const paid = await payout('MT', 40);
    expect(contentOf(await t.get(`/v1/payout/${paid.payoutId}?expand=tax`, psp.apiKey))).toMatchObject(paid);
    const [entry] = await told(t, paid.payoutId);
    expect(entry?.body.evidence).toMatchObject({
      dataset: t.app.services.rates.book.version,
      date: '2026-11-21',
      accruals: [
        { rule: 'MT-GGR-GAMING-2026', taxCode: 'GGR', base: 'GGR_PERIOD', rate: '5', contribution: '-40' },
        { rule: 'MT-VAT-CASINO-2018', taxCode: 'VAT', base: 'GGR_PERIOD', rate: '15.2542372881', contribution: '-40' },
      ],
    });
    expect(entry?.body.data).not.toHaveProperty('accruals');
  });

  it('tells that nothing applies where a country has no rule for gambling, which is observed', async () => {
    const { wagerId, ...evidence } = await wager('CA');
    expect(evidence).toEqual({ currency: 'CAD', localDate: '2026-11-21', tax: [], accruals: [] });
    expect(contentOf(await t.get(`/v1/wager/${wagerId}`, psp.apiKey)).observations).toContainEqual(
      expect.objectContaining({ code: 'NO_TAX_RULE' }),
    );
  });

  it('keeps contributions beyond a double exact', async () => {
    const text = JSON.stringify(bet({ amount: '@' })).replace('"@"', '123456789012345.123456789012345678');
    const r = await t.post('/captureWager?expand=tax', text, (await clientIn('GB')).apiKey);
    expect(r.text).toContain('"contribution":123456789012345.123456789012345678,');
  });

  it.each([
    ['captureWager', () => bet()],
    ['capturePayout', () => ({ amount: 1, ref: 'win-none', customer, wagerReference: 'bet-1' })],
  ])('refuses another part on %s, and records nothing', async (operation, body) => {
    const before = [await entryCount(t), await rowCount(t, 'refs')];
    expectRefusal(
      await t.post(`/${operation}?expand=tax,fees`, body(), (await clientIn('GB')).apiKey),
      400,
      'QUERY_INVALID',
      "the query parameter 'expand' knows tax; not 'fees'",
    );
    expect([await entryCount(t), await rowCount(t, 'refs')]).toEqual(before);
  });

  it('repeated after the rules changed tells what was decided, under the rules of that day', async () => {
    const { apiKey } = await clientIn('GR');
    const body = bet();
    const first = await t.post('/captureWager?expand=tax', body, apiKey);
    const country = shipped('GR');
    const rules = country.rules.map(
      (r): TaxRule => (r.base === 'GGR_PERIOD' ? { ...r, rate: '50', note: 'changed' } : r),
    );
    contentOf(await t.post('/v1/admin/tax', { reason: 'a test', country: { ...country, rules } }, operator.apiKey));
    const again = await t.post('/captureWager?expand=tax', body, apiKey);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect((await wager('GR')).accruals).toMatchObject([{ rate: '50', note: 'changed' }]);
  });
});

describe('what is kept', () => {
  it('sums to wagers less payouts by rule and product line, without another table', async () => {
    const { uuid } = await clientIn('GH');
    for (const amount of [10.25, 0.75, 300]) await wager('GH', { amount, type: 'sports' }, '');
    await wager('GH', { amount: 7 }, '');
    await payout('GH', 250.5, 'sports', '');
    const rows = await t.database.admin.query(
      `SELECT a ->> 'rule' AS rule, a ->> 'productLine' AS line, sum((a ->> 'contribution')::numeric)::text AS base
       FROM (SELECT account_id, evidence FROM wagers UNION ALL SELECT account_id, evidence FROM payouts) e,
         jsonb_array_elements(e.evidence::jsonb -> 'accruals') a
       WHERE account_id = $1 GROUP BY 1, 2 ORDER BY 2`,
      [uuid],
    );
    expect(rows).toEqual([
      { rule: 'GH-GGR-GAMBLING-2023', line: 'casino', base: '7' },
      // 10.25 + 0.75 + 300 + the 100 that won, less 250.50.
      { rule: 'GH-GGR-GAMBLING-2023', line: 'sports', base: '160.50' },
    ]);
  });

  it('stands in the record itself, as text', async () => {
    const { wagerId } = await wager('ZA', {}, '');
    const [row] = await t.database.admin.query('SELECT evidence FROM wagers WHERE id = $1', [uuidOf(wagerId)]);
    expect(JSON.parse(row?.evidence as string).accruals).toContainEqual({
      rule: 'ZA-VAT-GGR-2018',
      taxCode: 'VAT',
      base: 'GGR_PERIOD',
      rate: '13.0434782609',
      productLine: 'casino',
      contribution: '100',
    });
  });
});
