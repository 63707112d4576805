// Requests with large bodies are handled one after another, keys in turn. While there are other requests, each is followed
// by a rest in proportion to the time it took the thread, so that they take at most a quarter of it.
import { monotonicClock } from '../../platform/clock.ts';
import { FairTurns } from '../../platform/fair-turns.ts';

const smallest = 16_384;
/** Rest after a request, as a multiple of the time it took the thread. */
const restTimes = 3;

export class LargeBodies {
  /** By key. */
  readonly #turns = new FairTurns();
  #busy = false;
  /** Whether other requests came since the last large one. */
  #others = false;

  isLarge(body: unknown): boolean {
    const large = Buffer.isBuffer(body) && body.length > smallest;
    this.#others ||= !large;
    return large;
  }

  /** @param work synchronous up to where it waits for others */
  async inTurn<T>(actor: string, work: () => Promise<T>): Promise<T> {
    if (this.#busy) await this.#turns.wait(actor);
    this.#busy = true;
    const begun = monotonicClock();
    const working = work();
    const restMs = this.#others ? (monotonicClock() - begun) * restTimes : 0;
    this.#others = false;
    setTimeout(() => {
      this.#busy = this.#turns.next();
    }, restMs);
    return working;
  }
}
