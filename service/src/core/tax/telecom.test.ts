// Taxes of call records: golden cases for the shipped rules, and ten thousand random ones that must be exact, ten times
// as many in the long form.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { upTo } from '../../../test/support/depth.ts';
import { taxCountry, taxRow } from '../../../test/support/tax-rows.ts';
import { loadRuleBook } from '../../platform/data-files.ts';
import { callTypes } from '../cdr/call-types.ts';
import { decimal, formatUnits, ratio, unitsAt } from '../money.ts';
import { RuleBook, type TaxPlan } from './book.ts';
import type { TaxRule } from './rule.ts';
import { kindOf, type TelecomTaxes, type TelecomUse, telecomTaxes } from './telecom.ts';

const book = loadRuleBook();
const cents = () => 2;

interface Case extends Partial<Omit<TelecomUse, 'cost' | 'currency'>> {
  readonly cost?: string;
  readonly currency?: string;
  readonly date?: string;
}

const planOf = (jurisdiction: string, date = '2026-11-21', from = book): TaxPlan => {
  const plan = from.plan({ jurisdiction, operation: 'recordCDR', classification: '', date });
  if (!plan) throw new Error(`no plan for ${jurisdiction}`);
  return plan;
};

const useOf = ({ cost = '0', currency = 'XTS', kind = 'voice', durationS = 0, ...more }: Case): TelecomUse => ({
  kind,
  currency,
  cost: unitsAt(decimal(cost), 2) as bigint,
  durationS,
  ...more,
});

const shown = (t: TelecomTaxes): [string, string][] =>
  t.lines.map((l) => [l.ruleId, `${formatUnits(l.tax, 2)} ${l.currency}`]);

/** Rule and tax of every line for a shipped country, in the order of charging. */
const taxesOf = (country: string, c: Case) => shown(telecomTaxes(planOf(country, c.date), useOf(c), cents));

/** Sums by currency. */
const totalsOf = (country: string, c: Case) =>
  Object.fromEntries(
    [...telecomTaxes(planOf(country, c.date), useOf(c), cents).totals].map(([k, v]) => [k, formatUnits(v, 2)]),
  );

describe('golden cases', () => {
  it('KE: 15 % excise, then 16 % VAT on the cost with the excise', () => {
    const t = telecomTaxes(planOf('KE'), useOf({ cost: '100', currency: 'KES' }), cents);
    expect(t.lines).toEqual([
      {
        ruleId: 'KE-EXCISE-TELECOM-2023',
        currency: 'KES',
        taxable: 10_000n,
        quantity: null,
        tax: 1_500n,
        reason: null,
      },
      { ruleId: 'KE-VAT-TELECOM-2021', currency: 'KES', taxable: 11_500n, quantity: null, tax: 1_840n, reason: null },
    ]);
    expect(t.charged).toBe(13_340n);
  });

  it('UG: 12 % excise, then 18 % VAT', () => {
    expect(taxesOf('UG', { cost: '100', currency: 'UGX' })).toEqual([
      ['UG-EXCISE-TELECOM-2021', '12.00 UGX'],
      ['UG-VAT-TELECOM-2005', '20.16 UGX'],
    ]);
  });

  it('GH: 5 % communications service tax, then three components on the cost with it', () => {
    expect(taxesOf('GH', { cost: '100', currency: 'GHS' })).toEqual([
      ['GH-CST-TELECOM-2020', '5.00 GHS'],
      ['GH-GETFUND-TELECOM-2026', '2.63 GHS'],
      ['GH-NHIL-TELECOM-2026', '2.63 GHS'],
      ['GH-VAT-TELECOM-2026', '15.75 GHS'],
    ]);
  });

  it('GH until 2025: VAT also on the levies', () => {
    expect(taxesOf('GH', { cost: '100', currency: 'GHS', date: '2025-12-31' }).at(-1)).toEqual([
      'GH-VAT-TELECOM-2023',
      // (100 + 5 + 2.63 + 2.63 + 1.05) at 15 %.
      '16.70 GHS',
    ]);
  });

  it.each([
    ['2025-06-30', '17.00 TZS', '21.06 TZS'],
    ['2025-07-01', '17.50 TZS', '21.15 TZS'],
  ])('TZ: excise and then 18 %% VAT on %s are %s and %s', (date, excise, vat) => {
    expect(taxesOf('TZ', { cost: '100', currency: 'TZS', date }).map(([, tax]) => tax)).toEqual([excise, vat]);
  });

  it('NG: the abolished excise stands in the evidence at nothing, with its reason', () => {
    const { lines } = telecomTaxes(planOf('NG'), useOf({ cost: '100', currency: 'NGN' }), cents);
    expect(lines.map((l) => [l.ruleId, l.tax, l.reason])).toEqual([
      ['NG-EXCISE-TELECOM-2024', 0n, 'ABOLISHED'],
      ['NG-VAT-TELECOM-2020', 750n, null],
    ]);
  });

  it('GG: no VAT, and it says so', () => {
    const { lines } = telecomTaxes(planOf('GG'), useOf({ cost: '100', kind: 'data' }), cents);
    expect(lines).toMatchObject([{ tax: 0n, reason: 'NO_VAT' }]);
  });
});

