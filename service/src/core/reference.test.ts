// Codes of currencies, assets, countries and merchant categories: validity dates, and how unknown codes are refused.
// The shipped files themselves are checked in tax/data.test.ts.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimal } from './money.ts';
import { type Asset, clip, Reference, workedOutIn } from './reference.ts';
import { Refusal } from './refusal.ts';

const currency = (code: string, decimals = 2, validFrom: string | null = null, validTo: string | null = null) => ({
  code,
  decimals,
  name: code,
  validFrom,
  validTo,
});
const asset = (symbol: string, network: string, decimals: number) => ({ symbol, network, decimals, name: symbol });
const country = (alpha2: string, alpha3: string | null) => ({
  alpha2,
  alpha3,
  name: alpha2,
  currency: 'EUR',
  timeZone: 'UTC',
  callingCode: null,
});

const reference = new Reference({
  currencies: [
    currency('EUR'),
    currency('JPY', 0),
    currency('ANG', 2, null, '2025-07-01'),
    currency('XCG', 2, '2025-03-31'),
  ],
  assets: [asset('USDT', 'ETHEREUM', 6), asset('USDT', 'BSC', 18), asset('BTC', 'BITCOIN', 8)],
  countries: [country('GR', 'GRC'), country('GB', 'GBR'), country('XK', null)],
  aliases: { EL: 'GR', UK: 'GB' },
  mccs: [
    { mcc: '5411', name: 'Groceries' },
    { from: '3501', to: '3999', name: 'Hotels' },
  ],
});
const refused = (r: unknown, code: string, words: string) => {
  expect(r).toBeInstanceOf(Refusal);
  expect((r as Refusal).code).toBe(code);
  expect((r as Refusal).message).toContain(words);
};

describe('countries', () => {
  it.each(['GR', 'gr', 'GRC', 'grc', 'Grc', 'EL', 'el'])("knows '%s' as GR", (text) => {
    expect(reference.country(text)).toMatchObject({ alpha2: 'GR' });
  });

  it.each(['', 'G', 'GREECE', 'ZZ', '300', 'G R', 'ΕΛ', 'gr\u0000', 'ſt'])(
    "refuses '%s' and names the field",
    (text) => {
      refused(
        reference.country(text, 'place'),
        'UNKNOWN_COUNTRY',
        "the field 'place' is not an ISO 3166-1 country code",
      );
    },
  );

  it('never answers with what objects inherit', () => {
    for (const text of ['constructor', '__proto__', 'toString', 'has'])
      refused(reference.country(text), 'UNKNOWN_COUNTRY', text);
  });
});

describe('currencies and assets', () => {
  const day = '2026-11-21';

  it.each(['EUR', 'eur', 'Eur'])("knows '%s' in any case", (text) => {
    expect(reference.asset(text, day, false)).toMatchObject({ code: 'EUR', decimals: 2 });
  });

  it('knows no code in letters that only become its own in capitals', () => {
    for (const code of ['uſd', 'ınr', 'ＥＵＲ']) refused(reference.asset(code, day, true), 'UNKNOWN_CURRENCY', code);
    for (const code of ['ıq', 'uſ', 'ﬁ', 'ß']) refused(reference.country(code), 'UNKNOWN_COUNTRY', code);
  });

  it('knows a code up to the day before it ends and from its first day on', () => {
    expect(reference.asset('ANG', '2025-06-30', false)).toMatchObject({ code: 'ANG' });
    refused(
      reference.asset('ANG', '2025-07-01', false),
      'UNKNOWN_CURRENCY',
      "'ANG', which was withdrawn on 2025-07-01",
    );
    refused(reference.asset('XCG', '2025-03-30', false), 'UNKNOWN_CURRENCY', "'XCG', which is in use from 2025-03-31");
    expect(reference.asset('XCG', '2025-03-31', false)).toMatchObject({ code: 'XCG' });
  });

  it('knows crypto assets only where they are allowed', () => {
    expect(reference.asset('btc', day, true)).toEqual({ code: 'BTC', decimals: 8, shipped: 8 });
    refused(reference.asset('BTC', day, false), 'UNKNOWN_CURRENCY', 'is not an ISO 4217 currency code');
    refused(reference.asset('DOGGO', day, true), 'UNKNOWN_CURRENCY', 'or a known crypto asset');
  });

  it('gives a symbol the most decimals of its networks, so that no exact amount is refused', () => {
    expect(reference.asset('USDT', day, true)).toEqual({ code: 'USDT', decimals: 18, fewest: 6, shipped: 18 });
  });

  it('works out parts in the fewest decimals of its networks that hold the amounts given', () => {
    const usdt = reference.asset('USDT', day, true) as Asset;
    const inWhich = (...amounts: string[]) => workedOutIn(usdt, amounts.map(decimal)).decimals;
    expect([inWhich('1000', '0'), inWhich('0.000001', '1'), inWhich('1.0000000')]).toEqual([6, 6, 6]);
    expect([inWhich('1000', '0.0000001'), inWhich('0.000000000000000001')]).toEqual([18, 18]);
    expect(workedOutIn({ code: 'BTC', decimals: 8 }, [decimal('1')]).decimals).toBe(8);
  });

  it('takes currencies on crypto operations too', () => {
    expect(reference.asset('JPY', day, true)).toMatchObject({ code: 'JPY', decimals: 0 });
  });
});

describe('merchant category codes', () => {
  it.each(['5411', '3501', '3700', '3999'])('knows %s', (code) => {
    expect(reference.mcc(code)).toBe(code);
  });

  it.each(['5412', '3500', '4000', '411', '05411', '5411 ', '٥٤١١', '', '54.1'])("refuses '%s'", (code) => {
    refused(reference.mcc(code), 'UNKNOWN_MCC', "the field 'mcc'");
  });
});

describe('what is quoted back', () => {
  it('is at most 40 characters of what was sent', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (text) => {
        expect(clip(text).length).toBeLessThanOrEqual(41);
        expect(text.startsWith(clip(text).slice(0, 40))).toBe(true);
      }),
    );
    const long = 'x'.repeat(300);
    expect((reference.country(long) as Refusal).message.length).toBeLessThan(120);
  });
});
