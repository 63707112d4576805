// Looks at a record with the rules of the book: which match, with the observations and counters that made them match.
// Pure: a rule's condition is given as a function.
import { dayMs } from '../calendar.ts';
import { accountWire, type PspId, toWire } from '../ids.ts';
import { type Decimal, decimal } from '../money.ts';
import type { Observation } from '../transaction.ts';
import { type Activity, count, newActivity, recount } from './activity.ts';
import {
  type CountedKind,
  type CounterDefinition,
  type CounterValue,
  counterValue,
  type Dimension,
  keptValue,
  keysOf,
} from './counters.ts';
import { inForceOn, isAbout, limitFor, looksAt, type RiskClient, type RiskEvent, type RiskRule } from './rule.ts';

/** What a condition is evaluated over, apart from its counters. */
export interface Looked {
  readonly event: RiskEvent;
  readonly client: RiskClient;
  /** Of a client, `cli_…`; of a PSP, `psp_…`. */
  readonly clientId: string;
  readonly amount: Decimal;
  readonly tax: Decimal;
}

/**
 * A rule with its condition.
 * @throws where the condition cannot be evaluated
 */
export interface ReadyRule {
  readonly rule: RiskRule;
  /** Whether it matches nothing without a limit for the record's country and currency. */
  readonly needsLimit: boolean;
  readonly holds: (looked: Looked, limit: Decimal | undefined, counter: (name: string) => number | Decimal) => boolean;
}

export interface Match {
  readonly rule: RiskRule;
  /** The record's observations that the rule names. */
  readonly findings: readonly Observation[];
  readonly counters: Readonly<Record<string, CounterValue>>;
}

/** The activity of keys, by dimension and key. */
export type Activities = Map<string, Activity>;
export const activityName = (psp: PspId, of: Dimension, key: string): string => `${psp} ${of} ${key}`;

/** What activity is kept for: dimensions, and of each the others whose keys are kept with it. */
export type Counted = ReadonlyMap<Dimension, ReadonlySet<Dimension>>;

/** What these rules count; nothing else is kept. */
export function countedBy(rules: readonly ReadyRule[]): Counted {
  const counters = rules.flatMap(({ rule }) => Object.values(rule.counters ?? {}));
  const others = (of: Dimension) => counters.flatMap((d) => (d.of === of ? (d.distinct ?? []) : []));
  return new Map(counters.map(({ of }) => [of, new Set(others(of))]));
}

/** What a record counts as; undefined if nothing is counted, as for a pending one. */
export function countedAs(e: RiskEvent, chargedBackNow: boolean): CountedKind | undefined {
  if (chargedBackNow) return 'chargeback';
  if (e.status === 'APPROVED') return e.operation;
  return e.status === 'DECLINED' ? 'decline' : undefined;
}

/** Activity is behind decisions by less. */
const mostBehindMs = 600_000;

/** What an earlier revision of a record was counted as: a later one of the same status is counted in its place. */
export interface CountedBefore {
  readonly at: number;
  readonly amount: string;
  readonly currency: string;
}

/**
 * Counts a record for each of its keys.
 * @param kept dimensions that activity is kept for
 * @param before in place of what it is counted, if anything
 */
export function countEvent(
  activities: Activities,
  e: RiskEvent,
  kind: CountedKind,
  kept: Counted,
  before?: CountedBefore,
): void {
  const keys = keysOf(e.keys);
  const what = { kind, at: e.at, amount: decimal(e.amount), currency: e.currency };
  const was = before && { kind, at: before.at, amount: decimal(before.amount), currency: before.currency };
  // A decision may see activity that has not caught up with the earlier revision: it is counted as a new one then.
  const isLate = was !== undefined && e.at - was.at > mostBehindMs;
  for (const [of, key] of keys) {
    const others = kept.get(of);
    if (!others) continue;
    const name = activityName(e.psp, of, key);
    let a = activities.get(name);
    if (was && ((a && recount(a, was, what)) || isLate)) continue;
    if (!a) activities.set(name, (a = newActivity(e.at)));
    count(
      a,
      what,
      keys.filter(([other]) => others.has(other)),
    );
    for (const other of a.members.keys()) if (!others.has(other)) a.members.delete(other);
  }
}

let known = { number: Number.NaN, day: '' };

/** The day in UTC, `YYYY-MM-DD`; records come in the order of time. */
function dayOf(at: number): string {
  const number = Math.floor(at / dayMs);
  if (known.number !== number) known = { number, day: new Date(at).toISOString().slice(0, 10) };
  return known.day;
}

/** The rules of a book that look at records of an operation and status: most look at others. */
const looking = new WeakMap<readonly ReadyRule[], Map<string, Map<string, readonly ReadyRule[]>>>();

function lookingAt(rules: readonly ReadyRule[], { operation, status }: RiskEvent): readonly ReadyRule[] {
  let of = looking.get(rules);
  if (!of) looking.set(rules, (of = new Map()));
  let byStatus = of.get(operation);
  if (!byStatus) of.set(operation, (byStatus = new Map()));
  let found = byStatus.get(status);
  if (!found) byStatus.set(status, (found = rules.filter(({ rule }) => looksAt(rule, operation, status))));
  return found;
}

/** @param failed is given what could not be evaluated; the rule does not match then */
export function matching(
  rules: readonly ReadyRule[],
  event: RiskEvent,
  client: RiskClient,
  activities: Activities,
  failed: (rule: RiskRule, error: unknown) => void,
): Match[] {
  const day = dayOf(event.at);
  let looked: Looked | undefined;
  let wire: string | undefined;
  const matches: Match[] = [];
  for (const { rule, needsLimit, holds } of lookingAt(rules, event)) {
    if (rule.scope.psps !== undefined) wire ??= toWire('psp', event.psp);
    if (!inForceOn(rule, day) || !isAbout(rule, event, wire ?? '', client.classification)) continue;
    const limit = limitFor(rule, event.country, event.currency);
    if (needsLimit && limit === undefined) continue;
    looked ??= new LookedAt(event, client);
    const values = new Map<string, number | Decimal>();
    const counter = (name: string) => {
      let value = values.get(name);
      if (value === undefined) {
        const d = (rule.counters as Readonly<Record<string, CounterDefinition>>)[name] as CounterDefinition;
        value = counterValue(d, event, (of, key) => activities.get(activityName(event.psp, of, key)));
        values.set(name, value);
      }
      return value;
    };
    try {
      if (!holds(looked, limit === undefined ? undefined : decimal(limit), counter)) continue;
    } catch (e) {
      failed(rule, e);
      continue;
    }
    matches.push({
      rule,
      findings: event.observations.filter((o) => rule.observations?.includes(o.code)),
      counters: Object.fromEntries(
        Object.keys(rule.counters ?? {}).map((name) => [name, keptValue(counter(name))] as const),
      ),
    });
  }
  return matches;
}

/** Most conditions read little of a record: what takes work is worked out when it is read. */
class LookedAt implements Looked {
  readonly event: RiskEvent;
  readonly client: RiskClient;

  constructor(event: RiskEvent, client: RiskClient) {
    this.event = event;
    this.client = client;
  }

  get clientId(): string {
    return accountWire(this.event.psp, this.event.account);
  }

  get amount(): Decimal {
    return decimal(this.event.amount);
  }

  get tax(): Decimal {
    return decimal(this.event.tax);
  }
}