describe('calls from abroad', () => {
  const from = (origin: string | null, over: Case = {}): Case => ({
    durationS: 90,
    currency: 'UGX',
    incoming: { origin },
    ...over,
  });

  it.each([
    ['UG', '0.14'],
    ['RW', '0.15'],
    ['TZ', '0.11'],
    ['GH', '0.09'],
  ])('to %s bear dollars by the minute, a minute and a half %s', (country, tax) => {
    expect(totalsOf(country, from('DE'))).toMatchObject({ USD: tax });
  });

  it('bear it in its own currency, apart from what the cost bears and from what the caller is charged', () => {
    const t = telecomTaxes(planOf('UG'), useOf(from('DE', { cost: '100' })), cents);
    expect(Object.fromEntries(t.totals)).toEqual({ UGX: 3_216n, USD: 14n });
    expect(t.charged).toBe(13_216n);
    expect(t.lines.find((l) => l.currency === 'USD')).toMatchObject({ taxable: null, quantity: { n: 90n, d: 60n } });
  });

  it.each(['KE', 'RW', 'SS'])('from %s to UG are exempt, and the evidence says why', (origin) => {
    const { lines } = telecomTaxes(planOf('UG'), useOf(from(origin)), cents);
    expect(lines.find((l) => l.currency === 'USD')).toMatchObject({ tax: 0n, reason: 'EXEMPT_ORIGIN' });
  });

  it('from a place that is not known are not exempt', () => {
    expect(totalsOf('UG', from(null))).toMatchObject({ USD: '0.14' });
  });

  it('alone bear it: no other call, and no message from abroad', () => {
    for (const c of [{ durationS: 90, currency: 'UGX' }, from('DE', { kind: 'sms' }), from('DE', { kind: 'data' })])
      expect(totalsOf('UG', c)).not.toHaveProperty('USD');
  });

  it('are rounded to the decimals asked for', () => {
    const { totals } = telecomTaxes(planOf('UG'), useOf(from('DE', { durationS: 7 })), () => 6);
    expect(totals.get('USD')).toBe(10_500n);
  });
});

describe('calls to other countries', () => {
  it('bear what a country has for them in place of the taxes of their kind: s. 120 of the Philippine code', () => {
    const manila = { cost: '250.00', currency: 'PHP' };
    for (const kind of ['voice', 'sms'] as const) {
      expect(taxesOf('PH', { ...manila, kind, isOutgoing: true })).toEqual([['PH-OCT-CDR-OUTGOING-2024', '25.00 PHP']]);
      expect(totalsOf('PH', { ...manila, kind })).toEqual({ PHP: '30.00' });
    }
  });

  it('are taxed as all others where it has none', () => {
    expect(taxesOf('KE', { cost: '100', currency: 'KES', isOutgoing: true })).toEqual(
      taxesOf('KE', { cost: '100', currency: 'KES' }),
    );
  });
});

