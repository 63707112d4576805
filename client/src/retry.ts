// Retries: which failures of a repeatable operation are worth another attempt, and after what delay.
import { AssayError, NoReplyError } from './errors.ts';

/** Codes that mean "try again later". */
const passing: ReadonlySet<string> = new Set(['RATE_LIMITED', 'OVERLOADED', 'UNKNOWN_OUTCOME', 'NOT_SEALED']);

/** Statuses with which a proxy or the service says so too: the request came too slowly, too often, or not through. */
const statuses: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);

export const maySucceedLater = (error: unknown): boolean =>
  error instanceof NoReplyError ||
  (error instanceof AssayError && (passing.has(error.code) || statuses.has(error.status)));

const firstMs = 200;
const longestMs = 10_000;
/** A proxy may ask for a day; no call waits that long. */
const longestAskedMs = 60_000;

/**
 * Milliseconds before the next attempt: doubles each time, half of it random so that callers do not retry together, and
 * at least the reply's Retry-After, up to a minute.
 * @param attempt the attempt that failed, from 0
 * @param random at least 0, less than 1
 */
export function delayMs(attempt: number, error: unknown, random: number): number {
  const grown = Math.min(longestMs, firstMs * 2 ** attempt);
  const asked = error instanceof AssayError ? Math.min(longestAskedMs, (error.retryAfterS ?? 0) * 1000) : 0;
  return Math.max(asked, grown / 2) + (random * grown) / 2;
}

/** Waits; rejects early with the signal's reason. */
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
