// What is shared out: several taxes on one value, by their rates, whatever fractions these are written in, and a
// basket's total over its lines.
import { expect, it } from 'vitest';
import type { TaxPlan } from './book.ts';
import { splitLines, splitMovement } from './split.ts';

const chosen = (ruleId: string, n: bigint, d: bigint) => ({ rule: { ruleId, rounding: 'HALF_UP' }, rate: { n, d } });
const none = { inclusive: [], inclusiveRate: { n: 0n, d: 1n }, others: [], accruals: [], fees: [] };

it('share what is rounded once by their rates, though one is in hundredths and one in thousandths', () => {
  const plan = { ...none, added: [chosen('FIVE', 5n, 100n), chosen('HALF', 25n, 1_000n)] } as unknown as TaxPlan;
  const { lines, vatAmount } = splitMovement(plan, 1_000_00n, 0n, 0n);
  expect(lines.map((l) => [l.ruleId, l.tax])).toEqual([
    ['FIVE', 50_00n],
    ['HALF', 25_00n],
  ]);
  expect(vatAmount).toBe(75_00n);
  // 5 % of 13 is 0.65, 2.5 % is 0.325: the sum, 0.975, is 1 and goes to the larger.
  expect(splitMovement(plan, 13n, 0n, 0n).lines.map((l) => l.tax)).toEqual([1n, 0n]);
});

it("a basket's total is shared over its lines by their subtotals, and its VAT over those that bear any", () => {
  const lines = [
    { subTotal: 30n, exempt: false },
    { subTotal: 60n, exempt: true },
    { subTotal: 10n, exempt: false },
  ];
  const tenth = (taxable: bigint) => taxable / 10n;
  expect(splitLines(1_000n, lines, tenth)).toEqual({ taxable: 400n, vat: 40n, perLine: [30n, 0n, 10n] });
  const free = lines.map((l) => ({ ...l, subTotal: 0n }));
  expect(splitLines(900n, free, tenth)).toEqual({ taxable: 600n, vat: 60n, perLine: [30n, 0n, 30n] });
});
