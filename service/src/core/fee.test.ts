// The fee schedule: which row applies, and the fee it gives.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FeeQuestion, type FeeRule, FeeSchedule, feeOn, feeProblems } from './fee.ts';

const rule = (over: Partial<FeeRule> = {}): FeeRule => ({
  feeId: 'DEFAULT',
  operations: ['verifyTransaction'],
  classifications: [],
  countries: [],
  percent: '1.00',
  validFrom: '2024-01-01',
  validTo: null,
  ...over,
});
const question: FeeQuestion = {
  psp: 'p1',
  operation: 'verifyTransaction',
  classification: 'ECOMM_LOCAL',
  country: 'NG',
  currency: 'NGN',
  date: '2026-11-21',
};

describe('choosing', () => {
  const choose = (rules: FeeRule[], q: Partial<FeeQuestion> = {}) =>
    new FeeSchedule(rules).choose({ ...question, ...q })?.feeId;
  const narrowing: [string, Partial<FeeRule>][] = [
    ["the PSP's own row", { psp: 'p1' }],
    ["the country's", { countries: ['NG'] }],
    ["the classification's", { classifications: ['ECOMM_LOCAL'] }],
    ["the currency's", { currency: 'NGN' }],
  ];

  it.each(narrowing)('takes %s before the general one, in whatever order they stand', (_, over) => {
    const narrow = rule({ feeId: 'NARROW', ...over });
    expect(choose([rule(), narrow])).toBe('NARROW');
    expect(choose([narrow, rule()])).toBe('NARROW');
  });

  it.each(narrowing)('leaves %s aside where it does not fit', (_, over) => {
    const elsewhere = { psp: 'p2', country: 'KE', classification: 'CRYPTO_LOCAL', currency: 'KES' };
    expect(choose([rule({ feeId: 'NARROW', ...over }), rule()], elsewhere)).toBe('DEFAULT');
  });

  it("prefers the PSP's own to a country's, a country's to a classification's, that to a currency's", () => {
    const rows = narrowing.map(([, over], i) => rule({ feeId: `N${i}`, ...over }));
    expect(choose([...rows].reverse())).toBe('N0');
    expect(choose(rows.slice(1).reverse())).toBe('N1');
    expect(choose(rows.slice(2).reverse())).toBe('N2');
  });

  it('takes the row that names the fewest operations', () => {
    const many = rule({ feeId: 'MANY', operations: ['verifyTransaction', 'deposit'] });
    expect(choose([many, rule({ feeId: 'ANY', operations: [] }), rule({ feeId: 'ONE' })])).toBe('ONE');
    expect(choose([rule({ feeId: 'ANY', operations: [] }), many])).toBe('MANY');
  });

  it('keeps to the dates: from the first day, to the day before the end', () => {
    const rows = [rule({ feeId: 'OLD', validTo: '2026-01-01' }), rule({ feeId: 'NEW', validFrom: '2026-01-01' })];
    expect(choose(rows, { date: '2025-12-31' })).toBe('OLD');
    expect(choose(rows, { date: '2026-01-01' })).toBe('NEW');
    expect(choose(rows, { date: '2023-12-31' })).toBeUndefined();
  });

  it('answers the same question the same way, and undefined where nothing fits', () => {
    const schedule = new FeeSchedule([rule()]);
    expect(schedule.choose(question)).toBe(schedule.choose({ ...question }));
    expect(schedule.choose({ ...question, operation: 'deposit' })).toBeUndefined();
    expect(schedule.rule('DEFAULT')?.percent).toBe('1.00');
    expect(schedule.rule('OTHER')).toBeUndefined();
  });

  it('does not depend on the order of the rows', () => {
    const row = fc.record({
      psp: fc.constantFrom(undefined, 'p1', 'p2'),
      countries: fc.constantFrom([], ['NG'], ['KE'], ['NG', 'KE']),
      classifications: fc.constantFrom([], ['ECOMM_LOCAL'], ['CRYPTO_LOCAL']),
      operations: fc.constantFrom(['verifyTransaction'], ['verifyTransaction', 'deposit'], ['deposit']),
      validFrom: fc.constantFrom('2024-01-01', '2025-01-01', '2027-01-01'),
    });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 8 }), fc.infiniteStream(fc.nat()), (rows, keys) => {
        const rules = rows.map(({ psp, ...r }, i) => rule({ feeId: `F${i}`, ...r, ...(psp ? { psp } : {}) }));
        const shuffled = rules
          .map((r) => ({ r, k: keys.next().value }))
          .sort((a, b) => a.k - b.k)
          .map(({ r }) => r);
        expect(choose(shuffled)).toBe(choose(rules));
      }),
    );
  });
});

