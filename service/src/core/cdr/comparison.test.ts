// Declared beside computed figures: the variance is exact, and the finding says what it is.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatUnits } from '../money.ts';
import { compare, compareQuantity, megabytesOf, minutesOf } from './comparison.ts';

describe('a comparison', () => {
  it.each([
    ['100.00', '100', 2, 1, '0', '0.00', 'EQUAL'],
    ['99', '100', 2, 1, '-1', '-1.00', 'UNDER'],
    ['1000', '3', 2, 1, '997', '33233.33', 'OVER'],
    ['338768.44', '338768.4375', 2, 1, '0.0025', '0.00', 'WITHIN_ROUNDING'],
    ['100.01', '100', 2, 1, '0.01', '0.01', 'OVER'],
    ['100.01', '100', 2, 2, '0.01', '0.01', 'WITHIN_ROUNDING'],
    ['99.98', '100', 2, 2, '-0.02', '-0.02', 'UNDER'],
    ['11', '12', 0, 1, '-1', '-8.33', 'UNDER'],
    ['0.4', '0', 0, 1, '0.4', null, 'WITHIN_ROUNDING'],
    ['5', undefined, 2, 1, '5', null, 'NOT_COMPUTED'],
    ['0', undefined, 2, 1, '0', null, 'EQUAL'],
    [null, '5', 2, 1, null, null, 'NOT_DECLARED'],
    [null, '0', 2, 1, null, null, 'NOTHING_DUE'],
    [null, undefined, 2, 1, null, null, 'NOTHING_DUE'],
  ] as const)('of declared %s with computed %s', (declared, computed, decimals, parts, variance, percent, finding) => {
    expect(compare(computed, declared, decimals, parts)).toEqual({ variance, percent, finding });
  });

  it('has the exact difference, whatever the number of decimals', () => {
    const amount = fc.record({ units: fc.bigInt({ min: 0n, max: 10n ** 24n }), scale: fc.nat(12) });
    fc.assert(
      fc.property(amount, amount, (a, b) => {
        const declared = formatUnits(a.units, a.scale);
        const { variance } = compare(formatUnits(b.units, b.scale), declared, 2);
        const [whole = '', fraction = ''] = (variance as string).replace('-', '').split('.');
        const units = BigInt(whole + fraction.padEnd(12, '0')) * ((variance as string).startsWith('-') ? -1n : 1n);
        const at12 = (d: typeof a) => d.units * 10n ** BigInt(12 - d.scale);
        expect(units).toBe(at12(a) - at12(b));
      }),
    );
  });
});

// 1,708 seconds are 28.4666… minutes, 43,022 kilobytes 42.013671875 megabytes.
it.each([
  ['1708', 60n, '28.47', '28.47', '0', 'EQUAL'],
  ['1708', 60n, '28.46', '28.47', '-0.01', 'WITHIN_ROUNDING'],
  ['1708', 60n, '28.467', '28.467', '0', 'EQUAL'],
  ['1708', 60n, '28.4', '28.47', '-0.07', 'UNDER'],
  ['1708', 60n, '28.477', '28.467', '0.01', 'OVER'],
  ['1708', 60n, '28.476', '28.467', '0.009', 'WITHIN_ROUNDING'],
  ['43022', 1024n, '42.0137', '42.0137', '0', 'EQUAL'],
  ['43022.0', 1024n, '42.01', '42.01', '0', 'EQUAL'],
  [undefined, 60n, '1', null, '1', 'NOT_COMPUTED'],
] as const)(
  'of %s units of 1/%d, %s declared is held against %s',
  (units, per, declared, computed, variance, finding) => {
    expect(compareQuantity(units, per, declared)).toMatchObject({ computed, variance, finding });
  },
);

it('shows seconds as minutes and kilobytes as megabytes, to hundredths, half up', () => {
  expect([0n, 1n, 30n, 60n, 6033n].map(minutesOf)).toEqual(['0.00', '0.02', '0.50', '1.00', '100.55']);
  expect(['0', '1024', '5.12', '1536'].map(megabytesOf)).toEqual(['0.00', '1.00', '0.01', '1.50']);
});
