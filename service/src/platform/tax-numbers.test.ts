// Kinds of registration numbers, held against numbers that their authorities and the documentation of validators publish.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { taxNumberKinds } from '../core/tax/supplier.ts';
import { isNumberOf } from './tax-numbers.ts';

describe('isNumberOf', () => {
  it.each([
    // HMRC: VAT number and unique taxpayer reference are two numbers, as the python-stdnum documentation has them.
    ['GB', 'VAT', 'GB 980 7806 84', '980780685'],
    ['GB', 'TIN', '1955839661', '2955839661'],
    // Bundeszentralamt für Steuern and ELSTER: USt-IdNr. and Steuernummer; IdNr of a person.
    ['DE', 'VAT', 'DE 136,695 976', '136695978'],
    ['DE', 'TIN', '181/815/08155', '136695976'],
    ['DE', 'PERSON', '36574261809', '36574261890'],
    // INSEE: SIREN and SIRET; the VAT number contains the SIREN.
    ['FR', 'VAT', 'FR 40 303 265 045', '84 323 140 391'],
    ['FR', 'COMPANY', '552 008 443', '552 008 442'],
    ['FR', 'COMPANY', '73282932000074', '73282932000079'],
    // SARS: VAT vendors begin with 4.
    ['ZA', 'VAT', '4140259936', '0001339050'],
    ['ZA', 'TIN', '0001339050', '0001339051'],
    // Australian Business Register and ASIC.
    ['AU', 'VAT', '51 824 753 556', '51 824 753 557'],
    ['AU', 'COMPANY', '004 085 616', '004 085 617'],
    // GSTIN holds the PAN.
    ['IN', 'VAT', '27AAPFU0939F1ZV', 'ACUPA7085R'],
    ['IN', 'TIN', 'ACUPA7085R', '234123412347'],
    ['CH', 'COMPANY', 'CHE-100.155.212', 'CHE-100.155.213'],
    ['KE', 'VAT', 'P051365947M', 'A0513'],
    ['GH', 'VAT', 'C0000803561', 'C0000803562'],
    ['US', 'TIN', '04-2103594', '07-2103594'],
    // Annex B of delegated regulation 2015/2446, data element 3/1; HMRC: GB and 12 digits.
    ['DE', 'EORI', 'DE 1234567', 'FR1234567'],
    ['IT', 'EORI', 'IT00743110157', '00743110157'],
    ['GB', 'EORI', 'GB205672212000', 'GB20567221'],
    ['PL', 'EORI', 'PL856734621500000', 'PL8567346215000001'],
  ] as const)('%s %s: takes %s and not %s', (country, kind, right, wrong) => {
    expect([isNumberOf(kind, right, country), isNumberOf(kind, wrong, country)]).toEqual([true, false]);
  });

  it('does not say of one kind what is known of another', () => {
    expect(isNumberOf('VAT', '1955839661', 'GB')).toBe(false);
    expect(isNumberOf('COMPANY', '980780684', 'GB')).toBeNull();
    expect(isNumberOf('VAT', '12345678-0001', 'NG')).toBeNull();
    expect(isNumberOf('EORI', 'NG1234567', 'NG')).toBeNull();
    expect(isNumberOf('VAT', 'x', 'constructor')).toBeNull();
  });

  it('answers for any text, and refuses what has one digit changed where a check digit is known', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...taxNumberKinds),
        fc.string({ maxLength: 40 }),
        fc.constantFrom('DE', 'KE', 'XX', 'US'),
        (k, t, c) => {
          expect([true, false, null]).toContain(isNumberOf(k, t, c));
        },
      ),
    );
    const changed = (text: string, at: number) =>
      text.slice(0, at) + ((Number(text[at]) + 1) % 10) + text.slice(at + 1);
    for (const [kind, country, number] of [
      ['VAT', 'DE', '136695976'],
      ['COMPANY', 'FR', '552008443'],
      ['VAT', 'PL', '8567346215'],
      ['VAT', 'IT', '00743110157'],
    ] as const)
      for (let at = 1; at < number.length; at++)
        expect([number, at, isNumberOf(kind, changed(number, at), country)]).toEqual([number, at, false]);
  });
});
