// Waits for conditions. Deadlines are generous: they only end a hang and measure nothing.
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Calls a function until its result is neither undefined nor false, and returns the result. An error counts as "not
 * yet". The longer it takes, the longer the pauses, and the longer after a call that took long, since each call costs the
 * service or database some work, which holds up what is waited for.
 */
export async function until<T>(
  what: string,
  ask: () => T | undefined | false | Promise<T | undefined | false>,
  deadlineMs = 150_000,
): Promise<T> {
  const begun = performance.now();
  let last: unknown;
  let isFree = false;
  for (;;) {
    const called = performance.now();
    try {
      const asked = ask();
      isFree = !(asked instanceof Promise);
      const answer = await asked;
      if (answer !== undefined && answer !== false) return answer;
    } catch (e) {
      last = e;
    }
    const now = performance.now();
    const waitedMs = now - begun;
    if (waitedMs > deadlineMs) throw new Error(`waited in vain: ${what}`, { cause: last });
    await pause(isFree ? 5 : Math.min(100, Math.max(5, 2 * (now - called), waitedMs / 8)));
  }
}
