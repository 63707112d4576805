// Several payouts of one wager, in sequence and at the same time: their sum above the stake is the winnings.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf } from '../support/guarantees.ts';

let t: TestApp;
let client: Account;
const customer = { email: 'kip@example.com' };

beforeAll(async () => {
  t = await makeTestApp();
  client = await t.makeClient(await t.makePsp(), { classification: 'IGAMING_LOCAL', countryCode: 'RW' });
});
afterAll(() => t?.stop());

const bet = async (ref: string) => {
  const body = { amount: 100, ref, customer, ip: '102.0.2.44', type: 'sports' };
  contentOf(await t.post('/captureWager', body, client.apiKey));
};

interface Line {
  readonly base: string;
  readonly taxableAmount: number;
}

/** What of a payout withholding tax was charged on. */
async function taxed(wagerReference: string, ref: string, amount: number): Promise<number> {
  const body = { amount, ref, customer, wagerReference };
  const { tax } = contentOf(await t.post('/capturePayout?expand=tax', body, client.apiKey)) as { tax: Line[] };
  const lines = tax.filter((l) => l.base === 'WINNINGS');
  return lines.reduce((sum, l) => sum + l.taxableAmount, 0);
}

describe('several payouts of one wager', () => {
  it('take the stake off once', async () => {
    await bet('in-parts');
    expect(await taxed('in-parts', 'p-1', 80)).toBe(0);
    expect(await taxed('in-parts', 'p-2', 120)).toBe(100);
    expect(await taxed('in-parts', 'p-3', 30)).toBe(30);
  });

  it('do so though a payout is repeated', async () => {
    await bet('repeated');
    expect(await taxed('repeated', 'r-1', 90)).toBe(0);
    expect(await taxed('repeated', 'r-1', 90)).toBe(0);
    expect(await taxed('repeated', 'r-2', 20)).toBe(10);
    expect(await taxed('repeated', 'r-2', 20)).toBe(10);
  });

  it('do so though they come at once', async () => {
    await bet('at-once');
    const each = await Promise.all(Array.from({ length: 24 }, (_, i) => taxed('at-once', `a-${i}`, 10)));
    expect(each.filter((x) => x === 0)).toHaveLength(10);
    expect(each.filter((x) => x === 10)).toHaveLength(14);
  });
});

describe('several payouts of one wager, where the law names an amount', () => {
  const wht = async (by: Account, wagerReference: string, amounts: readonly number[]): Promise<number[]> => {
    const wager = { amount: 10, ref: wagerReference, customer, ip: '102.0.2.44', type: 'sports' };
    contentOf(await t.post('/captureWager', wager, by.apiKey));
    const taxes: number[] = [];
    for (const [i, amount] of amounts.entries()) {
      const body = { amount, ref: `${wagerReference}-${i}`, customer, wagerReference };
      const { tax } = contentOf(await t.post('/capturePayout?expand=tax', body, by.apiKey));
      taxes.push(tax.reduce((sum: number, l: { tax: number }) => sum + l.tax, 0));
    }
    return taxes;
  };

  it.each([
    // PIT Act, art. 21(1)(6a): one winning up to PLN 2,280 is free, above it 10 per cent of the whole.
    ['PL', [2000, 2000, 100], [0, 400, 10]],
    ['PL', [4100], [410]],
    // Law 2961/2001, art. 60: the net winnings of a ticket, 2.5 % above EUR 100, 5 % above 200, 7.5 % above 500.
    ['GR', [110, 100, 500], [0, 2.5, 30]],
    ['GR', [710], [32.5]],
    // Fiscal Code of Romania, art. 110: each income received by itself, nothing is added up.
    ['RO', [10_000, 10_000], [400, 400]],
  ])('are taxed in %s as %j are: %j', async (countryCode, paid, taxes) => {
    const psp = await t.makePsp(`Pay ${countryCode}`, countryCode);
    const by = await t.makeClient(psp, { classification: 'IGAMING_LOCAL', countryCode });
    expect(await wht(by, `law-${countryCode}-${paid.length}`, paid)).toEqual(taxes);
  });
});
