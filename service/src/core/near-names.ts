// Suggests known names close to an unknown one: for error messages, never for choosing.
import { distance } from './misspelt.ts';

/** Longer names are not compared. */
const longest = 60;

/** Known names that differ from the given one only by case, by at most two letters, or by their ending. */
export function nearNames(given: string, known: readonly string[]): string[] {
  const name = given.toLowerCase();
  if (name.length === 0 || name.length > longest) return [];
  return known.filter((k) => {
    const other = k.toLowerCase();
    const short = Math.min(name.length, other.length);
    if (short >= 3 && (name.startsWith(other) || other.startsWith(name))) return true;
    return distance(name, other) <= (short < 5 ? 1 : 2);
  });
}
