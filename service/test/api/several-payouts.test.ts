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

describe('a stake that is given back', () => {
  const operator = async (countryCode: string) =>
    t.makeClient(await t.makePsp(`Void ${countryCode}`, countryCode), { classification: 'IGAMING_LOCAL', countryCode });
  const wager = async (by: Account, ref: string, amount: number) =>
    contentOf(await t.post('/captureWager', { amount, ref, customer, ip: '102.0.2.44', type: 'sports' }, by.apiKey));
  const payout = (by: Account, wagerReference: string, ref: string, amount: number, stakeReturned?: boolean) => {
    const taxDetails = stakeReturned === undefined ? {} : { taxDetails: { stakeReturned } };
    return t.post('/capturePayout?expand=tax', { amount, ref, customer, wagerReference, ...taxDetails }, by.apiKey);
  };
  interface Shown extends Line {
    readonly tax: number;
    readonly reason: string | null;
  }
  const sum = (tax: readonly Shown[]) => tax.reduce((all, l) => all + l.tax, 0);

  it.each([
    // Income Tax Act of Uganda, s. 118C: 15 % of what is paid; PIT Act of Poland, art. 30(1)(2): 10 % of a win above 2,280.
    ['UG', 100_000, 15_000],
    ['PL', 5_000, 500],
    // A win in Kenya: nothing is withheld of a stake alone either way.
    ['KE', 1_000, 0],
  ])('bears no tax on wins in %s, and is a win where nothing is said', async (countryCode, stake, asWin) => {
    const by = await operator(countryCode);
    await wager(by, 'void', stake);
    await wager(by, 'win', stake);
    const given = contentOf(await payout(by, 'void', 'v-1', stake, true)) as { tax: Shown[] };
    expect(sum(given.tax)).toBe(0);
    expect(given.tax.map((l) => [l.taxableAmount, l.reason])).toEqual(given.tax.map(() => [0, 'STAKE_RETURNED']));
    const won = contentOf(await payout(by, 'win', 'w-1', stake)) as { tax: Shown[] };
    expect(sum(won.tax)).toBe(asWin);
  });

  it('takes its wager out of the gross gaming revenue', async () => {
    const by = await operator('MT');
    await wager(by, 'void-ggr', 50);
    const { accruals } = contentOf(await payout(by, 'void-ggr', 'g-1', 50, true)) as {
      accruals: { base: string; contribution: number }[];
    };
    const ggr = accruals.filter((a) => a.base === 'GGR_PERIOD');
    expect(ggr.length).toBeGreaterThan(0);
    expect(ggr.map((a) => a.contribution)).toEqual(ggr.map(() => -50));
  });

  it('is at most what is left of the stake', async () => {
    const by = await operator('PL');
    await wager(by, 'limit', 100);
    const over = await payout(by, 'limit', 'l-1', 100.01, true);
    expect(over.status).toBe(400);
    expect(over.body.message).toContain('at most 100 where');
    contentOf(await payout(by, 'limit', 'l-2', 60, true));
    expect((await payout(by, 'limit', 'l-3', 41, true)).body.message).toContain('at most 40 where');
    contentOf(await payout(by, 'limit', 'l-4', 40, true));
    expect((await payout(by, 'limit', 'l-5', 1, true)).status).toBe(400);
    await wager(by, 'won', 100);
    contentOf(await payout(by, 'won', 'w-1', 5_000));
    expect((await payout(by, 'won', 'w-2', 0.01, true)).body.message).toContain('at most 0 where');
    expect(sum((contentOf(await payout(by, 'won', 'w-3', 0, true)) as { tax: Shown[] }).tax)).toBe(0);
  });

  it('in part leaves the rest of the wager to be compared with the law by itself', async () => {
    // Half of a ticket of 3,000 is void; the other half wins 2,280, which is free, or 2,281, which is not.
    const by = await operator('PL');
    for (const [ref, win, tax] of [
      ['free', 2280, 0],
      ['taxed', 2281, 228.1],
    ] as const) {
      await wager(by, ref, 3_000);
      contentOf(await payout(by, ref, `${ref}-1`, 1_500, true));
      const won = contentOf(await payout(by, ref, `${ref}-2`, win)) as { tax: Shown[] };
      expect(sum(won.tax)).toBe(tax);
    }
  });

  it('is the same again when it is repeated, and another request where it is said otherwise', async () => {
    const by = await operator('PL');
    await wager(by, 'again', 5_000);
    contentOf(await payout(by, 'again', 'a-1', 5_000, true));
    expect(sum((contentOf(await payout(by, 'again', 'a-1', 5_000, true)) as { tax: Shown[] }).tax)).toBe(0);
    expect((await payout(by, 'again', 'a-1', 5_000)).status).toBe(409);
  });

  it('says so wherever the payout is read', async () => {
    const by = await operator('UG');
    await wager(by, 'shown', 1_000);
    const { payoutId } = contentOf(await payout(by, 'shown', 's-1', 1_000, true)) as { payoutId: string };
    expect(contentOf(await t.get(`/v1/payout/${payoutId}`, by.apiKey))).toMatchObject({ stakeReturned: true });
  });
});
