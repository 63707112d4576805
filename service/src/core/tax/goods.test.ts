// Sales of several kinds of goods: each bears its own rate, held against sums worked out from the laws' rates by hand, and
// against a reckoning of its own.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { feeRows, taxCountry, taxRow } from '../../../test/support/tax-rows.ts';
import { loadReference, loadRuleBook } from '../../platform/data-files.ts';
import { FeeSchedule } from '../fee.ts';
import type { PspId } from '../ids.ts';
import { decimal, formatUnits, unitsAt } from '../money.ts';
import { movedOf } from '../payments.ts';
import type { Country } from '../reference.ts';
import { Refusal } from '../refusal.ts';
import { type PriceQuestion, planFor, price, taxedParts } from '../transaction.ts';
import { RuleBook, type TaxPlan } from './book.ts';
import { taxedBy } from './correction.ts';
import { type Goods, shareLines, taxOfLines } from './goods.ts';
import { type GoodsCategory, goodsCategories } from './supplies.ts';

const reference = loadReference();
const book = loadRuleBook();
const fees = new FeeSchedule([
  {
    feeId: 'F',
    operations: [],
    classifications: [],
    countries: [],
    percent: '0',
    validFrom: '2020-01-01',
    validTo: null,
  },
]);
const asset = { code: 'EUR', decimals: 2 };
const cents = (text: string): bigint => unitsAt(decimal(text), 2) as bigint;

interface Line {
  readonly subTotal: bigint;
  readonly exempt: boolean;
  readonly category?: GoodsCategory | undefined;
}
const line = (amount: string, category?: GoodsCategory, exempt = false): Line => ({
  subTotal: cents(amount),
  exempt,
  category,
});

function sold(country: string, lines: readonly Line[], over: Partial<PriceQuestion> = {}, by = book) {
  const amount = over.amount ?? lines.reduce((sum, l) => sum + l.subTotal, 0n);
  const shared = shareLines(amount, lines);
  const question: PriceQuestion = {
    psp: 'p' as PspId,
    kind: 'verifyTransaction',
    classification: 'ECOMM_LOCAL',
    country: by === book ? (reference.country(country) as Country) : ({ alpha2: country } as Country),
    asset,
    amount,
    goods: shared.goods,
    transactionFee: 0n,
    date: '2026-11-21',
    ...over,
  };
  const priced = price(question, by, fees);
  if (priced instanceof Refusal) throw priced;
  const plan = planFor(question, by) as TaxPlan;
  const moved = movedOf(amount, question.payment);
  const each = taxOfLines(lines, shared, plan, taxedParts(question, plan, by).goods, moved, question.asset);
  return { ...priced, question, goods: shared.goods, each };
}

