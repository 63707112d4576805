// When scheduled reports are due, held against a table of dates: summer time, ends of months, leap days, zones with
// quarter hours; and which days each covers.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { daysOf, duesUntil, mostMissed, nextDue, type Rhythm } from './schedule.ts';

const every = (r: Partial<Rhythm>): Rhythm => ({ every: 'MONTH', onDay: 1, hour: 6, timeZone: 'UTC', ...r });
const iso = (ms: number) => new Date(ms).toISOString().replace(':00.000Z', 'Z');
const after = (r: Rhythm, from: string, count: number): string[] => {
  const all: string[] = [];
  for (let ms = Date.parse(from); all.length < count; all.push(iso(ms))) ms = nextDue(r, ms);
  return all;
};

describe('a scheduled report is due', () => {
  it.each<[string, Rhythm, string, string[]]>([
    [
      'on the last day of months that have no 31st',
      every({ onDay: 31, timeZone: 'Africa/Lagos' }),
      '2026-01-15T00:00:00Z',
      ['2026-01-31T05:00Z', '2026-02-28T05:00Z', '2026-03-31T05:00Z', '2026-04-30T05:00Z', '2026-05-31T05:00Z'],
    ],
    [
      'on 29 February in leap years',
      every({ onDay: 29 }),
      '2027-12-30T00:00:00Z',
      ['2028-01-29T06:00Z', '2028-02-29T06:00Z', '2028-03-29T06:00Z'],
    ],
    [
      'at the same local hour before and after summer time begins and ends in Berlin',
      every({ every: 'WEEK', onDay: 7, hour: 6, timeZone: 'Europe/Berlin' }),
      '2026-03-16T00:00:00Z',
      ['2026-03-22T05:00Z', '2026-03-29T04:00Z', '2026-04-05T04:00Z'],
    ],
    [
      'after the hour that the clocks of Berlin skip on 29 March 2026',
      every({ every: 'DAY', onDay: null, hour: 2, timeZone: 'Europe/Berlin' }),
      '2026-03-28T00:00:00Z',
      ['2026-03-28T01:00Z', '2026-03-29T01:00Z', '2026-03-30T00:00Z'],
    ],
    [
      'once in the hour that the clocks of Berlin show twice on 25 October 2026, the first time',
      every({ every: 'DAY', onDay: null, hour: 2, timeZone: 'Europe/Berlin' }),
      '2026-10-23T23:00:00Z',
      ['2026-10-24T00:00Z', '2026-10-25T00:00Z', '2026-10-26T01:00Z'],
    ],
    [
      'after the midnight that Cairo skips on 24 April 2026',
      every({ every: 'DAY', onDay: null, hour: 0, timeZone: 'Africa/Cairo' }),
      '2026-04-22T23:00:00Z',
      ['2026-04-23T22:00Z', '2026-04-24T21:00Z'],
    ],
    [
      'half an hour and a quarter from UTC: Kolkata and Kathmandu',
      every({ every: 'DAY', onDay: null, hour: 0, timeZone: 'Asia/Kathmandu' }),
      '2026-11-20T00:00:00Z',
      ['2026-11-20T18:15Z', '2026-11-21T18:15Z'],
    ],
    [
      'in New York on the 1st, across both changes',
      every({ hour: 9, timeZone: 'America/New_York' }),
      '2026-02-15T00:00:00Z',
      ['2026-03-01T14:00Z', '2026-04-01T13:00Z', '2026-05-01T13:00Z'],
    ],
    [
      'on Monday in Kiritimati, which is Sunday in UTC',
      every({ every: 'WEEK', onDay: 1, hour: 5, timeZone: 'Pacific/Kiritimati' }),
      '2026-11-20T00:00:00Z',
      ['2026-11-22T15:00Z', '2026-11-29T15:00Z'],
    ],
  ])('%s', (_, rhythm, from, expected) => {
    expect(after(rhythm, from, expected.length)).toEqual(expected);
  });

  it('always later than the moment before, with no time left out or given twice', () => {
    const rhythm = fc.oneof(
      fc.record({ every: fc.constant('DAY' as const), onDay: fc.constant(null) }),
      fc.record({ every: fc.constant('WEEK' as const), onDay: fc.integer({ min: 1, max: 7 }) }),
      fc.record({ every: fc.constant('MONTH' as const), onDay: fc.integer({ min: 1, max: 31 }) }),
    );
    const zones = ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'Africa/Cairo', 'Asia/Kathmandu'];
    const start = Date.parse('2026-01-01T00:00:00Z');
    fc.assert(
      fc.property(
        rhythm,
        fc.constantFrom(...zones),
        fc.integer({ min: 0, max: 23 }),
        fc.integer({ min: 0, max: 365 * 24 * 60 }),
        (r, timeZone, hour, minutes) => {
          const plan: Rhythm = { ...r, timeZone, hour };
          const ms = start + minutes * 60_000;
          const next = nextDue(plan, ms);
          expect(next).toBeGreaterThan(ms);
          // Between the two nothing is due: from any moment between, the next one is the same.
          expect(nextDue(plan, ms + Math.floor((next - ms) / 2))).toBe(next);
          expect(nextDue(plan, next - 1)).toBe(next);
          const longest = { DAY: 1.1, WEEK: 7.1, MONTH: 31.1 }[plan.every];
          expect(next - ms).toBeLessThanOrEqual(longest * 86_400_000);
        },
      ),
    );
  });
});

