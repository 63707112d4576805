// A clock that a demo moves through weeks that are past, and that tells the real time once they are over.
import { type Clock, systemClock } from '../src/platform/clock.ts';

export class MovedClock {
  #at: number;
  #since = systemClock();
  #past = true;

  constructor(startMs: number) {
    this.#at = startMs;
  }

  /** Goes on by itself between the moves, and never back. */
  readonly read: Clock = () => (this.#past ? this.#at + (systemClock() - this.#since) : systemClock());

  moveTo(ms: number): void {
    if (ms <= this.read()) return;
    this.#at = ms;
    this.#since = systemClock();
  }

  /** From here on it is the real time. */
  arrive(): void {
    this.#past = false;
  }
}
