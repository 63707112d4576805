// Countries of telephone numbers: as in libphonenumber-js, and the same whatever was asked before.
import fc from 'fast-check';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { describe, expect, it } from 'vitest';
import { maskNumber } from '../core/cdr/masks.ts';
import { countryOfNumber } from './number-countries.ts';

describe('the country of a number', () => {
  it.each([
    ['+2348031234567', 'NG'],
    ['+12045551234', 'CA'],
    ['+18765551234', 'JM'],
    ['+15550001234', 'US'],
    ['+447400123456', 'GB'],
    ['+447781123456', 'GG'],
    ['+77011234567', 'KZ'],
    ['+79161234567', 'RU'],
    ['+390612345678', 'IT'],
    ['+38349123456', 'XK'],
    ['+881612345678', null],
    ['+21012345678', null],
    ['+9999999', null],
  ])('%s is %s', (number, country) => {
    expect(countryOfNumber(number)).toBe(country);
    expect(countryOfNumber(maskNumber(number))).toBe(country);
  });

  it('is that of its mask, for the valid numbers of the plan shared by most and for all of eight digits and five hidden', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^(?:1[2-9]\d{2}[2-9]\d{6}|[2-9]\d{12})$/), (digits) => {
        if (digits.length === 13 || parsePhoneNumberFromString(`+${digits}`)?.isValid())
          expect(countryOfNumber(maskNumber(`+${digits}`))).toBe(countryOfNumber(`+${digits}`));
      }),
      { numRuns: 3_000 },
    );
  });

  it('is the one its plan has, for the valid numbers of the plan shared by most', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[2-9]\d{2}[2-9]\d{6}$/), (national) => {
        const parsed = parsePhoneNumberFromString(`+1${national}`);
        if (parsed?.isValid()) expect(countryOfNumber(`+1${national}`)).toBe(parsed.country);
      }),
      { numRuns: 3_000 },
    );
  });

  it('hangs on the first digits and the length alone', () => {
    const start = fc.constantFrom('+1204555', '+4474001', '+4477811', '+7701123', '+3906698', '+2125288');
    fc.assert(
      fc.property(start, fc.stringMatching(/^\d{4}$/), fc.stringMatching(/^\d{4}$/), (prefix, a, b) => {
        expect(countryOfNumber(`${prefix}0${a}`)).toBe(countryOfNumber(`${prefix}0${b}`));
      }),
    );
  });
});