describe('kinds', () => {
  it('are known of every type of call', () => {
    expect(Object.fromEntries(callTypes.map((t) => [t, kindOf(t)]))).toEqual({
      VOICE: 'voice',
      VIDEO: 'voice',
      VOIP: 'voice',
      SMS: 'sms',
      MMS: 'sms',
      USSD: 'sms',
      DATA: 'data',
      UNCLASSIFIED: 'voice',
    });
  });

  it.each([
    ['voice', 'VOICE'],
    ['sms', 'SMS'],
    ['data', 'DATA'],
  ] as const)('take the rows for %s where there are any', (kind, id) => {
    expect(taxesOf('ZM', { cost: '100', kind }).map(([r]) => r)).toEqual([
      `ZM-EXCISE-CDR-${id}-2024`,
      `ZM-VAT-CDR-${id}-2024`,
    ]);
  });

  it('take those for voice where a country has no others: they stand for all', () => {
    for (const kind of ['voice', 'sms', 'data'] as const)
      expect(taxesOf('DE', { cost: '100', kind })).toEqual([['DE-VAT-TELECOM-2021', '19.00 XTS']]);
  });

  it('do not borrow a single tax: LK levies voice and messages, not data', () => {
    const codes = (kind: TelecomUse['kind']) =>
      taxesOf('LK', { cost: '100', kind }).map(([id]) => book.rule(id)?.rule.taxCode);
    expect(codes('sms')).toContain('TELECOM_LEVY');
    expect(codes('data')).not.toContain('TELECOM_LEVY');
  });

  it('are taxed by minutes only where they have any', () => {
    // Guinea: 120 francs per minute of a call.
    const minutes = (kind: TelecomUse['kind']) =>
      totalsOf('GN', { kind, durationS: 61, currency: 'GNF', dataKb: decimal('1') }).GNF;
    expect([minutes('voice'), minutes('sms'), minutes('data')]).toEqual(['122.00', '0.00', '0.00']);
  });
});

const row = (ruleId: string, over: Partial<TaxRule> = {}) =>
  taxRow({ ruleId, category: 'telecom_voice', operations: ['recordCDR'], base: 'CALL_COST', ...over });
const unit = (ruleId: string, over: Partial<TaxRule> = {}): TaxRule => {
  const { rate, ...rest } = row(ruleId, { unitAmount: '1', currency: 'XTS', ...over });
  return rest;
};
const made = (rows: TaxRule[], c: Case) =>
  shown(telecomTaxes(planOf('AA', '2026-01-01', new RuleBook('v', [taxCountry(rows)])), useOf(c), cents));

describe('quantities', () => {
  it('are a record each for COUNT, whatever its kind', () => {
    for (const kind of ['voice', 'sms', 'data'] as const)
      expect(made([unit('N', { base: 'COUNT', unitAmount: '0.25' })], { kind })).toEqual([['N', '0.25 XTS']]);
  });

  it('are megabytes of 1,024 kilobytes for DATA_MB, of data alone', () => {
    const rows = [unit('MB', { base: 'DATA_MB', category: 'telecom_data', unitAmount: '2' })];
    expect(made(rows, { kind: 'data', dataKb: decimal('1536') })).toEqual([['MB', '3.00 XTS']]);
    expect(made(rows, { kind: 'data' })).toEqual([]);
    expect(made(rows, { kind: 'voice', dataKb: decimal('1536') })).toEqual([]);
  });

  it.each([
    ['HALF_UP', '0.13'],
    ['HALF_EVEN', '0.12'],
    ['DOWN', '0.12'],
  ] as const)('and costs round %s as their row says', (rounding, tax) => {
    expect(made([unit('M', { base: 'MINUTES', unitAmount: '0.25', rounding })], { durationS: 30 })[0]?.[1]).toBe(
      `${tax} XTS`,
    );
    expect(made([row('C', { rate: '12.5', rounding })], { cost: '1' })[0]?.[1]).toBe(`${tax} XTS`);
  });
});

