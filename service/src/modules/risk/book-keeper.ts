// Caches the rules in force: loads the shipped ones, and takes over changes by staff, here or in another process, within
// a second. A fault leaves the rules in force unchanged.
import type { PspId } from '../../core/ids.ts';
import { refuse } from '../../core/refusal.ts';
import { type ListLookup, noLists } from '../../core/risk/lists.ts';
import { holdingActions, inTheirTime, type RiskAction, type RiskRule } from '../../core/risk/rule.ts';
import { ruleProblems } from '../../core/risk/rule-problems.ts';
import type { ReadyRule } from '../../core/risk/watch.ts';
import { eachOf, type Said, said, stored } from '../../core/said.ts';
import type { Database, Pool } from '../../platform/database.ts';
import { errorFields, type Log } from '../../platform/log.ts';
import type { Needs } from '../kernel/needs.ts';
import { system } from '../kernel/principal.ts';
import { type NewRule, recordRules } from './book-entry.ts';
import {
  allVersions,
  bookState,
  findRule,
  liveRules,
  openProposals,
  policiesInForce,
  readBookState,
} from './book-store.ts';
import { Conditions } from './condition.ts';

export interface HasRiskBook {
  readonly riskBook: RiskBook;
}

export interface RulesInForce {
  readonly rules: readonly ReadyRule[];
  /** Proposed versions, which are evaluated and have no effect. */
  readonly shadows: readonly ReadyRule[];
  /** Rules that decline transactions of a PSP. */
  readonly declining: ReadonlyMap<PspId, readonly ReadyRule[]>;
  /** Ids of rules that put clients or wallets of a PSP on hold, with their actions. */
  readonly holding: ReadonlyMap<PspId, ReadonlyMap<string, RiskAction>>;
}

type Rereads = Pick<Pool, 'query' | 'transaction'>;

export class RiskBook {
  readonly stateSql = bookState;
  readonly #db: Rereads;
  readonly #log: Log;
  readonly #conditions: Conditions;
  #state: string | undefined;
  #refreshing: Promise<boolean> = Promise.resolve(false);
  #inForce: RulesInForce = { rules: [], shadows: [], declining: new Map(), holding: new Map() };

  /** @param lists fills `listed` in conditions */
  private constructor(db: Rereads, log: Log, lists: ListLookup) {
    this.#db = db;
    this.#log = log;
    this.#conditions = new Conditions(lists);
  }

  /** Puts the shipped rules in force that staff has not replaced, then loads what is in force. */
  static async start(
    db: Rereads,
    s: Needs<'ids' | 'clock' | 'committer' | 'log'>,
    shipped: readonly RiskRule[],
    lists: ListLookup = noLists,
  ): Promise<RiskBook> {
    const book = new RiskBook(db, s.log, lists);
    await loadShipped(db, s, shipped);
    await book.refresh();
    return book;
  }

  get inForce(): RulesInForce {
    return this.#inForce;
  }

  /** Takes over changes; returns whether there were any. One at a time, so that no older reading replaces a newer one. */
  refresh(db: Database = this.#db): Promise<boolean> {
    const done = this.#refreshing.then(() => this.#refresh(db));
    this.#refreshing = done.catch(() => false);
    return done;
  }

  /** As `refresh`, but reads nothing if a state that was just read is that of the rules in force. */
  follow = async (state: string): Promise<boolean> => state !== this.#state && this.refresh();

  async #refresh(db: Database): Promise<boolean> {
    const state = await readBookState(db);
    if (state === this.#state) return false;
    const rules = inTheirTime(await allVersions(db)).flatMap((r) => this.#usable(r));
    const policies = await policiesInForce(db);
    const switchedOn = (ids: readonly string[], actions: readonly RiskAction[]): ReadyRule[] =>
      rules.filter(({ rule }) => ids.includes(rule.id) && actions.includes(rule.action));
    const declining = policies.map((p) => [p.psp, switchedOn(p.declining, ['decline'])] as const);
    const actionsOf = (ids: readonly string[]) =>
      new Map(switchedOn(ids, holdingActions).map(({ rule }) => [rule.id, rule.action]));
    const holding = policies.map((p) => [p.psp, actionsOf(p.holding)] as const);
    const shadows = (await openProposals(db)).flatMap((p) => this.#usable(JSON.parse(p.content) as RiskRule));
    this.#inForce = {
      ...{ rules, shadows, declining: new Map(declining.filter(([, of]) => of.length > 0)) },
      holding: new Map(holding.filter(([, of]) => of.size > 0)),
    };
    this.#state = state;
    return true;
  }

  /** Another version of the service may have accepted a condition that this one does not know. */
  #usable(rule: RiskRule): ReadyRule[] {
    try {
      return [this.#conditions.ready(rule)];
    } catch (e) {
      this.#log.error({ rule: rule.id, version: rule.version, ...errorFields(e) }, 'a risk rule cannot be used');
      return [];
    }
  }

  #problems(value: unknown): Said[] {
    const problems = ruleProblems(value);
    // A condition is only read with counters that are sound.
    return problems.length > 0 ? problems : this.#conditions.problems(value as RiskRule);
  }

  /** Everything wrong with a rule as the next version of its id; `before` is the version in force. */
  async problemsOfNext(db: Database, value: unknown): Promise<{ problems: Said[]; before: NewRule['before'] }> {
    const problems = this.#problems(value);
    if (problems.length > 0) return { problems, before: undefined };
    const { id, version } = value as RiskRule;
    const before = await findRule(db, id);
    const last = before?.version ?? 0;
    if (version !== last + 1) problems.push(said`version: ${id} is at ${last}; the next version is ${last + 1}`);
    return { problems, before };
  }

  /**
   * A rule that could be put in force unchanged: sound, and the next version of its id.
   * @throws RISK_RULE_INVALID naming each problem
   */
  async checked(db: Database, value: unknown): Promise<NewRule> {
    const { problems, before } = await this.problemsOfNext(db, value);
    if (problems.length > 0)
      throw refuse(
        'RISK_RULE_INVALID',
        said`the rule was refused, those in force stay: ${eachOf(problems.slice(0, 20))}`,
      );
    const rule = value as RiskRule;
    return { rule, text: JSON.stringify(rule), before };
  }

  /** A rule as it can be evaluated. @param rule one without problems */
  ready(rule: RiskRule): ReadyRule {
    return this.#conditions.ready(rule);
  }
}

/** Several processes may do so at once. */
async function loadShipped(
  db: Rereads,
  s: Needs<'ids' | 'clock' | 'committer'>,
  shipped: readonly RiskRule[],
): Promise<void> {
  if ((await missing(db, shipped)).length === 0) return;
  await db.transaction(async (tx) => {
    await tx.query('LOCK TABLE risk_rules IN SHARE ROW EXCLUSIVE MODE');
    const found = await missing(tx, shipped);
    if (found.length === 0) return;
    const at = new Date(s.clock()).toISOString();
    await recordRules(tx, s, system, at, found, 'shipped', { reason: stored`shipped with this version` });
  });
}

/** Shipped rules that are newer than the shipped ones in force. What staff put in force stays. */
async function missing(db: Database, shipped: readonly RiskRule[]): Promise<NewRule[]> {
  const live = new Map((await liveRules(db)).map((r) => [r.id, r]));
  return shipped.flatMap((rule) => {
    const before = live.get(rule.id);
    const newer = before === undefined || (before.origin === 'shipped' && before.version < rule.version);
    return newer ? [{ rule, text: JSON.stringify(rule), before }] : [];
  });
}
