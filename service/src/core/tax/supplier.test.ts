// Who owes the tax on a sale, where it is, and to whom: profiles of clients, parts of countries, business customers.
import { describe, expect, it } from 'vitest';
import { feeRows, taxCountry, taxRow } from '../../../test/support/tax-rows.ts';
import { loadRuleBook } from '../../platform/data-files.ts';
import { FeeSchedule } from '../fee.ts';
import type { PspId } from '../ids.ts';
import type { Country } from '../reference.ts';
import { Refusal } from '../refusal.ts';
import { type PriceQuestion, price } from '../transaction.ts';
import { RuleBook } from './book.ts';
import { clientKindOf, customerOf, profileOn, reliefOf, type TaxProfile, withProfile } from './supplier.ts';

const profile = (over: Partial<TaxProfile> = {}): TaxProfile => ({
  country: 'AA',
  validFrom: '2026-01-01',
  registered: true,
  scheme: 'STANDARD',
  taxNumber: null,
  taxNumberValid: null,
  subdivision: null,
  supply: null,
  ...over,
});

const rows = [
  taxRow(),
  taxRow({ ruleId: 'BOOKS', category: 'reduced', supplies: ['books'], rate: '5' }),
  taxRow({ ruleId: 'ISLES', subdivision: 'AA-IS', taxCode: 'IGIC', rate: '7', replaces: ['VAT'] }),
  taxRow({ ruleId: 'NORTH', subdivision: 'AA-NO', rate: '10' }),
  taxRow({
    ruleId: 'ABROAD',
    category: 'zero',
    customer: 'BUSINESS_ABROAD',
    exceptSupplies: ['lodging'],
    exceptOnTheSpot: true,
    rate: '0',
    reason: 'REVERSE_CHARGE',
  }),
  ...feeRows,
];
const book = new RuleBook('v', [taxCountry(rows)]);
const shipped = loadRuleBook();
const fees = new FeeSchedule([
  {
    feeId: 'F',
    operations: ['verifyTransaction', 'deposit'],
    classifications: [],
    countries: [],
    percent: '0',
    validFrom: '2020-01-01',
    validTo: null,
  } as never,
]);

function priced(over: Partial<PriceQuestion> = {}, by = book) {
  const p = price(
    {
      psp: 'p' as PspId,
      kind: 'verifyTransaction',
      classification: '',
      country: { alpha2: 'AA' } as Country,
      asset: { code: 'EUR', decimals: 2 },
      amount: 120_00n,
      transactionFee: 1_00n,
      date: '2026-06-01',
      ...over,
    },
    by,
    fees,
  );
  if (p instanceof Refusal) throw p;
  return p;
}

describe('a profile', () => {
  const history = [
    profile({ validFrom: '2026-01-01', registered: false }),
    profile({ validFrom: '2026-07-01' }),
    profile({ country: 'BB', validFrom: '2020-01-01', registered: false }),
  ];

  it('is in force from its day until the next one of its country', () => {
    const on = (date: string, country = 'AA') => profileOn(history, country, date)?.validFrom;
    expect(on('2025-12-31')).toBeUndefined();
    expect(on('2026-01-01')).toBe('2026-01-01');
    expect(on('2026-06-30')).toBe('2026-01-01');
    expect(on('2026-07-01')).toBe('2026-07-01');
    expect(on('2026-07-01', 'CC')).toBeUndefined();
    expect(profileOn(null, 'AA', '2026-01-01')).toBeUndefined();
  });

  it('replaces the one of the same country and day, and no other', () => {
    const set = profile({ validFrom: '2026-07-01', scheme: 'FLAT_RATE' });
    expect(withProfile(history, set)).toEqual([history[0], set, history[2]]);
    expect(withProfile(null, set)).toEqual([set]);
    expect(withProfile([set], history[0] as TaxProfile)).toEqual([history[0], set]);
  });

  it.each<[Partial<TaxProfile> | undefined, string | undefined]>([
    [undefined, undefined],
    [{}, undefined],
    [{ scheme: 'FLAT_RATE' }, undefined],
    [{ registered: false }, 'NOT_REGISTERED'],
    [{ registered: false, scheme: 'SMALL_BUSINESS' }, 'SMALL_BUSINESS'],
    [{ scheme: 'EXEMPT' }, 'EXEMPT_SUPPLIER'],
  ])('%j gives relief %s', (over, relief) => {
    expect(reliefOf(over && profile(over))).toBe(relief);
  });

  it.each<[Partial<TaxProfile> | undefined, string | undefined]>([
    [undefined, undefined],
    [{}, undefined],
    [{ scheme: 'FLAT_RATE' }, 'FLAT_RATE'],
    [{ registered: false, scheme: 'FLAT_RATE' }, 'NOT_REGISTERED'],
    [{ registered: false, scheme: 'SMALL_BUSINESS' }, undefined],
    [{ scheme: 'EXEMPT' }, undefined],
  ])('%j is of the kind %s, which rows of sales may be limited to', (over, kind) => {
    expect(clientKindOf(over && profile(over))).toBe(kind);
  });
});

