// Splits: golden cases for the shipped rules, every rate change that public packages get wrong, and a hundred thousand
// random amounts that must be exact, a million in the long form.
import { describe, expect, it } from 'vitest';
import { upTo } from '../../../test/support/depth.ts';
import { feeRows, taxCountry, taxRow } from '../../../test/support/tax-rows.ts';
import { loadReference, loadRuleBook } from '../../platform/data-files.ts';
import { localDate } from '../calendar.ts';
import { FeeSchedule, feeOn } from '../fee.ts';
import { decimal, formatUnits, unitsAt } from '../money.ts';
import type { Country } from '../reference.ts';
import { Refusal } from '../refusal.ts';
import { classifications } from '../standing.ts';
import { type PriceQuestion, price, type TransactionKind } from '../transaction.ts';
import { RuleBook, type TaxPlan } from './book.ts';
import { type TaxRule, taxedOperations } from './rule.ts';
import { containedTaxes, gamingTaxes, type Split, splitMovement, splitSale, type TaxLine } from './split.ts';

const book = loadRuleBook();
const reference = loadReference();
const feeOf = (percent: string) =>
  new FeeSchedule([
    { feeId: 'F', operations: [], classifications: [], countries: [], percent, validFrom: '2020-01-01', validTo: null },
  ]);
const shippedFees = { sale: feeOf('1.00'), crypto: feeOf('0.50'), gaming: feeOf('0.75'), none: feeOf('0') };

interface Case {
  readonly kind?: TransactionKind;
  readonly country: string;
  readonly amount: string;
  readonly decimals?: number;
  readonly fee?: string;
  readonly fees?: FeeSchedule;
  readonly classification?: string;
  readonly mcc?: string;
  readonly date?: string;
}

function priced(c: Case) {
  const decimals = c.decimals ?? 2;
  const units = (text: string) => unitsAt(decimal(text), decimals) as bigint;
  const r = price(
    {
      psp: 'p',
      kind: c.kind ?? 'verifyTransaction',
      classification: c.classification ?? 'ECOMM_LOCAL',
      country: reference.country(c.country) as Country,
      asset: { code: 'X', decimals },
      amount: units(c.amount),
      transactionFee: units(c.fee ?? '0'),
      mcc: c.mcc,
      date: c.date ?? '2026-11-21',
    } satisfies PriceQuestion,
    book,
    c.fees ?? shippedFees.none,
  );
  if (r instanceof Refusal) throw r;
  return r;
}

/** Tax by code, summed over its bases, without zero amounts. */
function taxes(c: Case): Record<string, string> {
  const out: Record<string, bigint> = {};
  for (const line of priced(c).evidence.tax) {
    const code = book.rule(line.rule)?.rule.taxCode as string;
    out[code] = (out[code] ?? 0n) + (unitsAt(decimal(line.tax), 2) as bigint);
  }
  return Object.fromEntries(
    Object.entries(out).flatMap(([code, tax]) => (tax === 0n ? [] : [[code, formatUnits(tax, 2)]])),
  );
}

