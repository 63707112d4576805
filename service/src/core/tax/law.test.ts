// Test vectors from the law: a question, and the taxes the named source itself states. They are compared with the
// sources, never with our own rows.
import { describe, expect, it } from 'vitest';
import { loadRuleBook } from '../../platform/data-files.ts';
import { decimal, formatUnits, unitsAt } from '../money.ts';
import type { RuleBook } from './book.ts';
import type { TaxedOperation } from './rule.ts';
import { splitMovement } from './split.ts';
import { telecomTaxes } from './telecom.ts';

const book: RuleBook = loadRuleBook();

interface Question {
  readonly amount: string;
  readonly date: string;
  readonly operation?: TaxedOperation;
  readonly mcc?: string;
  readonly classification?: string;
  readonly decimals?: number;
}

/** Tax on an amount by tax code, without fees. */
function taxes(country: string, q: Question): Record<string, string> {
  const decimals = q.decimals ?? 2;
  const plan = book.plan({
    jurisdiction: country,
    operation: q.operation ?? 'verifyTransaction',
    classification: q.classification ?? '',
    mcc: q.mcc,
    date: q.date,
  });
  if (!plan) throw new Error(`no plan for ${country}`);
  const split = splitMovement(plan, unitsAt(decimal(q.amount), decimals) as bigint, 0n, 0n);
  const sums: Record<string, bigint> = {};
  for (const l of split.lines) {
    const rule = book.rule(l.ruleId)?.rule;
    if (rule && l.tax > 0n) sums[rule.taxCode] = (sums[rule.taxCode] ?? 0n) + l.tax;
  }
  return Object.fromEntries(Object.entries(sums).map(([code, units]) => [code, formatUnits(units, decimals)]));
}

/** Tax that a call, a message or a session bears that cost 100, by tax code. */
function callTaxes(country: string, kind: 'voice' | 'sms' | 'data', date: string): Record<string, string> {
  const plan = book.plan({ jurisdiction: country, operation: 'recordCDR', classification: '', date });
  if (!plan) throw new Error(`no plan for ${country}`);
  const { currency } = book.country(country) as { currency: string };
  const { lines } = telecomTaxes(plan, { kind, currency, cost: 10_000n, durationS: 60 }, () => 2);
  return Object.fromEntries(
    lines
      .filter((l) => l.owedBy === undefined && l.tax > 0n)
      .map((l) => [book.rule(l.ruleId)?.rule.taxCode, formatUnits(l.tax, 2)]),
  );
}

describe('sales', () => {
  it.each<[string, string, Question, Record<string, string>]>([
    // KPMG Vietnam, 7 July 2025, on Decree 174/2025: 2 points less than 10 % from 1 July 2025 to 31 December 2026.
    ['VN', 'most of them, at 8 %', { amount: '108000', date: '2026-11-22', decimals: 0 }, { VAT: '8000' }],
    ['VN', 'the last day at 8 %', { amount: '108000', date: '2026-12-31', decimals: 0 }, { VAT: '8000' }],
    ['VN', 'all of them, at 10 % again', { amount: '110000', date: '2027-01-01', decimals: 0 }, { VAT: '10000' }],
    // The same: not for telecommunications, insurance, real estate …
    ['VN', 'telephone', { amount: '110000', date: '2026-11-22', decimals: 0, mcc: '4814' }, { VAT: '10000' }],
    ['VN', 'insurance', { amount: '110000', date: '2026-11-22', decimals: 0, mcc: '6300' }, { VAT: '10000' }],
    ['VN', 'real estate', { amount: '110000', date: '2026-11-22', decimals: 0, mcc: '6513' }, { VAT: '10000' }],
    ['VN', 'a restaurant', { amount: '108000', date: '2026-11-22', decimals: 0, mcc: '5812' }, { VAT: '8000' }],
    // Alwihda Info, 30 December 2025, on Chad's finance law of 2026: 17.5 %, and 9 % for lodging and restaurants; the
    // tenth of each for the municipalities is assumed, as its row says.
    ['TD', 'goods', { amount: '119250', date: '2026-01-01', decimals: 0 }, { VAT: '17500', CAC: '1750' }],
    ['TD', 'a hotel', { amount: '109900', date: '2026-06-01', decimals: 0, mcc: '7011' }, { VAT: '9000', CAC: '900' }],
    ['TD', 'goods of 2025', { amount: '118000', date: '2025-12-31', decimals: 0 }, { VAT: '18000' }],
    // Regfollower on the Service Tax (Rate of Tax) (Amendment) Order 2024: 8 % from 1 March 2024, food stays at 6 %.
    ['MY', 'a restaurant', { amount: '106', date: '2026-11-22', mcc: '5812' }, { SERVICE_TAX: '6.00' }],
    ['MY', 'a hotel', { amount: '108', date: '2024-03-01', mcc: '7011' }, { SERVICE_TAX: '8.00' }],
    ['MY', 'a hotel before', { amount: '106', date: '2024-02-29', mcc: '7011' }, { SERVICE_TAX: '6.00' }],
    ['MY', 'goods', { amount: '106', date: '2026-11-22', mcc: '5411' }, {}],
    // Law No. 015/2025: 3 % on accommodation, excluding VAT; an additional 3 on a room of 100.
    [
      'RW',
      'a room of 100',
      { amount: '12100', date: '2025-07-01', decimals: 0, mcc: '7011' },
      { VAT: '1800', TOURISM: '300' },
    ],
    ['RW', 'a room in June', { amount: '11800', date: '2025-06-30', decimals: 0, mcc: '7011' }, { VAT: '1800' }],
  ])('%s: %s', (country, _, question, expected) => {
    expect(taxes(country, question)).toEqual(expected);
  });
});

