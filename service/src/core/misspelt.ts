// Finds the known name that was probably meant by an unknown one.

/** Edit distance (Levenshtein): letters to insert, remove or replace to turn one word into the other. */
export function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(
        Math.min(
          (row[j] as number) + 1,
          (next[j - 1] as number) + 1,
          (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1),
        ),
      );
    row = next;
  }
  return row[b.length] as number;
}

/** The closest known name, at most two letters and less than a third of its own length away; else undefined. */
export function probablyMeant(name: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = 3;
  for (const candidate of known) {
    if (Math.abs(candidate.length - name.length) > 2) continue;
    const letters = distance(name.toLowerCase(), candidate.toLowerCase());
    if (letters < least && letters * 3 < candidate.length) {
      best = candidate;
      least = letters;
    }
  }
  return best;
}