describe('what is due by return', () => {
  const levy = (over: Partial<TaxRule> = {}) =>
    row('LEVY', { taxCode: 'LEVY', rate: '7', bearer: 'OPERATOR', inTransaction: false, ...over });
  const vat = (over: Partial<TaxRule> = {}) => row('VAT', { rate: '20', ...over });
  const of = (rows: TaxRule[], c: Case = {}) =>
    telecomTaxes(
      planOf('AA', '2026-01-01', new RuleBook('v', [taxCountry(rows)])),
      useOf({ cost: '100', ...c }),
      cents,
    );

  it('comes last with who owes it, and is in no sum', () => {
    const t = of([levy(), vat()]);
    expect(t.lines.map((l) => [l.ruleId, l.tax, l.owedBy])).toEqual([
      ['VAT', 2_000n, undefined],
      ['LEVY', 700n, 'CLIENT'],
    ]);
    expect([...t.totals]).toEqual([['XTS', 2_000n]]);
    expect(t.charged).toBe(12_000n);
    // Not even of a tax that the customer bears.
    expect(of([levy({ bearer: 'CUSTOMER' }), vat()]).charged).toBe(12_000n);
  });

  it('may be on what the call bears, and never the other way round', () => {
    const on = (t: TelecomTaxes) => t.lines.map((l) => [l.ruleId, l.taxable]);
    expect(on(of([levy({ compoundsOn: ['VAT'] }), vat()]))).toEqual([
      ['VAT', 10_000n],
      ['LEVY', 12_000n],
    ]);
    expect(on(of([levy(), vat({ compoundsOn: ['LEVY'] })]))).toEqual([
      ['VAT', 10_000n],
      ['LEVY', 10_000n],
    ]);
  });

  it('does not take the place of the rows that calls bear: each of both is taken by its own kinds', () => {
    // Voice rows of VAT stand for messages, though the levy has rows of its own for them, and the other way round.
    const sms = levy({ ruleId: 'LEVY-SMS', category: 'telecom_sms' });
    expect(shown(of([sms, vat()], { kind: 'sms' }))).toEqual([
      ['VAT', '20.00 XTS'],
      ['LEVY-SMS', '7.00 XTS'],
    ]);
    const vatSms = vat({ ruleId: 'VAT-SMS', category: 'telecom_sms' });
    expect(shown(of([levy(), vat(), vatSms], { kind: 'sms' }))).toEqual([
      ['VAT-SMS', '20.00 XTS'],
      ['LEVY', '7.00 XTS'],
    ]);
  });

  /** What is due by return on a call of a shipped country. */
  const due = (country: string, c: Case) =>
    telecomTaxes(planOf(country, c.date), useOf(c), () => 6)
      .lines.filter((l) => l.owedBy === 'CLIENT')
      .map((l) => `${book.rule(l.ruleId)?.rule.taxCode} ${Number(formatUnits(l.tax, 6))} ${l.currency}`);
  const cost = (text: string, currency: string) => ({
    cost: `${Number(text) * 10_000}`,
    currency,
  });

  it.each([
    // 7 % of 1,250 without tax.
    ['BF', 'voice', '1250', 'XOF', '2026-05-01', ['TELECOM_TAX 87.5 XOF']],
    // 5 + 2 + 0.2 = 7.2 % of 2,500 without tax.
    ['CI', 'data', '2500', 'XOF', '2026-05-01', ['TELECOM_LEVY 180 XOF']],
    // 3 % of 45,000.
    ['GN', 'voice', '45000', 'GNF', '2026-05-01', ['TELECOM_TAX 1350 GNF']],
    // 10 % of 640 without VAT.
    ['GQ', 'sms', '640', 'XAF', '2026-05-01', ['TELECOM_TAX 64 XAF']],
    // 5 % to 4 March 2025, 7 % from the 5th on.
    ['ML', 'voice', '300', 'XOF', '2025-03-04', ['TELECOM_TAX 15 XOF']],
    ['ML', 'voice', '300', 'XOF', '2025-03-05', ['TELECOM_TAX 21 XOF']],
    // 5 % of 730 without tax; RUTEL and VAT are in the call and not under it.
    ['SN', 'voice', '730', 'XOF', '2026-05-01', ['CST 36.5 XOF']],
    // 9 % of 411.
    ['TD', 'data', '411', 'XAF', '2026-05-01', ['TELECOM_LEVY 36.99 XAF']],
    // Recharges, which no call holds.
    ['DZ', 'voice', '100', 'DZD', '2026-05-01', []],
    ['TN', 'voice', '100', 'TND', '2026-05-01', []],
  ] as const)(
    'on a call of %s (%s) of %s %s on %s is what its law says: %j',
    (country, kind, amount, currency, date, expected) => {
      expect(due(country, { ...cost(amount, currency), kind, date })).toEqual(expected);
    },
  );

  // Decree 22/11: 0.0075 dollars a minute, 0.003 a message, 0.00005 a megabyte, invoiced to the operator.
  it('of the Congo (Kinshasa) is counted in dollars, by what was used', () => {
    const call = { currency: 'CDF', cost: '100' };
    // Two minutes and a half: 2.5 × 0.0075.
    expect(due('CD', { ...call, durationS: 150 })).toEqual(['TELECOM_LEVY 0.01875 USD']);
    expect(due('CD', { ...call, durationS: 150, received: true })).toEqual(['TELECOM_LEVY 0 USD']);
    expect(due('CD', { ...call, kind: 'sms' })).toEqual(['TELECOM_LEVY 0.003 USD']);
    // 300 MB × 0.00005.
    expect(due('CD', { ...call, kind: 'data', dataKb: decimal('307200') })).toEqual(['TELECOM_LEVY 0.015 USD']);
  });

  it('is due of no tax on recharges, which is published and never chosen', () => {
    for (const [country, id] of [
      ['DZ', 'DZ-RECHARGETAX-2017'],
      ['TN', 'TN-RECHARGETAX-2018'],
    ] as const) {
      expect(book.rule(id)?.rule).toMatchObject({ base: 'RECHARGE', inTransaction: false });
      const plan = planOf(country);
      expect([...plan.accruals.map((r) => r.ruleId), ...plan.due.map((c) => c.rule.ruleId)]).not.toContain(id);
    }
  });
});

