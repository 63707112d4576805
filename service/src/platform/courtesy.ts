// Leaves the machine to those who wait for a decision: large work in the background rests between its portions for as
// long as each took, while decisions are being made. Knows nothing of either.
import { setTimeout as pause } from 'node:timers/promises';

/** Decisions are being made while the last one is no older than this. */
const livelyMs = 250;
/** A portion that took longer was held up by something else. */
const longestRestMs = 500;

export class Courtesy {
  readonly #monotonic: () => number;
  #lastDecision = Number.NEGATIVE_INFINITY;

  /** @param monotonic milliseconds */
  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  /** Decisions were made just now. */
  decided(): void {
    this.#lastDecision = this.#monotonic();
  }

  /** The turns of one piece of work: to be awaited between its portions. */
  turns(): () => Promise<void> {
    let begun = this.#monotonic();
    return async () => {
      const now = this.#monotonic();
      if (now - this.#lastDecision <= livelyMs) await pause(Math.min(now - begun, longestRestMs));
      begun = this.#monotonic();
    };
  }
}
