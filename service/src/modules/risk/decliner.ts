// Declines by rules that a PSP switched on for itself, within the decision, by counters as they are at the commit. Everybody
// else reads a public code; what matched is kept for the PSP and staff.
import type { PspId } from '../../core/ids.ts';
import { readActivity } from '../../core/risk/activity.ts';
import { keysOf } from '../../core/risk/counters.ts';
import type { RiskEvent, RiskKeys } from '../../core/risk/rule.ts';
import { type Activities, countEvent, countedBy, type Match, matching } from '../../core/risk/watch.ts';
import { stored } from '../../core/said.ts';
import { type Facts, type Need, need, type RefKey } from '../../platform/committer.ts';
import { errorFields } from '../../platform/log.ts';
import type { Declined, Declining } from '../kernel/decliner.ts';
import { row } from '../kernel/journal.ts';
import type { Needs } from '../kernel/needs.ts';
import { activityNow, gateOf, type Now } from './activity-now.ts';
import type { RiskBook } from './book-keeper.ts';
import { type ActivityKey, matchesOf } from './watch-store.ts';

type Uses = Needs<'ids' | 'log' | 'vault'>;

export class Decliner {
  readonly #s: Uses;
  readonly #book: Pick<RiskBook, 'inForce'>;

  constructor(s: Uses, book: Pick<RiskBook, 'inForce'>) {
    this.#s = s;
    this.#book = book;
  }

  readonly matches = matchesOf;

  of(psp: PspId, keys: () => RiskKeys): Declining | undefined {
    const rules = this.#book.inForce.declining.get(psp);
    if (!rules) return undefined;
    const kept = countedBy(rules);
    const needs = keysOf(keys()).flatMap(([of, key]) => (kept.has(of) ? [need(activityNow, { psp, of, key })] : []));
    return {
      needs,
      rules: [...new Set(rules.map((r) => r.rule.id))],
      gates: (facts) => this.#gates(facts, needs),
      decide: (facts, event, client, before) => {
        const activities: Activities = new Map();
        for (const n of needs) {
          const text = facts(n)?.text;
          if (text) activities.set(activityNow.text(n.key as ActivityKey), readActivity(text));
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

  /** Those that are not there yet are made by the first record that holds them. */
  #gates(facts: Facts, needs: readonly Need<Now>[]) {
    const refsHeld = new Map<string, RefKey & { revision: number }>();
    const refsNew = new Map<string, RefKey & { target: string; revision: number }>();
    for (const n of needs) {
      const gate = gateOf(n.key as ActivityKey);
      const revision = facts(n)?.revision;
      if (revision) refsHeld.set(gate.ref, { ...gate, revision });
      else refsNew.set(gate.ref, { ...gate, target: this.#s.ids.next(), revision: 1 });
    }
    return { refsHeld: [...refsHeld.values()], refsNew: [...refsNew.values()] };
  }

  #declined(event: RiskEvent, matches: readonly Match[]): Declined {
    const [first] = matches as [Match];
    const kept = matches.map(({ rule, counters }) => ({ rule: rule.id, version: rule.version, counters }));
    return {
      reason: stored`the risk policy of the PSP does not allow it (${first.rule.code})`,
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
