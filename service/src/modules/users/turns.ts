// A queue per name: work under one name runs one at a time, within a process.

import type { FailuresByNetwork } from './sign-in-lock.ts';

/** Maximum waiting under one name; more are refused. */
const mostWaiting = 10;

export interface HasSignIns {
  readonly signIns: Turns;
  readonly signInFailures: FailuresByNetwork;
}

export class Turns {
  readonly #last = new Map<string, { done: Promise<unknown>; waiting: number }>();

  /**
   * Runs after all work given earlier under the name.
   * @param work receives a function for further work that must end before the next turn, but is not part of its own
   * result
   * @returns undefined if too many are waiting under the name
   */
  run<T>(name: string, work: (first: (rest: Promise<unknown>) => void) => Promise<T>): Promise<T> | undefined {
    const before = this.#last.get(name);
    const waiting = (before?.waiting ?? 0) + 1;
    if (waiting > mostWaiting) return undefined;
    let rest: Promise<unknown> | undefined;
    const answer = (before?.done ?? Promise.resolve()).then(() => work((r) => (rest = r)));
    const turn = { waiting, done: Promise.resolve() as Promise<unknown> };
    turn.done = answer
      .then(
        () => rest,
        () => rest,
      )
      .catch(() => undefined)
      .then(() => {
        const last = this.#last.get(name);
        if (last === turn) this.#last.delete(name);
        else if (last) last.waiting--;
      });
    this.#last.set(name, turn);
    return answer;
  }
}
