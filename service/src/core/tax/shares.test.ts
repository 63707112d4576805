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

it('share what is rounded once by their rates, though one is in hundredths and one in thousandths', () => {
  const plan = { ...none, inclusive: two, inclusiveRate: { n: 75n, d: 1_000n } } as unknown as TaxPlan;
  const { lines, vatAmount } = splitMovement(plan, 1_075_00n, 0n, 0n);
  expect(lines.map((l) => [l.ruleId, l.taxable, l.tax])).toEqual([
    ['FIVE', 1_000_00n, 50_00n],
    ['HALF', 1_000_00n, 25_00n],
  ]);
  expect(vatAmount).toBe(75_00n);
  // 0.977 of 14 is tax: it rounds to 1 and goes to the larger.
  expect(splitMovement(plan, 14n, 0n, 0n).lines.map((l) => l.tax)).toEqual([1n, 0n]);
});

it('on top are rounded each by itself, where the earlier way rounded and shared their sum', () => {
  const plan = { ...none, added: two } as unknown as TaxPlan;
  // 5 % of 30 is 1.5, 2.5 % is 0.75: separately 2 and 1, together 2.25.
  expect(splitMovement(plan, 30n, 0n, 0n).lines.map((l) => l.tax)).toEqual([2n, 1n]);
  expect(earlierMovement(plan, 30n, 0n, 0n).lines.map((l) => l.tax)).toEqual([1n, 1n]);
  // 5 % of 13 is 0.65, 2.5 % is 0.325: the sum, 0.975, rounds to 1 and goes to the larger.
  expect(earlierMovement(plan, 13n, 0n, 0n).lines.map((l) => l.tax)).toEqual([1n, 0n]);
});
