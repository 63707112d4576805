// Ordinary traffic of one day: calls within and between the networks and abroad, messages, data, calls over IP.
// No device takes part in two calls at once, and nobody calls the same number twice within seconds.
import type { Chance } from './chance.ts';
import { foreignNetworks, foreignNumber, type Operator, operators, type Subscriber } from './people.ts';
import type { Planted, RecordName } from './planted.ts';
import type { Made, Rows } from './rows.ts';

export const nameOf = (m: Made): RecordName => `${m.operator.token} ${m.row.cdr_id}`;

export const dayMs = 86_400_000;
/** Calls begin well within the day in any time zone of the country. */
const firstMs = 2 * 3_600_000;
const lastMs = 21 * 3_600_000;

/** When each party of the day is taken. */
export class Diary {
  readonly #chance: Chance;
  readonly #dayMs: number;
  readonly #taken = new Map<string, [number, number][]>();

  constructor(c: Chance, startOfDayMs: number) {
    this.#chance = c;
    this.#dayMs = startOfDayMs;
  }

  /** Begin of a stretch in which none of the parties has another call. */
  slot(parties: readonly string[], durationS: number): number {
    for (;;) {
      const from = this.#dayMs + this.#chance.whole(firstMs / 1000, lastMs / 1000) * 1000;
      // Clocks of two networks differ by seconds.
      const [begin, end] = [from - 20_000, from + durationS * 1000 + 20_000];
      const free = parties.every((p) => (this.#taken.get(p) ?? []).every(([a, b]) => end < a || begin > b));
      if (!free) continue;
      for (const p of parties) this.#taken.set(p, [...(this.#taken.get(p) ?? []), [begin, end]]);
      return from;
    }
  }
}

export interface Day {
  readonly chance: Chance;
  readonly diary: Diary;
  readonly rows: Rows;
  readonly people: ReadonlyMap<Operator, readonly Subscriber[]>;
  readonly planted: Planted;
  readonly out: Made[];
}

export const anyOf = (d: Day, operator: Operator): Subscriber => d.chance.pick(d.people.get(operator) ?? []);
export const otherThan = (d: Day, operator: Operator): Operator =>
  d.chance.pick(operators.filter((o) => o !== operator));

const seconds = (c: Chance) => c.whole(5, 400);

function outcome(d: Day): { status: string; durationS: number } {
  const status = d.chance.weighed([
    [70, 'COMPLETED'],
    [14, 'NO_ANSWER'],
    [8, 'BUSY'],
    [5, 'FAILED'],
    [3, 'DROPPED'],
  ] as const);
  return { status, durationS: status === 'COMPLETED' || status === 'DROPPED' ? seconds(d.chance) : 0 };
}

/** An off-net call as both sides report it; clocks differ by two seconds at most. */
export function offNet(
  d: Day,
  caller: Subscriber,
  receiver: Subscriber,
  durationS: number,
  status = 'COMPLETED',
): [Made, Made] {
  const startMs = d.diary.slot([caller.imei, receiver.imei], durationS);
  const a = d.rows.make(caller.operator, caller, receiver, { startMs, durationS, status });
  const b = d.rows.make(receiver.operator, caller, receiver, {
    startMs: startMs + d.chance.whole(0, 2) * 1000,
    durationS,
    status,
    cost: '0.00',
  });
  d.out.push(a, b);
  return [a, b];
}

export function onNet(d: Day, caller: Subscriber, receiver: Subscriber, durationS: number, status = 'COMPLETED'): Made {
  const startMs = d.diary.slot([caller.imei, receiver.imei], durationS);
  const made = d.rows.make(caller.operator, caller, receiver, { startMs, durationS, status });
  d.out.push(made);
  return made;
}

/** Two different people. */
function pair(d: Day, operator: Operator): [Subscriber, Subscriber] {
  for (;;) {
    const [a, b] = [anyOf(d, operator), anyOf(d, operator)];
    if (a !== b) return [a, b];
  }
}

const tenths = (c: Chance, most: number) => (c.whole(0, most * 10) / 10).toFixed(1);

const kinds: Readonly<Record<string, (d: Day, o: Operator) => void>> = {
  onNet(d, o) {
    const { status, durationS } = outcome(d);
    onNet(d, ...pair(d, o), durationS, status);
  },
  offNet(d, o) {
    const { status, durationS } = outcome(d);
    const [a, b] = offNet(d, anyOf(d, o), anyOf(d, otherThan(d, o)), durationS, status);
    d.planted.matched.push([nameOf(a), nameOf(b)]);
  },
  abroad(d, o) {
    const [caller, durationS] = [anyOf(d, o), seconds(d.chance)];
    const startMs = d.diary.slot([caller.imei], durationS);
    d.out.push(
      d.rows.make(o, caller, foreignNumber(d.chance), { startMs, durationS, cost: (durationS * 1.5).toFixed(2) }),
    );
  },
  fromAbroad(d, o) {
    const [receiver, durationS] = [anyOf(d, o), seconds(d.chance)];
    const startMs = d.diary.slot([receiver.imei], durationS);
    d.out.push(
      d.rows.make(o, foreignNumber(d.chance), receiver, { startMs, durationS, cost: (durationS * 0.9).toFixed(2) }),
    );
  },
  roaming(d, o) {
    const [caller, durationS, network] = [anyOf(d, o), seconds(d.chance), d.chance.pick(foreignNetworks)];
    const startMs = d.diary.slot([caller.imei], durationS);
    const change = { network_provider: network };
    const made = d.rows.make(o, caller, foreignNumber(d.chance), { startMs, durationS, change });
    d.out.push(made);
    foreign(d, network, made);
  },
  sms(d, o) {
    const [a, b] = pair(d, o);
    const startMs = d.diary.slot([a.imei, b.imei], 0);
    d.out.push(d.rows.make(o, a, b, { startMs, durationS: 0, type: 'SMS', status: 'DELIVERED', cost: '4.00' }));
  },
  data(d, o) {
    const a = anyOf(d, o);
    const durationS = d.chance.whole(60, 3000);
    const startMs = d.diary.slot([`data ${a.imei}`], durationS);
    const change = { billing_information_data_used_kb: String(d.chance.whole(100, 500_000)) };
    d.out.push(d.rows.make(o, a, '*131#', { startMs, durationS, type: 'DATA', cost: '25.00', change }));
  },
  voip(d, o) {
    const [a, b] = pair(d, o);
    const durationS = seconds(d.chance);
    const startMs = d.diary.slot([a.imei, b.imei], durationS);
    const change = {
      voip_details_codec: 'opus',
      voip_details_packet_loss_percentage: tenths(d.chance, 3),
      voip_details_jitter_ms: tenths(d.chance, 50),
      voip_details_latency_ms: tenths(d.chance, 250),
    };
    d.out.push(d.rows.make(o, a, b, { startMs, durationS, type: 'VOIP', change }));
  },
  service(d, o) {
    const a = anyOf(d, o);
    const durationS = d.chance.whole(5, 60);
    const startMs = d.diary.slot([a.imei], durationS);
    d.out.push(d.rows.make(o, a, '112', { startMs, durationS, cost: '0.00' }));
  },
};

export function foreign(d: Day, network: string, made: Made): void {
  d.planted.foreign.set(network, [...(d.planted.foreign.get(network) ?? []), nameOf(made)]);
}

/** So many calls, messages and sessions of an operator's subscribers. */
export function ordinary(d: Day, operator: Operator, count: number): void {
  for (let i = 0; i < count; i++) {
    const kind = d.chance.weighed([
      [38, 'onNet'],
      [25, 'offNet'],
      [15, 'sms'],
      [8, 'data'],
      [5, 'voip'],
      [3, 'abroad'],
      [3, 'fromAbroad'],
      [2, 'roaming'],
      [1, 'service'],
    ] as const);
    kinds[kind]?.(d, operator);
  }
}
