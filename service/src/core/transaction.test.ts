// The price of an amount at the edges: a remainder of zero is valid, a negative one is refused.
import { describe, expect, it } from 'vitest';
import { type FeeRule, FeeSchedule } from './fee.ts';
import type { Country } from './reference.ts';
import { Refusal } from './refusal.ts';
import type { RuleBook, TaxPlan } from './tax/book.ts';
import { price, verdict } from './transaction.ts';

const none = { inclusive: [], added: [], withheld: [], fees: [], others: [], due: [], accruals: [] };
const untaxed = { ...none, inclusiveRate: { n: 0n, d: 1n } };
const bookOf = (plan: unknown) => ({ version: 'v', plan: () => plan as TaxPlan | undefined }) as unknown as RuleBook;
const free: FeeRule = {
  feeId: 'FREE',
  operations: [],
  classifications: [],
  countries: [],
  percent: '0',
  validFrom: '2024-01-01',
  validTo: null,
};
const ask = (transactionFee: bigint, book = bookOf(untaxed), fees: readonly FeeRule[] = [free]) =>
  price(
    {
      psp: 'p',
      kind: 'verifyTransaction',
      classification: '',
      country: { alpha2: 'XX' } as Country,
      asset: { code: 'XTS', decimals: 2 },
      amount: 10_00n,
      transactionFee,
      date: '2026-11-21',
    },
    book,
    new FeeSchedule(fees),
  );

describe('price', () => {
  it('may leave nothing, and refuses to leave less, saying of what it is the sum', () => {
    expect(ask(10_00n)).toMatchObject({ remainder: '0.00', transactionFee: '10.00' });
    const less = ask(10_01n) as Refusal;
    expect(less).toBeInstanceOf(Refusal);
    expect([less.code, less.message]).toEqual([
      'SPLIT_NEGATIVE',
      "the field 'totalAmount' is less than its taxes and fees: 0.00 VAT + 0.00 processing fee + 10.01 transaction fee + 0.00 VAT on the fees",
    ]);
  });

  it('is refused without a tax rule, and without a fee', () => {
    const codes = [ask(0n, bookOf(undefined)), ask(0n, bookOf(untaxed), [])].map((r) => [
      (r as Refusal).code,
      (r as Refusal).message,
    ]);
    expect(codes).toEqual([
      ['NO_TAX_RULE', "no tax rule for country 'XX' on 2026-11-21; an operator of the service can add one"],
      ['NO_FEE_RULE', "no fee schedule for verifyTransaction in country 'XX' on 2026-11-21"],
    ]);
  });
});

it('a verdict says what was decided, and why not', () => {
  expect(verdict({ status: 'APPROVED', reason: null }, 'deposit')).toBe('deposit approved');
  expect(verdict({ status: 'DECLINED', reason: 'suspended' }, 'deposit')).toBe('deposit declined: suspended');
  expect(verdict({ status: 'DECLINED', reason: null }, 'deposit')).toBe('deposit declined: declined by the PSP');
});
