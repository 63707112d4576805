// The analysis of single records: golden cases over the shipped rules and ranges, and sums that are exact.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { taxCountry, taxRow } from '../../../test/support/tax-rows.ts';
import { loadNumberRanges, loadRuleBook } from '../../platform/data-files.ts';
import { countryOfNumber } from '../../platform/number-countries.ts';
import { plainOf, sumOf } from '../sums.ts';
import { RuleBook } from '../tax/book.ts';
import { type AnalysedCall, analyse, type CdrOperator } from './analyse.ts';
import { readCallType } from './call-types.ts';

const numbering = { countryOf: countryOfNumber, ranges: loadNumberRanges() };
const book = loadRuleBook();
const at = (time: string) => Date.parse(time);
const operator = (country: string | undefined): CdrOperator => ({
  country,
  timeZone: (country && book.country(country)?.timeZone) ?? 'UTC',
  classification: 'ECOMM_LOCAL',
});
const call = (over: Partial<AnalysedCall> = {}): AnalysedCall => ({
  typeWord: 'VOICE',
  type: readCallType(over.typeWord ?? 'VOICE'),
  caller: '+254711234567',
  receiver: '+254721234567',
  provider: 'Safaricom',
  startMs: at('2026-11-21T09:00:00Z'),
  durationS: 120,
  status: 'COMPLETED',
  cost: '100',
  currency: 'KES',
  dataKb: null,
  ...over,
});
const of = (country: string | undefined, over: Partial<AnalysedCall> = {}, rules = book) =>
  analyse(call(over), operator(country), { book: rules, numbering });
const surtax = (a: ReturnType<typeof of>) => a.taxes.find((t) => t.taxCode === 'SURTAX');
const taxes = (a: ReturnType<typeof of>) => a.taxes.map((t) => `${t.taxCode} ${t.tax} ${t.currency}`);

