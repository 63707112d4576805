// Who is let in when more comes than can be done. Decided on a request's headers alone, before its body is read, so that
// a refusal costs little. A burst is taken as it comes; only where a queue stands is the number in hand held to what is
// done in time, and each key has a share of it that no other can take (docs/decisions/0065-shedding-load.md, 0073).
// Knows nothing of how a refusal is written.
import type { Clock } from '../../platform/clock.ts';
import type { Settings } from '../../settings.ts';
import { TokenBuckets } from './limits.ts';

/** A key that asked lately. */
interface Holder {
  inHand: number;
  /** The last second it asked in. */
  second: number;
}

export interface AdmissionOptions {
  /** Wait that is aimed at while a queue stands, milliseconds. */
  readonly targetMs: number;
  /** Requests in hand before anything is known of how fast they are done. */
  readonly atFirst: number;
  /** Requests in hand that a burst may come to. */
  readonly most: number;
  /** Buckets of the keys, by actor. */
  readonly limits: TokenBuckets;
  /** Of the buckets, which no correction of the machine's clock may fill or close. */
  readonly clock: Clock;
}

/** Let in; or past the key's rate for so many milliseconds; or more than can be done. */
export type Admitted = 'in' | 'busy' | { readonly limitedMs: number };

/** Requests in hand that are never too many: below it neither the database nor the thread is busy all the time. */
const fewest = 128;
export const ticksPerSecond = 10;
/** A burst is done within so many times what the largest one takes; what is left in hand then is a queue that stands. */
const burstTimes = 1.5;
/** Ticks without a refusal after which the rush is over; fewer of them where nothing is left in hand. */
const calmTicks = { atLast: ticksPerSecond, whenDone: 2 };
/** A caller hardly notices it, and it is enough for batches to be full. */
const targetMs = 125;
/** Commits a request may be in hand for: one that is under way when it comes, its own, and some time around them. */
const commitsInHand = 2.5;

export class Admission {
  readonly #o: AdmissionOptions;
  readonly #holders = new Map<string, Holder>();
  #inHand = 0;
  /** Fewest in hand since the last tick. */
  #least = 0;
  #finished = 0;
  #refused = 0;
  #calm = 0;
  #ticks = 0;
  /** Keys that asked in this second, and in the one before. */
  #asking = 0;
  #askedBefore = 0;
  /** Requests a second, measured while there is work all the time; who has time left has not shown how fast he is. */
  #capacity: number;
  /** Of the ticks without a pause since the last measurement. */
  #busy = { ms: 0, finished: 0 };
  /** Milliseconds that there has been more in hand than is done in time, without a pause. */
  #standingMs = 0;
  #rush = false;
  /** Requests in hand beyond their keys' shares: what a burst left. */
  #excess = 0;
  /** How many more may come in that show no known key. */
  #strangers: number;
  #commitMs = 0;

  constructor(options: AdmissionOptions) {
    this.#o = options;
    this.#capacity = (options.atFirst * 1000) / options.targetMs;
    this.#strangers = options.most;
  }

  get limits(): TokenBuckets {
    return this.#o.limits;
  }

  /** Requests let in and not finished. */
  get inHand(): number {
    return this.#inHand;
  }

  /** Requests that may be in hand. */
  get limit(): number {
    return this.#rush ? this.#inTime : this.#o.most;
  }

  /** Requests finished per tick that the machine is good for. */
  get perTick(): number {
    return this.#capacity / ticksPerSecond;
  }

