// Text, amounts and tax numbers of a CESOP message.
import { describe, expect, it } from 'vitest';
import { looksLikeVat, messageAmount, xmlText } from './message.ts';

describe('text', () => {
  it('is escaped, and what XML cannot hold is replaced', () => {
    expect(xmlText('<A & B> "c" \'d\'')).toBe('&lt;A &amp; B&gt; &quot;c&quot; &apos;d&apos;');
    expect(xmlText('a\u0000b\u001fc\ud800d\uffff\te\u00e9\u{1f600}')).toBe(
      'a\ufffdb\ufffdc\ufffdd\ufffd\te\u00e9\u{1f600}',
    );
  });
});

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
