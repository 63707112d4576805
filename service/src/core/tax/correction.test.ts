// How other rules would have taxed a recorded transaction, and the difference, rule by rule.
import { describe, expect, it } from 'vitest';
import { feeRows, taxCountry, taxRow } from '../../../test/support/tax-rows.ts';
import { Refusal } from '../refusal.ts';
import { RuleBook } from './book.ts';
import { lineChanges, type TaxedAs, type TaxedQuestion, taxedBy } from './correction.ts';
import type { TaxRule } from './rule.ts';
import type { TaxProfile } from './supplier.ts';

const bookOf = (rules: readonly TaxRule[]) => new RuleBook('v', [taxCountry([...rules, ...feeRows])]);
const book = bookOf([taxRow()]);

/** A sale of 120.00 with a fee of 1.50 passed on and one of 1.10 of our own. */
const sale: TaxedQuestion = {
  kind: 'verifyTransaction',
  country: 'AA',
  classification: 'ECOMMERCE',
  date: '2026-11-21',
  asset: { code: 'EUR', decimals: 2 },
  amount: '120.00',
  transactionFee: '1.50',
  processingFee: '1.10',
  reckoning: 3,
  evidence: {},
};
const profileOf = (over: Partial<TaxProfile>): TaxProfile => ({
  ...{ country: 'AA', validFrom: '2026-01-01', registered: true, scheme: 'STANDARD' },
  ...{ taxNumber: null, taxNumberValid: null, subdivision: null, supply: null, ...over },
});
const taxed = (q: TaxedQuestion, by = book): TaxedAs => {
  const t = taxedBy(by, q);
  if (t instanceof Refusal) throw t;
  return t;
};

