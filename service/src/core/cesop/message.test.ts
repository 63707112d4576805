// Amounts and tax numbers of a CESOP message.
import { describe, expect, it } from 'vitest';
import { looksLikeVat, messageAmount } from './message.ts';

describe('amounts', () => {
  it.each([
    ['107.5', '107.50'],
    ['1', '1.00'],
    ['0.01', '0.01'],
    ['1.005', '1.01'],
    ['1.0049', '1.00'],
    ['123456789012345678901234567890.12', '123456789012345678901234567890.12'],
  ])('%s is written as %s', (given, written) => expect(messageAmount(given)).toBe(written));
});

describe('tax numbers', () => {
  it('look like a VAT number with the prefix of their Member State alone', () => {
    expect(looksLikeVat('DE123456789', 'DE')).toBe(true);
    expect(looksLikeVat('EL123456789', 'GR')).toBe(true);
    expect(looksLikeVat('DE123456789', 'FR')).toBe(false);
    expect(looksLikeVat('123456789', 'DE')).toBe(false);
  });
});
