// When warnings about a failing address are sent, and when it is disabled. Times are milliseconds since the epoch.

const hourMs = 3_600_000;
const warningHours = [24, 72, 96] as const;
const disableAfterMs = 120 * hourMs;
const leastFailures = 10;

export interface Health {
  /** First failure since the last success (status 200); null if the last attempt succeeded. */
  readonly failingSinceMs: number | null;
  readonly lastFailureMs: number | null;
  /** Failures since the last success. */
  readonly failures: number;
  /** The last warning sent: 0, 24, 72 or 96. */
  readonly warnedHours: number;
}

export type Measure = { readonly do: 'disable' } | { readonly do: 'warn'; readonly hours: number };

/**
 * What to do about an address, as of its last failure; undefined for nothing. What time it is meanwhile says nothing:
 * nothing may have been sent since.
 */
export function measure(h: Health): Measure | undefined {
  if (h.failingSinceMs === null || h.lastFailureMs === null) return undefined;
  const failingMs = h.lastFailureMs - h.failingSinceMs;
  if (failingMs >= disableAfterMs && h.failures >= leastFailures) return { do: 'disable' };
  const hours = warningHours.findLast((w) => failingMs >= w * hourMs);
  return hours !== undefined && hours > h.warnedHours ? { do: 'warn', hours } : undefined;
}
