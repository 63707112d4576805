// Whose country taxes a wager: the player's where its law follows the player. United Kingdom: remote gaming and betting
// duties are on bets of persons there, with providers anywhere (Finance Act 2014, sections 125, 127, 154 and 155). Germany:
// 5.3 % of a stake of a player there or with an organiser there (sections 16 and 17 RennwLottG).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, expectRefusal } from '../support/guarantees.ts';

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