describe('golden cases', () => {
  it('NG: 107.50 holds 7.50 VAT', () => {
    const r = priced({ country: 'NG', amount: '107.50', fee: '1.50', fees: shippedFees.sale });
    expect(r).toMatchObject({
      vatAmount: '7.50',
      processingFee: '1.08',
      transactionFee: '1.50',
      transactionVat: '0.19',
      remainder: '97.23',
    });
    expect(r.evidence.tax).toEqual([
      { rule: 'NG-VAT-STANDARD-2026', taxable: '100.00', tax: '7.50' },
      { rule: 'NG-VAT-FEE-2020', taxable: '2.58', tax: '0.19' },
    ]);
  });

  it("NG: KuCoin's published example, a deposit of 1000 USDT with a fee of 1", () => {
    const r = priced({ kind: 'cryptoDeposit', country: 'NG', amount: '1000', fee: '1', decimals: 6 });
    expect(r).toMatchObject({ vatAmount: '0.075000', processingFee: '0.000000', remainder: '998.925000' });
  });

  it('DE: 119 holds 19', () => {
    expect(priced({ country: 'DE', amount: '119' })).toMatchObject({ vatAmount: '19.00', remainder: '100.00' });
  });

  it('GH: 120 holds 20 in 15, 2.5 and 2.5', () => {
    expect(priced({ country: 'GH', amount: '120' })).toMatchObject({ vatAmount: '20.00', remainder: '100.00' });
    expect(taxes({ country: 'GH', amount: '120' })).toEqual({ VAT: '15.00', NHIL: '2.50', GETFUND: '2.50' });
  });

  it('GH until 2025: 15 % on top of three levies, 121.90 holds 21.90', () => {
    const until = { country: 'GH', amount: '121.90', date: '2025-12-31' };
    expect(taxes(until)).toEqual({ VAT: '15.90', NHIL: '2.50', GETFUND: '2.50', COVID: '1.00' });
    expect(priced(until)).toMatchObject({ vatAmount: '21.90', remainder: '100.00' });
  });

  it('KE: a gaming deposit bears 5 % excise on its value and 15 % on the fees, from 2025-07-01', () => {
    const deposit: Case = {
      kind: 'deposit',
      country: 'KE',
      amount: '1000',
      fee: '10',
      classification: 'IGAMING_LOCAL',
      fees: shippedFees.gaming,
      date: '2025-07-01',
    };
    expect(priced(deposit)).toMatchObject({ vatAmount: '52.63', processingFee: '7.50', remainder: '929.87' });
    expect(priced({ ...deposit, date: '2025-06-30' })).toMatchObject({ vatAmount: '2.63', remainder: '979.87' });
    // The operation is a gaming deposit (Spec 4.10) for every caller, including a PSP with its own key.
    for (const classification of ['ECOMM_LOCAL', ''])
      expect(priced({ ...deposit, classification })).toMatchObject({ vatAmount: '52.63' });
  });

  it('KE: a gaming withdrawal bears 5 % on its value', () => {
    const withdrawal: Case = { kind: 'withdrawal', country: 'KE', amount: '1000', classification: 'IGAMING_GLOBAL' };
    expect(priced(withdrawal)).toMatchObject({ vatAmount: '50.00', remainder: '950.00' });
  });

  it('KE: excise of 10 % falls on crypto fees from 2025-07-01, and no tax of an exchange on a withdrawal before', () => {
    const c: Case = { kind: 'cryptoWithdrawal', country: 'KE', amount: '1000', fee: '10' };
    expect(priced({ ...c, date: '2025-07-01' })).toMatchObject({ vatAmount: '1.00', remainder: '989.00' });
    expect(priced({ ...c, date: '2025-06-30' })).toMatchObject({ vatAmount: '0.00', remainder: '990.00' });
  });

  it('IN: 18 % falls on the fee of a crypto withdrawal, and what is withheld from a sale does not', () => {
    const c: Case = { kind: 'cryptoWithdrawal', country: 'IN', amount: '1000', fee: '10' };
    expect(taxes(c)).toEqual({ GST: '1.80' });
  });

  it('NG: an mcc that is zero-rated or exempt bears nothing, and says why', () => {
    for (const mcc of ['8011', '8211', '4111', '7995']) {
      const r = priced({ country: 'NG', amount: '107.50', mcc });
      expect(r).toMatchObject({ vatAmount: '0.00', remainder: '107.50' });
      expect(book.rule(r.evidence.tax[0]?.rule ?? '')?.rule.reason).toMatch(/EXEMPT|ZERO_RATED/);
    }
    expect(priced({ country: 'NG', amount: '107.50', mcc: '5411' }).vatAmount).toBe('7.50');
  });

  it('DE: books bear 7 %, restaurants 19 % until 2025 and 7 % from 2026', () => {
    expect(priced({ country: 'DE', amount: '107', mcc: '5942' }).vatAmount).toBe('7.00');
    expect(priced({ country: 'DE', amount: '119', mcc: '5812', date: '2025-12-31' }).vatAmount).toBe('19.00');
    expect(priced({ country: 'DE', amount: '107', mcc: '5812', date: '2026-01-01' }).vatAmount).toBe('7.00');
  });

  it('an amount without decimals is split in whole units: JP 110 yen holds 10', () => {
    expect(priced({ country: 'JP', amount: '110', decimals: 0 })).toMatchObject({ vatAmount: '10', remainder: '100' });
  });
});

