// What of a sale is taxed. Directive 2006/112/EC: the taxable amount is what the supplier obtains (art. 73), price
// reductions granted at the time of the supply are no part of it (art. 79(b)); the transfer of a single-purpose voucher
// is the supply, and its redemption is none (art. 30b(1)); a multi-purpose one is taxed when it is redeemed (art. 30b(2)).
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { feeRows, taxCountry, taxRow } from '../../../test/support/tax-rows.ts';
import { FeeSchedule } from '../fee.ts';
import { paymentOf } from '../payments.ts';
import type { Country } from '../reference.ts';
import { Refusal } from '../refusal.ts';
import { type PriceQuestion, price } from '../transaction.ts';
import { RuleBook } from './book.ts';
import { considerationOf } from './consideration.ts';
import { type TaxedQuestion, taxedBy } from './correction.ts';
import { countryProblems } from './problems.ts';
import type { CountryTax, DiscountFact } from './rule.ts';

/** 20 % VAT is contained in the gross of a sale. */
const bookOf = (over: Partial<CountryTax> = {}) => new RuleBook('v', [taxCountry([taxRow(), ...feeRows], over)]);
const taxed = (over: Partial<DiscountFact> = {}): DiscountFact => ({
  treatment: 'TAXED',
  validFrom: '2025-01-01',
  validTo: null,
  source: 'act',
  legalRef: 's. 1',
  confidence: 'official',
  says: 'Tax is due on the price before any discount.',
  ...over,
});
const free = new FeeSchedule([
  {
    feeId: 'F',
    operations: [],
    classifications: [],
    countries: [],
    percent: '1',
    validFrom: '2020-01-01',
    validTo: null,
  },
]);

function sold(
  methods: Record<string, bigint>,
  over: Partial<PriceQuestion> & { single?: bigint } = {},
  book = bookOf(),
) {
  const { single, ...more } = over;
  const amount = more.amount ?? 1200_00n;
  const r = price(
    {
      psp: 'p',
      kind: 'verifyTransaction',
      classification: '',
      country: { alpha2: 'AA' } as Country,
      asset: { code: 'EUR', decimals: 2 },
      amount,
      transactionFee: 1_50n,
      payment: paymentOf(new Map(Object.entries(methods)), amount, single),
      date: '2026-11-21',
      ...more,
    },
    book,
    free,
  );
  if (r instanceof Refusal) throw r;
  return r;
}

describe('a discount', () => {
  it('of 10 % leaves the tax a tenth lower, and the evidence says what was left out', () => {
    expect(sold({ card: 1200_00n })).toMatchObject({
      vatAmount: '200.00',
      processingFee: '12.00',
      remainder: '985.15',
    });
    const r = sold({ card: 1080_00n, discounts: 120_00n });
    // 1080 holds 900 and 180.
    expect(r).toMatchObject({
      vatAmount: '180.00',
      processingFee: '12.00',
      transactionVat: '1.35',
      remainder: '1005.15',
    });
    expect(r.evidence.tax[0]).toEqual({ rule: 'AA-VAT-STANDARD-2020', taxable: '900.00', tax: '180.00' });
    expect(r.evidence).toMatchObject({ discounts: '120.00', notHeld: { discounts: '120.00' } });
  });

  it('of everything leaves no tax, and one beyond it neither', () => {
    for (const discounts of [1200_00n, 5000_00n]) {
      const r = sold({ discounts });
      expect(r).toMatchObject({ vatAmount: '0.00', remainder: '1185.15' });
      expect(r.evidence.discounts).toBe('1200.00');
    }
  });

  it('is taxed where a fact of the country says so, on its days alone', () => {
    const book = bookOf({ discounts: [taxed({ validTo: '2026-12-01' })] });
    const methods = { card: 1080_00n, discounts: 120_00n };
    const within = sold(methods, {}, book);
    expect([within.vatAmount, within.evidence.discounts]).toEqual(['200.00', undefined]);
    // Nobody paid it all the same.
    expect(within.evidence.notHeld).toEqual({ discounts: '120.00' });
    expect(sold(methods, { date: '2026-12-01' }, book).vatAmount).toBe('180.00');
    expect(sold(methods, { date: '2024-12-31' }, book).vatAmount).toBe('180.00');
  });

  it('reduces the taxable and the exempt lines of a basket in proportion', () => {
    const r = sold({ card: 1080_00n, discounts: 120_00n }, { goods: [{ taxable: 300_00n }] });
    // A tenth off 300 leaves 270, which hold 225 and 45.
    expect(r.evidence.tax[0]).toMatchObject({ taxable: '225.00', tax: '45.00' });
    expect(sold({ discounts: 120_00n }, { goods: [{ taxable: 0n }] }).vatAmount).toBe('0.00');
  });
});