describe('after a time away', () => {
  const daily = every({ every: 'DAY', onDay: null });
  const first = Date.parse('2026-11-01T06:00:00Z');

  it('what was due is made, oldest first', () => {
    const { dues, left, next } = duesUntil(daily, first, Date.parse('2026-11-04T05:59:59Z'));
    expect([dues.map(iso), left, iso(next)]).toEqual([
      ['2026-11-01T06:00Z', '2026-11-02T06:00Z', '2026-11-03T06:00Z'],
      0,
      '2026-11-04T06:00Z',
    ]);
  });

  it('the last ones only, if it was long', () => {
    const { dues, left } = duesUntil(daily, first, Date.parse('2027-02-08T12:00:00Z'));
    expect([dues.length, left]).toEqual([mostMissed, 100 - mostMissed]);
    expect(iso(dues[0] as number)).toBe('2027-01-28T06:00Z');
  });
});

describe('a scheduled report covers', () => {
  const wanted = ['period', 'quarter', 'from', 'to'];
  const at = '2027-01-04T06:00:00Z'; // a Monday
  it.each([
    ['DAY', 'FINISHED', { period: '2026-12', quarter: '2026-Q4', from: '2027-01-03', to: '2027-01-03' }],
    ['WEEK', 'FINISHED', { period: '2026-12', quarter: '2026-Q4', from: '2026-12-28', to: '2027-01-03' }],
    ['MONTH', 'FINISHED', { period: '2026-12', quarter: '2026-Q4', from: '2026-12-01', to: '2026-12-31' }],
    ['DAY', 'RUNNING', { period: '2027-01', quarter: '2027-Q1', from: '2027-01-04', to: '2027-01-04' }],
    ['WEEK', 'RUNNING', { period: '2027-01', quarter: '2027-Q1', from: '2027-01-04', to: '2027-01-04' }],
    ['MONTH', 'RUNNING', { period: '2027-01', quarter: '2027-Q1', from: '2027-01-01', to: '2027-01-04' }],
  ] as const)('every %s, %s: days of the calendar', (rhythm, covers, expected) => {
    expect(daysOf(every({ every: rhythm }), covers, 'UTC', Date.parse(at), wanted)).toEqual(expected);
  });

  it('days of the calendar of the account, wherever the schedule is from', () => {
    const dueMs = Date.parse('2026-10-31T23:30:00Z');
    const days = (zone: string) => daysOf(every({}), 'FINISHED', zone, dueMs, ['period']);
    // November has begun in Lagos, and not in London.
    expect([days('Africa/Lagos'), days('Europe/London')]).toEqual([{ period: '2026-10' }, { period: '2026-09' }]);
  });

  it('nothing that its kind does not ask for', () => {
    expect(daysOf(every({}), 'FINISHED', 'UTC', Date.parse(at), ['period'])).toEqual({ period: '2026-12' });
  });
});