describe('deposits and withdrawals of players', () => {
  it.each<[string, string, Question, Record<string, string>]>([
    // Rummy Sarkar: a deposit of Rs. 100 including tax contains Rs. 21.88 (28 % of 78.13).
    ['IN', '28/128 of 100', { amount: '100', date: '2025-09-21', operation: 'deposit' }, { GST: '21.88' }],
    // Rummy Passion: to have 100 in the account, a player pays 128.
    ['IN', '28 of 128', { amount: '128', date: '2025-09-21', operation: 'deposit' }, { GST: '28.00' }],
    ['IN', '40 of 140', { amount: '140', date: '2025-09-22', operation: 'deposit' }, { GST: '40.00' }],
    // Finance Act 2025 of Kenya: 5 % of what is paid into and out of a betting wallet.
    ['KE', '5 % of a deposit', { amount: '1000', date: '2026-11-22', operation: 'deposit' }, { EXCISE: '50.00' }],
    ['KE', '5 % of a withdrawal', { amount: '1000', date: '2026-11-22', operation: 'withdrawal' }, { WHT: '50.00' }],
  ])('%s: %s', (country, _, question, expected) => {
    expect(taxes(country, question)).toEqual(expected);
    // The operations themselves are gaming (Spec 4.10, 4.11), whatever classification the caller has.
    expect(taxes(country, { ...question, classification: 'IGAMING_LOCAL' })).toEqual(expected);
  });
});

describe('crypto assets', () => {
  it('bear no tax of a sale or exchange when their holder takes them out or puts them in, in any country', () => {
    for (const c of book.countries())
      for (const operation of ['cryptoDeposit', 'cryptoWithdrawal'] as const)
        for (const date of ['2024-01-01', '2025-06-30', '2026-11-22'])
          expect(taxes(c.jurisdiction, { amount: '1000', date, operation }), `${c.jurisdiction} ${date}`).toEqual({});
  });
});

