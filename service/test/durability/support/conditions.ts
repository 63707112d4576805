// Waiting for what must become true. Nothing here measures: deadlines are generous and only end a hang.
import { setTimeout as pause } from 'node:timers/promises';

/** Asks until the answer is neither undefined nor false, and gives it. An error counts as "not yet". */
export async function until<T>(
  what: string,
  ask: () => T | undefined | false | Promise<T | undefined | false>,
  deadlineMs = 60_000,
): Promise<T> {
  const end = performance.now() + deadlineMs;
  let last: unknown;
  for (;;) {
    try {
      const answer = await ask();
      if (answer !== undefined && answer !== false) return answer;
    } catch (e) {
      last = e;
    }
    if (performance.now() > end) throw new Error(`waited in vain: ${what}`, { cause: last });
    await pause(5);
  }
}