describe('the lines of a basket', () => {
  it.each([
    // Art. 279 m CGI: 10 % of a meal, which is not that of alcoholic drinks: 20 % (art. 278). 110/11, 24/6.
    ['a French restaurant', 'FR', '5812', [line('110.00'), line('24.00', 'other')], ['10.00', '4.00']],
    // § 12 (2) Nr. 1 UStG: 7 % of food, 19 % of the rest. 10.70 × 7/107, 11.90 × 19/119.
    ['a German supermarket', 'DE', '5411', [line('10.70'), line('11.90', 'other')], ['0.70', '1.90']],
    // VATA 1994 Sch. 8 Group 3: books at 0 %; all else 20 %.
    ['a British bookshop', 'GB', '5942', [line('30.00', 'books'), line('12.00', 'other')], ['0.00', '2.00']],
    // A shop whose code says nothing: only what is named is reduced. Ley 37/1992 art. 91: books 4 %; art. 90: 21 %.
    ['a Spanish shop', 'ES', undefined, [line('10.40', 'books'), line('12.10')], ['0.40', '2.10']],
  ] as const)('bear their own rates in %s', (_, country, mcc, lines, vat) => {
    const r = sold(country, lines, { mcc });
    expect(r.each).toEqual(vat.map(cents));
    expect(cents(r.vatAmount)).toBe(vat.reduce((sum, v) => sum + cents(v), 0n));
    expect(r.remainder).not.toContain('-');
    expect(r.evidence.tax.filter((l) => cents(l.tax) > 0n || cents(l.taxable) > 0n).length).toBeGreaterThan(1);
  });

  it('under one rate are rounded together, as an invoice is', () => {
    // 7 % contained in 0.50 is 0.0327, in 1.00 is 0.0654: 0.07 of both, and 0.06 if each were rounded.
    const r = sold('DE', [line('0.50', 'groceries'), line('0.50', 'books')]);
    expect(r.vatAmount).toBe('0.07');
    expect(r.each.reduce((a, b) => a + b)).toBe(7n);
    expect(r.evidence.goods).toEqual([
      { category: 'groceries', taxable: '0.50' },
      { category: 'books', taxable: '0.50' },
    ]);
  });

  it('of no category leave the record as it was', () => {
    const r = sold('DE', [line('10.00'), line('5.00', undefined, true)], { mcc: '5411' });
    expect(r.evidence).toMatchObject({ supply: 'groceries', supplySaidBy: 'CODE' });
    expect(r.evidence.goods).toBeUndefined();
    expect(r.vatAmount).toBe('0.65');
  });

  it('say what was sold in place of the code, where all have a category', () => {
    const r = sold('DE', [line('11.90', 'other')], { mcc: '5411' });
    expect(r.vatAmount).toBe('1.90');
    expect([r.evidence.supply, r.evidence.supplySaidBy]).toEqual([undefined, undefined]);
  });

  it('of "other" are not what the tax profile says either', () => {
    const profile = {
      ...{ country: 'DE', validFrom: '2026-01-01', registered: true, scheme: 'STANDARD' as const },
      ...{ taxNumber: null, taxNumberValid: null, subdivision: null, supply: 'books' as const },
    };
    expect(sold('DE', [line('10.70'), line('11.90', 'other')], { profile }).each).toEqual([70n, 190n]);
  });

  it('bear nothing of a client that is not registered', () => {
    const profile = {
      ...{ country: 'DE', validFrom: '2026-01-01', registered: false, scheme: 'STANDARD' as const },
      ...{ taxNumber: null, taxNumberValid: null, subdivision: null, supply: null },
    };
    const r = sold('DE', [line('10.70', 'books'), line('11.90', 'other')], { profile });
    expect([r.vatAmount, r.each]).toEqual(['0.00', [0n, 0n]]);
  });

  it('give up discounts in proportion, and what is exempt too', () => {
    const payment = { discounts: 30_00n, vouchers: 0n, cash: 0n, singlePurpose: 0n };
    const lines = [line('107.00', 'books'), line('119.00', 'other'), line('74.00', undefined, true)];
    // A tenth off each: 96.30 × 7/107 and 107.10 × 19/119.
    expect(sold('DE', lines, { payment }).each).toEqual([cents('6.30'), cents('17.10'), 0n]);
  });
});

it('taxes of the sale as a whole are charged once, whatever the lines are', () => {
  const rows = [
    taxRow({ rate: '20' }),
    taxRow({ ruleId: 'AA-BOOKS', supplies: ['books'], category: 'reduced', rate: '5' }),
    taxRow({ ruleId: 'AA-STAMP', taxCode: 'STAMP', base: 'NET_ADD_ON', rate: '1' }),
    ...feeRows,
  ];
  const own = new RuleBook('v', [taxCountry(rows)]);
  const r = sold('AA', [line('105.00', 'books'), line('120.00')], {}, own);
  expect(r.evidence.tax.filter((l) => l.rule === 'AA-STAMP').map((l) => l.tax)).toEqual(['2.25']);
  expect(r.vatAmount).toBe('27.25');
  expect(r.each).toEqual([cents('6.05'), cents('21.20')]);
});

