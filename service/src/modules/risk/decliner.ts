// Declines by rules that a PSP switched on for itself, within the decision: activity comes from a small cache that is a
// second behind at most, and everybody else reads a public code. What matched is kept for the PSP and staff.
import type { PspId } from '../../core/ids.ts';
import { readActivity } from '../../core/risk/activity.ts';
import { keysOf } from '../../core/risk/counters.ts';
import type { RiskEvent, RiskKeys } from '../../core/risk/rule.ts';
import {
  type Activities,
  activityName,
  countEvent,
  countedDimensions,
  type Match,
  matching,
} from '../../core/risk/watch.ts';
import type { Clock } from '../../platform/clock.ts';
import { type FactLoader, need } from '../../platform/committer.ts';
import type { Database } from '../../platform/database.ts';
import { Kept } from '../../platform/kept.ts';
import { errorFields } from '../../platform/log.ts';
import type { Declined, Declining } from '../kernel/decliner.ts';
import { row } from '../kernel/journal.ts';
import type { Needs } from '../kernel/needs.ts';
import type { RiskBook } from './book-keeper.ts';
import { type ActivityKey, activityTexts, matchesOf } from './watch-store.ts';

/** Some 4,000 keys. */
const mostBytes = 16 * 2 ** 20;
const freshMs = 1000;

interface Read {
  /** Empty where a key was never seen. */
  readonly text: string;
  /** Milliseconds, monotonic. */
  readonly at: number;
}

/** Activity as text, so that each decision counts in a copy of its own. */
class RecentActivity implements FactLoader<ActivityKey, string> {
  readonly name = 'risk-activity';
  readonly #monotonic: Clock;
  readonly #known = new Kept<Read>(mostBytes, (r) => 300 + r.text.length);

  constructor(monotonic: Clock) {
    this.#monotonic = monotonic;
  }

  text(k: ActivityKey): string {
    return activityName(k.psp, k.of, k.key);
  }

  peek(k: ActivityKey): string | undefined {
    const known = this.#known.peek(this.text(k));
    return known && this.#monotonic() - known.at < freshMs ? known.text : undefined;
  }

  async load(db: Database, keys: readonly ActivityKey[]): Promise<Map<string, string>> {
    const at = this.#monotonic();
    const found = await activityTexts(db, keys);
    const read = new Map(keys.map((k) => [this.text(k), found.get(this.text(k)) ?? '']));
    for (const [name, text] of read) this.#known.set(name, { text, at });
    return read;
  }
}

type Uses = Needs<'log' | 'monotonic' | 'vault'>;

export class Decliner {
  readonly #s: Uses;
  readonly #book: Pick<RiskBook, 'inForce'>;
  readonly #recent: RecentActivity;

  constructor(s: Uses, book: Pick<RiskBook, 'inForce'>) {
    this.#s = s;
    this.#book = book;
    this.#recent = new RecentActivity(s.monotonic);
  }

  readonly matches = matchesOf;

  of(psp: PspId, keys: () => RiskKeys): Declining | undefined {
    const rules = this.#book.inForce.declining.get(psp);
    if (!rules) return undefined;
    const kept = countedDimensions(rules);
    const needs = keysOf(keys()).flatMap(([of, key]) => (kept.has(of) ? [need(this.#recent, { psp, of, key })] : []));
    return {
      needs,
      rules: [...new Set(rules.map((r) => r.rule.id))],
      decide: (facts, event, client, before) => {
        const activities: Activities = new Map();
        for (const n of needs) {
          const text = facts(n);
          if (text) activities.set(this.#recent.text(n.key as ActivityKey), readActivity(text));
        }
        countEvent(activities, event, event.operation, kept, before);
        const matches = matching(rules, event, client, activities, (rule, e) =>
          this.#s.log.error(
            { rule: rule.id, ...errorFields(e) },
            'a risk rule could not be evaluated; it declines nothing',
          ),
        );
        return matches.length === 0 ? undefined : this.#declined(event, matches);
      },
    };
  }

  #declined(event: RiskEvent, matches: readonly Match[]): Declined {
    const [first] = matches as [Match];
    const kept = matches.map(({ rule, counters }) => ({ rule: rule.id, version: rule.version, counters }));
    return {
      reason: `the risk policy of the PSP does not allow it (${first.rule.code})`,
      rules: matches.map((m) => m.rule),
      evidence: {
        code: first.rule.code,
        matches: this.#s.vault.blind(`risk|${event.psp}|${event.record}|${JSON.stringify(kept)}`),
      },
      rows: kept.map((m) =>
        row('risk_matches', {
          psp_id: event.psp,
          record_id: event.record,
          rule: m.rule,
          version: m.version,
          operation: event.operation,
          account_id: event.account,
          shadow: false,
          currency: event.currency,
          amount: event.amount,
          counters: JSON.stringify(m.counters),
          matched_at: new Date(event.at).toISOString(),
        }),
      ),
    };
  }
}
