// What counters count: definitions in a rule, and their values from the activity of a key. Pure.
import type { Decimal } from '../money.ts';
import { nothing, plainOf, plus } from '../sums.ts';
import { type Activity, bucketsWithin } from './activity.ts';
import { type Cell, cellOf, kindOf } from './buckets.ts';
import type { RiskEvent, RiskKeys } from './rule.ts';

export const dimensions = ['client', 'customer', 'wallet', 'bankAccount', 'chainHash', 'network', 'msisdn'] as const;
export type Dimension = (typeof dimensions)[number];

export const windows = { '1h': 3_600_000, '24h': 86_400_000, '7d': 604_800_000, '30d': 2_592_000_000 } as const;
export type Window = keyof typeof windows;

export const measures = ['count', 'countInCurrency', 'sum', 'distinct', 'sinceFirst', 'sinceLast'] as const;
type Measure = (typeof measures)[number];

/** What is counted: records by their operation, and what happened to them. */
export const countedKinds = [
  'verifyTransaction',
  'deposit',
  'withdrawal',
  'cryptoDeposit',
  'cryptoWithdrawal',
  'captureWager',
  'capturePayout',
  'chargeback',
  'decline',
] as const;
export type CountedKind = (typeof countedKinds)[number];

/**
 * count: records. countInCurrency: those in the currency of the record at hand. sum: their amounts. distinct: different keys of another
 * dimension seen with this one. sinceFirst, sinceLast: whole seconds since the key was seen first, or before the record
 * at hand; 0 if it was not. All but the last include the record at hand.
 */
export interface CounterDefinition {
  readonly of: Dimension;
  readonly measure: Measure;
  /** Not for sinceFirst and sinceLast. */
  readonly window?: Window;
  /** Kinds that are counted or added up. */
  readonly kinds?: readonly CountedKind[];
  /** For distinct. */
  readonly distinct?: Dimension;
}

/** Integers, or decimal text for a sum. */
export type CounterValue = number | string;

/** The value of a counter; 0 where the record does not name the key. */
export function counterValue(
  d: CounterDefinition,
  e: Pick<RiskEvent, 'at' | 'currency' | 'keys'>,
  activityOf: (of: Dimension, key: string) => Activity | undefined,
): number | Decimal {
  const key = e.keys[d.of];
  const a = key === undefined ? undefined : activityOf(d.of, key);
  switch (d.measure) {
    case 'sinceFirst':
      return a ? wholeSeconds(e.at - a.first) : 0;
    case 'sinceLast':
      return a && a.before > 0 ? wholeSeconds(e.at - a.before) : 0;
    case 'distinct':
      return a ? distinct(a, d.distinct as Dimension, e.at - windows[d.window as Window]) : 0;
    case 'count':
      return a ? count(a, d, e.at) : 0;
    case 'countInCurrency':
      return a ? inCurrency(a, d, e).count : 0;
    case 'sum':
      return a ? inCurrency(a, d, e).sum : nothing;
  }
}

const wholeSeconds = (ms: number): number => Math.max(0, Math.floor(ms / 1000));

function count(a: Activity, d: CounterDefinition, at: number): number {
  let n = 0;
  for (const bucket of bucketsWithin(a, d.window as Window, at))
    for (const [name, cell] of bucket.cells) if (counts(d, name)) n += cell.count;
  return n;
}

function inCurrency(a: Activity, d: CounterDefinition, e: Pick<RiskEvent, 'at' | 'currency'>): Readonly<Cell> {
  const all = { count: 0, sum: nothing };
  for (const bucket of bucketsWithin(a, d.window as Window, e.at))
    for (const kind of d.kinds ?? countedKinds) {
      const cell = bucket.cells.get(cellOf(kind, e.currency));
      if (!cell) continue;
      all.count += cell.count;
      all.sum = plus(all.sum, cell.sum);
    }
  return all;
}

const counts = (d: CounterDefinition, cell: string): boolean => d.kinds?.includes(kindOf(cell)) ?? true;

function distinct(a: Activity, of: Dimension, since: number): number {
  let n = 0;
  for (const last of a.members.get(of)?.values() ?? []) if (last > since) n++;
  return n;
}

/** A value as it is kept beside a match. */
export const keptValue = (v: number | Decimal): CounterValue => (typeof v === 'number' ? v : plainOf(v));

/** Every key of a record that activity is kept for. */
export function keysOf(keys: RiskKeys): [Dimension, string][] {
  const found: [Dimension, string][] = [];
  for (const of of dimensions) {
    const key = keys[of];
    if (key !== undefined) found.push([of, key]);
  }
  return found;
}
