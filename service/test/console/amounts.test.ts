// Amounts as people type them, as the console's filters read them.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amountsInWords, groupDigits, plainNumber, readAmount } from '../../../console/src/data/amounts.ts';
import { withAmounts } from '../../src/core/reports/legible.ts';

describe('an amount that is typed', () => {
  it.each([
    ['1,715.23', '1715.23'],
    ['1 715,23', '1715.23'],
    ['1.715,23', '1715.23'],
    ['1\u202f715,23', '1715.23'],
    ["1'715.23", '1715.23'],
    ['1715.23', '1715.23'],
    ['1,234,567', '1234567'],
    ['1.234.567', '1234567'],
    ['1,234', '1234'],
    ['12,5', '12.5'],
    ['0.00046', '0.00046'],
    ['007', '7'],
  ])('%s is read as %s', (written, amount) => {
    expect(readAmount(written)).toEqual({ amount });
  });

  it('has a decimal comma where the language writes one', () => {
    expect(readAmount('1,234', ',')).toEqual({ amount: '1.234' });
    expect(readAmount('1\u202f234\u202f567,5', ',')).toEqual({ amount: '1234567.5' });
    expect(readAmount('1.234.567', ',')).toEqual({ amount: '1234567' });
  });

  it.each([
    ...[
      ['7,5', '7.5'],
      ['-1\u202f250,50', '-1250.50'],
      ['−3', '-3'],
      [' 7.250 ', '7.250'],
      ['0,000', '0.000'],
    ],
    [`${'9'.repeat(30)}.5`, `${'9'.repeat(30)}.5`],
    ...[
      ['', ''],
      ['-', '-'],
      ['1e5', '1e5'],
      ['12 NGN', '12 NGN'],
      ['1,2,3', '1,2,3'],
    ],
  ])('%j in a French form is %j', (typed, plain) => expect(plainNumber(typed, ',')).toBe(plain));

  it.each(['KES 1,715.23', '1,715.23 kes'])('%s brings its currency along', (written) => {
    expect(readAmount(written)).toEqual({ amount: '1715.23', currency: 'KES' });
  });

  it.each(['', 'KES', '1,2,3', '1.2.3', '-5', '1e5', '1,715.23.4', '12 KES KES'])('%j is no amount', (written) => {
    expect(readAmount(written)?.amount).toBeUndefined();
  });

  it('is read back exactly from what the console prints', () => {
    const amounts = fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 18n }), fc.constantFrom('NGN', 'JPY', 'BTC'), fc.nat(99));
    fc.assert(
      fc.property(amounts, ([whole, currency, cents]) => {
        const text = currency === 'JPY' ? String(whole) : `${whole}.${String(cents).padStart(2, '0')}`;
        const printed = groupDigits(text, currency);
        expect(readAmount(`${printed} ${currency}`)).toEqual({ amount: text, currency });
      }),
    );
  });
});

describe('amounts among the facts of a report', () => {
  it.each([
    'NGN 1315.4',
    'BTC 0.5, ETH 1',
    'NGN -12.00, USD 3',
    'NG 1',
    'NGN 1315.4 or more',
    'NGN',
    '2026-10',
    'usd 3',
    'NGN 1,USD 2',
    '',
  ])('are found in %j by the console where the print finds them', (value) => {
    const print = withAmounts(value, (currency, amount) => `${groupDigits(amount, currency)} ${currency}`);
    expect(amountsInWords(value)).toBe(print ?? value);
  });
});
