// Who is served next: one lane per address (two clients may share a URL), the slots of each and of all. In memory
// only: it decides about pace and fairness, never about what is delivered.
import { admitted, afterAttempt, type Breaker, closedBreaker } from '../../core/webhooks/breaker.ts';
import type { DueAddress, Share } from './attempt-store.ts';

/** Requests under way to one URL. */
const mostInFlight = 10;
/** Of what is in hand for a URL at most these were tried before: the rest of its slots is kept for first attempts. */
const mostRetries = mostInFlight / 2;
/** In hand for a URL that answers, so that its slots need not wait for the database. */
export const mostInHand = 40;

export interface Lane<T> {
  readonly url: string;
  /** Claimed and not settled: waiting here, under way, or with its result on the way to the database. */
  inHand: number;
  inFlight: number;
  retriesInHand: number;
  breaker: Breaker;
  /** Undefined until an attempt was made, by anybody. */
  lastOk: boolean | undefined;
  /** When it last had its turn, in turns. */
  turn: number;
  /** When it was last used, for forgetting it. */
  usedMs: number;
  readonly queue: T[];
}

export class Lanes<T> {
  readonly #lanes = new Map<string, Lane<T>>();
  readonly #concurrency: number;
  #turn = 0;
  #inHand = 0;
  /** In hand for addresses that did not answer 200 last time, or were never tried. */
  #doubtful = 0;

  constructor(concurrency: number) {
    this.#concurrency = concurrency;
  }

  get inHand(): number {
    return this.#inHand;
  }

  get free(): number {
    return this.#concurrency - this.#inHand;
  }

  /** Addresses at which nothing is sent at present. */
  get open(): number {
    let n = 0;
    for (const l of this.#lanes.values()) if (l.breaker.openUntil !== undefined) n++;
    return n;
  }

  /**
   * How many deliveries of each address to take in hand: by turns, one at a time, those first whose turn was the
   * longest ago. Addresses that are not known to answer share half of all slots, so that any number of dead ones
   * leaves the other half to the living.
   */
  share(addresses: readonly DueAddress[], nowMs: number): Share[] {
    const plans = addresses.map((address) => {
      const lane = this.#lane(address.url, nowMs);
      if (lane.lastOk === undefined && address.lastOk !== undefined) this.#doubt(lane, address.lastOk);
      return { address, lane, firsts: 0, retries: 0 };
    });
    plans.sort((a, b) => a.lane.turn - b.lane.turn);
    const planned = new Map<Lane<T>, { all: number; retries: number }>();
    let free = this.free;
    let doubtfulFree = Math.max(1, this.#concurrency >> 1) - this.#doubtful;
    const give = (p: (typeof plans)[number], kind: 'firsts' | 'retries'): boolean => {
      const of = planned.get(p.lane) ?? { all: 0, retries: 0 };
      if (p[kind] >= p.address[kind] || free <= 0 || this.#room(p.lane, nowMs) <= of.all) return false;
      if (kind === 'retries' && p.lane.retriesInHand + of.retries >= mostRetries) return false;
      if (!p.lane.lastOk && doubtfulFree <= 0) return false;
      p[kind]++;
      free--;
      if (!p.lane.lastOk) doubtfulFree--;
      planned.set(p.lane, { all: of.all + 1, retries: of.retries + (kind === 'retries' ? 1 : 0) });
      return true;
    };
    for (let open = plans; open.length > 0 && free > 0; )
      open = open.filter((p) => {
        const first = give(p, 'firsts');
        return give(p, 'retries') || first;
      });
    const given = plans.filter((p) => p.firsts + p.retries > 0);
    for (const p of given) p.lane.turn = ++this.#turn;
    return given.map(({ address, firsts, retries }) => ({ address, firsts, retries }));
  }

  /** A delivery was claimed; it waits in its lane. */
  add(url: string, item: T, retry: boolean, nowMs: number): void {
    const lane = this.#lane(url, nowMs);
    lane.queue.push(item);
    lane.inHand++;
    this.#inHand++;
    if (!lane.lastOk) this.#doubtful++;
    if (retry) lane.retriesInHand++;
  }

  /** The next delivery of a lane that may be sent; it is then under way. */
  next(url: string, nowMs: number): T | undefined {
    const lane = this.#lane(url, nowMs);
    if (lane.inFlight >= mostInFlight || admitted(lane.breaker, nowMs, lane.inFlight, mostInFlight) === 0)
      return undefined;
    const item = lane.queue.shift();
    if (item !== undefined) lane.inFlight++;
    return item;
  }

  /** An attempt ended. What waits behind an open breaker is to be given back: it is returned. */
  ended(url: string, ok: boolean, nowMs: number): T[] {
    const lane = this.#lane(url, nowMs);
    lane.inFlight--;
    this.#doubt(lane, ok);
    lane.breaker = afterAttempt(lane.breaker, ok, nowMs);
    return lane.breaker.openUntil === undefined ? [] : lane.queue.splice(0);
  }

  /** What was to be sent was not: it says nothing about the address. */
  abandoned(url: string, nowMs: number): void {
    this.#lane(url, nowMs).inFlight--;
  }

  /** A delivery is no longer in hand. Returns whether there is room for claiming more. */
  settled(url: string, retry: boolean, nowMs: number): boolean {
    const lane = this.#lane(url, nowMs);
    const wasFull = this.free <= 0;
    lane.inHand--;
    this.#inHand--;
    if (!lane.lastOk) this.#doubtful--;
    if (retry) lane.retriesInHand--;
    return wasFull || this.#room(lane, nowMs) > 0;
  }

  /** Everything that waits and was not begun, taken out of the lanes. */
  drain(): T[] {
    return [...this.#lanes.values()].flatMap((l) => l.queue.splice(0));
  }

  /** Forgets lanes that were not used for an hour. */
  prune(nowMs: number): void {
    for (const [url, l] of this.#lanes) if (l.inHand === 0 && nowMs - l.usedMs > 3_600_000) this.#lanes.delete(url);
  }

  /** A lane that answers is filled up again once half of it is used, so that claims are few and large. */
  #room(lane: Lane<T>, nowMs: number): number {
    if (lane.lastOk && lane.inHand > mostInHand / 2) return 0;
    return admitted(lane.breaker, nowMs, lane.inHand, lane.lastOk ? mostInHand : mostInFlight);
  }

  #doubt(lane: Lane<T>, ok: boolean): void {
    if (lane.lastOk !== true && ok) this.#doubtful -= lane.inHand;
    if (lane.lastOk === true && !ok) this.#doubtful += lane.inHand;
    lane.lastOk = ok;
  }

  #lane(url: string, nowMs: number): Lane<T> {
    let lane = this.#lanes.get(url);
    if (!lane) {
      lane = {
        url,
        inHand: 0,
        inFlight: 0,
        retriesInHand: 0,
        breaker: closedBreaker,
        lastOk: undefined,
        turn: 0,
        usedMs: nowMs,
        queue: [],
      };
      this.#lanes.set(url, lane);
    }
    lane.usedMs = nowMs;
    return lane;
  }
}
