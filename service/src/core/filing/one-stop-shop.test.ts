// The sums of a one-stop shop return, against sums of whole cents.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { KindFound } from './goods-or-services.ts';
import { type KindOfSales, type ShopPart, shopReturn } from './one-stop-shop.ts';

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
        ...{ filings: [], followed: new Set(), rateOf: () => undefined, kinds: [], countryOf: () => '' },
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
      ...{ rateOf: () => undefined, kinds: [], countryOf: () => 'FR' },
    });
  const correction = { country: 'FR', quarter: '2023-Q3', tax: '-20' };
  const [last, late] = [by('2026-Q3'), by('2026-Q4')];
  expect([last.corrections, last.tooOld]).toEqual([[correction], []]);
  expect([late.corrections, late.tooOld, late.lines, late.payable]).toEqual([[], [correction], [], '0']);
});

it('divides each line into goods and services, of which no cent is lost or added in another currency', () => {
  const kindOf = fc.constantFrom<KindFound>('GOODS', 'SERVICES', 'CODE_OF_BOTH', 'NO_CODE');
  const sale = fc.record({
    country: fc.constantFrom('FR', 'PL'),
    rule: fc.constantFrom('A', 'B'),
    currency: fc.constantFrom('EUR', 'PLN'),
    kind: kindOf,
    from: fc.constantFrom(undefined, 'NL'),
    isRead: fc.boolean(),
    cents: fc.integer({ min: 1, max: 1_000_000 }),
  });
  const exchange = { rate: '4.37', exact: { n: 100n, d: 437n }, day: '2026-12-31', publisher: 'ECB' };
  fc.assert(
    fc.property(fc.array(sale, { maxLength: 40 }), (list) => {
      const amounts = (c: number) => ({ taxable: (c / 20).toFixed(2), tax: (c / 100).toFixed(2) });
      const parts = list.map(({ country, rule, currency, cents: c }): ShopPart => {
        return { ...{ country, rule, currency, quarter: '2026-Q4' }, ...amounts(c) };
      });
      const read = list.filter((s) => s.isRead);
      const kinds = read.map(({ country, rule, currency, kind, from, cents: c }): KindOfSales => {
        return { ...{ country, rule, currency, kind, from, mcc: undefined }, ...amounts(c) };
      });
      const asked = {
        ...{ quarter: '2026-Q4', parts, rateTypeOf, filings: [], followed: new Set<string>() },
        ...{ rateOf: () => exchange, countryOf: () => '' },
      };
      const [made, whole] = [shopReturn({ ...asked, kinds }), shopReturn({ ...asked, kinds: [] })];
      expect([made.balances, made.payable, made.lines]).toEqual([whole.balances, whole.payable, whole.lines]);
      const sumBy = (of: (s: (typeof made.supplies)[number]) => boolean, field: 'taxable' | 'tax') =>
        made.supplies.filter(of).reduce((n, s) => n + cents(s[field]), 0);
      for (const w of whole.supplies) {
        expect(w.kind).toBe('UNKNOWN');
        const same = (s: { country: string; rate: string }) => s.country === w.country && s.rate === w.rate;
        for (const field of ['taxable', 'tax'] as const) {
          expect(sumBy(same, field)).toBe(cents(w[field]));
          expect(made.unknown.filter(same).reduce((n, s) => n + cents(s[field]), 0)).toBe(
            sumBy((s) => same(s) && s.kind === 'UNKNOWN', field),
          );
        }
        // In euros alone each part is what was sold of it.
        const own = read.filter((s) => s.country === w.country && rates[s.rule] === w.rate);
        if (list.every((s) => s.currency === 'EUR'))
          for (const kind of ['GOODS', 'SERVICES'] as const)
            expect(sumBy((s) => same(s) && s.kind === kind && s.from === 'NL', 'tax')).toBe(
              own.filter((s) => s.kind === kind && s.from === 'NL').reduce((n, s) => n + s.cents, 0),
            );
      }
    }),
    { numRuns: 500 },
  );
});
