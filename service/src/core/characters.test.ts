// Which characters a name may not contain, and how one that contains them is shown.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shownPlainly, steeringCharacter } from './characters.ts';

const every = Array.from({ length: 0x10000 }, (_, i) => String.fromCharCode(i));

describe('a character', () => {
  // The Unicode Character Database has properties for them, which the engine's regular expressions can test.
  it('that is a control, a separator of lines or turns the direction is found, and no other', () => {
    // Bidi_Control without the three marks that act only as invisible letters.
    const meant = /[\p{Cc}\p{Zl}\p{Zp}]|(?![\u061c\u200e\u200f])\p{Bidi_Control}/u;
    expect(every.filter((c) => steeringCharacter(`a${c}b`) !== undefined)).toEqual(every.filter((c) => meant.test(c)));
  });

  it('of a line break or a tab is found in a name and not in prose', () => {
    const allowed = every.filter((c) => steeringCharacter(c) !== undefined && steeringCharacter(c, true) === undefined);
    expect(allowed).toEqual(['\t', '\n', '\r']);
  });

  it.each([
    ['Acme\u202eLtd', 'U+202E (right-to-left override) at character 5'],
    ['\u2066a', 'U+2066 (left-to-right isolate) at character 1'],
    // A character of two UTF-16 units counts as one.
    ['😀\u001b[31m', 'U+001B (a control character) at character 2'],
    ['a\nb', 'U+000A (a line feed) at character 2'],
  ])('in %j is named with its place', (text, named) => expect(String(steeringCharacter(text))).toBe(named));
});

describe('a name', () => {
  it.each([
    'می\u200cخواهم', // Persian: "I want", with the non-joiner it is spelt with
    'क्\u200dष', // Devanagari: a half form that the joiner produces
    'ශ්\u200dරී ලංකා', // Sinhala: "Sri Lanka"
    '👩\u200d💻 Studio',
    'شركة النور (ABC)\u200f',
    '\u061cالنور 12',
    'Zoë & Søn ApS',
    '株式会社アサイ',
  ])('%j is spelt as its language does', (name) => expect(steeringCharacter(name)).toBeUndefined());
});

describe('a text shown plainly', () => {
  it('has none of these characters, whatever it was, and is the same where it had none', () => {
    const text = fc.array(fc.oneof(fc.constantFrom('\u202e', '\u0000', '\u001b', '\n', '\u2069', 'a'), fc.string()));
    fc.assert(
      fc.property(text, fc.boolean(), (parts, lines) => {
        const given = parts.join('');
        const shown = shownPlainly(given, lines);
        expect(steeringCharacter(shown, lines)).toBeUndefined();
        if (steeringCharacter(given, lines) === undefined) expect(shown).toBe(given);
      }),
    );
  });

  it('says which they were', () => expect(shownPlainly('Acme\u202eLtd')).toBe('Acme[U+202E]Ltd'));
});
