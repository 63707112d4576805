// Token buckets against a ledger kept the slow way.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TokenBuckets } from './limits.ts';

describe('TokenBuckets', () => {
  it('allows the burst at once and then says how long to wait', () => {
    const b = new TokenBuckets(2, 3);
    expect([b.take('k', 0), b.take('k', 0), b.take('k', 0)]).toEqual([2, 1, 0]);
    expect(b.take('k', 0)).toBe(-500);
    expect(b.take('k', 400)).toBe(-100);
    expect(b.take('k', 500)).toBe(0);
    expect(b.take('k', 500)).toBe(-500);
  });

  it('takes nothing when it refuses: waiting as long as it said is enough, however often one asked', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1000 }),
        fc.integer({ min: 1, max: 50 }),
        fc.nat(20),
        (rate, burst, asks) => {
          const b = new TokenBuckets(rate, burst);
          for (let i = 0; i < burst; i++) expect(b.take('k', 1_000)).toBe(burst - 1 - i);
          let left = 0;
          for (let i = 0; i <= asks; i++) left = b.take('k', 1_000);
          expect(left).toBeLessThan(0);
          expect(b.take('k', 1_000 - left)).toBeGreaterThanOrEqual(0);
        },
      ),
    );
  });

  it('gives each key a bucket of its own', () => {
    const b = new TokenBuckets(1, 1);
    expect(b.take('a', 0)).toBe(0);
    expect(b.take('a', 0)).toBeLessThan(0);
    expect(b.take('b', 0)).toBe(0);
  });

  it('never holds more than the burst, however long it rested', () => {
    const b = new TokenBuckets(100, 5);
    b.take('k', 0);
    expect(b.take('k', 3_600_000)).toBe(4);
  });

  it('allows in any stretch of time at most the burst and what was refilled meanwhile', () => {
    const steps = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 120 });
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 10 }), (gaps, rate, burst) => {
        const b = new TokenBuckets(rate, burst);
        const allowed: number[] = [];
        let now = 0;
        for (const gap of gaps) {
          now += gap;
          if (b.take('k', now) >= 0) allowed.push(now);
        }
        for (let i = 0; i < allowed.length; i++)
          for (let j = i; j < allowed.length; j++) {
            const span = ((allowed[j] as number) - (allowed[i] as number)) / 1000;
            expect(j - i + 1).toBeLessThanOrEqual(burst + span * rate + 1e-9);
          }
      }),
    );
  });

  it('keeps no key out for longer than it says and fills no bucket, wherever the clock is set to', () => {
    const day = 86_400_000;
    fc.assert(
      fc.property(fc.integer({ min: -40 * day, max: 0 }), fc.integer({ min: 1, max: 100 }), (step, rate) => {
        const b = new TokenBuckets(rate, 2);
        const then = 50 * day;
        b.take('k', then);
        b.take('k', then);
        expect(b.take('k', then + step)).toBeLessThan(0);
        const waitMs = b.missing('k', then + step);
        expect(b.missing('k', then + step + waitMs)).toBe(0);
        expect(b.take('k', then + step + waitMs)).toBe(0);
      }),
    );
  });

  it('forgets full buckets first when there are a hundred thousand, and keeps the empty ones', () => {
    const b = new TokenBuckets(1, 10);
    for (let i = 0; i < 10; i++) b.take('busy', 0);
    for (let i = 1; i < 100_000; i++) b.take(`k${i}`, 0);
    // After a second each bucket has regained a token: every bucket but the busy one is full.
    expect(b.take('one more', 1_000)).toBe(9);
    expect(b.take('busy', 1_000)).toBe(0);
    expect(b.take('busy', 1_000)).toBeLessThan(0);
  });
});
