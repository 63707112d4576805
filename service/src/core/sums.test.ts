// Sums are exact, however many digits they have.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { differenceOf, isNegative, isZero, negated, plain, sumOf, wireSum } from './sums.ts';

const text = fc
  .tuple(fc.bigInt({ min: -(10n ** 45n), max: 10n ** 45n }), fc.integer({ min: 0, max: 18 }))
  .map(([units, scale]) => {
    const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
    const body = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
    return units < 0n ? `-${body}` : body;
  });

describe('sums', () => {
  it.each([
    [['0.1', '0.2'], '0.3'],
    [['1.50', '-1.5'], '0'],
    [['99999999999999999999999999999999999999', '0.00000001'], '99999999999999999999999999999999999999.00000001'],
    [[], '0'],
  ])('of %j is %s', (texts, sum) => expect(sumOf(texts)).toBe(sum));

  it('do not depend on the order, and are undone by their negation', () => {
    fc.assert(
      fc.property(fc.array(text), (list) => {
        expect(sumOf([...list].reverse())).toBe(sumOf(list));
        expect(sumOf([...list, ...list.map(negated)])).toBe('0');
      }),
    );
  });

  it('differ by what their difference says', () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        const d = differenceOf(a, b);
        expect(sumOf([b, d])).toBe(plain(a));
        expect(isZero(d)).toBe(plain(a) === plain(b));
        expect(isNegative(d)).toBe(!isZero(d) && d.startsWith('-'));
      }),
    );
  });

  it('are written to JSON as the number they are', () => {
    fc.assert(
      fc.property(text, (a) => {
        const [, number = ''] = /^\{"a":(.*)\}$/.exec(JSON.stringify({ a: wireSum(a) })) ?? [];
        // A double may be written with an exponent; every reader then gets the same value.
        if (number.includes('e')) expect(Number(number)).toBe(Number(a));
        else expect(plain(number)).toBe(plain(a));
      }),
    );
  });

  it.each(['', 'x', '1e3', '.5', '1.', '--1'])("refuse '%s'", (bad) => {
    expect(() => sumOf([bad])).toThrow('not a plain decimal');
  });
});
