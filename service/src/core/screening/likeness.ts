// How alike two words are, from 0 to 1: the measure of Jaro with Winkler's bonus for a common beginning.
import { bitsOf } from './bits.ts';

/** Longer words are compared by their beginning. */
const longest = 40;
/** Letters of a common beginning that count. */
const mostStart = 4;

/** The letters of a word, one bit for each; what is no Latin letter shares one. */
export function lettersOf(word: string): number {
  let letters = 0;
  for (let i = 0; i < word.length && i < longest; i++) {
    const of = word.charCodeAt(i) - 97;
    letters |= 1 << (of >= 0 && of < 26 ? of : 26);
  }
  return letters;
}

function startOf(a: string, b: string): number {
  let start = 0;
  while (start < mostStart && start < a.length && a.charCodeAt(start) === b.charCodeAt(start)) start++;
  return start;
}

/** What `jaroWinkler` is at most, by the letters that only one of the words has: cheap, to spare most comparisons. */
export function atMostAlike(
  one: { readonly text: string; readonly letters: number },
  other: { readonly text: string; readonly letters: number },
): number {
  const [a, b] = [Math.min(one.text.length, longest), Math.min(other.text.length, longest)];
  const common = Math.min(a - bitsOf(one.letters & ~other.letters), b - bitsOf(other.letters & ~one.letters));
  if (common <= 0) return 0;
  const jaro = (common / a + common / b + 1) / 3;
  // Two ways to the same figure differ in the last digits of a double.
  return jaro + startOf(one.text, other.text) * 0.1 * (1 - jaro) + 1e-9;
}

/** Which letters of the other word have a counterpart, and those of the one in their order, during a comparison. */
const taken = new Uint8Array(longest);
const inOrder = new Uint16Array(longest);

export function jaroWinkler(one: string, other: string): number {
  if (one === other) return 1;
  const a = one.slice(0, longest);
  const b = other.slice(0, longest);
  const reach = Math.max(0, Math.floor(Math.max(a.length, b.length) / 2) - 1);
  taken.fill(0);
  let common = 0;
  for (let i = 0; i < a.length; i++)
    for (let j = Math.max(0, i - reach); j < Math.min(b.length, i + reach + 1); j++)
      if (taken[j] === 0 && a.charCodeAt(i) === b.charCodeAt(j)) {
        taken[j] = 1;
        inOrder[common++] = a.charCodeAt(i);
        break;
      }
  if (common === 0) return 0;
  let swapped = 0;
  for (let j = 0, k = 0; j < b.length; j++) if (taken[j] === 1 && b.charCodeAt(j) !== inOrder[k++]) swapped++;
  const jaro = (common / a.length + common / b.length + (common - swapped / 2) / common) / 3;
  return jaro + startOf(a, b) * 0.1 * (1 - jaro);
}
