// The kinds of rule that are no plain percentage, against cases worked out by hand and against a calculation that adds
// the brackets up unit by unit.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { taxCountry, taxRow } from '../../../test/support/tax-rows.ts';
import { RuleBook } from './book.ts';
import { charge } from './charge.ts';
import { countryProblems } from './problems.ts';
import type { TaxRule } from './rule.ts';
import { splitSale } from './split.ts';

const euro = { code: 'EUR', decimals: 2 };
const { rate: _, ...row } = taxRow({ base: 'PAYOUT', operations: ['capturePayout'], rate: '10' });

function chosen(over: Partial<TaxRule>) {
  const rule: TaxRule = { ...row, ...over };
  const [found] =
    new RuleBook('v', [taxCountry([rule])]).plan({
      jurisdiction: 'AA',
      operation: 'capturePayout',
      classification: '',
      date: '2026-01-01',
    })?.others ?? [];
  if (!found) throw new Error('the row is not chosen');
  return found;
}
const taxOn = (over: Partial<TaxRule>, base: bigint) => charge(chosen(over), base, euro)?.tax;

const brackets = [{ upTo: '10000', rate: '4' }, { upTo: '66750', rate: '20' }, { rate: '40' }];

describe('a rule', () => {
  it.each<[string, Partial<TaxRule>, bigint, bigint]>([
    ['brackets: all of it in the first', { brackets }, 10_000_00n, 400_00n],
    // Romania, law 141/2025, as issue and press work it out: 400 + 20 % of 40,000.
    ['brackets: part of it in the second', { brackets }, 50_000_00n, 8_400_00n],
    ['brackets: the last has no end', { brackets }, 100_000_00n, 400_00n + 11_350_00n + 13_300_00n],
    ['brackets: nothing on nothing', { brackets }, 0n, 0n],
    ['from an amount on, at it', { rate: '10', atLeast: '100' }, 100_00n, 10_00n],
    ['from an amount on, below it', { rate: '10', atLeast: '100' }, 99_99n, 0n],
    ['above an amount, at it', { rate: '10', threshold: '100' }, 100_00n, 0n],
    ['above an amount, the whole', { rate: '10', threshold: '100' }, 100_01n, 10_00n],
    ['less an amount', { rate: '10', allowance: '100' }, 150_00n, 5_00n],
    ['less an amount that is more', { rate: '10', allowance: '100' }, 50_00n, 0n],
    // Senegal: 0.5 %, at most 2,000.
    ['at most', { rate: '0.5', maxTax: '2000' }, 1_000_000_00n, 2_000_00n],
    ['at most, below it', { rate: '0.5', maxTax: '2000' }, 100_000_00n, 500_00n],
    ['at least: the greater of the two', { rate: '1', minTax: '5' }, 100_00n, 5_00n],
    ['at least, above it', { rate: '1', minTax: '5' }, 1_000_00n, 10_00n],
    ['slabs: the one it falls into', { slabs: [{ upTo: '100', amount: '1' }, { rate: '2' }] }, 100_00n, 1_00n],
    ['slabs: all of it at the rate', { slabs: [{ upTo: '100', amount: '1' }, { rate: '2' }] }, 200_00n, 4_00n],
  ])('charges by %s', (_, over, base, tax) => {
    expect(taxOn(over, base)).toBe(tax);
  });

  it('adds brackets up exactly and rounds once', () => {
    const step = fc.record({ width: fc.integer({ min: 1, max: 40 }), rate: fc.integer({ min: 0, max: 99 }) });
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 0, max: 20_000 }),
        (steps, base) => {
          let end = 0;
          const all = steps.map((s, i) => {
            end += s.width;
            return { ...(i === steps.length - 1 ? {} : { upTo: String(end) }), rate: String(s.rate) };
          });
          // Cent by cent, in hundredths of a cent.
          let due = 0n;
          for (let cent = 0; cent < base; cent++) {
            const at = all.find((b) => b.upTo === undefined || cent < Number(b.upTo) * 100);
            due += BigInt(at?.rate ?? '0');
          }
          expect(taxOn({ brackets: all }, BigInt(base))).toBe((2n * due + 100n) / 200n);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('is not applied to amounts of another currency', () => {
    expect(charge(chosen({ rate: '10', maxTax: '5' }), 100n, { code: 'USD', decimals: 2 })).toBeUndefined();
    expect(charge(chosen({ rate: '10' }), 100n, { code: 'USD', decimals: 2 })?.tax).toBe(10n);
  });

  it('may be a fixed amount for each transaction', () => {
    const { rate, ...sale } = taxRow();
    const stamp: TaxRule = {
      ...sale,
      ...{ ruleId: 'AA-STAMP-2026', taxCode: 'STAMP_DUTY', base: 'TRANSACTION', unitAmount: '50', currency: 'EUR' },
      atLeast: '10000',
    };
    const plan = new RuleBook('v', [taxCountry([taxRow({ rate: rate ?? '20' }), stamp, ...fees])]).plan({
      jurisdiction: 'AA',
      operation: 'verifyTransaction',
      classification: '',
      date: '2026-01-01',
    });
    if (!plan) throw new Error('no plan');
    const taxes = (gross: bigint) =>
      splitSale(plan, { gross, taxable: gross, moved: gross }, 0n, 0n, euro).lines.map((l) => l.tax);
    expect(taxes(12_000_00n)).toEqual([2_000_00n, 50_00n, 0n]);
    expect(taxes(6_000_00n)).toEqual([1_000_00n, 0n, 0n]);
  });
});

const fees = [taxRow({ ruleId: 'AA-VAT-FEE-2020', category: 'payment_service', base: 'FEE', rate: '10' })];

describe('a file', () => {
  const problems = (over: object) =>
    countryProblems(taxCountry([{ ...row, ...over } as TaxRule]))
      .map(String)
      .filter((p) => p.startsWith('row 1'));

  it.each<[string, object, string]>([
    ['brackets that fall', { brackets: [{ upTo: '10', rate: '1' }, { upTo: '5', rate: '2' }, { rate: '3' }] }, 'rise'],
    ['brackets without an end to the first', { brackets: [{ rate: '1' }, { rate: '2' }] }, 'brackets must rise'],
    ['brackets that stop', { brackets: [{ upTo: '10', rate: '1' }] }, 'brackets must rise'],
    ['a bracket without a rate', { brackets: [{ upTo: '10' }, { rate: '2' }] }, 'each with a rate'],
    ['a slab with a rate and an amount', { slabs: [{ rate: '1', amount: '2' }] }, 'a rate or an amount'],
    ['a rate beside brackets', { rate: '1', brackets: [{ rate: '2' }] }, 'exactly one of'],
    ['a cap that is none', { rate: '1', maxTax: 'ten' }, 'maxTax must be an amount'],
    ['a step in what contains the tax', { rate: '1', base: 'GROSS_INCLUSIVE', maxTax: '5' }, 'contains the tax'],
    ['a limit in what contains the tax', { rate: '1', base: 'GROSS_INCLUSIVE', threshold: '5' }, 'contains the tax'],
    [
      'a limit of what a call costs',
      { rate: '1', base: 'CALL_COST', operations: ['recordCDR'], threshold: '5' },
      'threshold is not compared with the base CALL_COST',
    ],
    [
      'a cap of a tax on a period',
      { rate: '1', base: 'GGR_PERIOD', operations: ['captureWager'], inTransaction: false, maxTax: '5' },
      'maxTax is not compared with the base GGR_PERIOD',
    ],
    [
      'an allowance in a stake that contains the tax',
      { rate: '1', base: 'STAKE_INCLUSIVE', operations: ['captureWager'], allowance: '5' },
      'allowance is not compared with the base STAKE_INCLUSIVE',
    ],
    [
      'slabs of stakes that are summed over a period',
      { slabs: [{ rate: '1' }], base: 'STAKE', operations: ['captureWager'], inTransaction: false },
      'slabs is not compared with the base STAKE',
    ],
    ['a part of another country', { rate: '1', subdivision: 'BB-1' }, 'a part of AA'],
    ['a supply that is none', { rate: '1', supplies: ['rockets'] }, 'supplies must be an array of'],
    ['supplies beside codes', { rate: '1', supplies: ['books'], mccRanges: ['5942'] }, 'exclude each other'],
    ['a customer that is none', { rate: '1', customer: 'ANYBODY' }, 'is not known'],
    ['an example without a tax', { rate: '1', example: { amount: '5' } }, 'example must have'],
  ])('is refused for %s', (_, over, why) => {
    expect(problems(over).join('\n')).toContain(why);
  });

  it.each<[string, object]>([
    ['an amount and a limit of stakes that contain the tax', { base: 'STAKE_INCLUSIVE', atLeast: '5', threshold: '9' }],
    ['brackets of a period', { base: 'GGR_PERIOD', inTransaction: false, rate: undefined, brackets: [{ rate: '2' }] }],
    ['a limit of each stake of a period', { base: 'STAKE', inTransaction: false, threshold: '9' }],
    ['a cap of stakes that are taxed at once', { base: 'STAKE', maxTax: '9' }],
  ])('may have %s', (_, over) => {
    expect(problems({ rate: '1', operations: ['captureWager'], ...over })).toEqual([]);
  });
});
