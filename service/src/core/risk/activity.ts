// The recent activity of one key (a client, a customer, a wallet …): counts and sums in buckets of three widths, when it
// was seen, and with which other keys. Bounded however much happens; written and read as text. Pure.
import { type Bucket, Buckets, bucketText, type CountedRecord, cellOf, cellText, otherCurrencies } from './buckets.ts';
import type { CountedKind, Dimension, Window } from './counters.ts';

export interface Activity {
  first: number;
  last: number;
  /** When it was seen before `last`; 0 if it was not. */
  before: number;
  readonly buckets: { readonly [W in Width]: Buckets };
  /** Other keys by dimension, with the time each was seen last. */
  readonly members: Map<Dimension, Map<string, number>>;
}

const widths = {
  minutes: { ms: 300_000, most: 13 },
  hours: { ms: 3_600_000, most: 25 },
  days: { ms: 86_400_000, most: 31 },
} as const;
type Width = keyof typeof widths;
const widthOf: { readonly [W in Window]: Width } = { '1h': 'minutes', '24h': 'hours', '7d': 'days', '30d': 'days' };
const lengths: { readonly [W in Window]: number } = { '1h': 12, '24h': 24, '7d': 7, '30d': 30 };

/** Other keys of a dimension at most: the ones seen longest ago are forgotten. */
export const mostMembers = 128;

type Members = readonly (readonly [Dimension, readonly (readonly [string, number])[]])[];

/**
 * @param times first, last and before
 * @param newest the newest bucket of each width, as it was written
 * @param older the others of each width
 */
function activityOf(
  times: readonly number[],
  newest: readonly string[],
  older: readonly string[],
  members: Members,
): Activity {
  const [first = 0, last = 0, before = 0] = times;
  const of = (width: Width, i: number) => new Buckets(widths[width].ms, widths[width].most, newest[i], older[i]);
  return {
    ...{ first, last, before },
    buckets: { minutes: of('minutes', 0), hours: of('hours', 1), days: of('days', 2) },
    members: new Map(members.map(([of, keys]) => [of, new Map(keys)])),
  };
}

const each = (a: Activity): readonly Buckets[] => [a.buckets.minutes, a.buckets.hours, a.buckets.days];

export const newActivity = (at: number): Activity => activityOf([at], [], [], []);

/**
 * Counts something in the activity.
 * @param members other keys that were named with it
 */
export function count(a: Activity, what: CountedRecord, members: readonly (readonly [Dimension, string])[]): void {
  a.before = a.last;
  a.last = Math.max(a.last, what.at);
  a.first = Math.min(a.first, what.at);
  for (const buckets of each(a)) buckets.count(what);
  for (const [of, key] of members) {
    let seen = a.members.get(of);
    if (!seen) a.members.set(of, (seen = new Map()));
    // Deleted and set, so that the order is that of the last time.
    seen.delete(key);
    seen.set(key, what.at);
    if (seen.size > mostMembers) seen.delete(seen.keys().next().value as string);
  }
}

/**
 * Puts the amount of a later revision of a record in place of the one that was counted, where that is still kept. The record
 * stays counted once, at its time.
 * @param was as it was counted
 * @returns whether it was found
 */
export function recount(a: Activity, was: CountedRecord, is: Pick<CountedRecord, 'amount' | 'currency'>): boolean {
  return each(a)
    .map((buckets) => buckets.recount(was, is))
    .includes(true);
}

/** The buckets of a window that ends at a moment. The one in which the window begins counts whole: none counts less than it says. */
export function bucketsWithin(a: Activity, window: Window, at: number): Bucket[] {
  const width = widthOf[window];
  const { ms } = widths[width];
  const newest = Math.floor(at / ms) * ms;
  const oldest = newest - lengths[window] * ms;
  return a.buckets[width].all.filter((b) => b.start >= oldest && b.start <= newest);
}

/**
 * Lines: its times, the newest bucket of each width, the older ones, and its members. What changes with each record comes first,
 * so that PostgreSQL does not log the rest again.
 */
export function activityText(a: Activity): string {
  const buckets = each(a);
  const members = [...a.members].map(([of, seen]) => [of, [...seen]]);
  return [
    [a.first, a.last, a.before].join(' '),
    ...buckets.map((b) => b.newest),
    ...buckets.map((b) => b.older),
    ...(members.length > 0 ? [JSON.stringify(members)] : []),
  ].join('\n');
}

/** @param text by activityText */
export function readActivity(text: string): Activity {
  if (text.startsWith('[')) return fromJson(text);
  const [times = '', ...lines] = text.split('\n');
  return activityOf(times.split(' ').map(Number), lines.slice(0, 3), lines.slice(3, 6), JSON.parse(lines[6] ?? '[]'));
}

type InJson = [number, number, number, [number, [string, number, string][]][][], Members];

/** Until November 2026 all of it was JSON, a cell named as in `deposit NGN`, and `+deposit ` for further currencies. */
function fromJson(text: string): Activity {
  const [first, last, before, buckets, members] = JSON.parse(text) as InJson;
  const cell = (name: string) => {
    const [kind = '', currency = ''] = name.split(' ');
    const isOther = kind.startsWith('+');
    return cellOf(kind.slice(isOther ? 1 : 0) as CountedKind, isOther ? otherCurrencies : currency);
  };
  const texts = Object.values(widths).map(({ ms }, i) =>
    (buckets[i] ?? []).map(([start, cells]) =>
      bucketText(
        start / ms,
        cells.map(([name, n, sum]) => cellText(cell(name), n, sum)),
      ),
    ),
  );
  const newest = texts.map((of) => of.at(-1) ?? '');
  return activityOf(
    [first, last, before],
    newest,
    texts.map((of) => of.slice(0, -1).join(';')),
    members,
  );
}