describe('levies on a payment', () => {
  const francs = { code: 'XOF', decimals: 0 };
  // CGI art. 395 s. (loi n° 2025-17): 0.5 % of a payment to a merchant, at most 2,000 francs; VAT 18 % (CGI art. 369).
  const sale = (lines: readonly Line[], payment?: PriceQuestion['payment']) =>
    sold('SN', lines, { asset: francs, ...(payment && { payment }) });
  const francsOf = (amount: bigint, exempt = false): Line => ({ subTotal: amount, exempt });
  const levy = (r: ReturnType<typeof sold>) => r.evidence.tax.find((l) => l.rule.startsWith('SN-TTA'));

  it('are on all that is paid, whatever of it bears VAT', () => {
    // 118,000 × 18/118 = 18,000; 0.5 % of 200,000 = 1,000, of which 590 and 410 are the lines'.
    const r = sale([francsOf(118_000n), francsOf(82_000n, true)]);
    expect(levy(r)).toMatchObject({ taxable: '200000', tax: '1000' });
    expect([r.vatAmount, r.remainder, r.each]).toEqual(['19000', '181000', [18_590n, 410n]]);
    expect(levy(sale([francsOf(82_000n, true)]))).toMatchObject({ taxable: '82000', tax: '410' });
  });

  it('have their cap on all that is paid', () => {
    // 0.5 % of 400,000 is the cap, of 600,000 more than it.
    expect(levy(sale([francsOf(200_000n), francsOf(200_000n, true)]))?.tax).toBe('2000');
    expect(levy(sale([francsOf(300_000n), francsOf(300_000n, true)]))?.tax).toBe('2000');
    expect(levy(sale([francsOf(200_000n), francsOf(199_800n, true)]))?.tax).toBe('1999');
  });

  it('are not on what nobody pays through the PSP: discounts, vouchers and cash', () => {
    const payment = { discounts: 20_000n, vouchers: 30_000n, cash: 50_000n, singlePurpose: 0n };
    expect(levy(sale([francsOf(200_000n)], payment))).toMatchObject({ taxable: '100000', tax: '500' });
    const none = { discounts: 0n, vouchers: 0n, cash: 200_000n, singlePurpose: 0n };
    expect(levy(sale([francsOf(200_000n)], none))).toMatchObject({ taxable: '0', tax: '0' });
  });

  it('are found again from the record alone', () => {
    const r = sale([francsOf(118_000n), francsOf(82_000n, true)]);
    const again = taxedBy(book, {
      ...{ ...r.question, country: 'SN', amount: '200000', taxable: '118000' },
      ...{ transactionFee: '0', processingFee: '0', reckoning: r.evidence.reckoning, evidence: r.evidence },
    });
    expect(again).toMatchObject({ vatAmount: '19000', remainder: '181000' });
  });
});

describe('1,000 baskets of all kinds in all countries', () => {
  const lineOf = fc.record({
    subTotal: fc.bigInt(0n, 10n ** 7n),
    exempt: fc.boolean(),
    category: fc.constantFrom(undefined, ...goodsCategories),
  });
  const countries = [...book.countries()].map((c) => c.jurisdiction).filter((c) => !(sells(c) instanceof Refusal));
  function sells(country: string) {
    return price(
      {
        ...{ psp: 'p' as PspId, kind: 'verifyTransaction', classification: 'ECOMM_LOCAL', asset, amount: 100n },
        ...{ country: reference.country(country) as Country, transactionFee: 0n, date: '2026-11-21' },
      },
      book,
      fees,
    );
  }

  it('are exact, share their tax over their lines, and are found again from the record alone', () => {
    expect(countries.length).toBeGreaterThan(150);
    fc.assert(
      fc.property(
        fc.constantFrom(...countries),
        fc.array(lineOf, { minLength: 1, maxLength: 12 }),
        fc.constantFrom(undefined, '5812', '5411', '5942'),
        fc.bigInt(1n, 10n ** 9n),
        (country, lines, mcc, amount) => {
          const r = sold(country, lines, { mcc, amount });
          const goods = r.goods as readonly Goods[];
          expect(goods.reduce((sum, g) => sum + g.taxable, 0n)).toBeLessThanOrEqual(amount);
          expect(cents(r.vatAmount) + cents(r.remainder) + cents(r.processingFee) + cents(r.transactionVat)).toBe(
            amount,
          );
          const withheld = r.evidence.tax.filter((l) => book.rule(l.rule)?.rule.base === 'REMITTANCE');
          const onLines = cents(r.vatAmount) - withheld.reduce((sum, l) => sum + cents(l.tax), 0n);
          const taxed = r.each.some((vat) => vat > 0n);
          expect(r.each.reduce((a, b) => a + b, 0n)).toBe(taxed ? onLines : 0n);
          for (const [i, l] of lines.entries()) {
            expect(r.each[i] as bigint).toBeGreaterThanOrEqual(0n);
            if (l.exempt) expect(r.each[i]).toBe(0n);
          }
          expect(new Set(r.evidence.tax.map((l) => l.rule)).size).toBe(r.evidence.tax.length);
          const again = taxedBy(book, {
            ...r.question,
            country,
            amount: formatUnits(amount, 2),
            taxable: formatUnits(
              goods.reduce((sum, g) => sum + g.taxable, 0n),
              2,
            ),
            transactionFee: r.transactionFee,
            processingFee: r.processingFee,
            reckoning: r.evidence.reckoning,
            evidence: r.evidence,
          });
          expect(again).toMatchObject({ vatAmount: r.vatAmount, remainder: r.remainder });
        },
      ),
      { numRuns: 1000 },
    );
  });
});
