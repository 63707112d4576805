// Conditions of risk rules in CEL: which names and functions they may use, whether one is sound and cheap, and its
// evaluation. No clock, no randomness, no binary floats: the same record always gives the same answer.

import { Environment, ParseError, type ParseResult, TypeError as TypeFault } from '@marcbachmann/cel-js';
import type { PspId } from '../../core/ids.ts';
import { type Decimal, decimal, parseDecimal } from '../../core/money.ts';
import type { ListedKind, ListLookup } from '../../core/risk/lists.ts';
import { listedKinds, noLists } from '../../core/risk/lists.ts';
import type { RiskRule } from '../../core/risk/rule.ts';
import type { Looked, ReadyRule } from '../../core/risk/watch.ts';
import { plus } from '../../core/sums.ts';
import { faultsIn } from './condition-bounds.ts';

/** An exact decimal of a condition. */
class Amount {
  readonly units: bigint;
  readonly scale: number;
  constructor({ units, scale }: Decimal) {
    this.units = units;
    this.scale = scale;
  }
}
const difference = (a: Amount, b: Amount): bigint => plus(a, { units: -b.units, scale: b.scale }).units;

/** What the condition reads as `record`. */
class RecordFacts {
  readonly psp: PspId;
  readonly operation: string;
  readonly status: string;
  readonly amount: Amount;
  readonly tax: Amount;
  readonly currency: string;
  readonly country: string;
  readonly revision: bigint;
  readonly chargedBack: boolean;
  readonly observations: readonly string[];
  readonly customer: string;
  readonly wallet: string;
  readonly bankAccount: string;
  readonly chainHash: string;
  readonly network: string;
  readonly msisdn: string;
  readonly samePerson: boolean;
  constructor({ event: e, amount, tax }: Looked) {
    this.psp = e.psp;
    this.operation = e.operation;
    this.status = e.status;
    this.amount = new Amount(amount);
    this.tax = new Amount(tax);
    this.currency = e.currency;
    this.country = e.country;
    this.revision = BigInt(e.revision);
    this.chargedBack = e.chargedBack;
    this.observations = e.observations.map((o) => o.code);
    this.customer = e.keys.customer ?? '';
    this.wallet = e.keys.wallet ?? '';
    this.bankAccount = e.keys.bankAccount ?? '';
    this.chainHash = e.keys.chainHash ?? '';
    this.network = e.keys.network ?? '';
    this.msisdn = e.keys.msisdn ?? '';
    this.samePerson = e.samePerson;
  }
}

class RequestFacts {
  readonly mcc: string;
  readonly methods: readonly string[];
  readonly productLine: string;
  constructor({ event }: Looked) {
    this.mcc = event.mcc;
    this.methods = event.methods;
    this.productLine = event.productLine;
  }
}

class ClientFacts {
  readonly id: string;
  readonly classification: string;
  readonly country: string;
  readonly ageDays: bigint;
  constructor({ client, clientId, event }: Looked) {
    this.id = clientId;
    this.classification = client.classification;
    this.country = client.country;
    this.ageDays = BigInt(Math.max(0, Math.floor((event.at - client.since) / 86_400_000)));
  }
}

class StandingFacts {
  readonly level: string;
  readonly operational: string;
  readonly onHold: boolean;
  constructor({ client }: Looked) {
    this.level = client.verificationLevel;
    this.operational = client.operationalStanding;
    this.onHold = client.onHold;
  }
}

class LimitFacts {
  readonly known: boolean;
  readonly amount: Amount;
  constructor(limit: Decimal | undefined) {
    this.known = limit !== undefined;
    this.amount = new Amount(limit ?? { units: 0n, scale: 0 });
  }
}

/** The parts of a record that all rules share, built once for each record. */
interface Facts {
  readonly record: RecordFacts;
  readonly request: RequestFacts;
  readonly client: ClientFacts;
  readonly standing: StandingFacts;
}
const built = new WeakMap<Looked, Facts>();

function factsOf(looked: Looked): Facts {
  let facts = built.get(looked);
  if (!facts) {
    facts = {
      record: new RecordFacts(looked),
      request: new RequestFacts(looked),
      client: new ClientFacts(looked),
      standing: new StandingFacts(looked),
    };
    built.set(looked, facts);
  }
  return facts;
}

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

type Counted = (name: string) => number | Decimal;

/**
 * The counters of a rule as own properties, each counted when it is read. One object serves all evaluations, which come
 * one after the other: to make one for each would cost more than the evaluation.
 */
function counterFacts(names: readonly string[]) {
  class CounterFacts {}
  let counted: Counted | undefined;
  const facts = new CounterFacts();
  for (const name of names)
    Object.defineProperty(facts, name, {
      enumerable: true,
      get() {
        const value = (counted as Counted)(name);
        return typeof value === 'number' ? BigInt(value) : new Amount(value);
      },
    });
  return {
    ctor: CounterFacts,
    by(counter: Counted): object {
      counted = counter;
      return facts;
    },
  };
}

/** Reads conditions. One for each way lists are looked up. */
export class Conditions {
  readonly #environment: Environment;

  constructor(lists: ListLookup = noLists) {
    this.#environment = environment(lists);
  }

  /** What is wrong with a condition, with the place; nothing if it can be used. */
  problems(rule: Pick<RiskRule, 'condition' | 'counters' | 'action'>): string[] {
    const parsed = this.#parse(rule);
    if (Array.isArray(parsed)) return parsed;
    return rule.action === 'decline' && /\brecord\s*\.\s*tax\b/.test(rule.condition)
      ? ['condition: record.tax is not known where a decline is decided']
      : [];
  }

  /** @param rule one without problems */
  ready(rule: RiskRule): ReadyRule {
    const parsed = this.#parse(rule);
    if (Array.isArray(parsed)) throw new Error(`the condition of ${rule.id} cannot be used: ${parsed.join('; ')}`);
    const { evaluate, counters } = parsed;
    return {
      rule,
      holds: (looked, limit, counter) =>
        evaluate({ ...factsOf(looked), limit: new LimitFacts(limit), counters: counters.by(counter) }) === true,
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
    if (faults.length > 0) return faults.map((f) => `${placeOf(condition, f.start)}: ${f.problem}`);
    const check = parsed.check();
    if (!check.valid) return [saidOf(condition, check.error)];
    if (check.type !== 'bool') return [`condition: is of type ${check.type}; it must say yes or no`];
    return { evaluate: parsed, counters: of };
  }
}

function saidOf(condition: string, error: unknown): string {
  if (!(error instanceof ParseError || error instanceof TypeFault)) return `condition: ${String(error).slice(0, 200)}`;
  return `${placeOf(condition, error.range?.start ?? error.node?.start ?? 0)}: ${error.summary.slice(0, 200)}`;
}

/** Line and column, from 1. */
function placeOf(condition: string, at: number): string {
  const before = condition.slice(0, at).split('\n');
  return `condition, line ${before.length}, column ${(before.at(-1) as string).length + 1}`;
}