describe('a record', () => {
  it('bears taxes that compound, with more decimals than money has', () => {
    const a = of('KE', { cost: '0.07' });
    expect(a).toMatchObject({ class: 'ONNET', callPeriod: '2026-11', answered: true, tax: '0.02338', finding: null });
    expect(a.taxes).toMatchObject([
      { taxCode: 'EXCISE', base: 'CALL_COST', taxable: '0.07', tax: '0.0105', quantity: null },
      { taxCode: 'VAT', base: 'CALL_COST', taxable: '0.0805', tax: '0.01288', quantity: null },
    ]);
  });

  it('of the most digits an amount may have bears taxes that have more, exactly', () => {
    const cost = '9'.repeat(38);
    const excise = (BigInt(cost) * 15n).toString();
    const both = (BigInt(cost) * (1500n + 1600n + 240n)).toString();
    const a = of('KE', { cost });
    expect(a.taxes[0]?.tax).toBe(`${excise.slice(0, -2)}.${excise.slice(-2)}`);
    expect(a.tax).toBe(`${both.slice(0, -4)}.${both.slice(-4)}`.replace(/0+$/, ''));
  });

  it('from abroad bears the surtax per minute in its own currency, unless its origin is exempt', () => {
    const inward = { receiver: '+256771234567', currency: 'UGX', cost: '0', durationS: 90, provider: 'MTN' };
    const far = of('UG', { ...inward, caller: '+447400123456' });
    expect(far).toMatchObject({ class: 'INTL_IN', otherCountry: 'GB', tax: '0' });
    expect(surtax(far)).toMatchObject({
      tax: '0.135',
      currency: 'USD',
      taxable: null,
      quantity: '90',
      reason: null,
    });
    const near = of('UG', { ...inward, caller: '+254711234567' });
    expect(surtax(near)).toMatchObject({ tax: '0', quantity: '90', reason: 'EXEMPT_ORIGIN' });
  });

  it('belongs to the month of its country’s calendar, and is taxed by the rules of its day', () => {
    expect(of('NG', { startMs: at('2026-10-31T22:59:59Z') }).callPeriod).toBe('2026-10');
    expect(of('NG', { startMs: at('2026-10-31T23:00:00Z') }).callPeriod).toBe('2026-11');
    expect(taxes(of('TZ', { startMs: at('2025-06-30T20:59:59Z') }))[0]).toBe('EXCISE 17 KES');
    expect(taxes(of('TZ', { startMs: at('2025-06-30T21:00:00Z') }))[0]).toBe('EXCISE 17.5 KES');
  });

  it('that no rule is for says so instead of bearing nothing', () => {
    expect(of('NG', {}, new RuleBook('', []))).toMatchObject({ taxes: [], tax: '0', finding: 'NO_RULE' });
    expect(of(undefined)).toMatchObject({ class: 'UNCLASSIFIED', taxes: [], finding: 'NO_COUNTRY' });
    const later = taxRow({
      ruleId: 'AA-VAT-CALL',
      category: 'telecom_voice',
      base: 'CALL_COST',
      operations: ['recordCDR'],
      validFrom: '2027-01-01',
    });
    expect(of('AA', {}, new RuleBook('', [taxCountry([later])])).finding).toBe('NO_RULE');
  });

  it('of a zero rate has its line with the reason', () => {
    const a = of('NG');
    expect(a.finding).toBeNull();
    expect(a.taxes.find((t) => t.taxCode === 'EXCISE')).toMatchObject({ tax: '0', reason: 'ABOLISHED' });
  });

  it('counts volume by the kilobyte and messages by the piece', () => {
    const row = (ruleId: string, category: 'telecom_data' | 'telecom_sms', base: 'DATA_MB' | 'COUNT') => {
      const { rate: _, ...r } = taxRow({ ruleId, category, base, operations: ['recordCDR'], taxCode: base });
      return { ...r, unitAmount: '2', currency: 'EUR' };
    };
    const rules = new RuleBook('', [
      taxCountry([row('AA-DATA', 'telecom_data', 'DATA_MB'), row('AA-SMS', 'telecom_sms', 'COUNT')]),
    ]);
    expect(of('AA', { typeWord: 'DATA', dataKb: '512.5' }, rules).taxes).toMatchObject([
      { ruleId: 'AA-DATA', quantity: '512.5', tax: '1.0009765625', currency: 'EUR' },
    ]);
    expect(of('AA', { typeWord: 'SMS' }, rules).taxes).toMatchObject([{ ruleId: 'AA-SMS', quantity: '1', tax: '2' }]);
    expect(of('AA', { typeWord: 'DATA' }, rules).finding).toBe('NO_RULE');
  });

  // ITU-T E.425: an answer is the answer signal, whoever or whatever answers and however the call ends.
  it.each<[string | null, boolean, boolean]>([
    ['COMPLETED', true, true],
    ['voice mail', true, true],
    ['DROPPED', true, false],
    ['busy', false, false],
    ['NO-ANSWER', false, false],
    ['FAILED', false, false],
    ['cancelled', false, false],
    // A cause number of ITU-T Q.850, as switches write it, is no word that is known.
    ['16', true, false],
    ['PERHAPS', true, false],
    [null, true, false],
  ])('with the status %j was answered: %s if it lasted, %s if it did not', (status, lasted, didNot) => {
    expect([120, 0].map((durationS) => of('KE', { status, durationS }).answered)).toEqual([lasted, didNot]);
  });

  // Switches give messages and sessions no answer; message centres write the states of SMPP 3.4 (5.2.28), cut to seven letters.
  it.each([
    ['SMS', null, true],
    ['SMS', 'DELIVRD', true],
    ['SMS', 'PERHAPS', true],
    ['SMS', 'UNDELIV', false],
    ['SMS', 'UNDELIVERABLE', false],
    ['SMS', 'EXPIRED', false],
    ['SMS', 'DELETED', false],
    ['SMS', 'REJECTD', false],
    ['MMS', 'FAILED', false],
    ['DATA', null, true],
    ['DATA', 'DROPPED', true],
  ])('%s with the status %j came about, which counts as answered: %s', (typeWord, status, expected) => {
    expect(of('KE', { typeWord, status, durationS: 0 }).answered).toBe(expected);
  });

  // The states of a dialled call as Asterisk writes them (DIALSTATUS).
  it.each([
    ['ANSWER', true],
    ['CANCEL', false],
    ['CHANUNAVAIL', false],
  ])('with the status %s was answered: %s, though it took a while', (status, expected) => {
    expect(of('KE', { status, durationS: 20 }).answered).toBe(expected);
  });

  // The Congo taxes outgoing traffic: 0.05 francs a second, 0.20 a message (law: Code général des impôts).
  it.each([
    ['VOICE', {}, '6'],
    ['MOC', {}, '6'],
    ['MTC', {}, 'RECEIVED'],
    ['INCOMING', { caller: '+33612345678' }, 'RECEIVED'],
    ['VOICE', { caller: '+33612345678' }, 'RECEIVED'],
    ['SMS_MO', { durationS: 0 }, '0.2'],
    ['SMS_MO', { durationS: 0, status: null }, '0.2'],
    ['SMS_MO', { durationS: 0, status: 'UNDELIVERED' }, 'NOT_ANSWERED'],
    ['SMS_MT', { durationS: 0 }, 'RECEIVED'],
    ['ROAMING_SMS', { durationS: 0 }, '0.2'],
    ['ROAMING_DATA', { dataKb: '2048' }, '0.2'],
  ] as const)('%s %j of the Congo bears per unit %s', (typeWord, over, expected) => {
    const sides = { caller: '+242051234567', receiver: '+242061234567', currency: 'XAF' };
    const tax = of('CG', { ...sides, typeWord, ...over }).taxes.find((t) => t.taxCode === 'TELECOM_TAX');
    expect(tax?.reason ?? tax?.tax).toBe(expected);
    if (tax?.reason) expect(tax.tax).toBe('0');
  });

  it('bears an amount per call only if somebody answered', () => {
    const { rate: _, ...row } = taxRow({
      ruleId: 'AA-CALL',
      category: 'telecom_voice',
      base: 'COUNT',
      operations: ['recordCDR'],
    });
    const rules = new RuleBook('', [taxCountry([{ ...row, unitAmount: '10', currency: 'XOF' }])]);
    const tax = (over: Partial<AnalysedCall>) => of('AA', over, rules).taxes.map((t) => t.reason ?? t.tax);
    expect(tax({})).toEqual(['10']);
    expect(tax({ status: 'BUSY', durationS: 0 })).toEqual(['NOT_ANSWERED']);
    expect(tax({ status: null, durationS: 0 })).toEqual(['NOT_ANSWERED']);
  });

  it('of a word that was not known when it was stored is taxed as what the word means', () => {
    const a = of('CG', { typeWord: 'ROAMING_DATA', type: 'UNCLASSIFIED', dataKb: '1024', currency: 'XAF' });
    expect(a.taxes.find((t) => t.taxCode === 'TELECOM_TAX')).toMatchObject({ base: 'DATA_MB', tax: '0.1' });
  });

  it('of any cost bears exactly what its rules say, to twelve decimals or as many as the cost has', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 24n }), fc.nat(20), (units, scale) => {
        const cost = plainOf({ units, scale });
        const a = of('ZA', { cost });
        expect(a.taxes.map((t) => t.taxable)).toEqual([cost]);
        // 15 % of it, rounded half up at that many decimals.
        const d = BigInt(Math.max(12, cost.split('.')[1]?.length ?? 0));
        const at12 = units * 10n ** d;
        const exact = at12 * 15n;
        const divisor = 100n * 10n ** BigInt(scale);
        expect(a.tax).toBe(plainOf({ units: (exact * 2n + divisor) / (divisor * 2n), scale: Number(d) }));
      }),
    );
  });
});

describe('sums', () => {
  it('are exact for any decimals, in any order', () => {
    const text = fc
      .tuple(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.nat(25))
      .map(([u, s]) => plainOf({ units: u, scale: s }));
    fc.assert(
      fc.property(fc.array(text, { maxLength: 20 }), (texts) => {
        const units = texts.reduce((sum, t) => {
          const [whole = '', fraction = ''] = t.split('.');
          return sum + BigInt(whole + fraction.padEnd(25, '0'));
        }, 0n);
        expect(sumOf(texts)).toBe(plainOf({ units, scale: 25 }));
        expect(sumOf(texts.toReversed())).toBe(sumOf(texts));
      }),
    );
  });
});
