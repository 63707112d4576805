// A transaction's day is that of its country's own calendar, through every clock change.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isoTime, localDate } from './calendar.ts';

/** Slow reference: a new formatter for every question, its parts joined by hand. */
function slowly(timeZone: string, ms: number): string {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).formatToParts(ms);
  const part = (type: string) => parts.find((p) => p.type === type)?.value;
  return `${part('year')}-${part('month')}-${part('day')}`;
}

describe('localDate', () => {
  it.each([
    // Romania's VAT rose on 2025-08-01: summer time is three hours ahead, so that day began at 21:00 UTC.
    ['Europe/Bucharest', '2025-07-31T20:59:59.999Z', '2025-07-31'],
    ['Europe/Bucharest', '2025-07-31T21:00:00.000Z', '2025-08-01'],
    ['Europe/Bucharest', '2025-07-31T23:30:00.000Z', '2025-08-01'],
    // Two hours in winter.
    ['Europe/Bucharest', '2025-12-31T21:59:59.999Z', '2025-12-31'],
    ['Europe/Bucharest', '2025-12-31T23:30:00.000Z', '2026-01-01'],
    // 23:30 UTC on the two nights when clocks change.
    ['Europe/Bucharest', '2026-03-28T23:30:00.000Z', '2026-03-29'],
    ['Europe/Bucharest', '2026-03-28T21:30:00.000Z', '2026-03-28'],
    ['Europe/Bucharest', '2026-10-24T21:30:00.000Z', '2026-10-25'],
    ['Europe/Bucharest', '2026-10-25T21:30:00.000Z', '2026-10-25'],
    ['Europe/Bucharest', '2026-10-25T22:30:00.000Z', '2026-10-26'],
    // New Zealand is twelve or thirteen hours ahead: most of its day is still yesterday in UTC.
    ['Pacific/Auckland', '2026-11-20T23:30:00.000Z', '2026-11-21'],
    ['Pacific/Auckland', '2026-06-20T11:59:59.999Z', '2026-06-20'],
    ['Pacific/Auckland', '2026-06-20T12:00:00.000Z', '2026-06-21'],
    ['Pacific/Auckland', '2026-12-31T10:59:59.999Z', '2026-12-31'],
    ['Pacific/Auckland', '2026-12-31T11:00:00.000Z', '2027-01-01'],
    ['Pacific/Auckland', '2026-12-31T23:30:00.000Z', '2027-01-01'],
    ['Pacific/Auckland', '2026-04-04T11:30:00.000Z', '2026-04-05'],
    ['Pacific/Auckland', '2026-04-05T11:30:00.000Z', '2026-04-05'],
    ['Pacific/Auckland', '2026-09-26T11:30:00.000Z', '2026-09-26'],
    ['Pacific/Auckland', '2026-09-26T23:30:00.000Z', '2026-09-27'],
    // Behind UTC, and offsets that are not whole hours.
    ['America/Los_Angeles', '2026-01-01T07:59:59.999Z', '2025-12-31'],
    ['Asia/Kathmandu', '2026-01-01T18:14:59.999Z', '2026-01-01'],
    ['Asia/Kathmandu', '2026-01-01T18:15:00.000Z', '2026-01-02'],
    ['Pacific/Kiritimati', '2026-01-01T10:00:00.000Z', '2026-01-02'],
    ['UTC', '2024-02-29T23:59:59.999Z', '2024-02-29'],
  ])('in %s at %s is %s', (zone, at, date) => {
    expect(localDate(zone, Date.parse(at))).toBe(date);
  });

  it('agrees with a formatter made afresh, whatever was asked before', () => {
    const zones = fc.constantFrom(
      'Europe/Bucharest',
      'Pacific/Auckland',
      'Asia/Kathmandu',
      'Australia/Lord_Howe',
      'America/St_Johns',
      'Africa/Casablanca',
      'Pacific/Chatham',
      'America/Sao_Paulo',
    );
    // Near the hours when days and clocks change, and to the millisecond around each quarter hour.
    const near = fc
      .tuple(
        fc.integer({ min: Date.parse('2024-01-01') / 900_000, max: Date.parse('2030-01-01') / 900_000 }),
        fc.constantFrom(-1, 0, 1, 899_999),
      )
      .map(([quarter, ms]) => quarter * 900_000 + ms);
    fc.assert(
      fc.property(fc.array(fc.tuple(zones, near), { minLength: 1, maxLength: 12 }), (questions) => {
        for (const [zone, ms] of [...questions, ...questions]) expect(localDate(zone, ms)).toBe(slowly(zone, ms));
      }),
      { numRuns: 300 },
    );
  });

  it('refuses a zone that does not exist', () => {
    expect(() => localDate('Mars/Olympus', 0)).toThrow(RangeError);
  });
});

describe('isoTime', () => {
  it('is UTC to the millisecond', () => {
    expect(isoTime(Date.parse('2026-11-21T10:00:00.123+02:00'))).toBe('2026-11-21T08:00:00.123Z');
  });
});
