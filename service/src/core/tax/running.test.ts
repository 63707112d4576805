// Taxes whose law counts a period: what each amount bears adds up to the tax of the sum, in whatever order.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { taxRow } from '../../../test/support/tax-rows.ts';
import { charge, percent } from './charge.ts';
import type { TaxRule } from './rule.ts';
import { chargeMore, nothingYet } from './running.ts';

const peso = { code: 'PHP', decimals: 2 };
const counting = (over: Partial<TaxRule>) => {
  const rule = taxRow({ summedOver: { of: 'CLIENT', per: 'YEAR' }, ...over });
  return { rule, ownRate: percent(rule.rate ?? '0'), currency: 'PHP' };
};
const amounts = fc.array(fc.bigInt({ min: 1n, max: 400_000n }), { minLength: 1, maxLength: 12 });

function taxes(over: Partial<TaxRule>, all: readonly bigint[]): bigint[] {
  let before = nothingYet;
  return all.map((base) => {
    const { tax } = chargeMore(counting(over), base, base, before, peso) ?? { tax: -1n };
    before = { ...before, base: before.base + base, records: before.records + 1 };
    return tax;
  });
}
const total = (of: readonly bigint[]) => of.reduce((a, b) => a + b, 0n);

describe('chargeMore', () => {
  it.each<[string, Partial<TaxRule>]>([
    ['a rate', { rate: '0.5' }],
    ['a rate above an amount that is free', { rate: '10', allowance: '5000' }],
    ['a rate on all above a limit', { rate: '10', threshold: '5000' }],
    ['at most an amount', { rate: '10', maxTax: '700' }],
    ['brackets', { brackets: [{ upTo: '3000', rate: '4' }, { upTo: '9000', rate: '20' }, { rate: '40' }] }],
  ])('%s: the taxes of a sum are the tax of the sum, in any order', (_, over) => {
    fc.assert(
      fc.property(amounts, (all) => {
        const whole = charge(counting(over), total(all), peso)?.tax;
        expect(total(taxes(over, all))).toBe(whole);
        expect(total(taxes(over, all.toReversed()))).toBe(whole);
      }),
    );
  });

  it('taxes nothing of what came before a limit that is to be reached, and all from there on', () => {
    const over: Partial<TaxRule> = {
      rate: '0.5',
      threshold: '5000',
      summedOver: { of: 'CLIENT', per: 'YEAR', from: 'REACHED' },
    };
    // 4,000 are free; 1,000 more reach 5,000, which is not above it; the next cent is, and bears the tax alone.
    expect(taxes(over, [4_000_00n, 1_000_00n, 1_000_00n, 2_000_00n])).toEqual([0n, 0n, 5_00n, 10_00n]);
  });

  it('says nothing of amounts in another currency', () => {
    expect(chargeMore(counting({}), 1n, 1n, nothingYet, { code: 'EUR', decimals: 2 })).toBeUndefined();
  });
});