  /** Requests that are done within the wait aimed at. */
  get #inTime(): number {
    const ms = Math.max(this.#o.targetMs, commitsInHand * this.#commitMs);
    return Math.min(this.#o.most, Math.max(fewest, Math.round((this.#capacity * ms) / 1000)));
  }

  /** What a key may have in hand whatever others do: room for twice the limit is kept for all that ask. */
  get #share(): number {
    return (2 * this.#inTime) / Math.max(1, this.#asking, this.#askedBefore);
  }

  /** @param actor of a key that was good when it was last checked; undefined where nobody has shown who he is */
  decide(actor: string | undefined): Admitted {
    if (actor === undefined) return this.#strangers-- > 0 ? 'in' : this.#refuse();
    const limitedMs = this.#o.limits.missing(actor, this.#o.clock());
    if (limitedMs > 0) return { limitedMs };
    const holder = this.#holder(actor);
    if (this.#inHand < this.limit) return 'in';
    if (!this.#rush) this.#beginRush();
    const within = this.#inHand - this.#excess < 3 * this.#inTime;
    return within && holder.inHand < this.#share ? 'in' : this.#refuse();
  }

  /** Does work that was let in. */
  async during<T>(actor: string, work: () => Promise<T>): Promise<T> {
    const holder = this.#holder(actor);
    holder.inHand++;
    this.#inHand++;
    try {
      return await work();
    } finally {
      holder.inHand--;
      this.#inHand--;
      this.#finished++;
      if (this.#inHand < this.#least) this.#least = this.#inHand;
      // Nobody waits and nobody had to be refused: the next burst is as welcome as the first.
      if (this.#inHand === 0 && this.#calm >= calmTicks.whenDone && this.#refused === 0) this.#rush = false;
    }
  }

  /** A commit took so long: where they are slow, no request can be quick. */
  committed(ms: number): void {
    this.#commitMs += (ms - this.#commitMs) * 0.1;
  }

  /**
   * Takes stock, `ticksPerSecond` times a second.
   * @param elapsedMs since the last time
   */
  tick(elapsedMs: number): void {
    // A tick that comes late makes the next one short.
    const ms = Math.max(1000 / ticksPerSecond, elapsedMs);
    this.#measure(ms);
    this.#standingMs = this.#least >= this.#inTime ? this.#standingMs + ms : 0;
    this.#calm = this.#refused > 0 ? 0 : this.#calm + 1;
    if (this.#standingMs > (burstTimes * 1000 * this.#o.most) / this.#capacity) this.#beginRush();
    else if (this.#calm >= calmTicks.atLast) this.#rush = false;
    else if (this.#rush) this.#excess = this.#beyondShares();
    const strangers = Math.max(fewest, this.#rush ? this.perTick / 4 : this.perTick);
    this.#strangers = Math.min(this.#rush ? strangers : this.#o.most, Math.max(0, this.#strangers) + strangers);
    this.#finished = this.#refused = 0;
    this.#least = this.#inHand;
    if (++this.#ticks % ticksPerSecond > 0) return;
    this.#askedBefore = this.#asking;
    this.#asking = 0;
    const now = this.#ticks / ticksPerSecond;
    for (const [actor, h] of this.#holders) if (h.inHand === 0 && h.second < now - 10) this.#holders.delete(actor);
  }

  #measure(ms: number): void {
    // Through a tick without a pause; one in which nothing was finished counts with the next.
    if (this.#least >= fewest / 4) {
      this.#busy.ms += ms;
      this.#busy.finished += this.#finished;
    } else this.#busy = { ms: 0, finished: 0 };
    const perSecond =
      this.#busy.finished > 0 ? (this.#busy.finished * 1000) / this.#busy.ms : (this.#finished * 1000) / ms;
    if (this.#busy.finished > 0 || perSecond > this.#capacity) {
      this.#capacity += (perSecond - this.#capacity) * 0.3;
      this.#busy = { ms: 0, finished: 0 };
    }
  }

  #beginRush(): void {
    this.#rush = true;
    this.#excess = this.#beyondShares();
  }

  #beyondShares(): number {
    const share = this.#share;
    let beyond = 0;
    for (const h of this.#holders.values()) beyond += Math.max(0, h.inHand - share);
    return beyond;
  }

  #refuse(): 'busy' {
    this.#refused++;
    return 'busy';
  }

  #holder(actor: string): Holder {
    let holder = this.#holders.get(actor);
    const second = Math.floor(this.#ticks / ticksPerSecond);
    if (!holder) this.#holders.set(actor, (holder = { inHand: 0, second: -1 }));
    if (holder.second !== second) {
      holder.second = second;
      this.#asking++;
    }
    return holder;
  }
}

/** @param clock of the buckets, monotonic */
export const makeAdmission = (s: Settings, clock: Clock): Admission =>
  new Admission({
    targetMs,
    atFirst: 2 * s.batchLimit,
    // The room kept for shares is as much again, twice: who is let in finds a place in the queue.
    most: Math.ceil(s.queueLimit / 3),
    limits: new TokenBuckets(s.ratePerSecond, s.rateBurst),
    clock,
  });