describe('known traps', () => {
  /** The sale's rate on a date, in percent. */
  const rate = (country: string, date: string): number => {
    const plan = book.plan({ jurisdiction: country, operation: 'verifyTransaction', classification: '', date });
    const { n, d } = (plan as TaxPlan).inclusiveRate;
    return Number((n * 1_000_000n) / d) / 10_000;
  };
  const dayBefore = (date: string) => new Date(Date.parse(date) - 86_400_000).toISOString().slice(0, 10);

  it.each([
    ['GH', '2026-01-01', 21.9, 20],
    ['EE', '2025-07-01', 22, 24],
    ['SK', '2025-01-01', 20, 23],
    ['FI', '2024-09-01', 24, 25.5],
    ['RO', '2025-08-01', 19, 21],
    ['KZ', '2026-01-01', 12, 16],
    ['RU', '2026-01-01', 20, 22],
  ])('%s changed on %s from %s to %s', (country, date, before, after) => {
    expect([rate(country, dayBefore(date)), rate(country, date)]).toEqual([before, after]);
  });

  it.each([
    ['EE', '2025-07-01', 22, 24],
    ['RO', '2025-08-01', 19, 21],
    ['FI', '2024-09-01', 24, 25.5],
    ['KZ', '2026-01-01', 12, 16],
    ['RU', '2026-01-01', 20, 22],
    ['GH', '2026-01-01', 21.9, 20],
    ['SK', '2025-01-01', 20, 23],
  ])('%s changed at its own midnight, not at that of UTC', (country, date, before, after) => {
    const zone = book.country(country)?.timeZone as string;
    // The last instant of the day before, found by bisection: no offset is assumed.
    let low = Date.parse(dayBefore(date)) - 86_400_000;
    let high = Date.parse(date) + 86_400_000;
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (localDate(zone, middle) < date) low = middle;
      else high = middle;
    }
    expect(rate(country, localDate(zone, low))).toBe(before);
    expect(rate(country, localDate(zone, high))).toBe(after);
    const offset = Date.parse(date) - high;
    expect(Math.abs(offset)).toBeLessThanOrEqual(14 * 3_600_000);
  });

  it.each([
    ['LK', '2024-01-01', 18],
    ['BH', '2026-11-21', 10],
    ['LI', '2026-11-21', 8.1],
    ['TH', '2026-11-21', 7],
    ['TH', '2026-10-01', 7],
    ['EE', '2026-11-21', 24],
    ['AE', '2026-11-21', 5],
    ['GB', '2026-11-21', 20],
    ['CH', '2026-11-21', 8.1],
    ['JP', '2026-11-21', 10],
    ['ZA', '2026-11-21', 15],
  ])('%s on %s has %s %', (country, date, percent) => {
    expect(rate(country, date)).toBe(percent);
  });

  it('TH marks the day its decree ends', () => {
    const rule = book.plan({
      jurisdiction: 'TH',
      operation: 'verifyTransaction',
      classification: '',
      date: '2026-11-21',
    })?.inclusive[0]?.rule;
    expect(rule).toMatchObject({ rate: '7', validFrom: '2026-10-01', sunsetOn: '2027-09-30' });
  });

  it.each(['KW', 'QA', 'US', 'HK'])('%s has no VAT in force, and says so', (country) => {
    expect(rate(country, '2026-11-21')).toBe(0);
    const r = priced({ country, amount: '100' });
    expect(r.remainder).toBe('100.00');
    expect(book.rule(r.evidence.tax[0]?.rule ?? '')?.rule.reason).toBe('NO_VAT');
  });
});

describe('components', () => {
  const plan = (rows: TaxRule[]) =>
    new RuleBook('v', [taxCountry([...rows, ...feeRows])]).plan({
      jurisdiction: 'AA',
      operation: 'verifyTransaction',
      classification: '',
      date: '2026-01-01',
    }) as TaxPlan;

  it('are each rounded by itself, so that two of one rate are one amount, as two halves of a return must be', () => {
    // Ghana's NHIL and GETFund levies; ICMS and the like of other rates beside them.
    const rows = { A: '2.5', B: '2.5', C: '15' };
    const three = plan(Object.entries(rows).map(([c, rate]) => taxRow({ ruleId: `AA-${c}`, taxCode: c, rate })));
    for (let gross = 1n; gross <= 20_000n; gross++) {
      const { total, lines } = containedTaxes(three, gross);
      const [a, b, c] = lines.map((l) => l.tax);
      if (a !== b) expect.fail(`${a} and ${b} of ${gross}`);
      expect([a, c]).toEqual([(2n * gross * 25n + 1_200n) / 2_400n, (2n * gross * 15n + 120n) / 240n]);
      expect(total + (lines[0] as TaxLine).taxable).toBe(gross);
    }
  });

  it('round as their row says', () => {
    // 5 % contained in 0.21 is exactly 0.01; in 0.105 of a unit there are half-way cases.
    const contained = (rounding: TaxRule['rounding'], gross: bigint) =>
      containedTaxes(plan([taxRow({ rate: '100', rounding })]), gross).total;
    expect([contained('HALF_UP', 3n), contained('HALF_EVEN', 3n), contained('DOWN', 3n)]).toEqual([2n, 2n, 1n]);
    expect([contained('HALF_UP', 5n), contained('HALF_EVEN', 5n), contained('DOWN', 5n)]).toEqual([3n, 2n, 2n]);
  });

  it('added to the gross are withheld from the remainder', () => {
    const added = plan([
      taxRow({ base: 'NET_ADD_ON', rate: '10' }),
      taxRow({ ruleId: 'AA-L', taxCode: 'L', base: 'NET_ADD_ON', rate: '5' }),
    ]);
    const s = splitSale(added, { gross: 1000n, taxable: 1000n, moved: 1000n }, 0n, 0n);
    expect(s.vatAmount).toBe(150n);
    expect(s.remainder).toBe(850n);
  });

  it('bear only the taxable part of the gross', () => {
    const s = splitSale(plan([taxRow()]), { gross: 1200n, taxable: 600n, moved: 1200n }, 10n, 5n);
    expect(s).toMatchObject({ vatAmount: 100n, transactionVat: 2n, remainder: 1200n - 100n - 10n - 2n - 5n });
  });
});

