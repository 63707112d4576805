// Periods of returns: '2026-09', '2026-Q3', '2026' or '2026-07/2026-08', in the calendar of the form's country, and the
// day a return is due. Pure.
import { localDate } from '../calendar.ts';
import { type Refusal, refuse } from '../refusal.ts';
import { startOfDate } from '../reports/period.ts';
import type { FilingDue, FilingForm, FilingRhythm } from './form.ts';

export interface FilingPeriod {
  /** In its shortest form: 2026-Q3, not 2026-07/2026-09. */
  readonly name: string;
  readonly months: number;
  /** First and last local date. */
  readonly first: string;
  readonly last: string;
  /** From its first moment up to, but not including, the first after it; milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
}

const two = (n: number): string => String(n).padStart(2, '0');
/** Months since the year 0. */
const monthNumber = (year: number, month: number): number => year * 12 + month - 1;
const monthName = (n: number): string => `${Math.floor(n / 12)}-${two((n % 12) + 1)}`;
const dayOf = (n: number, day: number): string =>
  new Date(Date.UTC(Math.floor(n / 12), n % 12, day)).toISOString().slice(0, 10);

const firstYear = 2000;
const lastYear = 9998;

/** First month and number of months. */
interface Span {
  readonly first: number;
  readonly months: number;
}

function spanOf(text: string): Span | undefined {
  const [, year, rest = ''] = /^(\d{4})(-.+)?$/.exec(text) ?? [];
  if (year === undefined || Number(year) < firstYear || Number(year) > lastYear) return undefined;
  if (rest === '') return { first: monthNumber(Number(year), 1), months: 12 };
  const quarter = /^-Q([1-4])$/.exec(rest)?.[1];
  if (quarter !== undefined) return { first: monthNumber(Number(year), Number(quarter) * 3 - 2), months: 3 };
  const [, from, toYear, to] = /^-(0[1-9]|1[0-2])(?:\/(\d{4})-(0[1-9]|1[0-2]))?$/.exec(rest) ?? [];
  if (from === undefined) return undefined;
  const first = monthNumber(Number(year), Number(from));
  if (to === undefined) return { first, months: 1 };
  const months = monthNumber(Number(toYear), Number(to)) - first + 1;
  return months >= 1 && months <= 12 ? { first, months } : undefined;
}

function nameOf({ first, months }: Span): string {
  if (months === 1) return monthName(first);
  if (months === 12 && first % 12 === 0) return String(first / 12);
  if (months === 3 && first % 3 === 0) return `${Math.floor(first / 12)}-Q${(first % 12) / 3 + 1}`;
  return `${monthName(first)}/${monthName(first + months - 1)}`;
}

const periodOf = (span: Span, timeZone: string): FilingPeriod => {
  const first = dayOf(span.first, 1);
  return {
    name: nameOf(span),
    months: span.months,
    first,
    last: dayOf(span.first + span.months, 0),
    from: startOfDate(timeZone, first),
    to: startOfDate(timeZone, dayOf(span.first + span.months, 1)),
  };
};

/** The months of the year in which a period of this rhythm may begin, 0 to 11. */
const begins = ({ months, firstMonth = 1 }: FilingRhythm): number[] =>
  Array.from({ length: 12 / months }, (_, i) => (firstMonth - 1 + i * months) % 12).sort((a, b) => a - b);

const isAllowed = (rhythm: FilingRhythm, { first, months }: Span): boolean =>
  rhythm.months === months && begins(rhythm).includes(first % 12);

/** Examples of what a form allows, all of one year. */
function allowedNames(rhythm: FilingRhythm, year: number): string {
  if (rhythm.months === 1) return `months such as ${year}-09`;
  return begins(rhythm)
    .map((b) => nameOf({ first: year * 12 + b, months: rhythm.months }))
    .join(', ');
}

/** The last period of the form's usual length that has ended. @param now milliseconds since the epoch */
export function lastFinished(form: Pick<FilingForm, 'periods'>, timeZone: string, now: number): FilingPeriod {
  const rhythm = form.periods[0] as FilingRhythm;
  const [year, month] = localDate(timeZone, now).split('-').map(Number) as [number, number];
  const today = monthNumber(year, month);
  for (let first = today - rhythm.months; ; first--)
    if (isAllowed(rhythm, { first, months: rhythm.months }))
      return periodOf({ first, months: rhythm.months }, timeZone);
}

/**
 * @param text undefined for the last finished period of the form's usual length
 * @param now milliseconds since the epoch
 * @returns a refusal that lists the form's periods if it is none of them
 */
export function readFilingPeriod(
  form: Pick<FilingForm, 'form' | 'periods'>,
  text: string | undefined,
  timeZone: string,
  now: number,
): FilingPeriod | Refusal {
  if (text === undefined) return lastFinished(form, timeZone, now);
  const span = spanOf(text);
  if (!span || !form.periods.some((r) => isAllowed(r, span))) {
    const year = span ? Math.floor(span.first / 12) : Number(localDate(timeZone, now).slice(0, 4));
    const lists = form.periods.map((r) => `${allowedNames(r, year)} (${r.who})`);
    return refuse(
      'FIELD_INVALID',
      `the field 'period' must be a period of the form ${form.form}, not '${text.slice(0, 40)}': ${lists.join('; ')}`,
    );
  }
  return periodOf(span, timeZone);
}

/** The day on which the return of a period is due; weekends and holidays are not considered. */
export function dueOn(due: FilingDue, { last }: Pick<FilingPeriod, 'last'>): string {
  const [year, month, day] = last.split('-').map(Number) as [number, number, number];
  if ('daysAfter' in due) return new Date(Date.UTC(year, month - 1, day + due.daysAfter)).toISOString().slice(0, 10);
  const in_ = monthNumber(year, month) + due.monthsAfter;
  const end = dayOf(in_ + 1, 0);
  return due.day === 'LAST' || due.day >= Number(end.slice(8)) ? end : dayOf(in_, due.day);
}
