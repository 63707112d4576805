// Whose country taxes a wager: the player's where its law follows the player. United Kingdom: remote gaming and betting
// duties are on bets of persons there, with providers anywhere (Finance Act 2014, sections 125, 127, 154 and 155). Germany:
// 5.3 % of a stake of a player there or with an organiser there (sections 16 and 17 RennwLottG).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, expectRefusal } from '../support/guarantees.ts';
import { made } from '../support/reports.ts';
import { totalled } from '../totals/life.ts';

let t: TestApp;
let psp: Account;
const clients = new Map<string, Account>();
let n = 0;
const customer = { email: 'kip@example.com' };

async function keyIn(countryCode: string): Promise<string> {
  const client =
    clients.get(countryCode) ?? (await t.makeClient(psp, { classification: 'IGAMING_LOCAL', countryCode }));
  clients.set(countryCode, client);
  return client.apiKey;
}

async function wager(operator: string, customerCountry: string | undefined, over: object = {}) {
  const body = {
    amount: 105.3,
    ref: `bet-${++n}`,
    customer,
    ip: '102.0.2.44',
    type: 'sports',
    ...(customerCountry === undefined ? {} : { taxDetails: { customerCountry } }),
    ...over,
  };
  return t.post('/captureWager?expand=tax', body, await keyIn(operator));
}
const taxesOf = (c: { tax: { ruleId: string; tax: number }[] }) =>
  Object.fromEntries(c.tax.filter((l) => l.tax > 0).map((l) => [l.ruleId, l.tax]));
const accrued = (c: { accruals: { ruleId: string }[] }) => c.accruals.map((a) => a.ruleId);

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp('Island Pay', 'MT');
});
afterAll(() => t?.stop());

describe('the country that taxes a wager', () => {
  it('is that of a German player of a Maltese operator: 5.3 % are within 105.30', async () => {
    const c = contentOf(await wager('MT', 'DE'));
    expect(taxesOf(c)).toEqual({ 'DE-STAKE-WAGER-2021': 5.3 });
    expect(accrued(c)).toEqual([]);
    expect(c.localDate).toBe('2026-11-21');
  });

  it('is that of the operator where the request does not say, or says home', async () => {
    const untold = contentOf(await wager('MT', undefined));
    expect(accrued(untold)).toEqual(['MT-GGR-GAMING-2026']);
    expect(accrued(contentOf(await wager('MT', 'MLT')))).toEqual(accrued(untold));
  });

  it('is the United Kingdom for a British player, in the currency of the operator', async () => {
    const c = contentOf(await wager('MT', 'gb'));
    expect(accrued(c)).toEqual(['GB-GGR-BETTING-2014']);
    expect(c.currency).toBe('EUR');
    const read = contentOf(await t.get(`/v1/wager/${c.wagerId}?expand=tax`, psp.apiKey));
    expect(read.countryCode).toBe('GB');
  });

  it('stays the same for the payout', async () => {
    const ref = `bet-${n + 1}`;
    contentOf(await wager('MT', 'GB'));
    const body = { amount: 300, ref: `win-${n}`, customer, wagerReference: ref };
    const c = contentOf(await t.post('/capturePayout?expand=tax', body, await keyIn('MT')));
    expect(accrued(c)).toEqual(['GB-GGR-BETTING-2014']);
  });

  it('is none where the law at home follows the player and that abroad the operator', async () => {
    const c = contentOf(await wager('GB', 'SG'));
    expect([c.tax, c.accruals]).toEqual([[], []]);
    const read = contentOf(await t.get(`/v1/wager/${c.wagerId}`, psp.apiKey));
    expect(read.observations).toContainEqual(expect.objectContaining({ code: 'PLAYER_ABROAD' }));
    const payout = { amount: 300, ref: `win-${n}`, customer, wagerReference: `bet-${n}` };
    const paid = contentOf(await t.post('/capturePayout?expand=tax', payout, await keyIn('GB')));
    expect([paid.tax, paid.accruals]).toEqual([[], []]);
  });

  it('is said to be one of two where both tax it', async () => {
    const c = contentOf(await wager('DE', 'GB'));
    expect(accrued(c)).toEqual(['GB-GGR-BETTING-2014']);
    const read = contentOf(await t.get(`/v1/wager/${c.wagerId}`, psp.apiKey));
    expect(read.observations).toContainEqual(
      expect.objectContaining({ code: 'TAXED_TWICE', message: expect.stringContaining('DE taxes it too') }),
    );
  });

  it('has to be one there is', async () => {
    expectRefusal(await wager('MT', 'XX'), 400, 'UNKNOWN_COUNTRY', /taxDetails.customerCountry/);
  });
});

