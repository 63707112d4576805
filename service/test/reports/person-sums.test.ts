// Latvia adds up what a person is paid in one visit: the report has the tax of the day's sum of each person, over HTTP.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf } from '../support/guarantees.ts';
import { made } from '../support/reports.ts';

let t: TestApp;
let psp: Account;
let bookmaker: Account;
let other: Account;
const dayMs = 86_400_000;

type Row = Readonly<Record<string, string | number | null>>;

async function pay(ref: string, amount: number, email: string, by = bookmaker): Promise<Row> {
  const customer = { email };
  const stake = { amount: 10, ref: `bet-${ref}`, customer, ip: '102.0.2.44', type: 'sports' };
  contentOf(await t.post('/captureWager', stake, by.apiKey));
  const payout = { amount, ref: `win-${ref}`, customer, wagerReference: `bet-${ref}` };
  return contentOf(await t.post('/capturePayout', payout, by.apiKey));
}
async function sections(period: string, key = psp.apiKey): Promise<(name: string) => readonly Row[]> {
  const r = await made(t, { kind: 'personSums', period }, key);
  expect([r.reason, r.state]).toEqual([null, 'DONE']);
  const { sections: all } = (await t.get(`/v1/report/${r.reportId}/json`, key)).body as {
    sections: { name: string; rows: readonly Row[] }[];
  };
  return (name) => all.find((s) => s.name === name)?.rows ?? [];
}

beforeAll(async () => {
  t = await makeTestApp({ startAt: '2026-10-30T10:00:00Z' });
  psp = await t.makePsp('Baltic Pay');
  bookmaker = await t.makeClient(psp, { countryCode: 'LV', classification: 'IGAMING_LOCAL' });
  other = await t.makeClient(psp, { countryCode: 'LV', classification: 'IGAMING_LOCAL', registeredName: 'Other Bets' });
  await pay('october', 2_900, 'anna@example.com');
  t.advance(10 * dayMs);
  await pay('1', 2_000, 'anna@example.com');
  await pay('2', 2_500, 'Anna@Example.com');
  await pay('3', 2_900, 'boris@example.com');
  await pay('4', 10_000, 'boris@example.com', other);
  t.advance(dayMs);
  await pay('5', 2_900, 'anna@example.com');
});
afterAll(() => t.stop());

describe('taxes on what a person won', () => {
  it('are those of the sum of a day, less what the payouts were taxed by themselves', async () => {
    const section = await sections('2026-11');
    const own = section('byRule').find((r) => r.clientId === bookmaker.id);
    // Anna's 4,500 on one day: 1,500 above EUR 3,000 at 25.5 %; no payout by itself is above it.
    expect(own).toMatchObject({
      rule: 'LV-WHT-PAYOUT-2025',
      sums: 3,
      due: '382.5',
      recorded: '0',
      difference: '382.5',
    });
    expect(String(own?.terms)).toContain('of what a person wins in a day');
    const [anna, ...rest] = section('persons');
    expect(rest).toEqual([]);
    expect(anna).toMatchObject({ records: 2, base: '4500', due: '382.5', recorded: '0', difference: '382.5' });
    expect([anna?.first, anna?.last]).toEqual(['2026-11-09', '2026-11-09']);
    expect(String(anna?.person)).not.toContain('anna');
    // 10,000 in one payout was taxed in full: 7,000 x 25.5 %.
    expect(section('byRule').find((r) => r.clientId === other.id)).toMatchObject({ due: '1785', recorded: '1785' });
  });

  it('are of the month asked for, and of a client alone with its key', async () => {
    const october = await sections('2026-10');
    expect(october('byRule').map((r) => [r.clientId, r.due, r.difference])).toEqual([[bookmaker.id, '0', '0']]);
    const own = await sections('2026-11', other.apiKey);
    expect(own('byRule').map((r) => r.clientId)).toEqual([other.id]);
    expect(own('persons')).toEqual([]);
  });

  it('are announced with each payout that was taxed by itself', async () => {
    await pay('6', 100, 'carl@example.com');
    const list = contentOf(await t.get('/v1/payout?ref=win-6', bookmaker.apiKey)).items;
    expect(list[0].observations.map((o: { code: string }) => o.code)).toContain('TAX_OF_A_SUM');
  });
});
