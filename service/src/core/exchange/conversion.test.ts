// Which published rate converts an amount of a day, and that the arithmetic is exact.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Conversion, conversionsOf, daysNeeded, type RateRule } from './conversion.ts';
import { convert } from './convert.ts';
import type { Quote } from './quotes.ts';

const ecb = { publisher: 'ECB', base: 'EUR' };
const nbp = { publisher: 'NBP', base: 'PLN' };
const perEuro = (currency: string, day: string, rate: string): Quote => ({
  currency,
  day,
  per: 'BASE',
  units: 1,
  rate,
});
const inZloty = (currency: string, day: string, rate: string, units = 1): Quote => ({
  currency,
  day,
  per: 'CURRENCY',
  units,
  rate,
});

/** ECB reference rates of the first week of January 2024, and table A of Narodowy Bank Polski. */
const euro = [
  perEuro('USD', '2024-01-02', '1.0956'),
  perEuro('USD', '2024-01-03', '1.0919'),
  perEuro('USD', '2024-01-04', '1.0953'),
  perEuro('USD', '2024-01-05', '1.0921'),
  perEuro('CNY', '2024-01-02', '7.8264'),
  perEuro('CNY', '2024-01-05', '7.8130'),
];
const zloty = [
  inZloty('USD', '2024-01-02', '3.9432'),
  inZloty('USD', '2024-01-03', '3.9909'),
  inZloty('HUF', '2024-01-02', '1.1365', 100),
  inZloty('HUF', '2024-01-03', '1.1462', 100),
];

const rateOf = (rule: RateRule, to: string, currency: string, day: string, quotes = euro, from = ecb) => {
  const c = conversionsOf(from, rule, to, quotes)(currency, day);
  return c && [c.how, c.rate, c.day];
};

describe('the rate of a day', () => {
  it('is the last one published, as article 91 of Directive 2006/112/EC has it for weekends and holidays', () => {
    expect(rateOf('DAY', 'EUR', 'USD', '2024-01-05')).toEqual(['INVERSE', '1/1.0921', '2024-01-05']);
    // Saturday and Sunday.
    expect(rateOf('DAY', 'EUR', 'USD', '2024-01-06')).toEqual(['INVERSE', '1/1.0921', '2024-01-05']);
    expect(rateOf('DAY', 'EUR', 'USD', '2024-01-07')).toEqual(['INVERSE', '1/1.0921', '2024-01-05']);
    expect(rateOf('DAY', 'USD', 'EUR', '2024-01-02')).toEqual(['DIRECT', '1.0956', '2024-01-02']);
  });

  it('is missing after more than ten days without one, and before the first', () => {
    expect(rateOf('DAY', 'EUR', 'USD', '2024-01-15')?.[2]).toBe('2024-01-05');
    expect(rateOf('DAY', 'EUR', 'USD', '2024-01-16')).toBeUndefined();
    expect(rateOf('DAY', 'EUR', 'USD', '2024-01-01')).toBeUndefined();
    expect(rateOf('DAY', 'EUR', 'NGN', '2024-01-02')).toBeUndefined();
  });

  it('is that of the last day before it in Poland (article 31a of the VAT act)', () => {
    expect(rateOf('DAY_BEFORE', 'PLN', 'USD', '2024-01-03', zloty, nbp)).toEqual(['DIRECT', '3.9432', '2024-01-02']);
    expect(rateOf('DAY_BEFORE', 'PLN', 'USD', '2024-01-07', zloty, nbp)).toEqual(['DIRECT', '3.9909', '2024-01-03']);
    expect(rateOf('DAY_BEFORE', 'PLN', 'USD', '2024-01-02', zloty, nbp)).toBeUndefined();
  });

  it('counts units of a hundred', () => {
    expect(rateOf('DAY', 'PLN', 'HUF', '2024-01-02', zloty, nbp)).toEqual(['DIRECT', '0.011365', '2024-01-02']);
    expect(rateOf('DAY', 'HUF', 'PLN', '2024-01-02', zloty, nbp)).toEqual(['INVERSE', '100/1.1365', '2024-01-02']);
  });

  it('crosses two currencies through the publisher’s own, by rates of one day', () => {
    const found = conversionsOf(ecb, 'DAY', 'CNY', euro)('USD', '2024-01-04') as Conversion;
    // CNY was published on the 2nd and the 5th only.
    expect([found.how, found.rate, found.day]).toEqual(['CROSS', '7.8264/1.0956', '2024-01-02']);
    expect(found.published).toEqual(['1 EUR = 1.0956 USD', '1 EUR = 7.8264 CNY']);
    expect(rateOf('DAY', 'USD', 'HUF', '2024-01-02', zloty, nbp)).toEqual(['CROSS', '1.1365/394.32', '2024-01-02']);
  });

  it('is 1 for the currency itself, without any rate', () => {
    expect(rateOf('DAY', 'EUR', 'EUR', '1999-01-01')).toEqual(['SAME', '1', '1999-01-01']);
  });
});

