// When failed deliveries are retried.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Failure, nextAttempt, waitsMs } from './schedule.ts';

const nowMs = 1_800_000_000_000;
const failure = (over: Partial<Failure> = {}): Failure => ({
  attempts: 1,
  reason: 'HTTP_NOT_200',
  retryAfterS: null,
  nowMs,
  random: 0,
  ...over,
});
const waitOf = (over: Partial<Failure> = {}) => (nextAttempt(failure(over)) ?? Number.NaN) - nowMs;

describe('the next attempt', () => {
  it('comes after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, ten attempts in all', () => {
    const minutes = [5 / 60, 5, 30, 120, 300, 600, 840, 1200, 1440];
    expect(minutes.map((_, i) => waitOf({ attempts: i + 1 }))).toEqual(minutes.map((m) => m * 60_000));
    expect(nextAttempt(failure({ attempts: waitsMs.length }))).toBeUndefined();
    expect(waitsMs.length).toBe(10);
  });

  it('is the last where somebody had it tried more often than the schedule does', () => {
    expect(nextAttempt(failure({ attempts: 14 }))).toBeUndefined();
  });

  it('waits as long as the receiver asks, up to a day, and never shorter than the schedule', () => {
    expect(waitOf({ retryAfterS: 120 })).toBe(120_000);
    expect(waitOf({ retryAfterS: 1 })).toBe(5_000);
    expect(waitOf({ retryAfterS: 999_999 })).toBe(86_400_000);
  });

  it.each(['TIMEOUT', 'RATE_LIMITED'])('waits a minute at least after %s', (reason) => {
    expect(waitOf({ reason })).toBe(60_000);
    expect(waitOf({ reason, attempts: 2 })).toBe(300_000);
    expect(waitOf({ reason, retryAfterS: 90 })).toBe(90_000);
  });

  it('is put off by at most a tenth and never comes earlier', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: waitsMs.length - 1 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        fc.option(fc.nat(200_000)),
        fc.constantFrom('TIMEOUT', 'HTTP_NOT_200', 'RATE_LIMITED', 'RESET'),
        (attempts, random, retryAfterS, reason) => {
          const least = waitOf({ attempts, reason, retryAfterS });
          const wait = waitOf({ attempts, reason, retryAfterS, random });
          expect(least).toBeGreaterThanOrEqual(waitsMs[attempts] as number);
          expect(wait).toBeGreaterThanOrEqual(least);
          expect(wait).toBeLessThan(least * 1.1 + 1);
          expect(Number.isInteger(wait)).toBe(true);
        },
      ),
    );
  });
});
