// Conditions of risk rules in CEL: which names and functions they may use, whether one is sound and cheap, and its
// evaluation. No clock, no randomness, no binary floats: the same record always gives the same answer.

import { Environment, ParseError, type ParseResult, TypeError as TypeFault } from '@marcbachmann/cel-js';
import { decimal, parseDecimal } from '../../core/money.ts';
import type { ListedKind, ListLookup } from '../../core/risk/lists.ts';
import { listedKinds, noLists } from '../../core/risk/lists.ts';
import type { RiskRule } from '../../core/risk/rule.ts';
import type { ReadyRule } from '../../core/risk/watch.ts';
import { type Said, said } from '../../core/said.ts';
import { plus } from '../../core/sums.ts';
import { faultsIn, needsLimit } from './condition-bounds.ts';
import {
  Amount,
  ClientFacts,
  counterFacts,
  difference,
  factsOf,
  LimitFacts,
  Named,
  RecordFacts,
  RequestFacts,
  StandingFacts,
} from './condition-facts.ts';

const texts = (...names: string[]) => Object.fromEntries(names.map((n) => [n, 'string']));

function environment(lists: ListLookup): Environment {
  return new Environment({
    unlistedVariablesAreDyn: false,
    limits: { maxAstNodes: 200, maxDepth: 16, maxListElements: 100, maxMapEntries: 0, maxCallArguments: 3 },
  })
    .registerType('Decimal', { ctor: Amount, fields: {} })
    .registerType('Record', {
      ctor: RecordFacts,
      fields: {
        ...texts('psp', 'operation', 'status', 'currency', 'country', 'customer', 'wallet', 'bankAccount'),
        ...texts('chainHash', 'network', 'msisdn'),
        amount: 'Decimal',
        tax: 'Decimal',
        revision: 'int',
        chargedBack: 'bool',
        observations: 'list<string>',
        samePerson: 'bool',
      },
    })
    .registerType('Request', {
      ctor: RequestFacts,
      fields: { ...texts('mcc', 'productLine'), methods: 'list<string>' },
    })
    .registerType('Client', {
      ctor: ClientFacts,
      fields: { ...texts('id', 'classification', 'country'), ageDays: 'int' },
    })
    .registerType('Standing', { ctor: StandingFacts, fields: { ...texts('level', 'operational'), onHold: 'bool' } })
    .registerType('Limit', { ctor: LimitFacts, fields: { known: 'bool', amount: 'Decimal' } })
    .registerVariable('record', 'Record')
    .registerVariable('request', 'Request')
    .registerVariable('client', 'Client')
    .registerVariable('standing', 'Standing')
    .registerVariable('limit', 'Limit')
    .registerFunction('decimal(string): Decimal', (text: string) => new Amount(decimal(text)))
    .registerFunction(
      'atLeast(Decimal, string): bool',
      (a: Amount, text: string) => difference(a, new Amount(decimal(text))) >= 0n,
    )
    .registerFunction(
      'times(Decimal, int): Decimal',
      (a: Amount, n: bigint) => new Amount({ units: a.units * n, scale: a.scale }),
    )
    .registerFunction('listed(Record, string, string): list<string>', (r: RecordFacts, kind: string, value: string) =>
      value === '' ? [] : lists(r.psp, kind as ListedKind, value),
    )
    .registerOperator('Decimal < Decimal', (a: Amount, b: Amount) => difference(a, b) < 0n)
    .registerOperator('Decimal <= Decimal', (a: Amount, b: Amount) => difference(a, b) <= 0n)
    .registerOperator('Decimal > Decimal', (a: Amount, b: Amount) => difference(a, b) > 0n)
    .registerOperator('Decimal >= Decimal', (a: Amount, b: Amount) => difference(a, b) >= 0n)
    .registerOperator('Decimal == Decimal', (a: Amount, b: Amount) => difference(a, b) === 0n)
    .registerOperator('Decimal + Decimal', (a: Amount, b: Amount) => new Amount(plus(a, b)));
}

/** Reads conditions. One for each way lists are looked up. */
export class Conditions {
  readonly #environment: Environment;

  constructor(lists: ListLookup = noLists) {
    this.#environment = environment(lists);
  }

  /** What is wrong with a condition, with the place; nothing if it can be used. */
  problems(rule: Pick<RiskRule, 'condition' | 'counters' | 'action'>): Said[] {
    const parsed = this.#parse(rule);
    if (Array.isArray(parsed)) return parsed;
    return rule.action === 'decline' && /\brecord\s*\.\s*tax\b/.test(rule.condition)
      ? [said`condition: record.tax is not known where a decline is decided`]
      : [];
  }

  /** @param rule one without problems */
  ready(rule: RiskRule): ReadyRule {
    const parsed = this.#parse(rule);
    if (Array.isArray(parsed)) throw new Error(`the condition of ${rule.id} cannot be used: ${parsed.join('; ')}`);
    const { evaluate, counters } = parsed;
    return {
      rule,
      needsLimit: needsLimit(evaluate.ast),
      holds: (looked, limit, counter) => evaluate(new Named(factsOf(looked), limit, counters.by(counter))) === true,
    };
  }

  #parse({ condition, counters = {} }: Pick<RiskRule, 'condition' | 'counters'>) {
    const of = counterFacts(Object.keys(counters));
    const environment = this.#environment
      .clone()
      .registerType('Counters', {
        ctor: of.ctor,
        fields: Object.fromEntries(
          Object.entries(counters).map(([name, d]) => [name, d.measure === 'sum' ? 'Decimal' : 'int']),
        ),
      })
      .registerVariable('counters', 'Counters');
    let parsed: ParseResult;
    try {
      parsed = environment.parse(condition);
    } catch (e) {
      return [saidOf(condition, e)];
    }
    const faults = faultsIn(parsed.ast, {
      isDecimal: (t) => /^\d/.test(t) && parseDecimal(t) !== undefined,
      listedKinds,
    });
    if (faults.length > 0) return faults.map((f) => said`${placeOf(condition, f.start)}: ${f.problem}`);
    const check = parsed.check();
    if (!check.valid) return [saidOf(condition, check.error)];
    if (check.type !== 'bool') return [said`condition: is of type ${check.type}; it must say yes or no`];
    return { evaluate: parsed, counters: of };
  }
}

function saidOf(condition: string, error: unknown): Said {
  if (!(error instanceof ParseError || error instanceof TypeFault))
    return said`condition: ${String(error).slice(0, 200)}`;
  return said`${placeOf(condition, error.range?.start ?? error.node?.start ?? 0)}: ${error.summary.slice(0, 200)}`;
}

/** Line and column, from 1. */
function placeOf(condition: string, at: number): Said {
  const before = condition.slice(0, at).split('\n');
  return said`condition, line ${before.length}, column ${(before.at(-1) as string).length + 1}`;
}
