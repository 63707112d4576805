// Who is served next: one lane per address (two clients may share a URL), the slots of each and of all. In memory
// only: it decides about pace and fairness, never about what is delivered.
import { admitted, afterAttempt, type Breaker, closedBreaker } from '../../core/webhooks/breaker.ts';
import type { DueAddress, Share } from './attempt-store.ts';

/** Requests under way to one URL. */
const mostInFlight = 10;
/** Of what is in hand for a URL at most these were tried before: the rest of its slots is kept for first attempts. */
const mostRetries = mostInFlight / 2;
/** In hand for a URL that answers, so that its slots need not wait for the database. */
export const mostInHand = 100;

/** In hand for a URL: for one that was never tried a single delivery, which tells what it is. */
const mostOf = { answering: mostInHand, failing: mostInFlight, untried: 1 } as const;

/** An address from which nothing was heard for so long waits for it, or its time-outs, beside the slots … */
const silentAfterMs = 2_000;
/** … together with others up to so many times the slots: waiting costs a connection and little else. */
const silentPerSlot = 4;

/** One that answered counts as failing after so many failures in a row: a single one says little. */
const failingAfter = 3;

/** How an address is known, if at all. */
type Standing = 'answering' | 'failing' | 'untried';

export interface Lane<T> {
  readonly url: string;
  readonly account: string;
  /** Claimed and not settled: waiting here, under way, or with its result on the way to the database. */
  inHand: number;
  inFlight: number;
  retriesInHand: number;
  breaker: Breaker;
  standing: Standing;
  /** Requests are under way and nothing was heard of late; it gets no more until something is. */
  silent: boolean;
  /** When an attempt last ended, or when the first of those under way began. */
  heardMs: number;
  /** Failures since the last 200. */
  misses: number;
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
  readonly #inHand: Record<Standing | 'silent', number> = { answering: 0, failing: 0, untried: 0, silent: 0 };

  constructor(concurrency: number) {
    this.#concurrency = concurrency;
  }

  get inHand(): number {
    const { answering, failing, untried, silent } = this.#inHand;
    return answering + failing + untried + silent;
  }

  get free(): number {
    return this.#concurrency - this.inHand + Math.min(this.#inHand.silent, this.#mostSilent);
  }

