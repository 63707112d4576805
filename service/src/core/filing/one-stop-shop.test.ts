// The sums of a one-stop shop return, against sums of whole cents.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type ShopPart, shopReturn } from './one-stop-shop.ts';

const rates: Readonly<Record<string, string>> = { A: '20', B: '10', C: '5.5' };
const rateTypeOf = (rule: string) => ({
  rateType: rule === 'A' ? ('STANDARD' as const) : ('REDUCED' as const),
  rate: rates[rule] ?? '0',
});
const cents = (text: string) => Math.round(Number(text) * 100);

it('owes each state what its sales and corrections come to, and sets no state off against another', () => {
  const part = fc.record({
    country: fc.constantFrom('ES', 'FR', 'GR', 'PL'),
    quarter: fc.constantFrom('2026-Q2', '2026-Q3', '2026-Q4'),
    rule: fc.constantFrom('A', 'B', 'C'),
    cents: fc.integer({ min: -100_000, max: 100_000 }),
  });
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), (list) => {
      const parts = list.map(
        (p): ShopPart => ({
          ...p,
          currency: 'EUR',
          taxable: (p.cents / 10).toFixed(2),
          tax: (p.cents / 100).toFixed(2),
        }),
      );
      const made = shopReturn({
        ...{ quarter: '2026-Q4', parts, rateTypeOf },
        ...{ filings: [], followed: new Set(), rateOf: () => undefined, countryOf: () => '' },
      });
      const owed = new Map<string, number>();
      for (const p of list) owed.set(p.country, (owed.get(p.country) ?? 0) + p.cents);
      for (const [country, sum] of owed) {
        const balance = made.balances.find((b) => b.country === country)?.balance ?? '0';
        expect(cents(balance)).toBe(sum);
      }
      expect(cents(made.payable)).toBe([...owed.values()].filter((sum) => sum > 0).reduce((a, b) => a + b, 0));
      for (const s of made.supplies) {
        const own = list.filter((p) => p.country === s.country && p.quarter === '2026-Q4' && rates[p.rule] === s.rate);
        expect(cents(s.tax)).toBe(own.reduce((n, p) => n + p.cents, 0));
      }
    }),
    { numRuns: 1000 },
  );
});

it('corrects a quarter within three years of the day its return was due, and names what is older', () => {
  // Due on 31 October 2023: the return of 2026-Q3, sent by 31 October 2026, is the last that corrects it (article 61).
  const part = (quarter: string): ShopPart => ({
    ...{ country: 'FR', quarter, rule: 'A', currency: 'EUR', taxable: '-100', tax: '-20' },
  });
  const by = (quarter: string) =>
    shopReturn({
      ...{ quarter, parts: [part('2023-Q3')], rateTypeOf, filings: [], followed: new Set<string>() },
      ...{ rateOf: () => undefined, countryOf: () => 'FR' },
    });
  const correction = { country: 'FR', quarter: '2023-Q3', tax: '-20' };
  const [last, late] = [by('2026-Q3'), by('2026-Q4')];
  expect([last.corrections, last.tooOld]).toEqual([[correction], []]);
  expect([late.corrections, late.tooOld, late.lines, late.payable]).toEqual([[], [correction], [], '0']);
});
