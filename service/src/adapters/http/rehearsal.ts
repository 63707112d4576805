// Calls made with test keys: the outcomes that a ref forces. Runs only for principals of test accounts. An error is
// forced before the operation runs, so that nothing is recorded; a wait follows the recording, and a repeated call is
// answered at once, as after a lost reply.
import { orThrow, type Refusal, refuse } from '../../core/refusal.ts';
import { type ForcibleError, forcedBy } from '../../core/test-mode.ts';
import type { Call, Reply } from '../../modules/kernel/operation.ts';

/** A forced error: answered like a real one, but neither logged nor counted as a fault. */
export class ForcedError extends Error {
  /** Undefined to simulate an internal error. */
  readonly refusal: Refusal | undefined;

  constructor(refusal: Refusal | undefined) {
    super('forced by the ref of a test key');
    this.refusal = refusal;
  }
}

const errors: Readonly<Record<ForcibleError, () => Refusal | undefined>> = {
  429: () => refuse('RATE_LIMITED', "test mode: the ref begins with 'error-429-'; slow down", 1),
  500: () => undefined,
  503: () =>
    refuse('OVERLOADED', "test mode: the ref begins with 'error-503-'; nothing was recorded. Try again shortly", 1),
};

export interface Rehearsed extends Reply {
  /** Whether its ref made the answer wait, so that the time it took is no measure of the service. */
  readonly waited?: boolean;
}

/** One per server. */
export class Rehearsal {
  readonly #waiting = new Set<() => void>();
  #stopped = false;

  /** Handles the call as its ref demands. @throws ForcedError, Refusal */
  async handle(handled: (call: Call) => Promise<Reply>, call: Call): Promise<Rehearsed> {
    const ref = (call.body as { ref?: unknown } | undefined)?.ref;
    if (typeof ref !== 'string') return handled(call);
    const forced = orThrow(forcedBy(ref));
    if (forced.error !== undefined) {
      await this.#wait(forced.waitMs);
      throw new ForcedError(errors[forced.error]());
    }
    const reply = await handled(call);
    if (reply.replayed || forced.waitMs === 0) return reply;
    await this.#wait(forced.waitMs);
    return { ...reply, waited: true };
  }

  /** Ends all waits, and allows no new ones. */
  stop(): void {
    this.#stopped = true;
    for (const go of [...this.#waiting]) go();
  }

  #wait(ms: number): Promise<void> {
    if (ms === 0 || this.#stopped) return Promise.resolve();
    return new Promise((resolve) => {
      const go = () => {
        clearTimeout(timer);
        this.#waiting.delete(go);
        resolve();
      };
      const timer = setTimeout(go, ms);
      this.#waiting.add(go);
    });
  }
}
