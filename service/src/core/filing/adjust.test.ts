// However the records of filed periods change, what was declared in all returns together is what the records are today.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { differenceOf, sumOf } from '../sums.ts';
import { correctionsOf, type FiledReturn, type SummedLine, summedLines } from './adjust.ts';

const line = (rule: string, tax: string, operation: string | null = 'verifyTransaction', currency = 'NGN') => ({
  rule,
  ...(operation === null ? {} : { operation }),
  currency,
  taxable: `${tax}0`,
  tax,
  foreignTaxable: `${tax}0`,
  foreignTax: tax,
});

describe('a correction of a filed period', () => {
  it('is what changed since it was filed, by rule and currency, and nothing where nothing did', () => {
    const filed: FiledReturn = {
      period: '2026-09',
      lines: [line('A', '10'), line('B', '5'), line('A', '1', 'deposit')],
    };
    expect(correctionsOf('2026-09', filed.lines, [filed])).toEqual([]);
    const today = [line('A', '8'), line('B', '5'), line('A', '1', 'deposit'), line('A', '2', null, 'USD')];
    expect(correctionsOf('2026-09', today, [filed]).map((l) => [l.period, l.operation, l.currency, l.tax])).toEqual([
      ['2026-09', 'verifyTransaction', 'NGN', '-2'],
      ['2026-09', undefined, 'USD', '2'],
    ]);
  });

  it('is not made twice: what a later return corrected is taken off', () => {
    const september: FiledReturn = { period: '2026-09', lines: [line('A', '10')] };
    const october: FiledReturn = {
      period: '2026-10',
      lines: [line('A', '3'), { ...line('A', '-2'), period: '2026-09' }],
    };
    expect(correctionsOf('2026-09', [line('A', '8')], [september, october])).toEqual([]);
    expect(correctionsOf('2026-09', [line('A', '7')], [september, october]).map((l) => l.tax)).toEqual(['-1']);
    // A correction of September is no part of October.
    expect(correctionsOf('2026-10', [line('A', '3')], [september, october])).toEqual([]);
  });

  it('makes the sum of all returns, the open one with them, the totals of today', () => {
    const amount = fc.integer({ min: -10_000, max: 10_000 }).map((c) => (c / 100).toFixed(2));
    const totals = fc.array(
      fc.record({
        rule: fc.constantFrom('A', 'B', 'C'),
        tax: amount,
        operation: fc.constantFrom('verifyTransaction', 'deposit', null),
        currency: fc.constantFrom('NGN', 'USD'),
      }),
      { maxLength: 6 },
    );
    // At each step a period is filed, over the totals of all periods as they are by then.
    const histories = fc.array(fc.array(totals, { minLength: 5, maxLength: 5 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(histories, (history) => {
        const filings: FiledReturn[] = [];
        for (const [k, now] of history.entries()) {
          const at = now.map((lines) => summedLines(lines.map((l) => line(l.rule, l.tax, l.operation, l.currency))));
          const corrections = at.slice(0, k).flatMap((today, p) => correctionsOf(String(p), today, filings));
          filings.push({ period: String(k), lines: summedLines([...(at[k] as SummedLine[]), ...corrections]) });
          const declared = filings.flatMap((f) => f.lines);
          const today = at.slice(0, k + 1).flat();
          for (const rule of ['A', 'B', 'C'])
            for (const currency of ['NGN', 'USD'])
              for (const figure of ['taxable', 'tax', 'foreignTaxable', 'foreignTax'] as const) {
                const sum = (ls: readonly SummedLine[]) =>
                  sumOf(ls.filter((l) => l.rule === rule && l.currency === currency).map((l) => l[figure]));
                expect(differenceOf(sum(declared), sum(today))).toBe('0');
              }
        }
      }),
    );
  });
});
