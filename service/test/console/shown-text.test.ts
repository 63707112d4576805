// Texts with characters that control a display: the pages show them as the command line and the reports do.
import { expect, it } from 'vitest';
import { shownText } from '../../../console/src/data/shown-text.ts';
import { shownPlainly } from '../../src/core/characters.ts';

it('writes out exactly the characters that the service refuses in prose', () => {
  for (let code = 0; code < 0x10000; code++) {
    const text = `a${String.fromCharCode(code)}b`;
    if (shownText(text) !== shownPlainly(text, true)) expect(shownText(text)).toBe(shownPlainly(text, true));
  }
});

it('does so at any depth, in names of members too, and leaves everything else as it is', () => {
  const sound = { items: [{ ref: 'a', amount: '1.50', none: null, yes: true }] };
  expect(shownText(sound)).toBe(sound);
  expect(shownText({ items: [{ ref: 'a\u202eb', paid: { 'card\u2066': '1' } }], n: 1 })).toEqual({
    items: [{ ref: 'a[U+202E]b', paid: { 'card[U+2066]': '1' } }],
    n: 1,
  });
});
