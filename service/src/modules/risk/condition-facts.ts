// What conditions of risk rules read: the record, its client and counters as objects of their own. Each part is built when it
// is first read, since a replay looks at a million records. Never evaluates anything.
import type { PspId } from '../../core/ids.ts';
import type { Decimal } from '../../core/money.ts';
import type { Looked } from '../../core/risk/watch.ts';
import { plus } from '../../core/sums.ts';

/** An exact decimal of a condition. */
export class Amount {
  readonly units: bigint;
  readonly scale: number;
  constructor({ units, scale }: Decimal) {
    this.units = units;
    this.scale = scale;
  }
}
export const difference = (a: Amount, b: Amount): bigint => plus(a, { units: -b.units, scale: b.scale }).units;

/** What the condition reads as `record`. */
export class RecordFacts {
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

export class RequestFacts {
  readonly mcc: string;
  readonly methods: readonly string[];
  readonly productLine: string;
  constructor({ event }: Looked) {
    this.mcc = event.mcc;
    this.methods = event.methods;
    this.productLine = event.productLine;
  }
}

export class ClientFacts {
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

export class StandingFacts {
  readonly level: string;
  readonly operational: string;
  readonly onHold: boolean;
  constructor({ client }: Looked) {
    this.level = client.verificationLevel;
    this.operational = client.operationalStanding;
    this.onHold = client.onHold;
  }
}

export class LimitFacts {
  readonly known: boolean;
  readonly amount: Amount;
  constructor(limit: Decimal | undefined) {
    this.known = limit !== undefined;
    this.amount = new Amount(limit ?? { units: 0n, scale: 0 });
  }
}

/** The parts of a record that all rules share, each built when a condition first reads it. */
class Facts {
  readonly looked: Looked;
  #record: RecordFacts | undefined;
  #request: RequestFacts | undefined;
  #client: ClientFacts | undefined;
  #standing: StandingFacts | undefined;

  constructor(looked: Looked) {
    this.looked = looked;
  }
  get record(): RecordFacts {
    return (this.#record ??= new RecordFacts(this.looked));
  }
  get request(): RequestFacts {
    return (this.#request ??= new RequestFacts(this.looked));
  }
  get client(): ClientFacts {
    return (this.#client ??= new ClientFacts(this.looked));
  }
  get standing(): StandingFacts {
    return (this.#standing ??= new StandingFacts(this.looked));
  }
}

/** The record looked at last: its rules come one after the other. */
let lastFacts: Facts | undefined;

export function factsOf(looked: Looked): Facts {
  if (lastFacts?.looked !== looked) lastFacts = new Facts(looked);
  return lastFacts;
}

/** What a condition may name. */
export class Named {
  readonly #facts: Facts;
  readonly #limit: Decimal | undefined;
  readonly counters: object;

  constructor(facts: Facts, limit: Decimal | undefined, counters: object) {
    this.#facts = facts;
    this.#limit = limit;
    this.counters = counters;
  }
  get record(): RecordFacts {
    return this.#facts.record;
  }
  get request(): RequestFacts {
    return this.#facts.request;
  }
  get client(): ClientFacts {
    return this.#facts.client;
  }
  get standing(): StandingFacts {
    return this.#facts.standing;
  }
  get limit(): LimitFacts {
    return new LimitFacts(this.#limit);
  }
}

type Counted = (name: string) => number | Decimal;

/**
 * The counters of a rule as own properties, each counted when it is read. One object serves all evaluations, which come
 * one after the other: to make one for each would cost more than the evaluation.
 */
export function counterFacts(names: readonly string[]) {
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