describe('taxed by other rules', () => {
  it('a sale has the VAT contained in it, that on the fees, and what is left', () => {
    expect(taxed(sale)).toEqual({
      vatAmount: '20.00',
      transactionVat: '0.26',
      remainder: '97.14',
      tax: [
        { rule: 'AA-VAT-STANDARD-2020', taxable: '100.00', tax: '20.00' },
        { rule: 'AA-VAT-FEE-2020', taxable: '2.60', tax: '0.26' },
      ],
    });
  });

  it('a record decided the earlier way keeps it: tax on the fee passed on alone', () => {
    expect(taxed({ ...sale, reckoning: undefined })).toEqual({
      vatAmount: '20.00',
      transactionVat: '0.15',
      remainder: '97.25',
      tax: [
        { rule: 'AA-VAT-STANDARD-2020', taxable: '100.00', tax: '20.00' },
        { rule: 'AA-VAT-FEE-2020', taxable: '1.50', tax: '0.15' },
      ],
    });
  });

  it('a record keeps the rounding it was decided by: of two equal levies together, or each by itself', () => {
    const levy = (taxCode: string) => taxRow({ ruleId: `AA-${taxCode}`, taxCode, rate: '2.5' });
    const both = bookOf([taxRow({ rate: '15' }), levy('HEALTH'), levy('SCHOOL')]);
    const taxes = (reckoning: TaxedQuestion['reckoning'], kind: TaxedQuestion['kind'] = 'verifyTransaction') => {
      const { tax, vatAmount } = taxed({ ...sale, kind, amount: '100.00', reckoning }, both);
      return [vatAmount, ...tax.slice(0, 3).map((l) => l.tax)];
    };
    // 100.00 × 15/120 is 12.50, × 2.5/120 is 2.0833: together 16.67.
    expect(taxes(3)).toEqual(['16.66', '2.08', '2.08', '12.50']);
    expect(taxes(2)).toEqual(['16.67', '2.09', '2.08', '12.50']);
    expect(taxes(undefined)).toEqual(['16.67', '2.09', '2.08', '12.50']);
  });

  it('a basket is taxed on the part that bears VAT alone', () => {
    const { vatAmount, tax } = taxed({ ...sale, taxable: '60.00' });
    expect([vatAmount, tax[0]?.taxable]).toEqual(['10.00', '50.00']);
  });

  it('a movement bears VAT on both fees and no other, whatever its amount', () => {
    const { vatAmount, transactionVat, tax } = taxed({ ...sale, kind: 'deposit' });
    expect([vatAmount, transactionVat, tax.map((l) => l.rule)]).toEqual(['0.26', '0.00', ['AA-VAT-FEE-2020']]);
  });

  it('rules are chosen for the date that decided and the merchant category', () => {
    const by = bookOf([
      taxRow({ validTo: '2026-11-21' }),
      taxRow({ ruleId: 'AA-VAT-STANDARD-2026', rate: '25', validFrom: '2026-11-21' }),
      taxRow({ ruleId: 'AA-VAT-BOOKS-2020', category: 'reduced', rate: '5', mccRanges: ['5942'] }),
    ]);
    expect(taxed({ ...sale, date: '2026-11-20' }, by).vatAmount).toBe('20.00');
    expect(taxed(sale, by).vatAmount).toBe('24.00');
    expect(taxed({ ...sale, mcc: '5942' }, by).vatAmount).toBe('5.71');
  });

  it('what the caller says is sold keeps the codes of the merchant out, and what its profile says does not', () => {
    const codes = taxRow({ ruleId: 'CODES', category: 'reduced', rate: '5', mccRanges: ['5942'] });
    const books = taxRow({ ruleId: 'BOOKS', category: 'reduced', rate: '10', supplies: ['books'] });
    const by = bookOf([taxRow(), codes, books]);
    const vat = (over: Partial<TaxedQuestion>) => taxed({ ...sale, ...over }, by).vatAmount;
    const profile = profileOf({ supply: 'books' });
    expect(vat({ mcc: '5942', supply: 'books' })).toBe('10.91');
    expect(vat({ mcc: '5942' })).toBe('5.71');
    expect(vat({ mcc: '5942', profile })).toBe('5.71');
    expect(vat({ mcc: '5999', profile })).toBe('10.91');
    expect(vat({ mcc: '5999' })).toBe('20.00');
  });

  it('the profile of the client decides whether it owes the tax of a sale, and never of a deposit', () => {
    const vat = (over: Partial<TaxedQuestion>) => taxed({ ...sale, ...over }).vatAmount;
    expect(vat({ profile: profileOf({ registered: false }) })).toBe('0.00');
    expect(vat({ profile: profileOf({ registered: false, scheme: 'SMALL_BUSINESS' }) })).toBe('0.00');
    expect(vat({ profile: profileOf({ scheme: 'EXEMPT' }) })).toBe('0.00');
    expect(vat({ profile: profileOf({ scheme: 'FLAT_RATE' }) })).toBe('20.00');
    expect(vat({ kind: 'deposit', profile: profileOf({ registered: false }) })).toBe('0.26');
  });

  it('is refused where there is no rule', () => {
    expect(taxedBy(book, { ...sale, country: 'ZZ' })).toMatchObject({
      code: 'NO_TAX_RULE',
      message: "no tax rule for country 'ZZ' on 2026-11-21; an operator of the service can add one",
    });
  });

  it('is an error, not a rounding, where an amount has more decimals than its currency', () => {
    expect(() => taxedBy(book, { ...sale, transactionFee: '1.505' })).toThrow('1.505 has more decimals than EUR');
  });
});

describe('what changes', () => {
  const as = (...tax: TaxedAs['tax']): TaxedAs => ({ vatAmount: '0', transactionVat: '0', remainder: '0', tax });
  const line = (rule: string, taxable: string, tax: string) => ({ rule, taxable, tax });

  it('is told per rule in their order: added, taken away, or the difference; what stays is left out', () => {
    const before = as(line('D', '1', '1'), line('C', '100.00', '20.00'), line('A', '50.00', '5.00'));
    const after = as(line('B', '10.00', '1.00'), line('C', '96.00', '24.00'), line('D', '1.00', '1.0'));
    expect(lineChanges(before, after).map((l) => [l.rule, Number(l.taxable), Number(l.tax)])).toEqual([
      ['A', -50, -5],
      ['B', 10, 1],
      ['C', -4, 4],
    ]);
  });

  it('includes a rule of which the taxable amount alone differs, or the tax alone', () => {
    const [taxable, tax] = [as(line('A', '2', '1')), as(line('A', '1', '2'))];
    const was = as(line('A', '1', '1'));
    expect([lineChanges(was, taxable).length, lineChanges(was, tax).length, lineChanges(was, was)]).toEqual([1, 1, []]);
  });
});
