// Rows of a generated world: one call, message or session as the operators report it.
import type { CdrRow } from '../cdr-files.ts';
import type { Chance } from './chance.ts';
import type { Operator, Subscriber } from './people.ts';

export interface Made {
  readonly operator: Operator;
  readonly row: CdrRow;
}

export interface CallPlan {
  readonly startMs: number;
  readonly durationS: number;
  readonly type?: string;
  readonly status?: string;
  readonly cost?: string;
  /** Columns that differ from what follows from the rest. */
  readonly change?: CdrRow;
}

export const iso = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

/** What a call of so many seconds costs, in naira. */
export const costOf = (seconds: number): string => (Math.ceil(seconds / 6) * 0.66).toFixed(2);

const number = (party: Subscriber | string) => (typeof party === 'string' ? party : party.number);

export class Rows {
  readonly #chance: Chance;
  readonly #numbers = new Map<Operator, number>();

  constructor(c: Chance) {
    this.#chance = c;
  }

  nextId(operator: Operator): string {
    const n = (this.#numbers.get(operator) ?? 0) + 1;
    this.#numbers.set(operator, n);
    return `${operator.token}-${String(n).padStart(9, '0')}`;
  }

  /** A call as one operator reports it. A party that is no subscriber here is given by its number. */
  make(operator: Operator, caller: Subscriber | string, receiver: Subscriber | string, p: CallPlan): Made {
    const end = p.startMs + p.durationS * 1000;
    // An operator knows devices and places of its own subscribers only.
    const own = (party: Subscriber | string) =>
      typeof party !== 'string' && party.operator === operator ? party : undefined;
    const [from, to] = [own(caller), own(receiver)];
    const [here, there] = [from && this.#chance.pick(from.places), to && this.#chance.pick(to.places)];
    const row: CdrRow = {
      cdr_id: this.nextId(operator),
      timestamp: iso(end + 2000),
      caller_number: number(caller),
      receiver_number: number(receiver),
      call_start_time: iso(p.startMs),
      call_end_time: iso(end),
      call_duration_seconds: String(p.durationS),
      call_type: p.type ?? 'VOICE',
      call_status: p.status ?? 'COMPLETED',
      ...(here ? { caller_location_latitude: here.latitude, caller_location_longitude: here.longitude } : {}),
      ...(there ? { receiver_location_latitude: there.latitude, receiver_location_longitude: there.longitude } : {}),
      network_provider: operator.network,
      ...(from ? { imei_caller: from.imei } : {}),
      ...(to ? { imei_receiver: to.imei } : {}),
      billing_information_call_cost: p.cost ?? costOf(p.durationS),
      billing_information_currency: 'NGN',
      billing_information_billing_plan: 'PREPAID',
      ...p.change,
    };
    return { operator, row };
  }
}
