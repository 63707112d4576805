// The recent activity of one key (a client, a customer, a wallet …): counts and sums in buckets of three widths, when it
// was seen, and with which other keys. Bounded however much happens; written and read as JSON text. Pure.
import { type Decimal, decimal } from '../money.ts';
import { plainOf, plus } from '../sums.ts';
import type { CountedKind, Dimension, Window } from './counters.ts';

interface Cell {
  count: number;
  sum: Decimal;
}

export interface Bucket {
  /** Milliseconds. */
  readonly start: number;
  /** By kind and currency. */
  readonly cells: Map<string, Cell>;
}

export interface Activity {
  first: number;
  last: number;
  /** When it was seen before `last`; 0 if it was not. */
  before: number;
  /** Newest last. */
  readonly buckets: { readonly [W in Width]: Bucket[] };
  /** Other keys by dimension, with the time each was seen last. */
  readonly members: Map<Dimension, Map<string, number>>;
}

type Width = 'minutes' | 'hours' | 'days';

const widths: { readonly [W in Width]: { readonly ms: number; readonly most: number } } = {
  minutes: { ms: 300_000, most: 13 },
  hours: { ms: 3_600_000, most: 25 },
  days: { ms: 86_400_000, most: 31 },
};
const allWidths = Object.keys(widths) as Width[];
const widthOf: { readonly [W in Window]: Width } = { '1h': 'minutes', '24h': 'hours', '7d': 'days', '30d': 'days' };
const lengths: { readonly [W in Window]: number } = { '1h': 12, '24h': 24, '7d': 7, '30d': 30 };

/** Cells of a bucket at most; further currencies are counted together, and not summed. */
const mostCells = 48;
/** Other keys of a dimension at most: the ones seen longest ago are forgotten. */
export const mostMembers = 128;
/** Marks the cell of further currencies. */
export const otherPrefix = '+';

export const newActivity = (at: number): Activity => ({
  first: at,
  last: 0,
  before: 0,
  buckets: { minutes: [], hours: [], days: [] },
  members: new Map(),
});

/**
 * Counts something in the activity.
 * @param members other keys that were named with it
 */
export function count(
  a: Activity,
  what: { readonly kind: CountedKind; readonly at: number; readonly amount: Decimal; readonly currency: string },
  members: readonly (readonly [Dimension, string])[],
): void {
  a.before = a.last;
  a.last = Math.max(a.last, what.at);
  a.first = Math.min(a.first, what.at);
  const name = `${what.kind} ${what.currency}`;
  for (const width of allWidths) {
    const cells = bucketAt(a.buckets[width], width, what.at)?.cells;
    if (cells) add(cells, name, what.kind, what.amount);
  }
  for (const [of, key] of members) {
    let seen = a.members.get(of);
    if (!seen) a.members.set(of, (seen = new Map()));
    // Deleted and set, so that the order is that of the last time.
    seen.delete(key);
    seen.set(key, what.at);
    if (seen.size > mostMembers) seen.delete(seen.keys().next().value as string);
  }
}

/** @param name of the cell of its kind and currency */
function add(cells: Map<string, Cell>, name: string, kind: CountedKind, amount: Decimal): void {
  const known = cells.get(name);
  if (known) {
    known.count++;
    known.sum = plus(known.sum, amount);
  } else if (cells.size < mostCells) cells.set(name, { count: 1, sum: amount });
  else {
    const other = `${otherPrefix}${kind} `;
    const cell = cells.get(other);
    if (cell) cell.count++;
    else cells.set(other, { count: 1, sum: { units: 0n, scale: 0 } });
  }
}

/**
 * Puts the amount of a later revision of a record in place of the one that was counted, where that is still kept. The record
 * stays counted once, at its time.
 * @param was as it was counted
 * @returns whether it was found
 */
export function recount(
  a: Activity,
  was: { readonly kind: CountedKind; readonly at: number; readonly amount: Decimal; readonly currency: string },
  is: { readonly amount: Decimal; readonly currency: string },
): boolean {
  let found = false;
  for (const width of allWidths) {
    const start = Math.floor(was.at / widths[width].ms) * widths[width].ms;
    const cells = a.buckets[width].find((b) => b.start === start)?.cells;
    const before = cells?.get(`${was.kind} ${was.currency}`);
    if (!cells || !before) continue;
    before.count--;
    before.sum = plus(before.sum, { units: -was.amount.units, scale: was.amount.scale });
    add(cells, `${was.kind} ${is.currency}`, was.kind, is.amount);
    found = true;
  }
  return found;
}

/** The bucket of a moment; undefined if it is older than what is kept. */
function bucketAt(buckets: Bucket[], width: Width, at: number): Bucket | undefined {
  const { ms, most } = widths[width];
  const start = Math.floor(at / ms) * ms;
  const newest = buckets.at(-1);
  if (newest?.start === start) return newest;
  if (newest && start < newest.start) {
    const known = buckets.find((b) => b.start === start);
    if (known) return known;
    // Clocks of several machines differ: what comes late is counted where it belongs.
    if (start <= newest.start - most * ms) return undefined;
    const made = { start, cells: new Map() };
    buckets.splice(
      buckets.findIndex((b) => b.start > start),
      0,
      made,
    );
    return made;
  }
  const made = { start, cells: new Map() };
  buckets.push(made);
  while ((buckets[0] as Bucket).start <= start - most * ms) buckets.shift();
  return made;
}

/** The buckets of a window that ends at a moment. The one in which the window begins counts whole: none counts less than it says. */
export function bucketsWithin(a: Activity, window: Window, at: number): Bucket[] {
  const width = widthOf[window];
  const { ms } = widths[width];
  const newest = Math.floor(at / ms) * ms;
  const oldest = newest - lengths[window] * ms;
  return a.buckets[width].filter((b) => b.start >= oldest && b.start <= newest);
}

type Written = [number, number, number, [number, [string, number, string][]][][], [Dimension, [string, number][]][]];

export function activityText(a: Activity): string {
  const buckets = allWidths.map((w) =>
    a.buckets[w].map((b): [number, [string, number, string][]] => [
      b.start,
      [...b.cells].map(([name, c]) => [name, c.count, plainOf(c.sum)]),
    ]),
  );
  const members = [...a.members].map(([of, seen]): [Dimension, [string, number][]] => [of, [...seen]]);
  const written: Written = [a.first, a.last, a.before, buckets, members];
  return JSON.stringify(written);
}

/** @param text by activityText */
export function readActivity(text: string): Activity {
  const [first, last, before, buckets, members] = JSON.parse(text) as Written;
  const [minutes = [], hours = [], days = []] = buckets.map((of) =>
    of.map(([start, cells]) => ({
      start,
      cells: new Map(cells.map(([name, n, sum]) => [name, { count: n, sum: decimal(sum) }])),
    })),
  );
  return {
    first,
    last,
    before,
    buckets: { minutes, hours, days },
    members: new Map(members.map(([of, seen]) => [of, new Map(seen)])),
  };
}
