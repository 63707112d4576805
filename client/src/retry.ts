// Repeating: which failures of an operation that may be repeated are worth another attempt, and after how long.
import { AssayError, NoReplyError } from './errors.ts';

/** Codes that say: not now. */
const passing: ReadonlySet<string> = new Set(['RATE_LIMITED', 'OVERLOADED', 'UNKNOWN_OUTCOME', 'NOT_SEALED']);

/** Statuses that a proxy answers with in place of the service. */
const gateway: ReadonlySet<number> = new Set([502, 503, 504]);

export const maySucceedLater = (error: unknown): boolean =>
  error instanceof NoReplyError ||
  (error instanceof AssayError && (passing.has(error.code) || gateway.has(error.status)));

const firstMs = 200;
const longestMs = 10_000;
/** What stands between may ask for a day; nobody is held so long by a call. */
const longestAskedMs = 60_000;

/**
 * Milliseconds before the next attempt: doubling, half of it by chance so that callers do not come back together, and
 * not before the time that the answer asked for, up to a minute.
 * @param attempt the one that failed, from 0
 * @param random at least 0, less than 1
 */
export function delayMs(attempt: number, error: unknown, random: number): number {
  const grown = Math.min(longestMs, firstMs * 2 ** attempt);
  const asked = error instanceof AssayError ? Math.min(longestAskedMs, (error.retryAfterS ?? 0) * 1000) : 0;
  return Math.max(asked, grown / 2) + (random * grown) / 2;
}

/** Waits, and ends early with the signal's reason. */
export const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