describe('feeOn', () => {
  it.each([
    ['1 % of 107.50', { percent: '1.00' }, 10_750n, 2, 108n],
    ['half a cent up', { percent: '0.50' }, 100n, 2, 1n],
    ['nothing at 0 %', { percent: '0' }, 10n ** 30n, 18, 0n],
    ['percent plus fixed', { percent: '1', fixed: '0.30' }, 10_000n, 2, 130n],
    ['at least the minimum', { percent: '1', min: '5.00' }, 10_000n, 2, 500n],
    ['at most the maximum', { percent: '10', max: '5.00' }, 10_000n, 2, 500n],
    ['a fixed part in an asset without decimals', { percent: '0', fixed: '100' }, 5_000n, 0, 100n],
    ['a minimum finer than the asset, rounded to its unit', { percent: '0', min: '0.5' }, 5_000n, 0, 1n],
    ['a maximum finer than the asset, never taken for none', { percent: '10', max: '2.345' }, 10_000n, 2, 235n],
  ] as [string, Partial<FeeRule>, bigint, number, bigint][])('is %s', (_, over, amount, scale, fee) => {
    expect(feeOn(rule(over), amount, scale)).toBe(fee);
  });

  it('is the exact percentage rounded half up, whatever the amount', () => {
    const percent = fc.integer({ min: 0, max: 10_000 });
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 36n }), percent, (amount, hundredths) => {
        const text = `${Math.floor(hundredths / 100)}.${String(hundredths % 100).padStart(2, '0')}`;
        const naive = (2n * amount * BigInt(hundredths) + 10_000n) / 20_000n;
        expect(feeOn(rule({ percent: text }), amount, 2)).toBe(naive);
      }),
    );
  });
});

describe('a row that has ended', () => {
  const ended = new FeeSchedule([rule({ validTo: '2026-01-01' })]);

  it('is taken until the day before, and no other in its place', () => {
    expect(ended.choose({ ...question, date: '2025-12-31' })?.feeId).toBe('DEFAULT');
    expect(ended.choose({ ...question, date: '2026-01-01' })).toBeUndefined();
    expect(ended.choose({ ...question, date: '2026-11-21' })).toBeUndefined();
  });
});

describe('the bounds of a fee', () => {
  const bounded = rule({ percent: '1', currency: 'NGN', min: '2', max: '5' });

  it('leave alone what lies between them', () => {
    expect(feeOn(bounded, 300_00n, 2)).toBe(3_00n);
    expect(feeOn(bounded, 200_00n, 2)).toBe(2_00n);
    expect(feeOn(bounded, 500_00n, 2)).toBe(5_00n);
  });

  it('raise what is less and lower what is more', () => {
    expect(feeOn(bounded, 199_00n, 2)).toBe(2_00n);
    expect(feeOn(bounded, 501_00n, 2)).toBe(5_00n);
  });
});

