// Waits for conditions. Deadlines are generous: they only end a hang and measure nothing.
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Calls a function until its result is neither undefined nor false, and returns the result. An error counts as "not
 * yet". The longer it takes, the longer the pauses, since each call costs the service or database some work.
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
    try {
      const asked = ask();
      isFree = !(asked instanceof Promise);
      const answer = await asked;
      if (answer !== undefined && answer !== false) return answer;
    } catch (e) {
      last = e;
    }
    const waitedMs = performance.now() - begun;
    if (waitedMs > deadlineMs) throw new Error(`waited in vain: ${what}`, { cause: last });
    await pause(isFree ? 5 : Math.min(100, Math.max(5, waitedMs / 8)));
  }
}