describe('the rate of a month', () => {
  it('is the authority’s own for the whole month', () => {
    const hmrc = [perEuro('AUD', '2020-01-01', '1.905')];
    const of = (day: string) => rateOf('MONTH', 'GBP', 'AUD', day, hmrc, { publisher: 'HMRC', base: 'GBP' });
    expect(of('2020-01-31')).toEqual(['INVERSE', '1/1.905', '2020-01']);
    expect(of('2020-02-01')).toBeUndefined();
  });

  it('or the mean of its days, to the decimals that are published', () => {
    // (1.0956 + 1.0919 + 1.0953 + 1.0921) / 4 = 1.093725
    expect(rateOf('MONTH_AVERAGE', 'USD', 'EUR', '2024-01-20')).toEqual(['DIRECT', '1.0937', '2024-01']);
    // (7.8264 + 7.8130) / 2 = 7.8197
    expect(rateOf('MONTH_AVERAGE', 'CNY', 'EUR', '2024-01-20')).toEqual(['DIRECT', '7.8197', '2024-01']);
    // (1.1365 + 1.1462) / 2 = 1.14135, half up 1.1414 for 100
    expect(rateOf('MONTH_AVERAGE', 'PLN', 'HUF', '2024-01-20', zloty, nbp)).toEqual(['DIRECT', '0.011414', '2024-01']);
    expect(rateOf('MONTH_AVERAGE', 'USD', 'EUR', '2024-02-01')).toBeUndefined();
  });

  it('weighs days alike where the units changed within the month', () => {
    const mixed = [inZloty('HUF', '2024-01-02', '1.1365', 100), inZloty('HUF', '2024-01-03', '0.011462')];
    expect(rateOf('MONTH_AVERAGE', 'PLN', 'HUF', '2024-01-20', mixed, nbp)?.[1]).toBe('0.011414');
  });
});

describe('the days that are read', () => {
  it('reach back over the longest gap, or cover whole months', () => {
    expect(daysNeeded('DAY', '2024-01-01', '2024-01-31')).toEqual({ from: '2023-12-22', to: '2024-01-31' });
    expect(daysNeeded('MONTH_AVERAGE', '2024-01-15', '2024-02-03')).toEqual({ from: '2024-01-01', to: '2024-02-29' });
  });
});

describe('an amount in another currency', () => {
  it('is rounded once, half up, to the decimals of the currency', () => {
    expect(convert('100.00', { n: 10000n, d: 10956n }, 2)).toBe('91.27');
    expect(convert('0.05', { n: 1n, d: 10n }, 2)).toBe('0.01');
    expect(convert('-0.05', { n: 1n, d: 10n }, 2)).toBe('-0.01');
    expect(convert('0.04', { n: 1n, d: 10n }, 2)).toBe('0.00');
    expect(convert('12345678901234567890.12', { n: 155n, d: 1n }, 0)).toBe('1913580229691358022969');
  });

  const units = fc.bigInt(1n, 10n ** 9n);
  const rate = units
    .map((n) => `${n / 10_000n}.${(n % 10_000n).toString().padStart(4, '0')}`)
    .filter((t) => !/^[0.]+$/.test(t));
  const per = fc.constantFrom('BASE' as const, 'CURRENCY' as const);
  const quote = (currency: string) =>
    fc.record({
      currency: fc.constant(currency),
      day: fc.constant('2024-01-02'),
      per,
      units: fc.constantFrom(1, 100),
      rate,
    });
  /** The value of a fraction text. */
  const fractionOf = (text: string) => {
    const [n = '', d = '1'] = text.split('/');
    const read = (t: string) => {
      const [whole = '', part = ''] = t.split('.');
      return { n: BigInt(whole + part), d: 10n ** BigInt(part.length) };
    };
    return { n: read(n).n * read(d).d, d: read(n).d * read(d).n };
  };

  it('there and back is the same, exactly, whatever way it is quoted; the text says the same as the fraction', () => {
    fc.assert(
      fc.property(quote('USD'), quote('CNY'), (usd, cny) => {
        const find = (from: string, to: string) =>
          conversionsOf(ecb, 'DAY', to, [usd, cny])(from, '2024-01-02') as Conversion;
        for (const [a, b] of [
          ['USD', 'EUR'],
          ['USD', 'CNY'],
        ] as const) {
          const [there, back] = [find(a, b), find(b, a)];
          expect(there.ratio.n * back.ratio.n).toBe(there.ratio.d * back.ratio.d);
          const told = fractionOf(there.rate);
          expect(told.n * there.ratio.d).toBe(there.ratio.n * told.d);
        }
        const [first, second, cross] = [find('USD', 'EUR'), find('EUR', 'CNY'), find('USD', 'CNY')];
        expect(first.ratio.n * second.ratio.n * cross.ratio.d).toBe(first.ratio.d * second.ratio.d * cross.ratio.n);
      }),
    );
  });
});
