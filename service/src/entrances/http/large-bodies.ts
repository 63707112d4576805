// Requests with large bodies are handled one after another, keys in turn. While there are other requests, each is followed
// by a rest in proportion to the time it took the thread, so that they take at most a quarter of it.
import { monotonicClock } from '../../platform/clock.ts';

const smallest = 16_384;
/** Rest after a request, as a multiple of the time it took the thread. */
const restTimes = 3;

export class LargeBodies {
  /** By key; a key that had its turn goes to the end. */
  readonly #waiting = new Map<string, (() => void)[]>();
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
    if (this.#busy) await new Promise<void>((go) => this.#wait(actor, go));
    this.#busy = true;
    const begun = monotonicClock();
    const working = work();
    const restMs = this.#others ? (monotonicClock() - begun) * restTimes : 0;
    this.#others = false;
    setTimeout(() => this.#next(), restMs);
    return working;
  }

  #wait(actor: string, go: () => void): void {
    const own = this.#waiting.get(actor);
    if (own) own.push(go);
    else this.#waiting.set(actor, [go]);
  }

  #next(): void {
    const first = this.#waiting.entries().next().value;
    if (!first) {
      this.#busy = false;
      return;
    }
    const [actor, own] = first;
    this.#waiting.delete(actor);
    own.shift()?.();
    if (own.length > 0) this.#waiting.set(actor, own);
  }
}
