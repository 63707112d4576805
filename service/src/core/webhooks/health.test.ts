// When warnings about a failing address are sent, and when it is disabled.
import { describe, expect, it } from 'vitest';
import { type Health, measure } from './health.ts';

const hour = 3_600_000;
const since = 1_800_000_000_000;
const failing = (hours: number, over: Partial<Health> = {}) =>
  measure({ failingSinceMs: since, lastFailureMs: since + hours * hour, failures: 20, warnedHours: 0, ...over });

describe('an address that keeps failing', () => {
  it('is warned about after 24, 72 and 96 hours, once each', () => {
    expect(failing(23.9)).toBeUndefined();
    expect(failing(24)).toEqual({ do: 'warn', hours: 24 });
    expect(failing(50, { warnedHours: 24 })).toBeUndefined();
    expect(failing(72, { warnedHours: 24 })).toEqual({ do: 'warn', hours: 72 });
    expect(failing(96, { warnedHours: 72 })).toEqual({ do: 'warn', hours: 96 });
    expect(failing(119, { warnedHours: 96 })).toBeUndefined();
  });

  it('is warned about once where several warnings are due', () => {
    expect(failing(80)).toEqual({ do: 'warn', hours: 72 });
  });

  it('is disabled after 120 hours without a 200', () => {
    expect(failing(120, { warnedHours: 96 })).toEqual({ do: 'disable' });
  });

  it('stays where it failed fewer than ten times', () => {
    expect(failing(130, { failures: 9, warnedHours: 96 })).toBeUndefined();
    expect(failing(130, { failures: 10, warnedHours: 96 })).toEqual({ do: 'disable' });
  });
});

describe('an address that answers', () => {
  it('is left alone', () => {
    const well = { failingSinceMs: null, lastFailureMs: since, failures: 0, warnedHours: 0 };
    expect(measure(well)).toBeUndefined();
  });
});
