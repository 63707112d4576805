// Gambling: taxes inside a wager or payout, and contributions to the base of periodic taxes, for the shipped rules and
// for rows written for these tests.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { taxCountry, taxRow } from '../../../test/support/tax-rows.ts';
import { loadRuleBook } from '../../platform/data-files.ts';
import { decimal, formatUnits, unitsAt } from '../money.ts';
import { accrualsOf, type GamingAmounts } from './accruals.ts';
import { RuleBook, type TaxPlan } from './book.ts';
import { isOfWager } from './charge.ts';
import type { TaxRule } from './rule.ts';
import { gamingTaxes } from './split.ts';

const book = loadRuleBook();

interface Event {
  readonly country: string;
  readonly line?: string;
  readonly date?: string;
}

function planOf(operation: 'captureWager' | 'capturePayout', e: Event, from = book): TaxPlan {
  const plan = from.plan({
    jurisdiction: e.country,
    operation,
    classification: 'IGAMING_LOCAL',
    productLine: e.line ?? 'sports',
    date: e.date ?? '2026-11-21',
  });
  if (!plan) throw new Error(`no plan for ${e.country}`);
  return plan;
}

/** Taxes inside the event, in cents: [rule, taxable, tax]. */
function inside(plan: TaxPlan, amounts: Parameters<typeof gamingTaxes>[1]) {
  const code = book.country(plan.jurisdiction)?.currency ?? 'EUR';
  return gamingTaxes(plan, amounts, { code, decimals: 2 }).map((l) => [l.ruleId, l.taxable, l.tax]);
}
/** For a wager of 100.00. */
const onStake = (e: Event) => inside(planOf('captureWager', e), { stake: 10_000n });
/** For a payout of 300.00 on a wager of 100.00. */
const onPayout = (e: Event) => inside(planOf('capturePayout', e), { payout: 30_000n, winnings: 20_000n });
const due = (lines: (string | bigint)[][]) => lines.filter(([, , tax]) => tax !== 0n);

/** Accruals of a wager of 100 and its payout of 300: [rule, rate, contribution]. */
const accrued = (e: Event) => [
  ...accrualsOf(planOf('captureWager', e), e.line ?? 'sports', { stake: '100' }),
  ...accrualsOf(planOf('capturePayout', e), e.line ?? 'sports', { payout: '300', winnings: '200' }),
];
const told = (e: Event) => accrued(e).map((a) => [a.rule, a.rate, a.contribution]);

describe('taxes inside the event', () => {
  it('DE: 5.3 % contained in the stake, 20 % of a lottery', () => {
    expect(due(onStake({ country: 'DE' }))).toEqual([['DE-STAKE-WAGER-2021', 9_497n, 503n]]);
    expect(due(onStake({ country: 'DE', line: 'lottery' }))).toEqual([['DE-STAKE-LOTTERY-2021', 8_333n, 1_667n]]);
  });

  it.each([
    ['NG', '2026-11-21', [['NG-WHT-WINNINGS-2025', 20_000n, 1_000n]]],
    ['UG', '2026-11-21', [['UG-WHT-BETTING-2023', 30_000n, 4_500n]]],
    ['RW', '2025-05-28', [['RW-WHT-WINNINGS-2024', 20_000n, 3_000n]]],
    ['RW', '2025-05-29', [['RW-WHT-WINNINGS-2025', 20_000n, 5_000n]]],
    ['GH', '2025-04-01', [['GH-WHT-WINNINGS-2023', 20_000n, 2_000n]]],
    ['GH', '2025-04-02', []],
    ['KE', '2025-06-30', [['KE-WHT-WINNINGS-2023', 20_000n, 4_000n]]],
    ['KE', '2025-07-01', []],
  ])('%s: withheld from a payout on %s', (country, date, lines) => {
    expect(due(onPayout({ country, date }))).toEqual(lines);
  });

  it('UG: games of a casino bear no withholding, and the row says that it was abolished', () => {
    const lines = onPayout({ country: 'UG', line: 'casino' });
    expect(due(lines)).toEqual([]);
    expect(lines.map(([id]) => book.rule(id as string)?.rule.reason)).toEqual(['ABOLISHED']);
  });

  it('IN: lottery winnings bear 30 % above 10,000 and nothing up to it', () => {
    const plan = planOf('capturePayout', { country: 'IN', line: 'lottery' });
    expect(due(inside(plan, { payout: 1_000_000n, winnings: 1_000_000n }))).toEqual([]);
    expect(due(inside(plan, { payout: 1_000_001n, winnings: 1_000_001n }))).toEqual([
      ['IN-TDS-LOTTERY-2025', 1_000_001n, 300_000n],
    ]);
  });

  it.each([
    ...['AT', 'BE', 'BG', 'CY', 'CZ', 'DE', 'DK', 'EE', 'ES', 'FI', 'FR', 'GR', 'HR', 'HU', 'IE', 'IT', 'LT', 'LU'],
    ...['LV', 'MT', 'NL', 'PL', 'PT', 'RO', 'SE', 'SI', 'SK', 'GB', 'NG'],
  ])('%s: bets are exempt from VAT, and the evidence says so', (country) => {
    const vat = onStake({ country }).filter(([id]) => book.rule(id as string)?.rule.taxCode === 'VAT');
    expect(vat.map(([, , tax]) => tax)).toEqual([0n]);
    expect(book.rule(vat[0]?.[0] as string)?.rule.reason).toBe('EXEMPT');
  });
});

