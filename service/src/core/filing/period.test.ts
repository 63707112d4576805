// Periods of returns and the days they are due, against the calendars of authorities.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadFilingForms } from '../../platform/data-files.ts';
import { Refusal } from '../refusal.ts';
import type { FilingDue, FilingForm, FilingRhythm } from './form.ts';
import { type FilingPeriod, lastFinished, periodBefore, readFilingPeriod, rhythmOf } from './period.ts';

const due: FilingDue = { monthsAfter: 1, day: 'LAST' };
const formOf = (...periods: FilingRhythm[]) => ({ form: 'XX-VAT', periods, due });
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

  it('may be four months, or begin on another day than the first', () => {
    const thirds: FilingRhythm = { months: 4, who: 'Small ones.' };
    expect(days(period('2026-05/2026-08', thirds))).toEqual(['2026-05/2026-08', '2026-05-01', '2026-08-31']);
    expect(refusal('2026-04/2026-07', thirds)).toContain('2026-01/2026-04, 2026-05/2026-08, 2026-09/2026-12');
    const fromTheSixth: FilingRhythm = { months: 3, firstMonth: 4, firstDay: 6, who: 'By the tax year.' };
    expect(days(period('2026-04-06/2026-07-05', fromTheSixth))).toEqual([
      '2026-04-06/2026-07-05',
      '2026-04-06',
      '2026-07-05',
    ]);
    expect(period(undefined, fromTheSixth).name).toBe('2026-07-06/2026-10-05');
    expect(refusal('2026-Q3', fromTheSixth)).toContain('2026-01-06/2026-04-05');
    // The fifth is still of the period before.
    expect(lastFinished(formOf(fromTheSixth), zone, at('2026-07-05T12:00:00Z')).name).toBe('2026-01-06/2026-04-05');
    expect(lastFinished(formOf(fromTheSixth), zone, at('2026-07-06T12:00:00Z')).name).toBe('2026-04-06/2026-07-05');
  });

  it('may be a week, by its number where it begins on a Monday, else by its days', () => {
    const weekly: FilingRhythm = { weeks: 1, begins: '2024-01-01', who: 'Bookmakers.' };
    expect(days(period('2026-W48', weekly))).toEqual(['2026-W48', '2026-11-23', '2026-11-29']);
    expect(days(period('2026-11-23/2026-11-29', weekly))).toEqual(['2026-W48', '2026-11-23', '2026-11-29']);
    expect(period(undefined, weekly).name).toBe('2026-W47');
    // By ISO 8601, 2026 has 53 weeks and the first week of 2025 began in 2024.
    expect(days(period('2026-W53', weekly))).toEqual(['2026-W53', '2026-12-28', '2027-01-03']);
    expect(days(period('2025-W01', weekly))).toEqual(['2025-W01', '2024-12-30', '2025-01-05']);
    expect(refusal('2025-W53', weekly)).toContain('weeks such as');
    expect(refusal('2026-W00', weekly)).toContain('must be a period');
    expect(refusal('2026-11-24/2026-11-30', weekly)).toContain('weeks such as 2026-W37 (Bookmakers.)');
    const fromSunday: FilingRhythm = { weeks: 1, begins: '2024-01-07', who: 'Casinos.' };
    expect(days(period('2026-11-22/2026-11-28', fromSunday))).toEqual([
      '2026-11-22/2026-11-28',
      '2026-11-22',
      '2026-11-28',
    ]);
    expect(refusal('2026-W48', fromSunday)).toContain('(Casinos.)');
    const four: FilingRhythm = { weeks: 4, begins: '2026-01-05', who: 'By thirteen periods.' };
    expect(period(undefined, four).name).toBe('2026-10-12/2026-11-08');
    expect(refusal('2026-W48', four)).toContain('4 weeks such as');
  });

  it("may begin in any month of the taxpayer's own year", () => {
    const yearly: FilingRhythm = { months: 12, anyMonth: true, who: 'By the financial year.' };
    expect(period('2025-07/2026-06', yearly).last).toBe('2026-06-30');
    expect(period('2025', yearly).first).toBe('2025-01-01');
    expect(refusal('2026-Q1', yearly)).toContain('or of other months');
    const july = rhythmOf(formOf(yearly), { first: '2025-07-01', last: '2026-06-30' }) as FilingRhythm;
    const form = formOf(yearly);
    expect(periodBefore(form, july, zone, { first: '2025-07-01' }).name).toBe('2024-07/2025-06');
    expect(rhythmOf(form, { first: '2025-07-01', last: '2026-05-31' })).toBeUndefined();
  });

  it('follows the one before without gap or overlap', () => {
    const who = fc.constant('All.');
    const rhythms: fc.Arbitrary<FilingRhythm> = fc.oneof(
      fc.record({
        months: fc.constantFrom(1 as const, 2 as const, 3 as const, 4 as const, 6 as const, 12 as const),
        firstMonth: fc.integer({ min: 1, max: 12 }),
        firstDay: fc.integer({ min: 1, max: 28 }),
        who,
      }),
      fc.record({
        weeks: fc.constantFrom(1 as const, 2 as const, 4 as const),
        begins: fc.integer({ min: 1, max: 28 }).map((d) => `2024-02-${String(d).padStart(2, '0')}`),
        who,
      }),
    );
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
  const dueOn = (due: FilingDue, name: string, rhythm: FilingRhythm = monthly) => {
    const p = readFilingPeriod({ form: 'XX-VAT', periods: [rhythm], due }, name, zone, now);
    return p instanceof Refusal ? p.message : p.dueOn;
  };
  it('is that of the authority: HMRC one month and seven days, Nigeria the 21st, Kenya the 20th', () => {
    expect(dueOn({ monthsAfter: 2, day: 7 }, '2026-Q3', quarterly)).toBe('2026-11-07');
    expect(dueOn({ monthsAfter: 2, day: 7 }, '2026-Q4', quarterly)).toBe('2027-02-07');
    expect(dueOn({ monthsAfter: 1, day: 21 }, '2026-12')).toBe('2027-01-21');
  });
  it('may be the last day of a month, of any length', () => {
    expect(dueOn({ monthsAfter: 1, day: 'LAST' }, '2024-01')).toBe('2024-02-29');
    expect(dueOn({ monthsAfter: 1, day: 'LAST' }, '2026-01')).toBe('2026-02-28');
    expect(dueOn({ monthsAfter: 1, day: 31 }, '2026-03')).toBe('2026-04-30');
  });
  it('may be a number of days after', () => {
    expect(dueOn({ daysAfter: 15 }, '2026-12')).toBe('2027-01-15');
    expect(dueOn({ daysAfter: 0 }, '2026-12')).toBe('2026-12-31');
    // Wednesday of the week after.
    expect(dueOn({ daysAfter: 3 }, '2026-W48', { weeks: 1, begins: '2024-01-01', who: 'Bookmakers.' })).toBe(
      '2026-12-02',
    );
  });
  it('may be another one for some taxpayers: for a Dutch return of a year 31 March', () => {
    const yearly: FilingRhythm = { months: 12, who: 'Some.', due: { monthsAfter: 3, day: 'LAST' } };
    expect(dueOn({ monthsAfter: 1, day: 'LAST' }, '2025', yearly)).toBe('2026-03-31');
  });
  it('may be a later one for periods that end with some month', () => {
    const dueOf = (form: string, zone: string, ...names: string[]) =>
      names.map((name) => {
        const p = readFilingPeriod(loadFilingForms().versions(form)[0]?.form as FilingForm, name, zone, now);
        return p instanceof Refusal ? p.message : p.dueOn;
      });
    const quarters = ['2026-Q1', '2026-Q2', '2026-Q3', '2026-Q4'];
    // Spain, art. 71(4) of its VAT regulation: 30 January; for months the 30th, of January the last of February.
    const spain = ['2026-04-20', '2026-07-20', '2026-10-20', '2027-01-30'];
    expect(dueOf('ES-303', 'Europe/Madrid', ...quarters)).toEqual(spain);
    const months = ['2026-01-30', '2026-02-28', '2026-03-30', '2026-04-30'];
    expect(dueOf('ES-303', 'Europe/Madrid', '2025-12', '2026-01', '2026-02', '2026-03')).toEqual(months);
    expect(dueOf('ES-420', 'Atlantic/Canary', '2026-Q4')).toEqual(['2027-01-31']);
    // Italy: that of the second quarter by 30 September.
    const italy = ['2026-05-31', '2026-09-30', '2026-11-30', '2027-02-28'];
    expect(dueOf('IT-LIPE', 'Europe/Rome', ...quarters)).toEqual(italy);
    // The three months of a quarter are sent together.
    expect(dueOf('IT-LIPE', 'Europe/Rome', '2026-01', '2026-02', '2026-03')).toEqual(Array(3).fill('2026-05-31'));
    expect(dueOf('IT-LIPE', 'Europe/Rome', '2026-04', '2026-05', '2026-06')).toEqual(Array(3).fill('2026-09-30'));
    expect(dueOf('IT-LIPE', 'Europe/Rome', '2026-10', '2026-11', '2026-12')).toEqual(Array(3).fill('2027-02-28'));
  });
});
