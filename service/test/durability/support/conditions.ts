// Waiting for what must become true. Nothing here measures: deadlines are generous and only end a hang.
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Asks until the answer is neither undefined nor false, and gives it. An error counts as "not yet". What is asked of a
 * service or a database is asked less often the longer it takes, as each asking holds up what is waited for.
 */
export async function until<T>(
  what: string,
  ask: () => T | undefined | false | Promise<T | undefined | false>,
  deadlineMs = 60_000,
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
