// The circuit breaker of one address: opens when most of its recent attempts failed, then lets one through at growing
// intervals, or when the owner asks for one, until one succeeds. It delays deliveries without using up their attempts.

const slotMs = 30_000;
/** The period over which failures are counted. */
const windowMs = 300_000;
const leastAttempts = 10;
const failedShare = 0.7;
const firstPauseMs = 30_000;
const longestPauseMs = 900_000;

interface Slot {
  readonly since: number;
  readonly made: number;
  readonly failed: number;
}

export interface Breaker {
  /** Attempts of the last minutes, oldest first. */
  readonly slots: readonly Slot[];
  /** Nothing is sent until this time; undefined when closed. */
  readonly openUntil: number | undefined;
  readonly pauseMs: number;
}

export const closedBreaker: Breaker = { slots: [], openUntil: undefined, pauseMs: firstPauseMs };

/** How many attempts may be in flight: the maximum, a single probe, or none. */
export function admitted(b: Breaker, nowMs: number, inFlight: number, most: number): number {
  if (b.openUntil === undefined) return Math.max(0, most - inFlight);
  return nowMs >= b.openUntil && inFlight === 0 ? 1 : 0;
}

/** The owner asks for an attempt: the next one is made at once. If it fails too, the pause is as long as before. */
export const probedNow = (b: Breaker, nowMs: number): Breaker =>
  b.openUntil === undefined || nowMs >= b.openUntil ? b : { ...b, openUntil: nowMs, pauseMs: b.pauseMs / 2 };

export function afterAttempt(b: Breaker, ok: boolean, nowMs: number): Breaker {
  if (b.openUntil !== undefined) {
    if (ok) return closedBreaker;
    // Attempts started before it opened end later: only a probe's failure prolongs the pause.
    if (nowMs < b.openUntil) return b;
    const pauseMs = Math.min(b.pauseMs * 2, longestPauseMs);
    return { slots: [], openUntil: nowMs + pauseMs, pauseMs };
  }
  const since = nowMs - (nowMs % slotMs);
  const recent = b.slots.filter((s) => s.since > nowMs - windowMs);
  const last = recent.at(-1);
  const slot = last?.since === since ? last : { since, made: 0, failed: 0 };
  const slots = [
    ...(slot === last ? recent.slice(0, -1) : recent),
    { since, made: slot.made + 1, failed: slot.failed + (ok ? 0 : 1) },
  ];
  const made = slots.reduce((n, s) => n + s.made, 0);
  const failed = slots.reduce((n, s) => n + s.failed, 0);
  return made >= leastAttempts && failed >= made * failedShare
    ? { slots: [], openUntil: nowMs + firstPauseMs, pauseMs: firstPauseMs }
    : { ...b, slots };
}
