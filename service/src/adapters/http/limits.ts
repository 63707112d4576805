// Token buckets: a burst of requests, refilled at a steady rate; and the message for a caller whose bucket is empty.

/** The message, wherever the overload is detected. */
export const busyMessage = 'the service is busy; nothing was recorded. Try again shortly';
export const unknownMessage = 'the outcome is unknown; repeat the same request with the same ref';
export const limitedMessage = 'too many requests with this key; slow down';

/** For `Retry-After`: at least 1. */
export const wholeSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));

export interface Bucket {
  tokens: number;
  at: number;
}

export class TokenBuckets {
  readonly #perSecond: number;
  readonly #burst: number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(perSecond: number, burst: number) {
    this.#perSecond = perSecond;
    this.#burst = burst;
  }

  /**
   * Takes tokens if there is one. What it takes beyond those there are is refilled first.
   * @param now milliseconds, monotonic
   * @returns tokens left, or if below 0, the negated milliseconds until there is one
   */
  take(key: string, now: number, cost = 1): number {
    let b = this.#buckets.get(key);
    if (!b) {
      if (this.#buckets.size >= 100_000) this.#sweep(now);
      b = { tokens: this.#burst, at: now };
      this.#buckets.set(key, b);
    } else this.#refill(b, now);
    if (b.tokens >= 1) {
      b.tokens -= cost;
      return Math.max(0, Math.floor(b.tokens));
    }
    return -Math.max(1, Math.ceil(((1 - b.tokens) / this.#perSecond) * 1000));
  }

  /** Takes tokens whether or not there are any. */
  charge(key: string, now: number, cost: number): void {
    const b = this.#buckets.get(key);
    if (!b) return;
    this.#refill(b, now);
    b.tokens -= cost;
  }

  /** Milliseconds until there is a token, 0 if there is one; takes none. */
  missing(key: string, now: number): number {
    const b = this.#buckets.get(key);
    if (!b) return 0;
    this.#refill(b, now);
    return b.tokens >= 1 ? 0 : Math.max(1, Math.ceil(((1 - b.tokens) / this.#perSecond) * 1000));
  }

  /** If time jumps back, refilling continues from the new time: nobody waits until the clock catches up. */
  #refill(b: Bucket, now: number): void {
    b.tokens = Math.min(this.#burst, b.tokens + (Math.max(0, now - b.at) / 1000) * this.#perSecond);
    b.at = now;
  }

  /** Full buckets hold no information, so they are removed. */
  #sweep(now: number): void {
    for (const [key, b] of this.#buckets)
      if (b.tokens + ((now - b.at) / 1000) * this.#perSecond >= this.#burst) this.#buckets.delete(key);
    if (this.#buckets.size >= 100_000) this.#buckets.clear();
  }
}