describe('feeProblems', () => {
  const wrong: [string, Partial<FeeRule>, string][] = [
    ['an id in lower case', { feeId: 'default' }, 'feeId must'],
    ['an id of two letters', { feeId: 'AB' }, 'feeId must'],
    ['an id with a blank before it', { feeId: ' CARD' }, 'feeId must'],
    ['an id with a blank behind it', { feeId: 'CARD ' }, 'feeId must'],
    ['a negative percentage', { percent: '-1' }, 'percent must'],
    ['more than all', { percent: '100.01' }, 'percent must'],
    ['no percentage', { percent: 'x' }, 'percent must'],
    ['a negative part', { fixed: '-1', currency: 'NGN' }, 'fixed must'],
    ['a part that is no amount', { fixed: 'x', currency: 'NGN' }, 'fixed must'],
    ['a part in no currency', { fixed: '1' }, 'fixed needs the currency'],
    ['a least fee above the most', { min: '2.1', max: '2.09', currency: 'NGN' }, 'min is above max'],
    ['a day that is none', { validFrom: '2026-02-30' }, "validFrom '2026-02-30'"],
    ['a day before all', { validFrom: '1969-12-31' }, "validFrom '1969-12-31'"],
    ['an end on its first day', { validTo: '2024-01-01' }, 'validTo must be null or later'],
  ];
  it.each(wrong)('refuse %s, and say just that', (_, over, said) => {
    expect(feeProblems(rule(over), []).map(String)).toEqual([expect.stringContaining(said)]);
  });

  it('find nothing at the bounds', () => {
    for (const over of [
      { percent: '0' },
      { percent: '100' },
      { percent: '2.95' },
      { min: '1', currency: 'NGN' },
      { max: '1', currency: 'NGN' },
      { fixed: '0', min: '2.10', max: '2.1', currency: 'NGN' },
      { validFrom: '1970-01-01', validTo: '1970-01-02' },
      { feeId: 'A.9' },
    ])
      expect(feeProblems(rule(over), [])).toEqual([]);
  });

  it('refuse a row for the same calls on a day that another has, however its lists are ordered', () => {
    const lists = { operations: ['deposit', 'verifyTransaction'], countries: ['NG', 'KE'] };
    const other = rule({ ...lists, feeId: 'OTHER', validFrom: '2025-01-01', validTo: '2026-01-01' });
    const same = { operations: ['verifyTransaction', 'deposit'], countries: ['KE', 'NG'] };
    expect(feeProblems(rule({ ...same, validFrom: '2025-12-31' }), [other]).map(String)).toEqual([
      expect.stringContaining('it overlaps OTHER'),
    ]);
    for (const apart of [
      { ...same, validFrom: '2026-01-01' },
      { ...same, validTo: '2025-01-01' },
      { ...same, currency: 'NGN', validFrom: '2025-06-01' },
      { ...same, psp: 'p1', validFrom: '2025-06-01' },
      { ...same, classifications: ['ECOMM_LOCAL'], validFrom: '2025-06-01' },
      { ...same, countries: ['KE'], validFrom: '2025-06-01' },
      { operations: ['deposit'], countries: ['KE', 'NG'], validFrom: '2025-06-01' },
    ])
      expect(feeProblems(rule(apart), [other])).toEqual([]);
  });

  it('keep rows of different PSPs, currencies and classifications apart, and not their lists in another order', () => {
    const of = (over: Partial<FeeRule>) => rule({ feeId: 'OTHER', ...over });
    expect(feeProblems(rule({ psp: 'p1' }), [of({ psp: 'p2' })])).toEqual([]);
    expect(feeProblems(rule({ currency: 'NGN' }), [of({ currency: 'KES' })])).toEqual([]);
    expect(feeProblems(rule({ psp: 'p1', currency: 'NGN' }), [of({ psp: 'p1', currency: 'NGN' })])).toHaveLength(1);
    const two = ['ECOMM_LOCAL', 'ECOMM_GLOBAL'] as const;
    expect(
      feeProblems(rule({ classifications: [...two] }), [of({ classifications: [...two].reverse() })]).map(String),
    ).toHaveLength(1);
  });
});
