// The tax of a sum: by person, in parts that add up to that of the whole, whatever the days asked for.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays } from '../calendar.ts';
import { differenceOf, sumOf } from '../sums.ts';
import { type PersonRecord, personSums, type SummedRule, sumDays, taxOfSum } from './person-sums.ts';
import type { SummedOver, TaxRule } from './rule.ts';

const ruleOver = (summedOver: SummedOver, over: Partial<TaxRule> = {}): SummedRule => ({
  rule: {
    ruleId: 'XX-WHT',
    taxCode: 'WHT',
    category: 'gambling',
    operations: ['capturePayout'],
    classifications: [],
    mccRanges: [],
    base: 'WINNINGS',
    summedOver,
    rate: '10',
    allowance: '100',
    compoundsOn: [],
    bearer: 'PLAYER',
    inTransaction: true,
    rounding: 'HALF_UP',
    validFrom: '2024-01-01',
    validTo: null,
    source: 's',
    legalRef: null,
    confidence: 'official',
    ...over,
  },
  currency: 'EUR',
  decimals: 2,
});
let next = 0;
function won(rule: SummedRule, day: string, base: string, over: Partial<PersonRecord> = {}): PersonRecord {
  const tax = taxOfSum(rule, base, 'EUR') as string;
  return { rule: 'XX-WHT', account: 'a', person: 'p', id: String(++next), currency: 'EUR', day, base, tax, ...over };
}
const november = { first: '2026-11-01', last: '2026-11-30' };

describe('the days of a sum', () => {
  it('are the day, the month, or the year from the month on in which it begins', () => {
    expect(sumDays({ per: 'DAY' }, '2026-11-05')).toEqual({ first: '2026-11-05', last: '2026-11-05' });
    expect(sumDays({ per: 'MONTH' }, '2024-02-29')).toEqual({ first: '2024-02-01', last: '2024-02-29' });
    expect(sumDays({ per: 'YEAR' }, '2026-11-05')).toEqual({ first: '2026-01-01', last: '2026-12-31' });
    const india: SummedOver = { per: 'YEAR', firstMonth: 4 };
    expect(sumDays(india, '2025-03-31')).toEqual({ first: '2024-04-01', last: '2025-03-31' });
    expect(sumDays(india, '2025-04-01')).toEqual({ first: '2025-04-01', last: '2026-03-31' });
  });
});

describe('the tax of a sum', () => {
  it('deducts an allowance once a day, not once a payout', () => {
    const rule = ruleOver({ per: 'DAY' });
    const records = [won(rule, '2026-11-05', '80'), won(rule, '2026-11-05', '90'), won(rule, '2026-11-06', '90')];
    const sums = personSums(records, november, () => rule);
    expect(sums.map((s) => [s.first, s.base, s.due, s.recorded])).toEqual([
      ['2026-11-05', '170', '7', '0'],
      ['2026-11-06', '90', '0', '0'],
    ]);
  });

  it('returns what the records paid too much: a cap of the month was reached', () => {
    const rule = ruleOver({ per: 'MONTH' }, { allowance: '0', maxTax: '15' });
    const records = [won(rule, '2026-11-05', '100'), won(rule, '2026-11-20', '100'), won(rule, '2026-10-05', '100')];
    const [sum] = personSums(records, november, () => rule);
    expect([sum?.records, sum?.due, sum?.recorded]).toEqual([2, '15', '20']);
  });

  it('is apart for each person, operator and currency; a payout of nobody is a sum of its own', () => {
    const rule = ruleOver({ per: 'DAY' });
    const day = '2026-11-05';
    const records = [
      won(rule, day, '80'),
      won(rule, day, '80', { person: 'q' }),
      won(rule, day, '80', { account: 'b' }),
      won(rule, day, '80', { person: undefined }),
      won(rule, day, '80', { person: undefined }),
    ];
    expect(personSums(records, november, () => rule).map((s) => [s.records, s.due])).toEqual(Array(5).fill([1, '0']));
    const foreign = won(rule, day, '800', { currency: 'USD' });
    expect(personSums([foreign], november, () => rule)).toEqual([]);
  });

  it('adds up over the months of a year to the tax of the year', () => {
    const rule = ruleOver({ per: 'YEAR' }, { allowance: '500', rate: '17.5' });
    const days = fc.integer({ min: 0, max: 364 }).map((n) => addDays('2026-01-01', n));
    const payouts = fc.array(fc.tuple(days, fc.integer({ min: 1, max: 50_000 })), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(payouts, (list) => {
        const records = list.map(([day, cents]) => won(rule, day, (cents / 100).toFixed(2)));
        const months = Array.from({ length: 12 }, (_, i) =>
          sumDays({ per: 'MONTH' }, `2026-${String(i + 1).padStart(2, '0')}-01`),
        );
        const parts = months.flatMap((m) => personSums(records, m, () => rule));
        const whole = taxOfSum(rule, sumOf(records.map((r) => r.base)), 'EUR') as string;
        expect(sumOf(parts.map((p) => p.due))).toBe(sumOf([whole]));
        const recorded = sumOf(records.map((r) => r.tax));
        expect(differenceOf(sumOf(parts.map((p) => p.recorded)), recorded)).toBe('0');
      }),
      { numRuns: 60 },
    );
  });
});
