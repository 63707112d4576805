// Admission control under overload. Decided from a request's headers only, before its body is read, so that a refusal
// is cheap. A burst is admitted; only while a queue persists is the number in flight limited to what finishes in time,
// and each key has a share of it that no other can take (docs/decisions/0065-shedding-load.md, 0073, 0172). Does not
// write refusals.
import type { Clock } from '../../platform/clock.ts';
import type { Settings } from '../../settings.ts';
import { TokenBuckets } from './limits.ts';

/** A key that sent requests recently. */
interface Holder {
  inHand: number;
  /** The last second in which it sent a request. */
  second: number;
}

export interface AdmissionOptions {
  /** Target wait while a queue persists, in milliseconds. */
  readonly targetMs: number;
  /** Requests in flight before the throughput is known. */
  readonly atFirst: number;
  /** Maximum requests in flight during a burst. */
  readonly most: number;
  /** Token buckets of the keys, by actor. */
  readonly limits: TokenBuckets;
  /** Clock of the buckets, unaffected by corrections of the machine's clock. */
  readonly clock: Clock;
}

/** Admitted; over the key's rate for so many milliseconds; or overloaded. */
export type Admitted = 'in' | 'busy' | { readonly limitedMs: number };

/** A number in flight that is always acceptable: below it neither the database nor the thread is always busy. */
const fewest = 128;
export const ticksPerSecond = 10;
/** Ticks without a refusal after which the rush is over; fewer if nothing is in flight. */
const calmTicks = { atLast: ticksPerSecond, whenDone: 2 };
/** Hardly noticeable to a caller, and long enough to fill batches. */
const targetMs = 125;
/** Commits during a request's time in flight: the running one when it arrives, its own, and some time around them. */
const commitsInHand = 2.5;

export class Admission {
  readonly #o: AdmissionOptions;
  readonly #holders = new Map<string, Holder>();
  #inHand = 0;
  /** Minimum in flight since the last tick. */
  #least = 0;
  #finished = 0;
  #refused = 0;
  #calm = 0;
  #ticks = 0;
  /** Keys that sent requests in this second, and in the one before. */
  #asking = 0;
  #askedBefore = 0;
  /** Requests per second, measured only while always busy: idle time would hide the true capacity. */
  #capacity: number;
  /** Totals over the always-busy ticks since the last measurement. */
  #busy = { ms: 0, finished: 0 };
  /** Requests admitted while there was continuously more in flight than finishes in time. */
  #behind = 0;
  #rush = false;
  /** Requests in flight beyond their keys' shares, left by a burst. */
  #excess = 0;
  /** How many more requests without a known key may be admitted. */
  #strangers: number;
  #commitMs = 0;
  #whenFinished = () => {};

  constructor(options: AdmissionOptions) {
    this.#o = options;
    this.#capacity = (options.atFirst * 1000) / options.targetMs;
    this.#strangers = options.most;
  }

  get limits(): TokenBuckets {
    return this.#o.limits;
  }

  /** Requests admitted and not finished. */
  get inHand(): number {
    return this.#inHand;
  }

  /** Maximum requests in flight. */
  get limit(): number {
    return this.#rush ? this.#inTime : this.#o.most;
  }

  /** How many more requests may be in flight. */
  get room(): number {
    return this.limit - this.#inHand;
  }

  /** @param finished called after each request */
  whenFinished(finished: () => void): void {
    this.#whenFinished = finished;
  }

  /** Requests the machine can finish per tick. */
  get perTick(): number {
    return this.#capacity / ticksPerSecond;
  }

  /** Requests that finish within the target wait. */
  get #inTime(): number {
    const ms = Math.max(this.#o.targetMs, commitsInHand * this.#commitMs);
    return Math.min(this.#o.most, Math.max(fewest, Math.round((this.#capacity * ms) / 1000)));
  }

  /** What a key may have in flight whatever others do: room for twice the limit is divided among all active keys. */
  get #share(): number {
    return (2 * this.#inTime) / Math.max(1, this.#asking, this.#askedBefore);
  }

  /** @param actor of a key that was valid when last checked; undefined if the caller is not known */
  decide(actor: string | undefined): Admitted {
    if (actor === undefined) return this.#strangers-- > 0 ? 'in' : this.#refuse();
    const limitedMs = this.#o.limits.missing(actor, this.#o.clock());
    if (limitedMs > 0) return { limitedMs };
    const holder = this.#holder(actor);
    if (this.#inHand < this.limit) {
      // No burst is larger than the most: what has been admitted beyond it comes faster than it is finished.
      this.#behind = this.#inHand < this.#inTime ? 0 : this.#behind + 1;
      if (this.#behind <= this.#o.most) return 'in';
    }
    if (!this.#rush) this.#beginRush();
    const within = this.#inHand - this.#excess < 3 * this.#inTime;
    return within && holder.inHand < this.#share ? 'in' : this.#refuse();
  }

  /** Runs admitted work. */
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
      // Nobody waits and nobody was refused: the next burst is admitted like the first.
      if (this.#inHand === 0 && this.#calm >= calmTicks.whenDone && this.#refused === 0) this.#rush = false;
      this.#whenFinished();
    }
  }

  /** Reports a commit's duration: while commits are slow, no request can be fast. */
  committed(ms: number): void {
    this.#commitMs += (ms - this.#commitMs) * 0.1;
  }

  /**
   * Updates the limits, `ticksPerSecond` times a second.
   * @param elapsedMs since the last tick
   */
  tick(elapsedMs: number): void {
    // After a late tick the next one comes early.
    const ms = Math.max(1000 / ticksPerSecond, elapsedMs);
    this.#measure(ms);
    this.#calm = this.#refused > 0 ? 0 : this.#calm + 1;
    if (this.#calm >= calmTicks.atLast) this.#rush = false;
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
    // Only ticks that were busy throughout; one in which nothing finished counts with the next.
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

/** @param clock clock of the buckets, monotonic */
export const makeAdmission = (s: Settings, clock: Clock): Admission =>
  new Admission({
    targetMs,
    atFirst: 2 * s.batchLimit,
    // Shares take up to twice as much again, so that every admitted request finds a place in the queue.
    most: Math.ceil(s.queueLimit / 3),
    limits: new TokenBuckets(s.ratePerSecond, s.rateBurst),
    clock,
  });
