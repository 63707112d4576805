// The sums of an effect against sums by hand; examples; the division of readings.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Compared, DutySums, EffectSums, shares } from './effect.ts';

let n = 0;
const record = (over: Partial<Compared> = {}): Compared => ({
  ...{
    operation: 'verifyTransaction',
    currency: 'EUR',
    id: `txn_${String(++n).padStart(4, '0')}`,
    pspId: 'psp_1',
    account: 'cli_1',
  },
  ...{ date: '2026-10-01', amount: '120.00', now: '20.00', proposed: '22.00', differs: true },
  ...over,
});
const summed = (records: readonly Compared[]) => {
  const sums = new EffectSums();
  for (const r of records) sums.add(r);
  return sums;
};

describe('an effect', () => {
  it('is summed by operation and currency, never across them', () => {
    const lines = summed([
      record(),
      record({ now: '10.10', proposed: '10.10', differs: false }),
      record({ currency: 'JPY', now: '100', proposed: '80' }),
      record({ operation: 'deposit', now: '0.1', proposed: '0.3' }),
    ]).lines();
    const line = { records: 1, changed: 1 };
    expect(lines).toEqual([
      { ...line, operation: 'deposit', currency: 'EUR', taxNow: '0.1', taxProposed: '0.3', difference: '0.2' },
      {
        ...{ operation: 'verifyTransaction', currency: 'EUR', records: 2, changed: 1 },
        ...{ taxNow: '30.1', taxProposed: '32.1', difference: '2' },
      },
      { ...line, operation: 'verifyTransaction', currency: 'JPY', taxNow: '100', taxProposed: '80', difference: '-20' },
    ]);
  });

  it('has ten examples at most, the largest difference of each line first, fall or rise', () => {
    const sales = Array.from({ length: 30 }, (_, i) => record({ proposed: `${20 + i}.00`, differs: i > 0 }));
    const fall = record({ proposed: '-80.00' });
    const other = record({ operation: 'deposit' });
    const examples = summed([...sales, fall, other]).examples();
    expect(examples).toHaveLength(10);
    expect(examples.slice(0, 4).map((e) => [e.operation, e.proposed])).toEqual([
      ['deposit', '22.00'],
      ['verifyTransaction', '-80.00'],
      ['verifyTransaction', '49.00'],
      ['verifyTransaction', '48.00'],
    ]);
  });

  it('lists no record that stays as it is', () => {
    expect(summed([record({ proposed: '20.00', differs: false })]).examples()).toEqual([]);
  });
});

describe('duties by return', () => {
  const play = (account: string, contribution: string, over = {}) => ({
    ...{ rule: 'GGR', taxCode: 'GGR', base: 'GGR_PERIOD', rate: '15', productLine: 'sports', contribution, account },
    ...{ currency: 'KES', decimals: 2, rounding: 'HALF_UP', ...over },
  });

  it("are worked out on each client's sum: no loss of one lowers the duty of another", () => {
    const sums = new DutySums();
    for (const [side, rate] of [
      ['now', '15'],
      ['proposed', '20'],
    ] as const)
      for (const p of [play('a', '1000'), play('a', '-400'), play('b', '-5000')])
        sums.add(side, { ...p, rate } as never);
    expect(sums.lines()).toEqual([{ currency: 'KES', taxNow: '90', taxProposed: '120', difference: '30' }]);
  });
});

describe('readings', () => {
  const counts = fc.array(fc.integer({ min: 1, max: 5_000 }), { maxLength: 60 });

  it('are all of the records where there are enough of them', () => {
    fc.assert(
      fc.property(counts, (list) => {
        const total = list.reduce((a, b) => a + b, 0);
        const read = shares(
          list.map((count) => ({ count })),
          total,
          60,
        );
        expect(read.reduce((a, s) => a + s.take, 0)).toBe(total);
      }),
    );
  });

  it('are never more than allowed, of a list or in sum, and in proportion to within one', () => {
    fc.assert(
      fc.property(counts, fc.integer({ min: 1, max: 500 }), (list, most) => {
        const total = list.reduce((a, b) => a + b, 0);
        const read = shares(
          list.map((count) => ({ count })),
          most,
          60,
        );
        expect(read.reduce((a, s) => a + s.take, 0)).toBe(Math.min(total, most));
        for (const s of read) {
          expect(s.take).toBeLessThanOrEqual(s.count);
          if (total > most) expect(Math.abs(s.take - (s.count * most) / total)).toBeLessThan(1);
        }
      }),
    );
  });

  it('are of the longest lists where there are too many', () => {
    const read = shares([{ count: 1 }, { count: 9 }, { count: 5 }], 100, 2);
    expect(read).toEqual([
      { count: 9, take: 9 },
      { count: 5, take: 5 },
    ]);
  });
});
