// Names that somebody may have meant by one that is not known: for error messages, never for choosing.

/** Longer names are not compared. */
const longest = 60;

/** The known names that differ from the given one by case, by two letters at most, or by their end alone. */
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

/** Letters to add, take away or replace to come from one text to the other. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}
