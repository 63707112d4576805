// The evidence must be consistent: the rate of a line, applied to the base it shows, gives the tax it states.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadRuleBook } from '../../platform/data-files.ts';
import { classifications } from '../standing.ts';
import { hasAmounts } from './charge.ts';
import { earlierMovement, earlierSale } from './earlier-split.ts';
import type { TaxRule } from './rule.ts';
import { gamingTaxes, splitMovement, splitSale, type TaxLine } from './split.ts';

const book = loadRuleBook();
const countries = [...book.countries()].map((c) => c.jurisdiction);
const ruleOf = (l: TaxLine) => book.rule(l.ruleId)?.rule as TaxRule;
/** In units of the tenth decimal, the last one that a rate has. */
const scaled = (text: string | undefined) => BigInt(Math.round(Number(text ?? '0') * 10_000_000_000));
/** Rate × base, in trillionths of the smallest unit. */
const product = (l: TaxLine) => scaled(ruleOf(l).rate) * l.taxable;
const one = 1_000_000_000_000n;
const isContained = (r: TaxRule) => r.base === 'GROSS_INCLUSIVE' || r.base === 'STAKE_INCLUSIVE';

/** Taxes on top: exactly the rounded product. Contained ones, which may have no whole base: rounded up or down. */
function expectTrue(lines: readonly TaxLine[], of: string): void {
  for (const l of lines) {
    // Those that name amounts of money: charge.test.ts.
    if (hasAmounts(ruleOf(l))) continue;
    const exact = product(l);
    const off = l.tax * one - exact;
    if (isContained(ruleOf(l))) {
      expect(off < one + one / 2n && off > -one - one / 2n, `${of} ${l.ruleId}: ${l.tax} of ${l.taxable}`).toBe(true);
    } else {
      const rounded = (exact + one / 2n) / one;
      expect(l.tax, `${of} ${l.ruleId} of ${l.taxable}`).toBe(rounded);
    }
  }
}

const question = fc.record({
  jurisdiction: fc.constantFrom(...countries),
  classification: fc.constantFrom(...classifications, ''),
  mcc: fc.constantFrom(undefined, '5411', '5812', '5942', '7011', '7995', '8011', '4814'),
  date: fc.constantFrom('2024-01-01', '2025-07-01', '2025-12-31', '2026-01-01', '2026-11-22', '2027-07-01'),
});
const amount = fc.oneof(fc.bigInt(1n, 2_000n), fc.bigInt(1n, 10n ** 12n));
const fee = fc.bigInt(0n, 100_000n);

describe('every line of the evidence', () => {
  it.each(['verifyTransaction', 'deposit', 'withdrawal', 'cryptoDeposit', 'cryptoWithdrawal'] as const)(
    'states of %s the tax that its rate makes of the base it shows, in every country',
    (operation) => {
      fc.assert(
        fc.property(question, amount, fee, fee, (q, gross, passedOn, own) => {
          const plan = book.plan({ ...q, operation });
          if (!plan) throw new Error(`no plan for ${q.jurisdiction}`);
          const split =
            operation === 'verifyTransaction'
              ? splitSale(plan, { gross, taxable: gross, moved: gross }, passedOn, own)
              : splitMovement(plan, gross, passedOn, own);
          expectTrue(split.lines, q.jurisdiction);
          const taxes = split.lines.reduce((sum, l) => sum + l.tax, 0n);
          expect(taxes).toBe(split.vatAmount + split.transactionVat);
          expect(split.remainder + taxes + passedOn + own).toBe(gross);
          // Each contained tax is what its rate takes out of the whole, rounded.
          const { n, d } = plan.inclusiveRate;
          for (const [i, { rate }] of plan.inclusive.entries()) {
            const [of, by] = [gross * rate.n * d, rate.d * (d + n)];
            expect(split.lines[i]?.tax).toBe((2n * of + by) / (2n * by));
          }
        }),
        { numRuns: 4_000 },
      );
    },
  );

  it.each(['captureWager', 'capturePayout'] as const)('states it of %s too', (operation) => {
    fc.assert(
      fc.property(question, amount, amount, (q, a, b) => {
        const plan = book.plan({ ...q, operation, productLine: 'sports' });
        if (!plan) throw new Error(`no plan for ${q.jurisdiction}`);
        const [payout, winnings] = a > b ? [a, b] : [b, a];
        expectTrue(
          gamingTaxes(plan, operation === 'captureWager' ? { stake: a } : { payout, winnings }, {
            code: book.country(q.jurisdiction)?.currency ?? '',
            decimals: 2,
          }),
          q.jurisdiction,
        );
      }),
      { numRuns: 4_000 },
    );
  });

  /** Exempt goods for a discount of all: nothing of it is taxed but its fees. */
  const untaxedSale = { gross: 10n ** 12n, taxable: 0n, moved: 0n };

  it('bears the tax on both fees alike in every operation: a sale on its fees what a deposit bears on the same', () => {
    fc.assert(
      fc.property(question, fee, fee, (q, passedOn, own) => {
        const sale = book.plan({ ...q, operation: 'verifyTransaction' });
        if (!sale) throw new Error(`no plan for ${q.jurisdiction}`);
        const onSale = splitSale(sale, untaxedSale, passedOn, own).transactionVat;
        const onMovement = splitMovement({ ...sale, inclusive: [], added: [] }, 10n ** 12n, passedOn, own).vatAmount;
        expect(onSale).toBe(onMovement);
        expect(onSale).toBe(splitSale(sale, untaxedSale, passedOn + own, 0n).transactionVat);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('the earlier split', () => {
  it('sums to the whole as it did, with tax on the fee passed on alone in a sale', () => {
    fc.assert(
      fc.property(question, amount, fee, fee, (q, gross, passedOn, own) => {
        const plan = book.plan({ ...q, operation: 'verifyTransaction' });
        if (!plan) throw new Error(`no plan for ${q.jurisdiction}`);
        for (const s of [earlierSale(plan, gross, gross, passedOn, own), earlierMovement(plan, gross, passedOn, own)]) {
          const taxes = s.lines.reduce((sum, l) => sum + l.tax, 0n);
          expect(s.remainder + taxes + passedOn + own).toBe(gross);
        }
        expect(earlierSale(plan, gross, gross, 0n, own).transactionVat).toBe(0n);
      }),
      { numRuns: 1_000 },
    );
  });
});
