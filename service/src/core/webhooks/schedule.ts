// When a failed delivery is retried, and when its attempts are exhausted. Times are milliseconds since the epoch.

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** Wait before each attempt, counted from the end of the previous one. */
export const waitsMs = [
  0,
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
] as const;

/** A receiver may ask for a longer wait than the schedule's, up to this. */
const longestAskedMs = 24 * hour;
/** The longest wait between two attempts, random spread included. */
export const longestWaitMs = 1.1 * Math.max(...waitsMs, longestAskedMs);

/** Minimum wait for a receiver that is slow or asks for fewer requests. */
const calmMs = minute;

export interface Failure {
  /** Attempts made, this one included. */
  readonly attempts: number;
  readonly reason: string;
  /** Seconds the receiver asked to wait, if any. */
  readonly retryAfterS: number | null;
  /** When the attempt ended. */
  readonly nowMs: number;
  /** From 0 up to 1: spreads retries in time. */
  readonly random: number;
}

/** Time of the next attempt; undefined if there is none. */
export function nextAttempt(f: Failure): number | undefined {
  const wait = waitsMs[f.attempts];
  if (wait === undefined) return undefined;
  const calm = f.reason === 'TIMEOUT' || f.reason === 'RATE_LIMITED' ? calmMs : 0;
  const asked = Math.min((f.retryAfterS ?? 0) * second, longestAskedMs);
  const floor = Math.max(wait, calm, asked);
  return f.nowMs + floor + Math.floor(floor * 0.1 * f.random);
}
