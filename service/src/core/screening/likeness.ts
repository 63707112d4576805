// How alike two words are, from 0 to 1: the measure of Jaro with Winkler's bonus for a common beginning.

/** Longer words are compared by their beginning. */
const longest = 40;

export function jaroWinkler(one: string, other: string): number {
  if (one === other) return 1;
  const a = one.slice(0, longest);
  const b = other.slice(0, longest);
  const reach = Math.max(0, Math.floor(Math.max(a.length, b.length) / 2) - 1);
  const taken = new Uint8Array(b.length);
  const inOrder: number[] = [];
  for (let i = 0; i < a.length; i++)
    for (let j = Math.max(0, i - reach); j < Math.min(b.length, i + reach + 1); j++)
      if (taken[j] === 0 && a.charCodeAt(i) === b.charCodeAt(j)) {
        taken[j] = 1;
        inOrder.push(a.charCodeAt(i));
        break;
      }
  const common = inOrder.length;
  if (common === 0) return 0;
  let swapped = 0;
  for (let j = 0, k = 0; j < b.length; j++) if (taken[j] === 1 && b.charCodeAt(j) !== inOrder[k++]) swapped++;
  const jaro = (common / a.length + common / b.length + (common - swapped / 2) / common) / 3;
  let start = 0;
  while (start < 4 && start < a.length && a[start] === b[start]) start++;
  return jaro + start * 0.1 * (1 - jaro);
}