describe('accruals', () => {
  it.each([
    ['GB', 'casino', '2026-03-31', 'GB-GGR-REMOTEGAMING-2019', '21'],
    ['GB', 'casino', '2026-04-01', 'GB-GGR-REMOTEGAMING-2026', '40'],
    ['GB', 'sports', '2027-03-31', 'GB-GGR-BETTING-2014', '15'],
    ['GB', 'sports', '2027-04-01', 'GB-GGR-REMOTEBETTING-2027', '25'],
    ['GB', 'horseracing', '2027-04-01', 'GB-GGR-HORSERACING-2014', '15'],
    ['UG', 'sports', '2026-06-30', 'UG-GGR-BETTING-2023', '20'],
    ['UG', 'sports', '2026-11-21', 'UG-GGR-BETTING-2026', '30'],
    ['UG', 'casino', '2026-06-30', 'UG-GGR-GAMING-2023', '30'],
    ['UG', 'casino', '2026-11-21', 'UG-GGR-BETTING-2026', '30'],
    ['RW', 'sports', '2026-11-21', 'RW-GGR-GAMBLING-2025', '40'],
    ['GH', 'sports', '2026-11-21', 'GH-GGR-GAMBLING-2023', '20'],
    ['MT', 'sports', '2026-11-21', 'MT-GGR-GAMING-2026', '5'],
  ])(
    '%s, %s on %s: a wager adds to gross gaming revenue, its payout takes from it',
    (country, line, date, rule, rate) => {
      expect(told({ country, line, date })).toEqual([
        [rule, rate, '100'],
        [rule, rate, '-300'],
      ]);
    },
  );

  it('BE: online games bore 21 % VAT on their revenue until it was annulled; from then on bets are exempt', () => {
    const online = { country: 'BE', line: 'casino' };
    expect(told({ ...online, date: '2018-05-21' })).toContainEqual(['BE-VAT-ONLINE-GAMBLING-2016', '21', '100']);
    expect(told(online)).toEqual([
      ['BE-GGR-REGIONAL-2024', '11', '100'],
      ['BE-GGR-REGIONAL-2024', '11', '-300'],
    ]);
  });

  it('ZA: VAT falls on the revenue, never on the stake', () => {
    expect(told({ country: 'ZA' })).toContainEqual(['ZA-VAT-GGR-2018', '13.0434782609', '100']);
    expect(due(onStake({ country: 'ZA' }))).toEqual([]);
  });

  it('PT: what is due on stakes by return is summed from wagers alone', () => {
    expect(told({ country: 'PT' })).toEqual([['PT-STAKE-BETTING-2024', '8', '100']]);
  });

  it('BR: what is due on winnings by return is summed from payouts alone', () => {
    expect(told({ country: 'BR' }).filter(([rule]) => String(rule).includes('WHT'))).toEqual([
      ['BR-WHT-WINNINGS-ANNUAL-2025', '15', '200'],
    ]);
  });

  it('tell tax, base and product line, so that a return can sum them', () => {
    expect(accrued({ country: 'MT' })[0]).toEqual({
      rule: 'MT-GGR-GAMING-2026',
      taxCode: 'GGR',
      base: 'GGR_PERIOD',
      rate: '5',
      productLine: 'sports',
      contribution: '100',
    });
  });

  it('are none where a country has no such rule', () => {
    expect(told({ country: 'AE' })).toEqual([]);
  });

  it('apply the threshold of a single event, and leave that of a period to the return', () => {
    const periodic = (over: Partial<TaxRule>) =>
      taxRow({ operations: ['captureWager', 'capturePayout'], inTransaction: false, threshold: '100', ...over });
    const from = new RuleBook('v', [
      taxCountry([
        periodic({ ruleId: 'WINNINGS', taxCode: 'WHT', base: 'WINNINGS' }),
        periodic({ ruleId: 'PAYOUT', taxCode: 'LEVY', base: 'PAYOUT' }),
        periodic({ ruleId: 'GGR', taxCode: 'GGR', base: 'GGR_PERIOD' }),
      ]),
    ]);
    const of = (amounts: GamingAmounts) =>
      Object.fromEntries(
        accrualsOf(planOf('capturePayout', { country: 'AA' }, from), 'sports', amounts).map((a) => [
          a.rule,
          a.contribution,
        ]),
      );
    expect(of({ payout: '150.5', winnings: '100' })).toEqual({ WINNINGS: '0', PAYOUT: '150.5', GGR: '-150.5' });
    // A lost bet's payout and a free bet's stake contribute nothing, and zero has no sign.
    expect(of({ payout: '0', winnings: '0' })).toEqual({ WINNINGS: '0', PAYOUT: '0', GGR: '0' });
    expect(of({ payout: '100', winnings: '100.01' })).toEqual({ WINNINGS: '100.01', PAYOUT: '0', GGR: '-100' });
  });

  it('are those of the bases that the event has', () => {
    const rows = (['STAKE', 'STAKE_INCLUSIVE', 'PAYOUT', 'WINNINGS', 'GGR_PERIOD'] as const).map((base) =>
      taxRow({ ruleId: base, taxCode: base, base, operations: ['capturePayout'], inTransaction: false }),
    );
    const plan = planOf('capturePayout', { country: 'AA' }, new RuleBook('v', [taxCountry(rows)]));
    const of = (amounts: GamingAmounts) => accrualsOf(plan, 'sports', amounts).map((a) => a.rule);
    expect(of({ stake: '100' }).sort()).toEqual(['GGR_PERIOD', 'STAKE', 'STAKE_INCLUSIVE']);
    expect(of({ payout: '300' }).sort()).toEqual(['GGR_PERIOD', 'PAYOUT']);
    expect(of({ winnings: '200' })).toEqual(['WINNINGS']);
    expect(of({})).toEqual([]);
  });

  it('sum to wagers less payouts exactly, to the last decimal', () => {
    const amount = fc
      .tuple(fc.bigInt({ min: 1n, max: 10n ** 30n }), fc.integer({ min: 0, max: 18 }))
      .map(([units, scale]) => formatUnits(units, scale));
    const units = (text: string) => unitsAt(decimal(text), 18) as bigint;
    const [wager, payout] = [planOf('captureWager', { country: 'GH' }), planOf('capturePayout', { country: 'GH' })];
    fc.assert(
      fc.property(fc.array(amount), fc.array(amount), (stakes, payouts) => {
        const all = [
          ...stakes.flatMap((stake) => accrualsOf(wager, 'sports', { stake })),
          ...payouts.flatMap((p) => accrualsOf(payout, 'sports', { payout: p, winnings: '0' })),
        ];
        const sum = (texts: string[]) => texts.reduce((total, text) => total + units(text), 0n);
        expect(sum(all.map((a) => a.contribution))).toBe(sum(stakes) - sum(payouts));
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('deposits of players', () => {
  it.each([
    ['2025-09-21', '28'],
    ['2025-09-22', '40'],
  ])('IN: GST is held in the whole of them, on %s at %s %%', (date, rate) => {
    const plan = book.plan({ jurisdiction: 'IN', operation: 'deposit', classification: 'IGAMING_LOCAL', date });
    expect(plan?.inclusive.map((c) => [c.rule.taxCode, c.rule.rate])).toEqual([['GST', rate]]);
  });
});

describe('a win that is paid in parts', () => {
  const days = '2026-11-21';
  const rowsOf = (country: string) =>
    (book.country(country)?.rules ?? []).filter(
      (r) => isOfWager(r) && r.validFrom <= days && (r.validTo ?? '9') > days,
    );
  const countries = [...book.countries()].map((c) => c.jurisdiction).filter((c) => rowsOf(c).length > 0);

  it('bears the taxes of the whole, however it is cut, in every country whose law names an amount', () => {
    expect(countries.length).toBeGreaterThan(20);
    const cents = fc.bigInt({ min: 0n, max: 60_000_000_00n });
    const drawn = fc.record({
      country: fc.constantFrom(...countries),
      stake: cents,
      parts: fc.array(cents, { maxLength: 6 }),
    });
    fc.assert(
      fc.property(drawn, ({ country, stake, parts }) => {
        const [row] = rowsOf(country);
        const plan = planOf('capturePayout', { country, line: row?.productLines?.[0] ?? 'sports' });
        const of = plan.others.filter((c) => isOfWager(c.rule)).map((c) => c.rule.ruleId);
        const taxed = (payout: bigint, before: bigint) => {
          const won = (paid: bigint) => (paid > stake ? paid - stake : 0n);
          const amounts = {
            payout,
            winnings: won(before + payout) - won(before),
            paidBefore: before,
            wonBefore: won(before),
          };
          return inside(plan, amounts).filter(([rule]) => of.includes(rule as string));
        };
        const sum = (lines: (string | bigint)[][], at: number) => lines.reduce((n, l) => n + (l[at] as bigint), 0n);
        let before = 0n;
        const each = parts.flatMap((p) => {
          const lines = taxed(p, before);
          before += p;
          return lines;
        });
        const whole = taxed(before, 0n);
        expect([sum(each, 1), sum(each, 2)]).toEqual([sum(whole, 1), sum(whole, 2)]);
      }),
      { numRuns: 2000 },
    );
  });
});