describe('a sale', () => {
  it('bears no VAT of a client that is not registered, and the tax on the fee stays', () => {
    const at = priced({ profile: profile({ registered: false }) });
    expect(at).toMatchObject({ vatAmount: '0.00', transactionVat: '0.10', remainder: '118.90' });
    expect(at.evidence.supplier).toBe('NOT_REGISTERED');
    expect(at.evidence.tax[0]).toEqual({ rule: 'AA-VAT-STANDARD-2020', taxable: '0.00', tax: '0.00' });
  });

  it('bears it of one that is, and of one nothing is known of, which the evidence tells apart', () => {
    const registered = priced({ profile: profile() });
    const unknown = priced();
    expect([registered.vatAmount, registered.evidence.supplier]).toEqual(['20.00', 'REGISTERED']);
    expect([unknown.vatAmount, unknown.evidence.supplier]).toEqual(['20.00', undefined]);
  });

  it('is of what the caller says, else of what the code says, else of what the profile says', () => {
    const vat = (over: Partial<PriceQuestion>) => priced({ amount: 105_00n, ...over }).vatAmount;
    const sellsBooks = profile({ supply: 'books' });
    expect(vat({ mcc: '5942' })).toBe('5.00');
    expect(vat({ mcc: '5999', profile: sellsBooks })).toBe('5.00');
    expect(vat({ mcc: '7011', profile: sellsBooks })).toBe('17.50');
    expect(vat({ mcc: '7011', supply: 'books' })).toBe('5.00');
    expect(vat({ mcc: '5942', supply: 'lodging' })).toBe('17.50');
  });

  it('bears the tax of the part of the country it is in, in place of the whole one', () => {
    const taxes = (over: Partial<PriceQuestion>) => priced(over).evidence.tax.map((t) => t.rule);
    expect(taxes({ subdivision: 'AA-IS' })).toEqual(['ISLES', 'AA-VAT-FEE-2020']);
    expect(taxes({ subdivision: 'AA-NO' })).toEqual(['NORTH', 'AA-VAT-FEE-2020']);
    expect(taxes({ subdivision: 'AA-XX' })).toEqual(['AA-VAT-STANDARD-2020', 'AA-VAT-FEE-2020']);
    expect(taxes({ profile: profile({ subdivision: 'AA-NO' }) })).toEqual(['NORTH', 'AA-VAT-FEE-2020']);
    expect(taxes({ profile: profile({ subdivision: 'AA-NO' }), subdivision: 'AA-IS' })[0]).toBe('ISLES');
  });

  it('to a business abroad bears none, but for what is taxed where it is performed', () => {
    expect(priced({ customer: 'BUSINESS_ABROAD' })).toMatchObject({
      vatAmount: '0.00',
      evidence: { customer: 'BUSINESS_ABROAD' },
    });
    expect(priced({ customer: 'BUSINESS_ABROAD', mcc: '5942' }).vatAmount).toBe('0.00');
    expect(priced({ customer: 'BUSINESS_ABROAD', mcc: '7011' }).vatAmount).toBe('20.00');
  });

  it('to a business abroad in a bar, at an event or for a car on hire is taxed there, unless it is of something else', () => {
    const abroad = (over: Partial<PriceQuestion>) => priced({ customer: 'BUSINESS_ABROAD', ...over }).vatAmount;
    for (const mcc of ['5813', '7832', '3390', '7512', '7523', '5542'])
      expect([mcc, abroad({ mcc })]).toEqual([mcc, '20.00']);
    // A data centre, a builder, and a bar that sells its books.
    for (const mcc of ['7374', '1520']) expect([mcc, abroad({ mcc })]).toEqual([mcc, '0.00']);
    expect(abroad({ mcc: '5813', supply: 'books' })).toBe('0.00');
    expect(priced({ mcc: '5813' }).vatAmount).toBe('20.00');
  });

  it('says in its evidence who said what was sold', () => {
    const said = (over: Partial<PriceQuestion>) => priced(over).evidence.supplySaidBy;
    expect(said({ mcc: '5942' })).toBe('CODE');
    expect(said({ mcc: '5942', supply: 'books' })).toBe('CALLER');
    expect(said({ mcc: '5999', profile: profile({ supply: 'books' }) })).toBe('PROFILE');
    expect(said({ mcc: '5999' })).toBeUndefined();
  });

  it('warns of a rate that is not known only where the client owes the tax', () => {
    const unknown = new RuleBook('v', [taxCountry([taxRow({ rate: '0', reason: 'UNKNOWN' }), ...feeRows])]);
    const codes = (over: Partial<PriceQuestion>) => priced(over, unknown).observations.map((o) => o.code);
    expect(codes({})).toEqual(['TAX_RATE_UNKNOWN']);
    expect(codes({ profile: profile({ registered: false }) })).toEqual([]);
  });

  it('says so where the rate of what was sold was not looked up', () => {
    const codes = (over: Partial<PriceQuestion>) => priced(over).observations.map((o) => o.code);
    expect(codes({ mcc: '7011' })).toEqual(['TAX_CATEGORY_ASSUMED']);
    expect(codes({ mcc: '5942' })).toEqual([]);
    expect(codes({ mcc: '5999' })).toEqual([]);
    expect(codes({ mcc: '7011', profile: profile({ registered: false }) })).toEqual([]);
  });
});

