// The period of a report: a calendar month in the calendar of its account's country.
import { Type } from 'typebox';
import { addDays, dayMs, localDate } from '../../core/calendar.ts';
import { Refusal, refuse } from '../../core/refusal.ts';
import type { SaidFact } from '../../core/reports/document.ts';
import { type Month, monthOf, startOfDate } from '../../core/reports/period.ts';
import { type Quarter, quarterOf } from '../../core/reports/quarter.ts';
import { day, said } from '../../core/said.ts';
import type { Needs } from './needs.ts';
import type { ReportAsked } from './report.ts';

export const PeriodParameter = Type.String({
  description:
    "Calendar month `YYYY-MM` of the country of the account concerned, such as '2026-10'. The report filing takes any period of its form, in the form's country: '2026-10', '2026-Q3', '2026', '2026-07/2026-08', the week '2026-W48', the day '2026-11-23' or days '2026-11-22/2026-11-28'; by default the last finished one.",
  minLength: 1,
  maxLength: 21,
});
export const PeriodParameters = Type.Object({ period: PeriodParameter });

export interface ReportPeriod extends Month {
  readonly timeZone: string;
  /** True if it has not ended, so that figures may change. */
  readonly open: boolean;
}

/** The months a report may cover: from 2000 to the current one. */
export function readPeriod(
  asked: Pick<ReportAsked<Type.Static<typeof PeriodParameters>>, 'concerned' | 'now' | 'parameters'>,
  s: Needs<'reference' | 'rates'>,
): ReportPeriod | Refusal {
  const { period: name } = asked.parameters;
  const timeZone = timeZoneOf(s, asked.concerned.country);
  const month = monthOf(name, timeZone);
  if (!month)
    return refuse(
      'FIELD_INVALID',
      said`the field 'period' must be a month from 2000 on, written as 2026-10, not '${name}'`,
    );
  if (month.from > asked.now)
    return refuse(
      'FIELD_INVALID',
      said`the field 'period' names a month that has not started: ${name}; it is ${localDate(timeZone, asked.now)} there`,
    );
  return { ...month, timeZone, open: month.to > asked.now };
}

/** The quarters a report may cover: from 2000 to the current one. */
export function readQuarter(name: string, timeZone: string, now: number): Quarter | Refusal {
  const quarter = quarterOf(name, timeZone);
  if (!quarter)
    return refuse('FIELD_INVALID', said`the field 'quarter' must be written as 2026-Q3, not '${name.slice(0, 20)}'`);
  if (quarter.from > now)
    return refuse('FIELD_INVALID', said`the field 'quarter' names a quarter that has not started: ${quarter.name}`);
  return quarter;
}

/** @param alpha2 country of an account; UTC without one */
export function timeZoneOf(s: Needs<'reference' | 'rates'>, alpha2: string | null): string {
  if (alpha2 === null) return 'UTC';
  const country = s.reference.country(alpha2);
  return s.rates.book.country(alpha2)?.timeZone ?? (country instanceof Refusal ? undefined : country.timeZone) ?? 'UTC';
}

/** The same period, open as long as it has not ended in the calendar of each of these countries. */
export const openIn = (
  s: Needs<'reference' | 'rates'>,
  period: ReportPeriod,
  countries: readonly string[],
  now: number,
): ReportPeriod => ({
  ...period,
  open: period.open || countries.some((c) => startOfDate(timeZoneOf(s, c), addDays(period.last, 1)) > now),
});

/** Moments that contain the period's days in every country's calendar: zones are within 14 hours of UTC. */
export const widely = ({ first, last }: Pick<ReportPeriod, 'first' | 'last'>): [from: string, to: string] => [
  new Date(Date.parse(`${first}T00:00:00Z`) - dayMs).toISOString(),
  new Date(Date.parse(`${last}T00:00:00Z`) + 2 * dayMs).toISOString(),
];

/** The header facts of a report over a period. */
export const periodFacts = (
  asked: Pick<ReportAsked, 'concerned' | 'only'>,
  period: ReportPeriod,
): readonly SaidFact[] => [
  {
    name: 'account',
    title: 'Account',
    value: asked.only === undefined ? said`${asked.concerned.name} and all its clients` : asked.concerned.name,
  },
  periodFact(period),
];

/** The days of a period, and whether it has not ended. */
export const periodFact = ({
  first,
  last,
  timeZone,
  open,
}: Pick<ReportPeriod, 'first' | 'last' | 'timeZone' | 'open'>): SaidFact => ({
  name: 'period',
  title: 'Period',
  value: said`${day(first)} to ${day(last)}, ${timeZone}${open ? said`, still open` : ''}`,
});
