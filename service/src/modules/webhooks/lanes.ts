// Decides which address is served next: one lane per URL, which two clients may share, with slots per lane and in total. In
// memory only: it determines pace and fairness, never what is delivered.
import { admitted, afterAttempt, type Breaker, closedBreaker, probedNow } from '../../core/webhooks/breaker.ts';
import type { DueAddress, Share } from './attempt-store.ts';

/** Maximum requests in flight to one URL. */
const mostInFlight = 10;
/** Maximum retries claimed per URL: the other slots are reserved for first attempts. */
const mostRetries = mostInFlight / 2;
/** Maximum claimed for a URL that answers, so that its slots need not wait for the database. */
export const mostInHand = 100;

/** Maximum claimed per URL: for one never tried, a single delivery, to learn whether it answers. */
const mostOf = { answering: mostInHand, failing: mostInFlight, untried: 1 } as const;

/** An address silent for this long waits for its answers or timeouts outside the slots … */
const silentAfterMs = 2_000;
/** … up to this multiple of the slots, counting all silent ones: waiting costs little more than a connection. */
const silentPerSlot = 4;

/** An address that answered before counts as failing after this many consecutive failures: a single one says little. */
const failingAfter = 3;

/** What is known about an address. */
type Standing = 'answering' | 'failing' | 'untried';

export interface Lane<T> {
  readonly url: string;
  readonly account: string;
  /** Claimed and not settled: waiting here, in flight, or with its result not stored yet. */
  inHand: number;
  inFlight: number;
  retriesInHand: number;
  breaker: Breaker;
  /** When its owner last asked for an attempt, as far as that was followed. Milliseconds. */
  askedMs: number;
  standing: Standing;
  /** Requests are in flight and no answer has come recently; it gets no more until one does. */
  silent: boolean;
  /** When an attempt last ended, or when the first of those in flight started. */
  lastAnswerMs: number;
  /** Failures since the last success. */
  misses: number;
  /** When it last had its turn, as a counter. */
  turn: number;
  /** When it was last used, to remove unused lanes. */
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

  /** Number of addresses to which nothing is currently sent. */
  get open(): number {
    let n = 0;
    for (const l of this.#lanes.values()) if (l.breaker.openUntil !== undefined) n++;
    return n;
  }

  /**
   * How many deliveries of each address to claim: in turns, one at a time, the longest unserved first. Failing
   * addresses share a quarter of all slots, untried ones another, so that any number of dead addresses leaves half to
   * working ones and room for new ones; among untried ones, the account with the fewest requests in flight goes first,
   * then the newest address. A silent address holds no slot, so that a thousand hanging at once delay others by
   * seconds, not by their timeouts.
   */
  share(addresses: readonly DueAddress[], nowMs: number): Share[] {
    const plans = addresses.map((address) => {
      const lane = this.#lane(address.url, nowMs, address.account);
      if (lane.standing === 'untried' && address.lastOk !== null)
        this.#stands(lane, address.lastOk ? 'answering' : 'failing', false);
      if (address.askedMs > lane.askedMs) {
        lane.askedMs = address.askedMs;
        lane.breaker = probedNow(lane.breaker, nowMs);
      }
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

  /** Adds a claimed delivery to its lane. */
  add(url: string, item: T, retry: boolean, nowMs: number): void {
    const lane = this.#lane(url, nowMs);
    lane.queue.push(item);
    this.#count(lane, 1);
    if (retry) lane.retriesInHand++;
  }

  /** The next delivery of a lane that may be sent; it then counts as in flight. */
  next(url: string, nowMs: number): T | undefined {
    const lane = this.#lane(url, nowMs);
    if (lane.inFlight >= mostInFlight || admitted(lane.breaker, nowMs, lane.inFlight, mostInFlight) === 0)
      return undefined;
    const item = lane.queue.shift();
    if (item !== undefined && lane.inFlight++ === 0) lane.lastAnswerMs = nowMs;
    return item;
  }

  /** An attempt ended. Returns what waits behind an open breaker, to be released. */
  ended(url: string, ok: boolean, nowMs: number): T[] {
    const lane = this.#lane(url, nowMs);
    lane.inFlight--;
    lane.lastAnswerMs = nowMs;
    lane.misses = ok ? 0 : lane.misses + 1;
    const answering = ok || (lane.standing === 'answering' && lane.misses < failingAfter);
    this.#stands(lane, answering ? 'answering' : 'failing', false);
    lane.breaker = afterAttempt(lane.breaker, ok, nowMs);
    return lane.breaker.openUntil === undefined ? [] : lane.queue.splice(0);
  }

  /** A delivery that was counted as in flight is not sent after all. Whether the address answers is as unknown as before. */
  abandoned(url: string, nowMs: number): void {
    this.#lane(url, nowMs).inFlight--;
  }

  /** A delivery is done. Returns whether there is room to claim more. */
  settled(url: string, retry: boolean, nowMs: number): boolean {
    const lane = this.#lane(url, nowMs);
    const wasFull = this.free <= 0;
    this.#count(lane, -1);
    if (lane.inFlight === 0) this.#stands(lane, lane.standing, false);
    if (retry) lane.retriesInHand--;
    return wasFull || this.#room(lane, nowMs) > 0;
  }

  /** All deliveries that wait and were not started. */
  waiting(): T[] {
    return [...this.#lanes.values()].flatMap((l) => l.queue);
  }

  /** Removes and returns all deliveries that wait and were not started. */
  drain(): T[] {
    return [...this.#lanes.values()].flatMap((l) => l.queue.splice(0));
  }

  /** Marks lanes that have become silent, and removes those unused for an hour. */
  review(nowMs: number): void {
    for (const [url, l] of this.#lanes)
      if (l.inFlight > 0 && nowMs - l.lastAnswerMs >= silentAfterMs) this.#stands(l, l.standing, true);
      else if (l.inHand === 0 && nowMs - l.usedMs > 3_600_000) this.#lanes.delete(url);
  }

  /** An answering lane is refilled once half of it is used, so that claims are few and large. */
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

  /** Number of first attempts in flight, by account. */
  #tryingOf(): Map<string, number> {
    const of = new Map<string, number>();
    if (this.#inHand.untried + this.#inHand.silent > 0)
      for (const l of this.#lanes.values())
        if (l.standing === 'untried' && l.inHand > 0) of.set(l.account, (of.get(l.account) ?? 0) + l.inHand);
    return of;
  }

  /** @param account the address's owner, needed if the lane is new */
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
        askedMs: 0,
        standing: 'untried',
        silent: false,
        lastAnswerMs: nowMs,
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
