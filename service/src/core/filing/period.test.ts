// Periods of returns and the days they are due, against the calendars of authorities.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Refusal } from '../refusal.ts';
import type { FilingRhythm } from './form.ts';
import { dueOn, type FilingPeriod, lastFinished, readFilingPeriod } from './period.ts';

const formOf = (...periods: FilingRhythm[]) => ({ form: 'XX-VAT', periods });
const monthly: FilingRhythm = { months: 1, who: 'Large businesses.' };
const quarterly: FilingRhythm = { months: 3, who: 'The others.' };
const zone = 'Europe/London';
const at = (iso: string) => Date.parse(iso);
const now = at('2026-11-25T12:00:00Z');

function period(text: string | undefined, ...of: FilingRhythm[]): FilingPeriod {
  const p = readFilingPeriod(formOf(...of), text, zone, now);
  if (p instanceof Refusal) throw p;
  return p;
}
function refusal(text: string, ...of: FilingRhythm[]): string {
  const p = readFilingPeriod(formOf(...of), text, zone, now);
  expect(p).toBeInstanceOf(Refusal);
  return (p as Refusal).message;
}
const days = (p: FilingPeriod) => [p.name, p.first, p.last];

describe('a period', () => {
  it('is a month, a quarter, a year, or a span of months', () => {
    expect(days(period('2026-09', monthly))).toEqual(['2026-09', '2026-09-01', '2026-09-30']);
    expect(days(period('2026-Q3', quarterly))).toEqual(['2026-Q3', '2026-07-01', '2026-09-30']);
    expect(days(period('2024', { months: 12, who: 'All.' }))).toEqual(['2024', '2024-01-01', '2024-12-31']);
    const twoMonths: FilingRhythm = { months: 2, who: 'Irish businesses.' };
    expect(days(period('2026-07/2026-08', twoMonths))).toEqual(['2026-07/2026-08', '2026-07-01', '2026-08-31']);
    const fiscal: FilingRhythm = { months: 12, firstMonth: 4, who: 'Those with a year from April.' };
    expect(days(period('2025-04/2026-03', fiscal))).toEqual(['2025-04/2026-03', '2025-04-01', '2026-03-31']);
  });

  it('has one name, however it was written', () => {
    expect(period('2026-07/2026-09', quarterly).name).toBe('2026-Q3');
    expect(period('2026-09/2026-09', monthly).name).toBe('2026-09');
    expect(period('2025-01/2025-12', { months: 12, who: 'All.' }).name).toBe('2025');
  });

  it('begins and ends at midnight of the country, in summer and in winter time', () => {
    const p = period('2026-10', monthly);
    expect(new Date(p.from).toISOString()).toBe('2026-09-30T23:00:00.000Z');
    expect(new Date(p.to).toISOString()).toBe('2026-11-01T00:00:00.000Z');
  });

  it('is refused if the form does not have it, with those it has', () => {
    expect(refusal('2026-09', quarterly)).toContain('2026-Q1, 2026-Q2, 2026-Q3, 2026-Q4 (The others.)');
    expect(refusal('2026-Q3', monthly)).toContain('months such as 2026-09 (Large businesses.)');
    expect(refusal('2026-08/2026-10', quarterly)).toContain('must be a period of the form XX-VAT');
    const second: FilingRhythm = { ...quarterly, firstMonth: 2 };
    expect(refusal('2026-Q1', second)).toContain('2026-02/2026-04, 2026-05/2026-07, 2026-08/2026-10, 2026-11/2027-01');
    for (const wrong of [
      '',
      '2026-13',
      '2026-00',
      '2026-Q5',
      '26-01',
      '2026-09/2026-07',
      '2026-1',
      'Q3',
      '2026-07/',
      '1999',
    ])
      expect(refusal(wrong, monthly, quarterly), wrong).toContain('must be a period');
  });

  it('is the last finished one of the usual length if none is named', () => {
    expect(period(undefined, monthly, quarterly).name).toBe('2026-10');
    expect(period(undefined, quarterly, monthly).name).toBe('2026-Q3');
    expect(period(undefined, { ...quarterly, firstMonth: 2 }).name).toBe('2026-08/2026-10');
    // In Lagos, October ends an hour before it does in London.
    expect(lastFinished(formOf(monthly), 'Africa/Lagos', at('2026-10-31T23:30:00Z')).name).toBe('2026-10');
    expect(lastFinished(formOf(monthly), zone, at('2026-10-31T23:30:00Z')).name).toBe('2026-09');
  });

  it('follows the one before without gap or overlap', () => {
    const rhythms = fc.record({
      months: fc.constantFrom(1 as const, 2 as const, 3 as const, 6 as const, 12 as const),
      firstMonth: fc.integer({ min: 1, max: 12 }),
      who: fc.constant('All.'),
    });
    fc.assert(
      fc.property(
        rhythms,
        fc.integer({ min: at('2003-06-01T00:00:00Z'), max: at('2090-01-01T00:00:00Z') }),
        (r, ms) => {
          const last = lastFinished(formOf(r), zone, ms);
          const before = lastFinished(formOf(r), zone, last.to - 1);
          expect(last.to).toBeLessThanOrEqual(ms);
          expect(before.to).toBe(last.from);
          expect(readFilingPeriod(formOf(r), last.name, zone, ms)).toEqual(last);
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe('the day a return is due', () => {
  it('is that of the authority: HMRC one month and seven days, Nigeria the 21st, Kenya the 20th', () => {
    expect(dueOn({ monthsAfter: 2, day: 7 }, { last: '2026-09-30' })).toBe('2026-11-07');
    expect(dueOn({ monthsAfter: 2, day: 7 }, { last: '2026-12-31' })).toBe('2027-02-07');
    expect(dueOn({ monthsAfter: 1, day: 21 }, { last: '2026-12-31' })).toBe('2027-01-21');
  });
  it('may be the last day of a month, of any length', () => {
    expect(dueOn({ monthsAfter: 1, day: 'LAST' }, { last: '2024-01-31' })).toBe('2024-02-29');
    expect(dueOn({ monthsAfter: 1, day: 'LAST' }, { last: '2026-01-31' })).toBe('2026-02-28');
    expect(dueOn({ monthsAfter: 1, day: 31 }, { last: '2026-03-31' })).toBe('2026-04-30');
  });
  it('may be a number of days after', () => {
    expect(dueOn({ daysAfter: 15 }, { last: '2026-12-31' })).toBe('2027-01-15');
    expect(dueOn({ daysAfter: 0 }, { last: '2026-12-31' })).toBe('2026-12-31');
  });
});
