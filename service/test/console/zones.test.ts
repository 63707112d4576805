// Days of the console in time zones: they begin when the service's own calendar says, also where clocks are changed.
import { describe, expect, it } from 'vitest';
import { dayOf, daysAfter, rangeOf, ranges, startOf, wholeDays } from '../../../console/src/data/days.ts';
import { absolute } from '../../../console/src/data/moments.ts';
import { cityOf, zoneOf } from '../../../console/src/data/zone.ts';
import { startOfDate } from '../../src/core/reports/period.ts';

// With half hours, with clocks changed at midnight (Beirut, Havana, Santiago), and on the far sides of the date line.
const zones = [
  ...['UTC', 'Africa/Lagos', 'Africa/Nairobi', 'Europe/London', 'America/New_York', 'Asia/Kolkata'],
  ...['Asia/Kathmandu', 'Asia/Beirut', 'America/Havana', 'America/Santiago', 'Pacific/Apia', 'Pacific/Pago_Pago'],
  ...['Australia/Lord_Howe', 'America/St_Johns', 'Pacific/Chatham', 'Africa/Casablanca'],
];

describe('a day in a time zone', () => {
  it.each(zones)('begins when the service says, each day for three years: %s', (zone) => {
    for (let day = '2025-01-01'; day < '2028-01-01'; day = daysAfter(day, 1)) {
      const start = startOf(day, zone);
      expect(new Date(start).toISOString(), day).toBe(new Date(startOfDate(zone, day)).toISOString());
      expect([dayOf(start, zone), dayOf(start - 1, zone)], day).toEqual([day, daysAfter(day, -1)]);
    }
  });

  it('bounds a list by whole days, the last one included', () => {
    const days = { from: '2026-11-22', to: '2026-11-22' };
    expect(wholeDays(days)).toEqual({ from: '2026-11-22T00:00:00.000Z', to: '2026-11-23T00:00:00.000Z' });
    expect(wholeDays({ ...days, zone: 'Africa/Nairobi' })).toEqual({
      from: '2026-11-21T21:00:00.000Z',
      to: '2026-11-22T21:00:00.000Z',
    });
    expect(wholeDays({ from: 'soon', to: '2026-13-40' })).toEqual({ from: undefined, to: undefined });
  });

  it('leaves the moments that a link of a report names as they are', () => {
    const quarter = { from: '2026-06-30T22:00:00.000Z', to: '2026-09-30T22:00:00.000Z' };
    expect(wholeDays({ ...quarter, zone: 'Africa/Nairobi' })).toEqual(quarter);
    expect(wholeDays({ from: '2026-06-30T99:00:00.000Z', to: '2026-06-30T22:00' })).toEqual({});
  });

  it('is shown with its zone, and a zone that nobody knows is UTC', () => {
    expect(absolute('2026-11-21T22:00:00Z', 'Africa/Nairobi')).toMatch(/^22 Nov 2026, 01:00 (EAT|GMT\+3)$/);
    expect(absolute('2026-11-21T22:00:00Z')).toBe('21 Nov 2026, 22:00 UTC');
    for (const zone of ['', 'Nowhere/Atlantis', '+03:00', '<script>']) expect(zoneOf({ zone })).toBe('UTC');
    expect(cityOf('America/Argentina/Buenos_Aires')).toBe('Buenos Aires');
  });
});

describe('a range of days', () => {
  it.each([
    ['today', '2026-11-21', '2026-11-21', '2026-11-21'],
    ['yesterday', '2026-03-01', '2026-02-28', '2026-02-28'],
    ['week', '2026-11-21', '2026-11-15', '2026-11-21'],
    ['lastWeek', '2026-11-21', '2026-11-09', '2026-11-15'],
    ['lastWeek', '2026-11-16', '2026-11-09', '2026-11-15'],
    ['lastWeek', '2026-11-22', '2026-11-09', '2026-11-15'],
    ['thisWeek', '2026-11-21', '2026-11-16', '2026-11-21'],
    ['thisWeek', '2026-11-22', '2026-11-16', '2026-11-22'],
    ['month', '2026-11-21', '2026-11-01', '2026-11-21'],
    ['lastMonth', '2026-01-31', '2025-12-01', '2025-12-31'],
    ['lastMonth', '2028-03-31', '2028-02-01', '2028-02-29'],
  ] as const)('%s on %s is from %s to %s', (name, today, from, to) => {
    expect(ranges[name].of(today)).toEqual([from, to]);
    expect(ranges[rangeOf({ from, to }, today) ?? name].of(today)).toEqual([from, to]);
  });
});