// New Jersey: N.J.S.A. 5:12-95.19 and 5:12A-16, 19.75 % since 1 July 2025, and 1.25 % of sports. Pennsylvania: 4 Pa.C.S.
// § 13B52, 13B53, 13C62, 13C63. Nevada: NRS 463.370. United States: 0.25 % of the stake, 26 U.S.C. 4401.
describe('the part of the country that taxes a wager', () => {
  const inPart = (operator: string, customerSubdivision: string, type = 'sports', over: object = {}) =>
    wager(operator, undefined, { type, taxDetails: { customerSubdivision }, ...over });
  const rates = (c: { accruals: { ruleId: string; rate: string | null; terms: string }[] }) =>
    Object.fromEntries(c.accruals.map((a) => [a.ruleId, a.rate === null ? a.terms : Number(a.rate)]));
  const nevada = '3.5 % up to 50000, 4.5 % up to 134000, 6.75 % above';
  const federal = { 'US-EXCISE-WAGER-1983': 0.25 };
  const observed = async (c: { wagerId: string }) => {
    const { observations } = contentOf(await t.get(`/v1/wager/${c.wagerId}`, psp.apiKey));
    return observations.filter((o: { code: string }) => o.code === 'TAX_SUBDIVISION_UNKNOWN');
  };
  const profile = async (of: Account, countryCode: string, subdivision: string) => {
    const body = { countryCode, validFrom: '2026-01-01', registered: true, subdivision };
    contentOf(await t.post(`/v1/client/${of.id}/tax-profile`, body, psp.apiKey));
  };

  it.each([
    ['US-NJ', 'sports', { 'US-NJ-CRDA-SPORTS-2024': 1.25, 'US-NJ-GGR-SPORTS-2025': 19.75, ...federal }],
    ['US-NJ', 'casino', { 'US-NJ-GGR-IGAMING-2025': 19.75, 'US-NJ-IAT-IGAMING-2024': 2.5 }],
    ['US-PA', 'slots', { 'US-PA-GGR-SLOTS-2024': 52, 'US-PA-LSA-IGAMING-2024': 2 }],
    ['US-PA', 'poker', { 'US-PA-GGR-TABLE-2024': 14, 'US-PA-LSA-IGAMING-2024': 2 }],
    ['US-PA', 'sports', { 'US-PA-GGR-SPORTS-2024': 34, 'US-PA-LSA-SPORTS-2024': 2, ...federal }],
    ['US-NV', 'sports', { 'US-NV-GGR-GAMING-2024': nevada, ...federal }],
  ])('is that of the player, %s, wherever the operator is: %s', async (part, type, due) => {
    for (const operator of ['MT', 'US']) {
      const c = contentOf(await inPart(operator, part, type));
      expect(rates(c)).toEqual(due);
      expect(await observed(c)).toEqual([]);
    }
  });

  it('is unknown where nobody names it, or nothing is known of it, and the record says so', async () => {
    const untold = contentOf(await wager('MT', 'US'));
    expect(rates(untold)).toEqual(federal);
    expect(await observed(untold)).toMatchObject([{ message: expect.stringContaining('was named') }]);
    const texas = contentOf(await inPart('MT', 'US-TX'));
    expect(rates(texas)).toEqual(federal);
    expect(await observed(texas)).toMatchObject([{ field: 'taxDetails.customerSubdivision' }]);
    // Canada has no rule for the whole country, so both are said.
    const { wagerId } = contentOf(await wager('CA', undefined));
    const { observations } = contentOf(await t.get(`/v1/wager/${wagerId}`, psp.apiKey));
    expect(observations.map((o: { code: string }) => o.code)).toEqual(
      expect.arrayContaining(['TAX_SUBDIVISION_UNKNOWN', 'NO_TAX_RULE']),
    );
    // A country without such parts has none to name.
    expect(await observed(contentOf(await inPart('MT', 'GB-ENG')))).toEqual([]);
  });

  it('is that of the operator by its tax profile, unless the player is in another', async () => {
    const casino = await t.makeClient(psp, { classification: 'IGAMING_LOCAL', countryCode: 'US' });
    await profile(casino, 'US', 'US-NV');
    clients.set('Reno', casino);
    expect(rates(contentOf(await wager('Reno', undefined)))).toEqual({ 'US-NV-GGR-GAMING-2024': nevada, ...federal });
    const ref = `bet-${n + 1}`;
    expect(rates(contentOf(await inPart('Reno', 'US-PA', 'slots')))).toMatchObject({ 'US-PA-GGR-SLOTS-2024': 52 });
    // The payout follows its wager, whatever the profile says by then.
    await profile(casino, 'US', 'US-NJ');
    const payout = { amount: 900, ref: `win-${n}`, customer, wagerReference: ref };
    const paid = contentOf(await t.post('/capturePayout?expand=tax', payout, casino.apiKey));
    expect(rates(paid)).toEqual({ 'US-PA-GGR-SLOTS-2024': 52, 'US-PA-LSA-IGAMING-2024': 2 });
  });

  it('has in Nevada the bands of an operator in a month, over all product lines', async () => {
    const casino = await t.makeClient(psp, { classification: 'IGAMING_LOCAL', countryCode: 'US' });
    clients.set('Elko', casino);
    contentOf(await inPart('Elko', 'US-NV', 'sports', { amount: 150_000 }));
    contentOf(await inPart('Elko', 'US-NV', 'slots', { amount: 50_000 }));
    await totalled(t);
    const { reportId } = await made(t, { kind: 'ggrDuty', period: '2026-11' }, casino.apiKey);
    const { sections } = (await t.get(`/v1/report/${reportId}/json`, casino.apiKey)).body;
    const { rows } = sections.find((s: { name: string }) => s.name === 'duty');
    // 3.5 % of 50,000, 4.5 % of 84,000 and 6.75 % of 66,000.
    const duties = rows.filter((r: { rule: string }) => r.rule.startsWith('US-NV'));
    expect(duties.map((r: Record<string, unknown>) => [r.contribution, r.duty])).toEqual([['200000', '9985']]);
  });

  it('is the one that licensed the operator in Spain, wherever the player is', async () => {
    const national = contentOf(await inPart('ES', 'ES-MD'));
    expect(rates(national)).toEqual({ 'ES-GGR-GAMING-2018': 20 });
    expect(await observed(national)).toEqual([]);
    const madrid = await t.makeClient(psp, { classification: 'IGAMING_LOCAL', countryCode: 'ES' });
    await profile(madrid, 'ES', 'ES-MD');
    clients.set('Madrid', madrid);
    expect(rates(contentOf(await wager('Madrid', undefined)))).toEqual({ 'ES-MD-GGR-ONLINE-2024': 10 });
  });

  it('takes nothing in Ontario and Québec, which is said by a rule of each', async () => {
    expect(rates(contentOf(await inPart('CA', 'CA-ON')))).toEqual({ 'CA-ON-GGR-GAMING-2022': 0 });
    expect(rates(contentOf(await inPart('CA', 'CA-QC', 'casino')))).toEqual({ 'CA-QC-GGR-GAMING-2024': 0 });
  });

  it('has to be one of the country that is named, and to be one by its form', async () => {
    const taxDetails = { customerCountry: 'US', customerSubdivision: 'CA-ON' };
    expectRefusal(await wager('MT', 'US', { taxDetails }), 400, 'FIELD_INVALID', /customerSubdivision.* part of US/);
    expectRefusal(await inPart('MT', 'XX-1'), 400, 'UNKNOWN_COUNTRY', /customerSubdivision/);
    expectRefusal(await inPart('MT', 'New Jersey'), 400, 'FIELD_INVALID', /customerSubdivision/);
  });
});
