// When sending to a failing address stops, and when it is retried.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { admitted, afterAttempt, type Breaker, closedBreaker, probedNow } from './breaker.ts';

const start = 1_800_000_000_000;
const after = (b: Breaker, outcomes: string, nowMs: number) =>
  [...outcomes].reduce((x, o) => afterAttempt(x, o === '+', nowMs), b);
const isOpen = (b: Breaker) => b.openUntil !== undefined;
const open = after(closedBreaker, '----------', start);

describe('a closed breaker', () => {
  it('opens when seven of ten attempts failed, not before the tenth', () => {
    expect(isOpen(after(closedBreaker, '---------', start))).toBe(false);
    expect(isOpen(after(closedBreaker, '+++-------', start))).toBe(true);
    expect(isOpen(after(closedBreaker, '++++------', start))).toBe(false);
  });

  it('forgets attempts that are more than five minutes old', () => {
    const nine = after(closedBreaker, '---------', start);
    expect(isOpen(after(nine, '-', start + 240_000))).toBe(true);
    expect(isOpen(after(nine, '-', start + 330_000))).toBe(false);
  });

  it('admits what the slots allow', () => {
    expect(admitted(closedBreaker, start, 0, 10)).toBe(10);
    expect(admitted(closedBreaker, start, 7, 10)).toBe(3);
    expect(admitted(closedBreaker, start, 12, 10)).toBe(0);
  });
});

describe('an open breaker', () => {
  it('admits nothing for 30 s, then a single probe', () => {
    expect(admitted(open, start + 29_999, 0, 10)).toBe(0);
    expect(admitted(open, start + 30_000, 0, 10)).toBe(1);
    expect(admitted(open, start + 30_000, 1, 10)).toBe(0);
  });

  it('closes when the probe succeeds, with a clean record', () => {
    expect(afterAttempt(open, true, start + 30_000)).toEqual(closedBreaker);
  });

  it('doubles its pause with every probe that fails, up to 15 minutes', () => {
    const pauses: number[] = [];
    let b = open;
    for (let i = 0; i < 8; i++) {
      const probed = b.openUntil as number;
      b = afterAttempt(b, false, probed);
      pauses.push(((b.openUntil as number) - probed) / 1000);
    }
    expect(pauses).toEqual([60, 120, 240, 480, 900, 900, 900, 900]);
  });

  it('admits one at once when its owner asks, and pauses as long as before if that fails too', () => {
    const at = start + 5_000;
    const asked = probedNow(open, at);
    expect(admitted(asked, at, 0, 10)).toBe(1);
    expect(probedNow(asked, at + 1)).toBe(asked);
    const failed = afterAttempt(asked, false, at + 10);
    expect((failed.openUntil as number) - (at + 10)).toBe(30_000);
    expect(afterAttempt(asked, true, at + 10)).toEqual(closedBreaker);
    expect(probedNow(closedBreaker, at)).toBe(closedBreaker);
  });

  it('is not prolonged by attempts that were under way when it opened', () => {
    expect(afterAttempt(open, false, start + 15_000)).toBe(open);
  });

  it('starts again at 30 s after it was closed', () => {
    const twice = afterAttempt(open, false, start + 30_000);
    const reopened = after(afterAttempt(twice, true, start + 90_000), '----------', start + 100_000);
    expect((reopened.openUntil as number) - (start + 100_000)).toBe(30_000);
  });
});

describe('any breaker', () => {
  it('is open only when most attempts failed, and lets something through within 15 minutes', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), fc.nat(120_000)), { maxLength: 200 }), (steps) => {
        let b = closedBreaker;
        let now = start;
        for (const [ok, wait] of steps) {
          now += wait;
          const before = b;
          b = afterAttempt(b, ok, now);
          if (ok && isOpen(before)) expect(b).toEqual(closedBreaker);
          if (isOpen(b)) {
            expect((b.openUntil as number) - now).toBeLessThanOrEqual(900_000);
            expect(admitted(b, b.openUntil as number, 0, 10)).toBe(1);
          }
          expect(b.slots.length).toBeLessThanOrEqual(11);
        }
        if (steps.every(([ok]) => ok)) expect(isOpen(b)).toBe(false);
      }),
    );
  });
});
