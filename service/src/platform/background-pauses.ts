// Gives decisions priority: large background work pauses between its chunks for as long as each took, while decisions
// are being made. Knows nothing about either.
import { setTimeout as pause } from 'node:timers/promises';

/** Decisions count as being made until the last one is older than this. */
const livelyMs = 250;
/** A chunk that took longer was delayed by something else. */
const longestRestMs = 500;

export class BackgroundPauses {
  readonly #monotonic: () => number;
  #lastDecision = Number.NEGATIVE_INFINITY;

  /** @param monotonic milliseconds */
  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  /** Records that decisions were just made. */
  decided(): void {
    this.#lastDecision = this.#monotonic();
  }

  /** Pauses for one piece of work: to be awaited between its chunks. */
  turns(): () => Promise<void> {
    let begun = this.#monotonic();
    return async () => {
      const now = this.#monotonic();
      if (now - this.#lastDecision <= livelyMs) await pause(Math.min(now - begun, longestRestMs));
      begun = this.#monotonic();
    };
  }
}
