// Periods of returns, in the calendar of the form's country: months, quarters, weeks, days, or days from one to another; and
// the day a return is due. Pure.
import { addDays, dayMs, isDate, localDate } from '../calendar.ts';
import { type Refusal, refuse, said } from '../refusal.ts';
import { startOfDate } from '../reports/period.ts';
import type { FilingDue, FilingForm, FilingRhythm, MonthsRhythm } from './form.ts';

export interface FilingPeriod {
  /** In its shortest form: 2026-Q3, not 2026-07/2026-09. */
  readonly name: string;
  /** First and last local date. */
  readonly first: string;
  readonly last: string;
  /** Day on which its return is due; weekends and holidays are not considered. */
  readonly dueOn: string;
  /** From its first moment up to, but not including, the first after it; milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
}

/** A period, whenever its return is due. */
export type PeriodDays = Pick<FilingPeriod, 'name' | 'first' | 'last'>;

interface Days {
  readonly first: string;
  readonly last: string;
}

type Periods = Pick<FilingForm, 'periods' | 'due'>;

const two = (n: number): string => String(n).padStart(2, '0');
/** Months since the year 0. */
const monthNumber = (year: number, month: number): number => year * 12 + month - 1;
const monthOf = (day: string): number => monthNumber(Number(day.slice(0, 4)), Number(day.slice(5, 7)));
const monthName = (n: number): string => `${Math.floor(n / 12)}-${two((n % 12) + 1)}`;
const dayOf = (n: number, day: number): string =>
  new Date(Date.UTC(Math.floor(n / 12), n % 12, day)).toISOString().slice(0, 10);

const firstYear = 2000;
const lastYear = 9998;

const monthsFrom = (first: number, months: number): Days => ({
  first: dayOf(first, 1),
  last: dayOf(first + months, 0),
});

const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / dayMs;

/** Monday of the first week of a year: that with the 4th of January, by ISO 8601. */
function firstMonday(year: number): string {
  const fourth = `${year}-01-04`;
  return addDays(fourth, -((new Date(fourth).getUTCDay() + 6) % 7));
}

/** The week of the year of a Monday, as 2026-W48. */
function weekName(monday: string): string {
  const year = Number(addDays(monday, 3).slice(0, 4));
  return `${year}-W${two(daysBetween(firstMonday(year), monday) / 7 + 1)}`;
}

function weekOf(year: number, week: number): Days | undefined {
  const first = addDays(firstMonday(year), (week - 1) * 7);
  return first < firstMonday(year + 1) ? { first, last: addDays(first, 6) } : undefined;
}

/** The days that a name stands for, whether or not a form has such a period. */
function daysOf(text: string): Days | undefined {
  const [, yearText, rest = ''] = /^(\d{4})(-.+)?$/.exec(text) ?? [];
  const year = Number(yearText);
  if (yearText === undefined || year < firstYear || year > lastYear) return undefined;
  if (rest === '') return monthsFrom(monthNumber(year, 1), 12);
  const quarter = /^-Q([1-4])$/.exec(rest)?.[1];
  if (quarter !== undefined) return monthsFrom(monthNumber(year, Number(quarter) * 3 - 2), 3);
  const week = /^-W(0[1-9]|[1-4]\d|5[0-3])$/.exec(rest)?.[1];
  if (week !== undefined) return weekOf(year, Number(week));
  const [first = '', last = first, more] = text.split('/');
  if (more !== undefined) return undefined;
  if (isDate(first) && isDate(last))
    return first <= last && daysBetween(first, last) < 366 ? { first, last } : undefined;
  if (!isDate(`${first}-01`) || !isDate(`${last}-01`)) return undefined;
  const from = monthOf(`${first}-01`);
  const months = monthOf(`${last}-01`) - from + 1;
  return months >= 1 && months <= 12 ? monthsFrom(from, months) : undefined;
}

function nameOf({ first, last }: Days): string {
  if (first.endsWith('-01') && addDays(last, 1).endsWith('-01')) {
    const [from, to] = [monthOf(first), monthOf(last)];
    const months = to - from + 1;
    if (months === 1) return monthName(from);
    if (months === 12 && from % 12 === 0) return String(from / 12);
    if (months === 3 && from % 3 === 0) return `${Math.floor(from / 12)}-Q${(from % 12) / 3 + 1}`;
    return `${monthName(from)}/${monthName(to)}`;
  }
  if (first === last) return first;
  const isWeek = daysBetween(first, last) === 6 && new Date(first).getUTCDay() === 1;
  return isWeek ? weekName(first) : `${first}/${last}`;
}

/** The period of a rhythm that a day is in. */
function around(rhythm: FilingRhythm, day: string): Days {
  if (rhythm.days !== undefined) return { first: day, last: day };
  if (rhythm.weeks !== undefined) {
    const length = rhythm.weeks * 7;
    const first = addDays(rhythm.begins, Math.floor(daysBetween(rhythm.begins, day) / length) * length);
    return { first, last: addDays(first, length - 1) };
  }
  const { months, firstMonth = 1, firstDay = 1 } = rhythm;
  const month = monthOf(day) - (Number(day.slice(8)) < firstDay ? 1 : 0);
  const first = month - ((month - (firstMonth - 1) + 12) % months);
  return { first: dayOf(first, firstDay), last: addDays(dayOf(first + months, firstDay), -1) };
}

const dueByLastMonth = (rhythm: FilingRhythm, last: string): FilingDue | undefined =>
  rhythm.months === undefined ? undefined : rhythm.dueByLastMonth?.[Number(last.slice(5, 7))];

const periodOf = (form: Periods, rhythm: FilingRhythm, { first, last }: Days, timeZone: string): FilingPeriod => ({
  name: nameOf({ first, last }),
  first,
  last,
  dueOn: dueOn(dueByLastMonth(rhythm, last) ?? rhythm.due ?? form.due, { last }),
  from: startOfDate(timeZone, first),
  to: startOfDate(timeZone, addDays(last, 1)),
});

/** Which of a form's rhythms has a period of exactly these days; undefined if none has. */
export function rhythmOf({ periods }: Pick<Periods, 'periods'>, { first, last }: Days): FilingRhythm | undefined {
  const firstMonth = Number(first.slice(5, 7));
  return periods
    .map((r) => (r.anyMonth ? { ...r, firstMonth } : r))
    .find((r) => {
      const own = around(r, first);
      return own.first === first && own.last === last;
    });
}

/** Months of the year in which a period may begin, 0 to 11. */
const begins = ({ months, firstMonth = 1 }: MonthsRhythm): number[] =>
  Array.from({ length: 12 / months }, (_, i) => (firstMonth - 1 + i * months) % 12).sort((a, b) => a - b);

/** Examples of what a form allows, all of one year. */
function allowedNames(rhythm: FilingRhythm, year: number): string {
  const named = (day: string) => nameOf(around(rhythm, day));
  if (rhythm.days !== undefined) return `days such as ${named(`${year}-09-10`)}`;
  if (rhythm.weeks !== undefined)
    return `${rhythm.weeks === 1 ? 'weeks' : `${rhythm.weeks} weeks`} such as ${named(`${year}-09-10`)}`;
  if (rhythm.months === 1) return `months such as ${named(`${year}-09-28`)}`;
  return `${begins(rhythm)
    .map((b) => named(dayOf(year * 12 + b, rhythm.firstDay ?? 1)))
    .join(', ')}${rhythm.anyMonth ? ' or of other months' : ''}`;
}

/** The period of a rhythm that is open at a moment. @param now milliseconds since the epoch */
export const currentPeriod = (form: Periods, rhythm: FilingRhythm, timeZone: string, now: number): FilingPeriod =>
  periodOf(form, rhythm, around(rhythm, localDate(timeZone, now)), timeZone);

/** The period of a rhythm before another one of it. */
export const periodBefore = (
  form: Periods,
  rhythm: FilingRhythm,
  timeZone: string,
  { first }: Pick<FilingPeriod, 'first'>,
): FilingPeriod => periodOf(form, rhythm, around(rhythm, addDays(first, -1)), timeZone);

/** The last period of the form's usual length that has ended. @param now milliseconds since the epoch */
export function lastFinished(form: Periods, timeZone: string, now: number): FilingPeriod {
  const rhythm = form.periods[0] as FilingRhythm;
  return periodBefore(form, rhythm, timeZone, currentPeriod(form, rhythm, timeZone, now));
}

/**
 * @param text undefined for the last finished period of the form's usual length
 * @param now milliseconds since the epoch
 * @returns a refusal that lists the form's periods if it is none of them
 */
export function readFilingPeriod(
  form: Periods & Pick<FilingForm, 'form'>,
  text: string | undefined,
  timeZone: string,
  now: number,
): FilingPeriod | Refusal {
  if (text === undefined) return lastFinished(form, timeZone, now);
  const days = daysOf(text);
  const rhythm = days && rhythmOf(form, days);
  if (!rhythm) {
    const year = Number((days?.first ?? localDate(timeZone, now)).slice(0, 4));
    const lists = form.periods.map((r) => `${allowedNames(r, year)} (${r.who})`);
    return refuse(
      'FIELD_INVALID',
      said`the field 'period' must be a period of the form ${form.form}, not '${text.slice(0, 40)}': ${lists.join('; ')}`,
    );
  }
  return periodOf(form, rhythm, days, timeZone);
}

function dueOn(due: FilingDue, { last }: Pick<FilingPeriod, 'last'>): string {
  if ('daysAfter' in due) return addDays(last, due.daysAfter);
  const in_ = monthOf(last) + due.monthsAfter;
  const end = dayOf(in_ + 1, 0);
  return due.day === 'LAST' || due.day >= Number(end.slice(8)) ? end : dayOf(in_, due.day);
}