describe('calls, messages and data', () => {
  it.each<[string, Record<string, string>, ('voice' | 'sms' | 'data')[]]>([
    // Enterprise, 19 September 2016: VAT and an 8 % schedule tax; 22 % in all at today's VAT of 14 %.
    ['EG', { VAT: '14.00', SCHEDULE_TAX: '8.00' }, ['voice', 'sms', 'data']],
    // Elephantech on article 142 of Cameroon's finance law of 2016: 2 %.
    ['CM', { VAT: '19.25', EXCISE: '2.00' }, ['voice', 'sms', 'data']],
    // Tebudele, 27 May 2015: 10 % on text messages and data.
    ['MW', { VAT: '17.50', EXCISE: '10.00' }, ['sms', 'data']],
    // Daily News, 29 March 2017: 10 % of the value of airtime.
    ['ZW', { VAT: '15.50', EXCISE: '10.00' }, ['voice', 'sms']],
    // Suabala on the excise code of 13 March 2018: 10 % on voice, messages and data.
    ['CD', { VAT: '16.00', EXCISE: '10.00' }, ['voice', 'sms', 'data']],
    // Osiris, 2010: 5 %, and VAT on the price with it: 18 % of 105.
    ['SN', { RUTEL: '5.00', VAT: '18.90' }, ['voice', 'sms', 'data']],
  ])('%s of 100 bear %j', (country, expected, kinds) => {
    for (const kind of kinds) expect(callTaxes(country, kind, '2026-11-22'), kind).toEqual(expected);
  });
});

describe('fees for payments', () => {
  it.each([
    // Kamex on article 400 of Senegal's code: 17 %, and services that bear it bear no VAT.
    ['SN', 'TAF', '17.00'],
    // Pouvoirs Afrique, 3 April 2015, on Mali's code: 17 %.
    ['ML', 'TAF', '17.00'],
    // Notice of Burkina Faso's Directorate General of Taxes: 17 %, in place of VAT.
    ['BF', 'TAF', '17.00'],
    // Le Matinal, statement of Benin's tax authority: VAT of 18 %, not the tax on financial activities.
    ['BJ', 'VAT', '18.00'],
  ])('%s: a fee of 100 bears %s of %s and nothing else', (jurisdiction, code, tax) => {
    for (const operation of ['verifyTransaction', 'deposit', 'withdrawal'] as const) {
      const plan = book.plan({ jurisdiction, operation, classification: '', date: '2026-11-22' });
      if (!plan) throw new Error(`no plan for ${jurisdiction}`);
      const onFee = splitMovement({ ...plan, inclusive: [], added: [] }, 100_000n, 10_000n, 0n);
      expect(
        onFee.lines.filter((l) => l.tax > 0n).map((l) => [book.rule(l.ruleId)?.rule.taxCode, formatUnits(l.tax, 2)]),
      ).toEqual([[code, tax]]);
    }
  });
});

describe('sources', () => {
  it('are never this project itself, and a row without one is called an assumption', () => {
    for (const c of book.countries())
      for (const r of c.rules) {
        const source = c.sources[r.source];
        expect(source?.publisher, r.ruleId).not.toBe('Assay');
        expect(source?.title, r.ruleId).not.toMatch(/product's|design/);
        if (source?.url === null) expect(r.confidence, r.ruleId).toBe('assumed');
      }
  });

  it('do not carry a row that says of itself that it is taken, assumed or modelled', () => {
    const said = /taken to cover|applied to the cost of the call|\bassumed to\b|^Assumed|(?<!not )\bmodelled as\b/i;
    for (const c of book.countries())
      for (const r of c.rules) if (said.test(r.note ?? '')) expect(r.confidence, r.ruleId).toBe('assumed');
  });

  it('are not asked for a first day that nobody looked up: it is marked', () => {
    const said = /true start|start (of the rate )?was not researched|start date from general knowledge/i;
    for (const c of book.countries())
      for (const r of c.rules) if (said.test(r.note ?? '')) expect(r.validFromKnown, r.ruleId).toBe(false);
  });

  it('back no rate of 0 that was not found: such a row says UNKNOWN', () => {
    const said = /rate (was|were) not (found|established)|could not be established|so none is (stated|computed)/i;
    const unknown = [...book.countries()].flatMap((c) => c.rules).filter((r) => r.reason === 'UNKNOWN');
    expect(unknown.length).toBeGreaterThan(0);
    for (const c of book.countries())
      for (const r of c.rules)
        if (r.rate === '0' && said.test(r.note ?? '')) expect(r.reason, r.ruleId).toBe('UNKNOWN');
    for (const r of unknown) expect(['assumed', 'unverified'], r.ruleId).toContain(r.confidence);
  });
});
