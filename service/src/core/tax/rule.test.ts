// Which rows conflict. The database's exclusion constraint and the file's overlap check must agree on it.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { feeRows, taxCountry, taxRow } from '../../../test/support/tax-rows.ts';
import { countryProblems } from './problems.ts';
import { contest, isChoosable, mccRange, ruleSlot, type TaxedOperation, type TaxRule, taxBases } from './rule.ts';
import { endsSoon } from './terms.ts';

describe('a base', () => {
  it('competes with itself alone, but contained and added taxes of a sale compete with each other', () => {
    const names = taxBases.map(contest);
    expect(contest('GROSS_INCLUSIVE')).toBe(contest('NET_ADD_ON'));
    expect(new Set(names).size).toBe(taxBases.length - 1);
  });
});

describe('an mcc range', () => {
  it('is one code or both ends, included', () => {
    expect(mccRange('5411')).toEqual([5411, 5411]);
    expect(mccRange('0742-0780')).toEqual([742, 780]);
  });
});

describe('an end that is near', () => {
  const soon = (over: Partial<TaxRule>, date = '2026-11-21') => endsSoon(taxRow(over), date);

  it('is the last day of the row, or of its decree, within 90 days', () => {
    expect(soon({ validTo: '2027-01-01' })).toBe('2026-12-31');
    expect(soon({ sunsetOn: '2026-12-31' })).toBe('2026-12-31');
    expect(soon({ sunsetOn: '2026-12-31', validTo: '2026-12-01' })).toBe('2026-11-30');
  });

  it('counts the ninetieth day and the day itself, and none beyond or before', () => {
    expect(soon({ validTo: '2027-02-20' })).toBe('2027-02-19');
    expect(soon({ validTo: '2027-02-21' })).toBeUndefined();
    expect(soon({ validTo: '2026-11-22' })).toBe('2026-11-21');
    expect(soon({ sunsetOn: '2026-11-20' })).toBeUndefined();
    expect(soon({})).toBeUndefined();
  });
});

describe('a reduced rate', () => {
  it('is chosen only where it names its mcc', () => {
    for (const category of ['reduced', 'super_reduced'] as const) {
      expect(isChoosable(taxRow({ category }))).toBe(false);
      expect(isChoosable(taxRow({ category, mccRanges: ['5942'] }))).toBe(true);
    }
    expect(isChoosable(taxRow())).toBe(true);
  });
});

describe('rows with the same slot', () => {
  const row = fc.record<Partial<TaxRule>>({
    taxCode: fc.constantFrom('VAT', 'LEVY'),
    base: fc.constantFrom('GROSS_INCLUSIVE', 'NET_ADD_ON', 'DEPOSIT_VALUE'),
    category: fc.constantFrom('standard', 'reduced', 'telecom_voice'),
    operations: fc.constantFrom(['verifyTransaction'], ['deposit', 'verifyTransaction'], ['deposit']),
    classifications: fc.constantFrom([], ['ECOMM_LOCAL'], ['ECOMM_LOCAL', 'ECOMM_GLOBAL']),
    mccRanges: fc.constantFrom([], ['5411'], ['5411-5412']),
    productLines: fc.constantFrom([], ['sports']),
    inTransaction: fc.boolean(),
    validFrom: fc.constantFrom('2020-01-01', '2024-01-01'),
    validTo: fc.constantFrom(null, '2025-01-01'),
  });

  const depositOf: Partial<Record<TaxedOperation, TaxedOperation>> = { verifyTransaction: 'cryptoDeposit' };

  it('overlap as the check of a file has it, whenever their days meet', () => {
    fc.assert(
      fc.property(row, row, (x, y) => {
        // Of sales only contained taxes may be for some codes, and an operation has only some bases.
        const lawful = (r: Partial<TaxRule>): Partial<TaxRule> =>
          r.base === 'GROSS_INCLUSIVE'
            ? r
            : r.base === 'NET_ADD_ON'
              ? { ...r, mccRanges: [], operations: ['verifyTransaction'] }
              : { ...r, mccRanges: [], operations: (r.operations ?? []).map((o) => depositOf[o] ?? o) };
        const a = taxRow({ ruleId: 'AA-ONE', ...lawful(x) });
        const b = taxRow({ ruleId: 'AA-TWO', ...lawful(y) });
        if (ruleSlot(a) !== ruleSlot(b)) return;
        const days = a.validFrom < (b.validTo ?? '9') && b.validFrom < (a.validTo ?? '9');
        const told = countryProblems(taxCountry([a, b, ...feeRows]))
          .map(String)
          .some((p) => p.includes('overlaps'));
        expect(told).toBe(days);
      }),
      { numRuns: 3000 },
    );
  });

  it('are told apart from rows that are published only, which compete with nothing', () => {
    const published = { category: 'reduced' } as const;
    expect(ruleSlot(taxRow({ ...published, ruleId: 'AA-ONE' }))).not.toBe(
      ruleSlot(taxRow({ ...published, ruleId: 'AA-TWO' })),
    );
    const flat = { ...published, client: 'FLAT_RATE' } as const;
    expect(ruleSlot(taxRow({ ...flat, ruleId: 'AA-ONE' }))).toBe(ruleSlot(taxRow({ ...flat, ruleId: 'AA-TWO' })));
  });

  it('compete for the same, whatever else they say', () => {
    const slot = (ruleId: string, over: Partial<TaxRule> = {}) => ruleSlot(taxRow({ ruleId, ...over }));
    expect(slot('AA-ONE', { classifications: ['A', 'B'] })).toBe(slot('AA-TWO', { classifications: ['B', 'A'] }));
    expect(slot('AA-ONE', { productLines: [] })).toBe(slot('AA-TWO'));
    const mcc = { mccRanges: ['5411'] };
    expect(slot('AA-ONE', { category: 'reduced', ...mcc })).toBe(slot('AA-TWO', { category: 'standard', ...mcc }));
    expect(slot('AA-ONE', { category: 'telecom_voice' })).not.toBe(slot('AA-TWO', { category: 'telecom_sms' }));
    expect(slot('AA-ONE', { classifications: ['A', 'BC'] })).not.toBe(slot('AA-TWO', { classifications: ['AB', 'C'] }));
    expect(slot('AA-ONE', { classifications: ['A'] })).not.toBe(slot('AA-TWO', { productLines: ['A'] }));
  });
});