describe('a deposit', () => {
  it('is no sale of the client: its profile changes nothing', () => {
    const deposit = { kind: 'deposit' as const };
    const { evidence: a, ...without } = priced(deposit);
    const { evidence: b, ...withOne } = priced({ ...deposit, profile: profile({ registered: false }) });
    expect(withOne).toEqual(without);
    expect(b).toEqual(a);
  });
});

describe('a business at home that buys from a client of another country', () => {
  it('is one like all others to a client of its own country, or registered in it', () => {
    const of = (home: string | null, registered?: boolean) =>
      customerOf('BUSINESS_AT_HOME', home, 'AA', registered === undefined ? undefined : profile({ registered }));
    expect(of('BB')).toBe('BUSINESS_AT_HOME');
    expect(of('BB', false)).toBe('BUSINESS_AT_HOME');
    expect([of('AA'), of(null), of('BB', true)]).toEqual([undefined, undefined, undefined]);
    expect(customerOf('BUSINESS_ABROAD', 'AA', 'AA', profile())).toBe('BUSINESS_ABROAD');
  });

  it.each([
    // Directive 2006/112/EC, art. 44 and 196: of services of the general rule the customer owes the tax.
    ['DE', '7372', '0.00', 'REVERSE_CHARGE', false],
    ['PL', '8111', '0.00', 'REVERSE_CHARGE', false],
    // Cabinet Decision No. 52 of 2017 of the Emirates, art. 48(3).
    ['AE', '7392', '0.00', 'REVERSE_CHARGE', false],
    // Art. 55: a restaurant is taxed where it serves; 119 × 7/107. Art. 194: of goods a country may say so: 119 × 19/119.
    ['DE', '5812', '7.79', undefined, true],
    ['DE', '5732', '19.00', undefined, true],
  ] as const)('owes the tax itself in %s on services of merchants %s alone: %s', (country, mcc, vat, reason, noted) => {
    const priced = price(
      {
        ...{ psp: 'p' as PspId, kind: 'verifyTransaction', classification: '', amount: 119_00n, transactionFee: 0n },
        ...{ country: { alpha2: country } as Country, asset: { code: 'EUR', decimals: 2 }, date: '2026-11-27' },
        ...{ mcc, customer: 'BUSINESS_AT_HOME' },
      },
      shipped,
      fees,
    );
    if (priced instanceof Refusal) throw priced;
    expect(priced.vatAmount).toBe(vat);
    expect(priced.evidence.customer).toBe('BUSINESS_AT_HOME');
    const [sale] = priced.evidence.tax;
    expect(shipped.rule(sale?.rule ?? '')?.rule.reason ?? undefined).toBe(reason);
    expect(priced.observations.some((o) => o.code === 'REVERSE_CHARGE_NOT_APPLIED')).toBe(noted);
  });
});