describe('a voucher', () => {
  it('is taxed as money is, unless it was taxed when it was sold', () => {
    const methods = { card: 1000_00n, vouchers: 200_00n };
    expect(sold(methods).vatAmount).toBe('200.00');
    const r = sold(methods, { single: 120_00n });
    expect(r.vatAmount).toBe('180.00');
    expect(r.evidence).toMatchObject({ singlePurposeVouchers: '120.00', notHeld: { vouchers: '200.00' } });
    // Only vouchers that were used can have been taxed before.
    expect(sold(methods, { single: 900_00n }).evidence.singlePurposeVouchers).toBe('200.00');
    expect(sold({ card: 1200_00n }, { single: 900_00n }).vatAmount).toBe('200.00');
  });
});

describe('cash', () => {
  it('is taxed as all money is', () => {
    const r = sold({ cash: 900_00n, card: 300_00n });
    expect([r.vatAmount, r.evidence.discounts, r.evidence.notHeld]).toEqual(['200.00', undefined, { cash: '900.00' }]);
  });

  it('leaves no trace where there is none', () => {
    expect(sold({ card: 1200_00n, cash: 0n }).evidence).toEqual(sold({}).evidence);
    expect(Object.keys(sold({}).evidence)).not.toContain('notHeld');
  });
});

it('what is taxed is never below zero nor above what it was, and exact for a whole sale', () => {
  const units = fc.bigInt(0n, 10n ** 12n);
  fc.assert(
    fc.property(units, units, units, units, (total, part, discounts, vouchers) => {
      const taxable = part < total ? part : total;
      const payment = paymentOf(
        new Map([
          ['discounts', discounts],
          ['vouchers', vouchers],
        ]),
        total,
        vouchers,
      );
      const [left] = considerationOf(total, [taxable], payment, false).taxable as [bigint];
      expect(left >= 0n && left <= taxable).toBe(true);
      const whole = considerationOf(total, [taxable, total - taxable], payment, false);
      expect(whole.taxable.reduce((a, b) => a + b) + whole.discounts + whole.singlePurpose).toBe(total);
    }),
  );
});

describe('a correction', () => {
  const question = (r: ReturnType<typeof sold>, taxable?: string): TaxedQuestion => ({
    kind: 'verifyTransaction',
    country: 'AA',
    classification: '',
    date: '2026-11-21',
    asset: { code: 'EUR', decimals: 2 },
    amount: '1200.00',
    taxable,
    transactionFee: r.transactionFee,
    processingFee: r.processingFee,
    reckoning: r.evidence.reckoning,
    evidence: r.evidence,
  });
  const again = (q: TaxedQuestion, book = bookOf()) => {
    const t = taxedBy(book, q);
    if (t instanceof Refusal) throw t;
    return t;
  };

  it('finds the same taxes from the record alone', () => {
    for (const [methods, more] of [
      [{ card: 1080_00n, discounts: 120_00n }, {}],
      [{ card: 1080_00n, discounts: 120_00n }, { goods: [{ taxable: 333_33n }] }],
      [{ vouchers: 200_00n, discounts: 7_77n, cash: 900_00n }, { single: 99_99n }],
      [{ discounts: 1200_00n }, {}],
    ] as const) {
      const r = sold(methods, more);
      const basket = 'goods' in more ? '333.33' : undefined;
      const { vatAmount, transactionVat, remainder } = r;
      expect(again(question(r, basket))).toEqual({ vatAmount, transactionVat, remainder, tax: r.evidence.tax });
    }
  });

  it('taxes a discount that other rules tax, and one that a record did not tax stays out under the same rules', () => {
    const r = sold({ card: 1080_00n, discounts: 120_00n });
    expect(again(question(r), bookOf({ discounts: [taxed()] })).vatAmount).toBe('200.00');
    expect(again(question(r)).vatAmount).toBe('180.00');
  });

  it('leaves what was decided before discounts counted as it was', () => {
    const { notHeld: _, discounts: __, ...before } = sold({ card: 1080_00n, discounts: 120_00n }).evidence;
    expect(again({ ...question(sold({})), evidence: before }).vatAmount).toBe('200.00');
  });
});

it('a fact about discounts is checked as the rows of a file are', () => {
  const problems = (discounts: unknown) =>
    countryProblems(taxCountry([taxRow(), ...feeRows], { discounts } as Partial<CountryTax>))
      .map(String)
      .filter((p) => p.startsWith('discounts'));
  expect(problems([taxed()])).toEqual([]);
  expect(problems('TAXED')).toEqual(['discounts must be an array']);
  expect(problems([taxed({ treatment: 'SOMETIMES' as never, source: 'hearsay', validTo: '2020-01-01' })])).toEqual([
    'discounts 1: treatment must be TAXED or NOT_TAXED',
    'discounts 1: validTo must be null or a later date',
    "discounts 1: source 'hearsay' is not among the file's",
  ]);
});
