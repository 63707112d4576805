// How a sale was paid: the parts the PSP does not hold fit into the total, and what is odd is only observed.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { methodsNotHeld, observePayments, paymentOf } from './payments.ts';

const text = (units: bigint) => `${units}`;
const methods = (m: Record<string, bigint>) => new Map(Object.entries(m));

describe('the parts of a payment', () => {
  it('are those of its own names; any other name is money the PSP holds', () => {
    const paid = paymentOf(methods({ card: 100n, cash: 600n, vouchers: 200n, discounts: 50n, Cash: 50n }), 1000n);
    expect(paid).toEqual({ discounts: 50n, vouchers: 200n, cash: 600n, singlePurpose: 0n });
  });

  it('never come to more than the total: cash beyond it was given back as change', () => {
    expect(paymentOf(methods({ cash: 1200n, discounts: 100n }), 1000n)).toMatchObject({ discounts: 100n, cash: 900n });
    fc.assert(
      fc.property(fc.array(fc.bigInt(0n, 2000n), { minLength: 5, maxLength: 5 }), (n) => {
        const [discounts, vouchers, cash, total, single] = n as [bigint, bigint, bigint, bigint, bigint];
        const paid = paymentOf(methods({ discounts, vouchers, cash }), total, single);
        const sum = methodsNotHeld.reduce((s, m) => s + paid[m], 0n);
        expect(sum).toBe(discounts + vouchers + cash < total ? discounts + vouchers + cash : total);
        expect(paid.singlePurpose <= paid.vouchers).toBe(true);
      }),
    );
  });
});

describe('payment methods', () => {
  it('that do not add up are noticed', () => {
    expect(observePayments(methods({ card: 4n, cash: 6n }), 10n, text)).toEqual([]);
    expect(observePayments(methods({ card: 4n, cash: 5n }), 10n, text)).toEqual([
      {
        code: 'PAYMENT_METHODS_SUM',
        field: 'paymentMethods',
        message: 'payment methods sum to 9, totalAmount is 10',
      },
    ]);
  });

  it('are noticed where discounts exceed the total, and single-purpose vouchers the vouchers', () => {
    const codes = (m: Record<string, bigint>, single?: bigint) =>
      observePayments(methods(m), 10n, text, single).map((o) => o.code);
    expect(codes({ discounts: 12n })).toEqual(['PAYMENT_METHODS_SUM', 'DISCOUNTS_EXCEED_TOTAL']);
    expect(codes({ discounts: 10n })).toEqual([]);
    expect(codes({ vouchers: 4n, card: 6n }, 4n)).toEqual([]);
    expect(codes({ vouchers: 4n, card: 6n }, 5n)).toEqual(['SINGLE_PURPOSE_VOUCHERS_EXCEED']);
  });
});