describe('gaming taxes', () => {
  const linesOf = (rows: TaxRule[], amounts: Parameters<typeof gamingTaxes>[1]) => {
    const plan = new RuleBook('v', [taxCountry(rows)]).plan({
      jurisdiction: 'AA',
      operation: 'capturePayout',
      classification: '',
      date: '2026-01-01',
    }) as TaxPlan;
    return gamingTaxes(plan, amounts, { code: 'EUR', decimals: 2 }).map(({ taxable, tax }) => [taxable, tax]);
  };
  const on = (base: TaxRule['base'], over: Partial<TaxRule> = {}) =>
    taxRow({ base, operations: ['capturePayout'], rate: '20', ...over });

  it.each([
    ['the stake', 'STAKE', { stake: 500n }, [[500n, 100n]]],
    ['a stake that contains the tax', 'STAKE_INCLUSIVE', { stake: 600n }, [[500n, 100n]]],
    ['the winnings', 'WINNINGS', { winnings: 300n, payout: 500n }, [[300n, 60n]]],
    ['the payout', 'PAYOUT', { winnings: 300n, payout: 500n }, [[500n, 100n]]],
    ['nothing, when its base is not there', 'STAKE', { payout: 500n }, []],
    ['nothing of no winnings', 'WINNINGS', { winnings: 0n, payout: 500n }, [[0n, 0n]]],
  ] as const)('fall on %s', (_, base, amounts, lines) => {
    expect(linesOf([on(base)], amounts)).toEqual(lines);
  });

  it('take the whole base above their threshold and nothing below', () => {
    const rows = [on('WINNINGS', { threshold: '100' })];
    expect(linesOf(rows, { winnings: 10_001n })).toEqual([[10_001n, 2000n]]);
    expect(linesOf(rows, { winnings: 10_000n })).toEqual([[0n, 0n]]);
  });
});

