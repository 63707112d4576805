// Who is let in when more comes than can be done. Decided on a request's headers alone, before its body is read, so that
// a refusal costs little; the limit follows what is finished per second, and each key has a share of it that no other
// can take (docs/decisions/0065-shedding-load.md). Knows nothing of how a refusal is written.
import { type Clock, monotonicClock } from '../../platform/clock.ts';
import type { Settings } from '../../settings.ts';
import { TokenBuckets } from './limits.ts';

/** A key that asked lately. */
interface Holder {
  inHand: number;
  /** The last second it asked in. */
  second: number;
}

export interface AdmissionOptions {
  /** Mean wait that is aimed at under overload, milliseconds. */
  readonly targetMs: number;
  /** Requests in hand before anything is known of how fast they are done. */
  readonly atFirst: number;
  /** The limit never exceeds this. */
  readonly most: number;
  /** Buckets of the keys, by actor. */
  readonly limits: TokenBuckets;
  /** Of the buckets, which no correction of the machine's clock may fill or close. */
  readonly clock: Clock;
  /** Of waits. */
  readonly monotonic: Clock;
}

/** Let in; or past the key's rate for so many milliseconds; or more than can be done. */
export type Admitted = 'in' | 'busy' | { readonly limitedMs: number };

/** Requests in hand that are never too many: below it neither the database nor the thread is busy all the time. */
const fewest = 128;
export const ticksPerSecond = 10;
/** Ticks without a refusal after which the rush is over. */
const calmTicks = ticksPerSecond;
/** Commits a request may be in hand for: one that is under way when it comes, its own, and some time around them. */
const commitsInHand = 2.5;

export class Admission {
  readonly #o: AdmissionOptions;
  readonly #holders = new Map<string, Holder>();
  #inHand = 0;
  /** Since the last tick: requests finished, the milliseconds these took together, and what was decided. */
  #finished = 0;
  #spentMs = 0;
  #unknown = 0;
  #refused = 0;
  #calm = 0;
  #ticks = 0;
  /** Keys that asked in this second, and in the one before. */
  #asking = 0;
  #askedBefore = 0;
  /** Requests a second; the best seen while there was time left, what is measured while there is none. */
  #capacity: number;
  #rush = false;
  #commitMs = 0;

  constructor(options: AdmissionOptions) {
    this.#o = options;
    this.#capacity = (options.atFirst * 1000) / options.targetMs;
  }

  get limits(): TokenBuckets {
    return this.#o.limits;
  }

  /** Requests let in and not finished. */
  get inHand(): number {
    return this.#inHand;
  }

  /** Requests that may be in hand: what is done within the wait aimed at. */
  get limit(): number {
    const inTimeMs = Math.max(this.#o.targetMs, commitsInHand * this.#commitMs);
    return Math.min(this.#o.most, Math.max(fewest, Math.round((this.#capacity * inTimeMs) / 1000)));
  }

  /** Requests finished per tick that the machine is good for. */
  get perTick(): number {
    return this.#capacity / ticksPerSecond;
  }

  /** @param actor of a key that was good when it was last checked; undefined where nobody has shown who he is */
  decide(actor: string | undefined): Admitted {
    if (actor === undefined) return this.#unknown++ < this.#strangers ? 'in' : this.#refuse();
    const limitedMs = this.#o.limits.missing(actor, this.#o.clock());
    if (limitedMs > 0) return { limitedMs };
    const limit = this.limit;
    const holder = this.#holder(actor);
    // Short of a standing queue a burst may take twice the room; it is cleared within twice the wait.
    if (this.#inHand < (this.#rush ? limit : 2 * limit)) return 'in';
    this.#rush = true;
    // Room for as much again is kept for keys within their share of it, whoever fills the rest.
    const share = (2 * limit) / Math.max(this.#asking, this.#askedBefore);
    return holder.inHand < share && this.#inHand < 3 * limit ? 'in' : this.#refuse();
  }

  /** Does work that was let in. */
  async during<T>(actor: string, work: () => Promise<T>): Promise<T> {
    const holder = this.#holder(actor);
    holder.inHand++;
    this.#inHand++;
    const since = this.#o.monotonic();
    try {
      return await work();
    } finally {
      holder.inHand--;
      this.#inHand--;
      this.#finished++;
      this.#spentMs += this.#o.monotonic() - since;
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
    const perSecond = (this.#finished * 1000) / ms;
    // Of what was finished, and of what a slow commit keeps waiting.
    const meanInHand = Math.max(this.#spentMs / ms, this.#inHand);
    // Who has time left has not shown how fast he is, unless he was faster than ever.
    if (perSecond > this.#capacity || meanInHand >= fewest / 4) this.#capacity += (perSecond - this.#capacity) * 0.3;
    if (this.#spentMs / ms >= this.limit) this.#rush = true;
    this.#calm = this.#refused > 0 ? 0 : this.#calm + 1;
    if (this.#calm >= calmTicks) this.#rush = false;
    this.#finished = this.#spentMs = this.#unknown = this.#refused = 0;
    if (++this.#ticks % ticksPerSecond > 0) return;
    this.#askedBefore = this.#asking;
    this.#asking = 0;
    const now = this.#ticks / ticksPerSecond;
    for (const [actor, h] of this.#holders) if (h.inHand === 0 && h.second < now - 10) this.#holders.delete(actor);
  }

  /** Requests of a tick that may show no known key: in a rush they are not to crowd out those that do. */
  get #strangers(): number {
    return Math.max(fewest, this.#rush ? this.perTick / 4 : this.perTick);
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
    // A quarter of the longest wait: what was let in is not to be refused by age.
    targetMs: s.queueAgeMs / 4,
    atFirst: 2 * s.batchLimit,
    // The room kept for shares is twice as much again: who is let in finds a place in the queue.
    most: Math.ceil(s.queueLimit / 3),
    limits: new TokenBuckets(s.ratePerSecond, s.rateBurst),
    clock,
    monotonic: monotonicClock,
  });
