// Compares two versions of a rule over the same records: which it matches by the one and not by the other, and how much
// money that is about. Pure; the same records in the same order give the same result.
import type { Decimal } from '../money.ts';
import { decimal } from '../money.ts';
import { nothing, plainOf, plus } from '../sums.ts';
import type { CountedKind } from './counters.ts';
import type { RiskClient, RiskEvent, RiskRule } from './rule.ts';
import {
  type Activities,
  type Counted,
  type CountedBefore,
  countEvent,
  countedBy,
  matching,
  type ReadyRule,
} from './watch.ts';

export type Change = 'new' | 'gone' | 'same';

/** A record, with what it is counted as. */
export interface SeenEvent {
  readonly event: RiskEvent;
  /** Undefined if it is not counted. */
  readonly counted: CountedKind | undefined;
  /** What an earlier revision was counted as the same; undefined if none was. */
  readonly before: CountedBefore | undefined;
}

export interface ReplayedRecord {
  readonly change: Change;
  readonly event: RiskEvent;
}

const mostExamples = 10;

/** Sums by currency of records that changed one way. */
class Tally {
  records = 0;
  readonly #sums = new Map<string, { records: number; sum: Decimal }>();

  add({ currency, amount }: RiskEvent): void {
    this.records++;
    const known = this.#sums.get(currency) ?? { records: 0, sum: nothing };
    this.#sums.set(currency, { records: known.records + 1, sum: plus(known.sum, decimal(amount)) });
  }

  lines() {
    return [...this.#sums]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([currency, { records, sum }]) => ({ currency, records, amount: plainOf(sum) }));
  }
}

export class Replay {
  /** Records within the period that one of the versions is about or not: all that were looked at. */
  looked = 0;
  readonly tallies: { readonly [C in Change]: Tally } = { new: new Tally(), gone: new Tally(), same: new Tally() };
  readonly examples: ReplayedRecord[] = [];
  /** Rules whose condition failed on a record. */
  failures = 0;
  readonly #after: ReadyRule;
  readonly #both: readonly ReadyRule[];
  readonly #kept: Counted;
  readonly #activities: Activities = new Map();
  readonly #note: (line: string) => void;

  /**
   * @param before the version in force, if there is one
   * @param note is given a line for each record that either version matches, for a hash over all of them
   */
  constructor(before: ReadyRule | undefined, after: ReadyRule, note: (line: string) => void) {
    this.#after = after;
    this.#both = before ? [before, after] : [after];
    this.#kept = countedBy(this.#both);
    this.#note = note;
  }

  /** Whether records before the period matter, because something is counted. */
  get counts(): boolean {
    return this.#kept.size > 0;
  }

  /** @param within whether the record is in the period; others are only counted */
  see({ event, counted, before }: SeenEvent, client: RiskClient, within: boolean): void {
    if (counted !== undefined) countEvent(this.#activities, event, counted, this.#kept, before);
    if (!within) return;
    this.looked++;
    const failed = (_: RiskRule) => {
      this.failures++;
    };
    const matches = matching(this.#both, event, client, this.#activities, failed);
    const is = matches.find((m) => m.rule === this.#after.rule);
    const was = matches.find((m) => m !== is);
    if (!was && !is) return;
    const change = was ? (is ? 'same' : 'gone') : 'new';
    this.tallies[change].add(event);
    this.#note(
      `${change} ${event.psp} ${event.record} ${event.revision} ${JSON.stringify(is?.counters ?? was?.counters)}\n`,
    );
    if (change !== 'same' && this.examples.length < mostExamples) this.examples.push({ change, event });
  }
}
