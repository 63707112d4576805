import fc from 'fast-check';
import { getCountries, getExampleNumber, isValidPhoneNumber } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';
import { describe, expect, test } from 'vitest';
import { completeNumber, readNumber } from './completed-numbers.ts';

describe('a number without + or 00', () => {
  test.each([
    ['2348012345678', 'NG', '+2348012345678'],
    ['08012345678', 'NG', '+2348012345678'],
    ['8012345678', 'NG', '+2348012345678'],
    ['447911123456', 'NG', '+447911123456'],
    ['0711123456', 'KE', '+254711123456'],
    // Also valid as a national number, but German ones are dialled with 0.
    ['4915112345678', 'DE', '+4915112345678'],
    ['2025550123', 'US', '+12025550123'],
    ['612345678', 'ES', '+34612345678'],
    ['0612345678', 'IT', '+390612345678'],
    ['89161234567', 'RU', '+79161234567'],
    ['20123456', 'DK', '+4520123456'],
    ['2348012345678', undefined, '+2348012345678'],
    ['2348012345678', 'XX', '+2348012345678'],
  ])('%s of an account in %s is %s', (digits, country, full) => {
    expect(completeNumber(digits, country)).toBe(full);
  });

  test.each([
    // A Nigerian number in a Kenyan operator's records: no Kenyan number begins like this.
    ['08031234567', 'KE'],
    ['08012345678', undefined],
    ['1234567', 'NG'],
    ['0000000', 'NG'],
    ['999999999999999', 'NG'],
  ])('%s of an account in %s is none', (digits, country) => {
    expect(completeNumber(digits, country)).toBeUndefined();
  });

  test("every country's example number is itself, as its country dials it and as an MSISDN", () => {
    for (const country of getCountries()) {
      const number = getExampleNumber(country, examples);
      // Argentina and Mexico insert digits into the dialled number.
      if (!number || country === 'AR' || country === 'MX') continue;
      const dialled = number.formatNational().replace(/\D/g, '');
      expect([country, completeNumber(number.number.slice(1), country)]).toEqual([country, number.number]);
      if (!/^\d{7,15}$/.test(dialled)) continue;
      // A Chinese mobile number, dialled without 0, is also a valid number of the United States.
      const elsewhere = !dialled.startsWith('0') && isValidPhoneNumber(`+${dialled}`);
      expect([country, completeNumber(dialled, country)]).toEqual([
        country,
        elsewhere ? expect.stringMatching(new RegExp(`^\\+\\d*${dialled}$`)) : number.number,
      ]);
    }
  });

  test('is read alike whatever was read before', () => {
    const digits = fc.stringMatching(/^\d{7,15}$/);
    fc.assert(
      fc.property(digits, fc.constantFrom('NG', 'US', 'DE', 'ES', undefined), (d, country) => {
        const once = completeNumber(d, country);
        for (let i = 0; i < 10; i++) completeNumber(`${d.slice(0, 8)}${i}`.padEnd(d.length, String(i)), country);
        expect(completeNumber(d, country)).toBe(once);
        if (once !== undefined) expect(once).toMatch(/^\+[1-9]\d{6,16}$/);
      }),
    );
  });
});

describe('a number as people write it', () => {
  // E.123 and the websites of British firms write the trunk prefix in brackets; it is not dialled from abroad.
  test.each([
    '+442079460958',
    '0044 20 7946 0958',
    '+44 (0)20 7946 0958',
    '0044 (0) 20 7946 0958',
    '+4402079460958',
    '+44/20/79460958',
    '+44\u201120\u20117946\u20110958',
    '＋４４２０７９４６０９５８',
    '+٤٤٢٠٧٩٤٦٠٩٥٨',
    'tel:+442079460958',
    '+44 20 7946 0958 ext. 12',
    '+442079460958;ext=12',
  ])('is one number: %s', (text) => {
    expect(readNumber(text)).toMatchObject({ text: '+442079460958', kind: 'E164' });
  });

  test.each([
    // In Italy the zero belongs to the number.
    ['+39 (0)6 1234 5678', undefined, '+390612345678'],
    ['0803 123 4567', 'NG', '+2348031234567'],
    ['011 44 20 7946 0958', 'US', '+442079460958'],
    // No plan has it: it stays as it is.
    ['+44 000', undefined, undefined],
    ['+999 1234 5678', undefined, '+99912345678'],
  ])('%s of an account in %s is %s', (text, country, full) => {
    expect(readNumber(text, country)?.text).toBe(full);
  });

  test.each(['MTN', '611', '*123#', 'call +442079460958'])('is not %s', (text) => {
    expect(readNumber(text)?.kind).not.toBe('E164');
  });
});