describe('a business abroad', () => {
  it.each([
    // Directive 2006/112/EC, art. 44: a service is supplied where the customer is; art. 55: a meal where it is served.
    ['DE', '7392', '0.00', false],
    ['DE', '5812', '7.79', true],
    // Oman and the Philippines zero-rate exported services by their laws, of which no row was read: 119 × 5/105, 119 × 12/112.
    ['OM', '7392', '5.67', true],
    ['PH', '7392', '12.75', true],
    // No tax, so nothing that was charged.
    ['HK', '7392', '0.00', false],
  ] as const)(
    'that buys in %s from a merchant %s bears %s, and a sale that nothing frees says so',
    (country, mcc, vat, noted) => {
      const priced = price(
        {
          ...{ psp: 'p' as PspId, kind: 'verifyTransaction', classification: '', amount: 119_00n, transactionFee: 0n },
          ...{ country: { alpha2: country } as Country, asset: { code: 'EUR', decimals: 2 }, date: '2026-11-27' },
          ...{ mcc, customer: 'BUSINESS_ABROAD' },
        },
        shipped,
        fees,
      );
      if (priced instanceof Refusal) throw priced;
      expect(priced.vatAmount).toBe(vat);
      expect(priced.observations.some((o) => o.code === 'REVERSE_CHARGE_NOT_APPLIED')).toBe(noted);
    },
  );
});

describe('a flat rate', () => {
  const ghana = { alpha2: 'GH', alpha3: 'GHA', name: 'Ghana', timeZone: 'Africa/Accra', currency: 'GHS' } as never;
  const flat = profile({ country: 'GH', scheme: 'FLAT_RATE', validFrom: '2024-01-01' });
  const tax = (over: Partial<PriceQuestion>) => {
    const { evidence } = priced({ country: ghana, amount: 1040_00n, mcc: '5732', profile: flat, ...over }, shipped);
    return Object.fromEntries(evidence.tax.filter((t) => !/-FEE-/.test(t.rule)).map((t) => [t.rule, t.tax]));
  };

  it('of the country is charged by a client of that scheme in place of the rates of the country: 3 % and the levy of 1 %', () => {
    expect(tax({ date: '2025-12-31' })).toEqual({
      'GH-VAT-FLAT-RATE-2024': '30.00',
      'GH-NHIL-FLAT-RATE-2024': '0.00',
      'GH-GETFUND-FLAT-RATE-2024': '0.00',
      'GH-COVID-FLAT-RATE-2024': '10.00',
    });
  });

  it('is charged by nobody else, on nothing exempt, and not after its end', () => {
    const rules = (over: Partial<PriceQuestion>) => Object.keys(tax(over)).sort();
    const general = [
      'GH-COVID-STANDARD-2021',
      'GH-GETFUND-STANDARD-2018',
      'GH-NHIL-STANDARD-2018',
      'GH-VAT-STANDARD-2023',
    ];
    expect(rules({ date: '2025-12-31', profile: { ...flat, scheme: 'STANDARD' } })).toEqual(general);
    expect(rules({ date: '2025-12-31', profile: undefined })).toEqual(general);
    expect(rules({ date: '2025-12-31', mcc: '5912' }).every((r) => r.endsWith('-MEDICINE-2024'))).toBe(true);
    expect(rules({ date: '2026-01-01' })).toEqual([
      'GH-GETFUND-STANDARD-2026',
      'GH-NHIL-STANDARD-2026',
      'GH-VAT-STANDARD-2026',
    ]);
  });

  it('changes nothing in a country whose rules have none', () => {
    const uk = {
      alpha2: 'GB',
      alpha3: 'GBR',
      name: 'United Kingdom',
      timeZone: 'Europe/London',
      currency: 'GBP',
    } as never;
    const at = priced(
      { country: uk, amount: 120_00n, profile: { ...flat, country: 'GB' }, date: '2026-01-01' },
      shipped,
    );
    expect(at.vatAmount).toBe('20.00');
  });
});