  get #mostSilent(): number {
    return silentPerSlot * this.#concurrency;
  }

  /** Addresses at which nothing is sent at present. */
  get open(): number {
    let n = 0;
    for (const l of this.#lanes.values()) if (l.breaker.openUntil !== undefined) n++;
    return n;
  }

  /**
   * How many deliveries of each address to take in hand: by turns, one at a time, those first whose turn was the
   * longest ago. Addresses that fail share a quarter of all slots, those that were never tried another, so that any
   * number of dead ones leaves half to the living and room to whoever is new; of these the account with the fewest
   * under way goes first, and then the newest address. Who is silent holds no slot, so that a thousand that hang at
   * once keep others waiting for seconds, not for their time-outs.
   */
  share(addresses: readonly DueAddress[], nowMs: number): Share[] {
    const plans = addresses.map((address) => {
      const lane = this.#lane(address.url, nowMs, address.account);
      if (lane.standing === 'untried' && address.lastOk !== null)
        this.#stands(lane, address.lastOk ? 'answering' : 'failing', false);
      return { address, lane, firsts: 0, retries: 0 };
    });
    const trying = this.#tryingOf();
    plans.sort(
      (a, b) =>
        a.lane.turn - b.lane.turn ||
        (trying.get(a.lane.account) ?? 0) - (trying.get(b.lane.account) ?? 0) ||
        (a.address.webhook < b.address.webhook ? 1 : -1),
    );
    const planned = new Map<Lane<T>, { all: number; retries: number }>();
    let free = this.free;
    const quarter = this.#inHand.silent < this.#mostSilent ? Math.max(1, this.#concurrency >> 2) : 0;
    const left: Record<Standing, number> = {
      answering: free,
      failing: quarter - this.#inHand.failing,
      untried: quarter - this.#inHand.untried,
    };
    const give = (p: (typeof plans)[number], kind: 'firsts' | 'retries'): boolean => {
      const of = planned.get(p.lane) ?? { all: 0, retries: 0 };
      if (p[kind] >= p.address[kind] || free <= 0 || this.#room(p.lane, nowMs) <= of.all) return false;
      if (kind === 'retries' && p.lane.retriesInHand + of.retries >= mostRetries) return false;
      if (left[p.lane.standing] <= 0) return false;
      p[kind]++;
      free--;
      left[p.lane.standing]--;
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
    this.#count(lane, 1);
    if (retry) lane.retriesInHand++;
  }

  /** The next delivery of a lane that may be sent; it is then under way. */
  next(url: string, nowMs: number): T | undefined {
    const lane = this.#lane(url, nowMs);
    if (lane.inFlight >= mostInFlight || admitted(lane.breaker, nowMs, lane.inFlight, mostInFlight) === 0)
      return undefined;
    const item = lane.queue.shift();
    if (item !== undefined && lane.inFlight++ === 0) lane.heardMs = nowMs;
    return item;
  }

  /** An attempt ended. What waits behind an open breaker is to be given back: it is returned. */
  ended(url: string, ok: boolean, nowMs: number): T[] {
    const lane = this.#lane(url, nowMs);
    lane.inFlight--;
    lane.heardMs = nowMs;
    lane.misses = ok ? 0 : lane.misses + 1;
    const answering = ok || (lane.standing === 'answering' && lane.misses < failingAfter);
    this.#stands(lane, answering ? 'answering' : 'failing', false);
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
    this.#count(lane, -1);
    if (lane.inFlight === 0) this.#stands(lane, lane.standing, false);
    if (retry) lane.retriesInHand--;
    return wasFull || this.#room(lane, nowMs) > 0;
  }

  /** Everything that waits and was not begun. */
  waiting(): T[] {
    return [...this.#lanes.values()].flatMap((l) => l.queue);
  }

  /** Everything that waits and was not begun, taken out of the lanes. */
  drain(): T[] {
    return [...this.#lanes.values()].flatMap((l) => l.queue.splice(0));
  }

  /** Notes who has become silent, and forgets lanes that were not used for an hour. */
  review(nowMs: number): void {
    for (const [url, l] of this.#lanes)
      if (l.inFlight > 0 && nowMs - l.heardMs >= silentAfterMs) this.#stands(l, l.standing, true);
      else if (l.inHand === 0 && nowMs - l.usedMs > 3_600_000) this.#lanes.delete(url);
  }

  /** A lane that answers is filled up again once half of it is used, so that claims are few and large. */
  #room(lane: Lane<T>, nowMs: number): number {
    if (lane.silent || (lane.standing === 'answering' && lane.inHand > mostInHand / 2)) return 0;
    return admitted(lane.breaker, nowMs, lane.inHand, mostOf[lane.standing]);
  }

  #count(lane: Lane<T>, n: 1 | -1): void {
    lane.inHand += n;
    this.#inHand[lane.silent ? 'silent' : lane.standing] += n;
  }

  #stands(lane: Lane<T>, standing: Standing, silent: boolean): void {
    this.#inHand[lane.silent ? 'silent' : lane.standing] -= lane.inHand;
    lane.standing = standing;
    lane.silent = silent;
    this.#inHand[silent ? 'silent' : standing] += lane.inHand;
  }

  /** First attempts under way, by account. */
  #tryingOf(): Map<string, number> {
    const of = new Map<string, number>();
    if (this.#inHand.untried + this.#inHand.silent > 0)
      for (const l of this.#lanes.values())
        if (l.standing === 'untried' && l.inHand > 0) of.set(l.account, (of.get(l.account) ?? 0) + l.inHand);
    return of;
  }

  /** @param account whose address it is, where the lane may be new */
  #lane(url: string, nowMs: number, account = ''): Lane<T> {
    let lane = this.#lanes.get(url);
    if (!lane) {
      lane = {
        url,
        account,
        inHand: 0,
        inFlight: 0,
        retriesInHand: 0,
        breaker: closedBreaker,
        standing: 'untried',
        silent: false,
        heardMs: nowMs,
        misses: 0,
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
