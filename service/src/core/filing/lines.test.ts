// Lines of returns: exact sums in the form's currency, each at its own rate, and nothing added that has none.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sumOf } from '../sums.ts';
import { type AppliedRate, accrualLines, type ReturnCurrency, returnLines, type TaxPart } from './lines.ts';

const rate = (text: string, day: string): AppliedRate => {
  const [whole = '', fraction = ''] = text.split('.');
  return {
    rate: text,
    exact: { n: BigInt(whole + fraction), d: 10n ** BigInt(fraction.length) },
    day,
    publisher: 'ECB',
  };
};
const rates: Readonly<Record<string, string>> = { '2026-09-01': '0.91', '2026-09-02': '0.93' };
const euro: ReturnCurrency = {
  code: 'EUR',
  decimals: 2,
  rateOf: (currency, day) => (currency === 'USD' && rates[day] ? rate(rates[day], day) : undefined),
};
const part = (p: Partial<TaxPart>): TaxPart => ({
  rule: 'R',
  operation: 'verifyTransaction',
  currency: 'EUR',
  taxable: '0',
  tax: '0',
  ...p,
});

describe('lines of a return', () => {
  it('add up the form’s currency and convert each day of another at the rate of that day', () => {
    const { lines, notConverted } = returnLines(
      [
        part({ taxable: '100', tax: '19' }),
        part({ taxable: '-10', tax: '-1.9', day: '2026-09-03' }),
        part({ currency: 'USD', day: '2026-09-01', taxable: '10', tax: '1.9' }),
        part({ currency: 'USD', day: '2026-09-01', taxable: '5', tax: '0.95' }),
        part({ currency: 'USD', day: '2026-09-02', taxable: '10', tax: '1.9' }),
      ],
      euro,
    );
    expect(notConverted).toEqual([]);
    expect(lines.map((l) => [l.currency, l.rate?.rate, l.foreignTaxable, l.taxable, l.tax])).toEqual([
      ['EUR', undefined, '90', '90', '17.1'],
      // 15 × 0.91 = 13.65; 2.85 × 0.91 = 2.5935. 10 × 0.93 = 9.30; 1.9 × 0.93 = 1.767.
      ['USD', '0.91', '15', '13.65', '2.59'],
      ['USD', '0.93', '10', '9.3', '1.77'],
    ]);
  });

  it('leave out what has no rate, and say so', () => {
    const { lines, notConverted } = returnLines(
      [
        part({ currency: 'USD', day: '2026-09-05', taxable: '10', tax: '1' }),
        part({ currency: 'BTC', day: '2026-09-01', taxable: '1', tax: '0.1' }),
      ],
      euro,
    );
    expect(lines).toEqual([]);
    expect(notConverted.map((l) => [l.currency, l.taxable, l.tax])).toEqual([
      ['BTC', '1', '0.1'],
      ['USD', '10', '1'],
    ]);
  });

  it('of a charge and its chargeback on one day come to nothing, in whatever currency', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 18n }), fc.constantFrom('EUR', 'USD'), (units, currency) => {
        const amount = `${units}.07`;
        const { lines } = returnLines(
          [
            part({ currency, day: '2026-09-01', taxable: amount, tax: amount }),
            part({ currency, day: '2026-09-01', taxable: `-${amount}`, tax: `-${amount}` }),
          ],
          euro,
        );
        expect([sumOf(lines.map((l) => l.taxable)), sumOf(lines.map((l) => l.tax))]).toEqual(['0', '0']);
      }),
    );
  });
});

describe('taxes due on a period', () => {
  const ggr = { rate: '20', base: 'GGR_PERIOD', rounding: 'HALF_UP' } as const;
  const accrual = (account: string, contribution: string, currency = 'EUR', day?: string) => ({
    rule: 'GGR',
    account,
    currency,
    day,
    contribution,
  });
  it('are each account’s own: the loss of one does not lessen the duty of another', () => {
    const { lines } = accrualLines([accrual('a', '1000'), accrual('b', '-400')], euro, () => ggr);
    expect(lines.map((l) => [l.taxable, l.tax, l.operation])).toEqual([['600', '200', undefined]]);
  });
  it('by brackets are of each month of a longer period', () => {
    const { rate: _, ...unrated } = ggr;
    const bands = { ...unrated, brackets: [{ upTo: '100', rate: '10' }, { rate: '20' }] };
    const parts = [
      accrual('a', '90', 'EUR', '2026-08-01'),
      accrual('a', '20', 'EUR', '2026-08-31'),
      accrual('a', '50', 'EUR', '2026-09-01'),
    ];
    // 10 and 20 % of 10; 10 % of 50.
    const { lines } = accrualLines(parts, euro, () => bands);
    expect(lines.map((l) => [l.taxable, l.tax])).toEqual([['160', '17']]);
  });
  it('are worked out on the converted base of all days', () => {
    const { lines } = accrualLines(
      [accrual('a', '100', 'USD', '2026-09-01'), accrual('a', '-50', 'USD', '2026-09-02')],
      euro,
      () => ggr,
    );
    // 91 − 46.5 = 44.5, of which 20 % is 8.90.
    expect(lines.map((l) => [l.currency, l.taxable, l.tax])).toEqual([
      ['EUR', '0', '8.9'],
      ['USD', '91', '0'],
      ['USD', '-46.5', '0'],
    ]);
  });
  it('are of the base in all currencies: what was lost in one lessens the duty on what was won in another', () => {
    const parts = [accrual('a', '1000'), accrual('a', '-100', 'USD', '2026-09-01')];
    const { lines } = accrualLines(parts, euro, () => ggr);
    // 1000 − 91 = 909, of which 20 % is 181.80.
    expect(lines.map((l) => [l.currency, l.taxable, l.tax])).toEqual([
      ['EUR', '1000', '181.8'],
      ['USD', '-91', '0'],
    ]);
  });
  it('are not made of what has no rate', () => {
    const made = accrualLines([accrual('a', '100', 'USD', '2026-09-09')], euro, () => ggr);
    expect([made.lines, made.notConverted.map((l) => [l.taxable, l.isBase])]).toEqual([[], [['100', true]]]);
    // What bears no tax is told apart from a base whose tax nobody knows.
    const exempt = returnLines([part({ currency: 'USD', taxable: '5', day: '2026-09-09' })], euro);
    expect(exempt.notConverted.map((l) => [l.taxable, l.isBase])).toEqual([['5', undefined]]);
  });
});
