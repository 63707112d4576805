// Strict base64: a receipt check must not accept two texts for the same bytes.
import { expect, it } from 'vitest';
import { fromBase64, toBase64 } from './base64.ts';

it('reads what it wrote', () => {
  for (let n = 0; n < 8; n++) {
    const bytes = Uint8Array.from({ length: n }, (_, i) => 250 + i);
    expect(fromBase64(toBase64(bytes))).toEqual(bytes);
  }
});

it.each([
  ['junk before it', '!!!!QQ=='],
  ['junk behind it', 'QQ==!!!!'],
  ['a line end', 'QQ==\n'],
  ['a space within', 'Q Q='],
  ['a letter of the other alphabet', 'Q-_='],
  ['no padding', 'QQ'],
  ['padding cut short', 'QQ='],
  ['one letter alone', 'A'],
  ['two texts in one', 'QQ==QQ=='],
  ['bits that say nothing', 'QR=='],
])('refuses %s', (_, text) => {
  expect(fromBase64(text)).toBeUndefined();
});
