import { describe, expect, it } from 'vitest';
import { type CallerDay, standout } from './standouts.ts';
import { outsizedCallsADay } from './thresholds.ts';

const day = (change: Partial<CallerDay> = {}): CallerDay => ({
  date: '2026-10-03',
  made: 100,
  receivers: 95,
  placed: 100,
  places: 1,
  received: 0,
  ...change,
});
const indicators = (days: CallerDay[], shared = false) => standout(days, shared)?.indicators;

describe('a caller', () => {
  it('of few calls does not stand out, whatever else is seen of it', () => {
    expect(standout([day({ made: outsizedCallsADay - 1 })], true)).toBeUndefined();
    expect(standout([], true)).toBeUndefined();
  });

  it('stands out by each thing that is seen of it', () => {
    expect(indicators([day()], true)).toEqual(['STATIC_LOCATION', 'ONE_WAY', 'SHARED_IMEI']);
    expect(indicators([day({ places: 2 })])).toEqual(['ONE_WAY']);
    expect(indicators([day({ received: 6 })])).toEqual(['STATIC_LOCATION']);
    expect(indicators([day({ received: 5 })])).toEqual(['STATIC_LOCATION', 'ONE_WAY']);
    expect(indicators([day({ places: 3, received: 50 })], true)).toEqual(['SHARED_IMEI']);
  });

  it('does not stand out by many calls alone', () => {
    expect(standout([day({ places: 3, received: 50 })], false)).toBeUndefined();
  });

  it('that calls the same few numbers from one place is at home', () => {
    expect(indicators([day({ receivers: 49, received: 50 })])).toBeUndefined();
    expect(indicators([day({ receivers: 50, received: 50 })])).toEqual(['STATIC_LOCATION']);
  });

  it('of whose calls the place is mostly unknown is not held to be in one', () => {
    expect(indicators([day({ placed: 49, received: 50 })])).toBeUndefined();
    expect(indicators([day({ placed: 0, places: 0, received: 50 })])).toBeUndefined();
  });

  it('is told with the figures of its outsized days', () => {
    const days = [
      day(),
      day({ date: '2026-10-04', made: 60, receivers: 60, received: 2 }),
      day({ made: 3, places: 3 }),
    ];
    expect(standout(days, false)).toEqual({
      indicators: ['STATIC_LOCATION', 'ONE_WAY'],
      days: 2,
      made: 160,
      most: 100,
      receivers: 95,
      places: 1,
      received: 2,
    });
  });
});