describe('a million random splits, over every shipped country, operation and kind of asset', () => {
  const seed = 20_261_121;
  /** Small, fast and the same on every machine: the seed above gives the same million. */
  function generator(start: number): () => number {
    let a = start | 0;
    return () => {
      a = (a + 0x6d2b79f5) | 0;
      let t = Math.imul(a ^ (a >>> 15), 1 | a);
      t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
      return (t ^ (t >>> 14)) >>> 0;
    };
  }

  const kinds: readonly TransactionKind[] = [
    'verifyTransaction',
    'deposit',
    'withdrawal',
    'cryptoDeposit',
    'cryptoWithdrawal',
  ];
  const dates = ['2024-01-01', '2024-12-31', '2025-07-01', '2026-01-01', '2026-11-21', '2027-06-30'];
  const mccs = [undefined, '5411', '5812', '5942', '7011', '7995', '8011'];
  const decimals = [0, 2, 3, 6, 8, 9, 12, 18];
  const countries = [...book.countries()].map((c) => reference.country(c.jurisdiction) as Country);

  function problem(plan: TaxPlan, s: Split, gross: bigint, taxable: bigint, sale: boolean): string | undefined {
    const parts = [s.vatAmount, s.processingFee, s.transactionFee, s.transactionVat, s.remainder];
    if (parts.reduce((a, b) => a + b, 0n) !== gross) return 'the parts do not sum to the whole';
    if (parts.slice(0, 4).some((p) => p < 0n)) return 'a part is negative';
    if (s.lines.some((l) => l.tax < 0n || l.taxable < 0n)) return 'a line is negative';
    const lines = s.lines.reduce((a, l) => a + l.tax, 0n);
    if (lines !== s.vatAmount + s.transactionVat) return 'the lines do not sum to the taxes';
    if (!sale && s.transactionVat !== 0n) return 'a movement has VAT beside vatAmount';
    // Each contained tax is within half a unit of the exact fraction (all shipped rows round half up).
    const { n, d } = plan.inclusiveRate;
    for (const [i, { rate }] of plan.inclusive.entries()) {
      const off = (s.lines[i] as TaxLine).tax * (d + n) * rate.d - taxable * rate.n * d;
      if (2n * (off < 0n ? -off : off) > (d + n) * rate.d) return 'a contained tax is off by more than its rounding';
    }
    return undefined;
  }

  it('sum exactly, have no negative part but a remainder that price() refuses, and come out the same again', () => {
    const again = new RuleBook(book.version, [...book.countries()]);
    const fees = [shippedFees.sale, shippedFees.crypto, shippedFees.gaming, shippedFees.none];
    const random = generator(seed);
    const pick = <T>(list: readonly T[]): T => list[random() % list.length] as T;
    // Amounts of every size: up to 64 bits, shifted down by a random number of bits, sometimes far beyond.
    const amount = () => {
      const bits = ((BigInt(random()) << 32n) | BigInt(random())) >> BigInt(random() % 64);
      return (random() & 15) === 0 ? bits * 10n ** BigInt(random() % 18) : bits;
    };
    const most = upTo(100_000, 1_000_000);
    const block = most / 50;
    let refused = 0;
    let checked = 0;
    let classification = '';
    let date = '';
    for (let i = 0; i < most; i++) {
      const kind = pick(kinds);
      const sale = kind === 'verifyTransaction';
      const country = pick(countries);
      if (i % block === 0) {
        // Classifications and days change per block, so that a plan is mostly looked up, not built.
        classification = classifications[(i / block) % classifications.length] as string;
        date = dates[Math.floor(i / block / classifications.length) % dates.length] as string;
      }
      const mcc = sale ? pick(mccs) : undefined;
      const q = { jurisdiction: country.alpha2, operation: kind, classification, mcc, date } as const;
      const scale = pick(decimals);
      const gross = amount() + 1n;
      // None, a part, and sometimes more than the whole.
      const part = random();
      const transactionFee =
        (part & 3) === 0 ? 0n : (part & 31) === 1 ? gross + BigInt(part & 1023) : gross / BigInt((part % 1000) + 2);
      const taxable = sale && (random() & 7) === 0 ? gross / 3n : gross;
      const schedule = pick(fees);
      const feeRule = schedule.rule('F') as NonNullable<ReturnType<FeeSchedule['rule']>>;
      const fee = feeOn(feeRule, gross, scale);
      const run = (b: RuleBook) => {
        const plan = b.plan(q) as TaxPlan;
        return {
          plan,
          split: sale
            ? splitSale(plan, { gross, taxable, moved: gross }, transactionFee, fee)
            : splitMovement(plan, gross, transactionFee, fee),
        };
      };
      const { plan, split } = run(book);
      const wrong = problem(plan, split, gross, taxable, sale);
      if (wrong)
        expect.fail(`${wrong}: seed ${seed}, number ${i}, ${JSON.stringify({ q, gross: String(gross), scale })}`);
      if (i % 8 !== 0) continue;
      const repeated = run(again).split;
      for (const part of ['vatAmount', 'processingFee', 'transactionVat', 'remainder'] as const)
        if (repeated[part] !== split[part]) expect.fail(`another ${part} the second time: seed ${seed}, number ${i}`);
      const r = price(
        {
          psp: 'p',
          kind,
          classification,
          country,
          asset: { code: 'X', decimals: scale },
          amount: gross,
          goods: [{ taxable }],
          transactionFee,
          mcc,
          date,
        },
        book,
        schedule,
      );
      checked++;
      if (r instanceof Refusal) {
        refused++;
        if (split.remainder >= 0n || r.code !== 'SPLIT_NEGATIVE') expect.fail(`refused: ${r.message}, number ${i}`);
      } else if (split.remainder < 0n || r.remainder !== formatUnits(split.remainder, scale))
        expect.fail(`not refused, or another remainder: seed ${seed}, number ${i}`);
    }
    // Both outcomes occurred, so that both sides of the rule are tested.
    expect(checked).toBe(most / 8);
    expect(refused).toBeGreaterThan(100);
    expect(refused).toBeLessThan(checked / 2);
    expect(taxedOperations).toEqual(expect.arrayContaining([...kinds]));
  });
});
