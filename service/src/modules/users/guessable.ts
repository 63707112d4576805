// Passwords among the first guesses: known ones, also with digits and signs around them, and sequences of neighbours.
import { commonPasswords } from '../../platform/data-files.ts';

const rows = ['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
/** Pairs that are adjacent in the alphabet, among the digits or on a keyboard, and each character with itself. */
const besides = new Set(
  rows.flatMap((r) => [...r].flatMap((c, i) => [c + c, c + (r[i + 1] ?? c), (r[i + 1] ?? c) + c])),
);

export function isGuessable(password: string): boolean {
  const lower = password.toLowerCase();
  const known = commonPasswords();
  const letters = [...lower].map((c) => (/\p{L}/u.test(c) ? c : ' ')).join('');
  if (known.has(lower) || known.has(letters.trim())) return true;
  const pairs = [...lower].slice(1).map((c, i) => [...lower][i] + c);
  return pairs.filter((p) => besides.has(p)).length >= pairs.length * 0.7 || isOneRepeated(lower);
}

/** abcabcabc: one short piece repeated. */
function isOneRepeated(text: string): boolean {
  for (let length = 1; length <= text.length / 2; length++)
    if (
      text
        .slice(0, length)
        .repeat(Math.ceil(text.length / length))
        .startsWith(text)
    )
      return true;
  return false;
}
