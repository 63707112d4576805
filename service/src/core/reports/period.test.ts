// Months in a place's calendar, also where summer time moves or skips midnight.
import { describe, expect, it } from 'vitest';
import { localDate } from '../calendar.ts';
import { monthOf, startOfDate } from './period.ts';

const iso = (ms: number) => new Date(ms).toISOString();

describe('startOfDate', () => {
  it.each([
    ['Africa/Lagos', '2026-11-01', '2026-10-31T23:00:00.000Z'],
    ['Asia/Kolkata', '2026-11-01', '2026-10-31T18:30:00.000Z'],
    ['Asia/Kathmandu', '2026-11-01', '2026-10-31T18:15:00.000Z'],
    ['Pacific/Kiritimati', '2026-11-01', '2026-10-31T10:00:00.000Z'],
    ['Pacific/Pago_Pago', '2026-11-01', '2026-11-01T11:00:00.000Z'],
    ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z'],
    ['Europe/Berlin', '2026-03-30', '2026-03-29T22:00:00.000Z'],
    // Midnight is skipped: the day begins at one o'clock.
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z'],
    ['UTC', '2026-11-01', '2026-11-01T00:00:00.000Z'],
  ])('of %s finds the first moment of %s', (zone, date, moment) => {
    expect(iso(startOfDate(zone, date))).toBe(moment);
  });

  it('gives the first moment of the date for every day of a year, everywhere', () => {
    for (const zone of ['Africa/Cairo', 'America/Santiago', 'Asia/Beirut', 'Australia/Lord_Howe', 'Atlantic/Azores'])
      for (let day = Date.UTC(2026, 0, 1); day < Date.UTC(2027, 0, 1); day += 86_400_000) {
        const date = iso(day).slice(0, 10);
        const from = startOfDate(zone, date);
        expect([localDate(zone, from), localDate(zone, from - 1) < date]).toEqual([date, true]);
      }
  });
});

describe('monthOf', () => {
  it('reaches from the first moment of the first to that of the next month', () => {
    expect(monthOf('2026-02', 'UTC')).toEqual({
      name: '2026-02',
      first: '2026-02-01',
      last: '2026-02-28',
      from: Date.UTC(2026, 1, 1),
      to: Date.UTC(2026, 2, 1),
    });
    expect(monthOf('2028-02', 'UTC')?.last).toBe('2028-02-29');
    expect(monthOf('2026-12', 'UTC')?.to).toBe(Date.UTC(2027, 0, 1));
  });

  it.each(['2026-00', '2026-13', '1999-12', '2026', '2026-1', '2026-01-01', '', '9999-12', ' 2026-01'])(
    'takes %o for no month',
    (text) => {
      expect(monthOf(text, 'UTC')).toBeUndefined();
    },
  );
});
