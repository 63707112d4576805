// Which passwords are refused because they are among the first guesses.
import { describe, expect, it } from 'vitest';
import { isGuessable } from './guessable.ts';

describe('a password', () => {
  it.each([
    ...['password1234', 'abcdefghijkl', '123456789012', 'qwertyuiop12', 'Password2026!', 'zyxwvutsrqpo'],
    ...['asdfghjklasdf', 'abcabcabcabc', 'letmein-2026-', 'iloveyou99999', 'QWERTYUIOPAS', '!!!Sunshine!!!'],
  ])('that anybody would try is guessable: %s', (password) => expect(isGuessable(password)).toBe(true));

  it.each([
    ...[
      'correct horse battery',
      'Zürich liegt am See',
      'blue-tractor-kindly',
      'x7$Lq0pW!r2Tz',
      '青い空と白い雲と海の音',
    ],
    ...['Le_YXX9-QuG-vx09-Pdl', 'my password is longer than this'],
  ])('of words that do not belong together, or of chance, is not: %s', (password) =>
    expect(isGuessable(password)).toBe(false),
  );
});
