// Allocation: several taxes contained in one value, by their rates in whatever fractions, and a basket's total over its
// lines.
import { expect, it } from 'vitest';
import type { TaxPlan } from './book.ts';
import { earlierMovement } from './earlier-split.ts';
import { splitMovement } from './split.ts';

const chosen = (ruleId: string, n: bigint, d: bigint) => {
  const rate = { n, d };
  return { rule: { ruleId, rounding: 'HALF_UP' }, rate, ownRate: rate, on: [] };
};
const two = [chosen('FIVE', 5n, 100n), chosen('HALF', 25n, 1_000n)];
const none = { inclusive: [], inclusiveRate: { n: 0n, d: 1n }, added: [], others: [], accruals: [], fees: [] };

it('are each a part of the whole by its own rate, though one is in hundredths and one in thousandths', () => {
  const plan = { ...none, inclusive: two, inclusiveRate: { n: 75n, d: 1_000n } } as unknown as TaxPlan;
  const { lines, vatAmount } = splitMovement(plan, 1_075_00n, 0n, 0n);
  expect(lines.map((l) => [l.ruleId, l.taxable, l.tax])).toEqual([
    ['FIVE', 1_000_00n, 50_00n],
    ['HALF', 1_000_00n, 25_00n],
  ]);
  expect(vatAmount).toBe(75_00n);
  // 0.651 and 0.326 of 14 are tax; up to reckoning 2 their sum, 0.977, rounded to 1 and went to the larger.
  expect(splitMovement(plan, 14n, 0n, 0n).lines.map((l) => l.tax)).toEqual([1n, 0n]);
  // 0.977 and 0.488 of 21.
  expect(splitMovement(plan, 21n, 0n, 0n).lines.map((l) => l.tax)).toEqual([1n, 0n]);
  // 1.023 and 0.512 of 22.
  expect(splitMovement(plan, 22n, 0n, 0n).lines.map((l) => l.tax)).toEqual([1n, 1n]);
});

it('on top are rounded each by itself, where the earlier way rounded and shared their sum', () => {
  const plan = { ...none, added: two } as unknown as TaxPlan;
  // 5 % of 30 is 1.5, 2.5 % is 0.75: separately 2 and 1, together 2.25.
  expect(splitMovement(plan, 30n, 0n, 0n).lines.map((l) => l.tax)).toEqual([2n, 1n]);
  expect(earlierMovement(plan, 30n, 0n, 0n).lines.map((l) => l.tax)).toEqual([1n, 1n]);
  // 5 % of 13 is 0.65, 2.5 % is 0.325: the sum, 0.975, rounds to 1 and goes to the larger.
  expect(earlierMovement(plan, 13n, 0n, 0n).lines.map((l) => l.tax)).toEqual([1n, 0n]);
});