describe('any rules and any record', () => {
  const codes = ['AA', 'BB', 'CC', 'DD', 'EE'];
  const rate = fc.integer({ min: 0, max: 60_000 }).map((n) => formatUnits(BigInt(n), 3));
  const rounding = fc.constantFrom('HALF_UP', 'HALF_EVEN', 'DOWN');
  const bearer = fc.constantFrom('CUSTOMER', 'OPERATOR');
  /** A tax may be charged only on earlier ones: no cycles. */
  const rows = fc
    .array(
      fc.record({
        rate,
        rounding,
        bearer,
        base: fc.constantFrom('CALL_COST', 'CALL_COST', 'CALL_COST', 'MINUTES', 'COUNT', 'DATA_MB'),
        category: fc.constantFrom(
          'telecom_voice',
          'telecom_voice',
          'telecom_sms',
          'telecom_data',
          'telecom_incoming',
          'telecom_outgoing',
        ),
        on: fc.subarray(codes),
        currency: fc.constantFrom('XTS', 'USD'),
        exemptOrigins: fc.constantFrom([], ['KE', 'UG']),
        inTransaction: fc.boolean(),
      }),
      { maxLength: codes.length },
    )
    .map((list) =>
      list.map(({ rate, base, currency, on, ...r }, i) => {
        const common = { ...r, base, taxCode: codes[i] as string, reason: 'EXEMPT' } as Partial<TaxRule>;
        return base === 'CALL_COST'
          ? row(`R${i}`, { ...common, rate, compoundsOn: on.filter((c) => codes.indexOf(c) < i) })
          : unit(`R${i}`, { ...common, unitAmount: rate, currency });
      }),
    );
  const use = fc.record<TelecomUse>({
    kind: fc.constantFrom('voice', 'sms', 'data'),
    currency: fc.constantFrom('XTS', 'USD', 'EUR'),
    cost: fc.bigInt({ min: 0n, max: 10n ** 15n }),
    durationS: fc.integer({ min: 0, max: 2_147_483_647 }),
    dataKb: fc.option(
      fc.record({ units: fc.bigInt({ min: 0n, max: 10n ** 12n }), scale: fc.integer({ min: 0, max: 6 }) }),
      { nil: undefined },
    ),
    incoming: fc.constantFrom(undefined, { origin: null }, { origin: 'KE' }, { origin: 'DE' }),
    isOutgoing: fc.boolean(),
    received: fc.boolean(),
    isMissed: fc.boolean(),
  });
  const isNothing = new Set<string | null>(['EXEMPT_ORIGIN', 'RECEIVED', 'NOT_ANSWERED']);
  const decimals = fc.record({ XTS: fc.constantFrom(0, 2, 3, 8), USD: fc.constantFrom(2, 6), EUR: fc.constant(2) });

  /** Whether `part` is the fraction n/d, rounded as the row says. */
  function isRounded(part: bigint, n: bigint, d: bigint, how: TaxRule['rounding']): boolean {
    const off = n - part * d;
    return how === 'DOWN' ? off >= 0n && off < d : 2n * (off < 0n ? -off : off) <= d;
  }

  function check(plan: TaxPlan, u: TelecomUse, scale: (currency: string) => number): void {
    const t = telecomTaxes(plan, u, scale);
    const rules = new Map([...plan.others, ...plan.due].map((c) => [c.rule.ruleId, c.rule]));
    const sums = new Map<string, bigint>();
    let charged = u.cost;
    for (const [i, line] of t.lines.entries()) {
      const r = rules.get(line.ruleId) as TaxRule;
      expect(line.tax >= 0n && (line.taxable ?? 0n) >= 0n).toBe(true);
      expect(line.owedBy).toBe(r.inTransaction ? undefined : 'CLIENT');
      // What is due by return comes last.
      if (r.inTransaction) expect(t.lines.slice(0, i).every((l) => l.owedBy === undefined)).toBe(true);
      if (line.taxable === null) {
        expect(line.currency).toBe(r.currency);
        const q = line.quantity as { n: bigint; d: bigint };
        const each = isNothing.has(line.reason) ? { n: 0n, d: 1n } : ratio(r.unitAmount as string);
        expect(isRounded(line.tax, each.n * q.n * 10n ** BigInt(scale(line.currency)), each.d * q.d, r.rounding)).toBe(
          true,
        );
      } else {
        // All taxes that a tax is charged on come before it.
        const before = t.lines.slice(0, i);
        const on = t.lines.filter(
          (l) =>
            l !== line &&
            l.taxable !== null &&
            (l.owedBy === undefined || !r.inTransaction) &&
            r.compoundsOn.includes(rules.get(l.ruleId)?.taxCode as string),
        );
        expect(on.every((l) => before.includes(l))).toBe(true);
        expect(line.taxable).toBe(on.reduce((sum, l) => sum + l.tax, u.cost));
        const percent = line.reason === 'EXEMPT_ORIGIN' ? { n: 0n, d: 1n } : ratio(r.rate as string);
        expect(isRounded(line.tax, line.taxable * percent.n, percent.d * 100n, r.rounding)).toBe(true);
      }
      if (line.owedBy !== undefined) continue;
      sums.set(line.currency, (sums.get(line.currency) ?? 0n) + line.tax);
      if (line.currency === u.currency && r.bearer === 'CUSTOMER') charged += line.tax;
    }
    expect(t.totals).toEqual(sums);
    expect(t.charged).toBe(charged);
    expect(telecomTaxes(plan, u, scale)).toEqual(t);
  }

  it('give lines that sum exactly, none negative, each rounded as its row says, the same again', () => {
    const runs = upTo(10_000, 100_000);
    let [lines, due] = [0, 0];
    fc.assert(
      fc.property(rows, use, decimals, (list, u, d) => {
        const plan = planOf('AA', '2026-01-01', new RuleBook('v', [taxCountry(list)]));
        lines += plan.others.length;
        due += plan.due.length;
        check(plan, u, (currency) => d[currency as keyof typeof d]);
      }),
      { numRuns: runs },
    );
    expect(Math.min(lines, due)).toBeGreaterThan(runs / 2);
  });

  it('give lines that sum exactly for every shipped country', () => {
    const plans = [...book.countries()].flatMap((c) =>
      ['2024-01-01', '2026-11-21'].map((d) => planOf(c.jurisdiction, d)),
    );
    fc.assert(
      fc.property(fc.constantFrom(...plans), use, (plan, u) => check(plan, u, () => 4)),
      { numRuns: 5_000 },
    );
  });
});
