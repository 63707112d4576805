// Quarters as moments of a country's calendar.
import { describe, expect, it } from 'vitest';
import { quarterOf } from './quarter.ts';

describe('a quarter', () => {
  it('begins and ends with local days, on both sides of summer time', () => {
    const q = quarterOf('2026-Q4', 'Europe/Berlin');
    expect([q?.first, q?.last]).toEqual(['2026-10-01', '2026-12-31']);
    expect(new Date(q?.from as number).toISOString()).toBe('2026-09-30T22:00:00.000Z');
    expect(new Date(q?.to as number).toISOString()).toBe('2026-12-31T23:00:00.000Z');
  });

  it.each(['2026-Q0', '2026-Q5', '2026Q1', '1999-Q1', ''])('%j is none', (name) =>
    expect(quarterOf(name, 'UTC')).toBeUndefined(),
  );
});
