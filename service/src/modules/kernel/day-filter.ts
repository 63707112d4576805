// Filters that find the rows behind a figure of daily totals: local days, place, rule, client.
import { Type } from 'typebox';
import { dayMs, isDate } from '../../core/calendar.ts';
import { Refusal, refuse, said } from '../../core/refusal.ts';
import { startOfDate } from '../../core/reports/period.ts';
import { CountryCode } from './amounts.ts';
import type { Needs } from './needs.ts';
import { clientQuery } from './paging.ts';
import { form } from './text-forms.ts';

const day = (description: string) => Type.Optional(Type.String({ description, minLength: 10, maxLength: 10 }));

export const dayQuery = {
  dayFrom: day('First day, in the calendar of the country whose taxes apply. Requires dayTo.'),
  dayTo: day('Last day, in the same calendar.'),
};

/** A currency or asset to look for; one that is none of either form is refused, not looked for in vain. */
export const CurrencyQuery = Type.Optional(
  Type.String({
    description: 'ISO 4217 code or symbol of a crypto asset, any case.',
    ...form('^[A-Za-z0-9]+$', 'letters and digits alone, such as NGN or BTC'),
    minLength: 1,
    maxLength: 12,
  }),
);

/** A country to look for; an unknown code is refused, not looked for in vain. */
export const CountryQuery = Type.Optional(CountryCode);

/** The country asked for, as records name it. @throws QUERY_INVALID */
export function countryIn(s: Needs<'reference'>, q: { readonly countryCode?: string }): string | undefined {
  if (q.countryCode === undefined) return undefined;
  const country = s.reference.country(q.countryCode);
  if (country instanceof Refusal)
    throw refuse(
      'QUERY_INVALID',
      said`the query parameter 'countryCode' is not an ISO 3166-1 country code: '${q.countryCode}'`,
    );
  return country.alpha2;
}

export const rowsQuery = {
  ...dayQuery,
  countryCode: CountryQuery,
  currency: CurrencyQuery,
  rule: Type.Optional(Type.String({ description: 'Only what this rule taxed.', maxLength: 80 })),
  ...clientQuery,
};

export interface Days {
  /** Local dates, both inclusive. */
  readonly from: string;
  readonly to: string;
}

export interface DayRange extends Days {
  /** Ids created between these moments include every row that was dated to these days when created. */
  readonly made: Moments;
  /** The days themselves as moments, if they are one country's. */
  readonly exact: Moments | undefined;
}

export interface Moments {
  readonly from: string;
  readonly to: string;
}

interface DaysAsked {
  readonly dayFrom?: string;
  readonly dayTo?: string;
}

/** Whether a text is a day that a range may begin or end with. */
export const isDay = (text: string | undefined): text is string => isDate(text) && /^2/.test(text);

/** @throws QUERY_INVALID */
export function readDays(q: DaysAsked): Days | undefined {
  if (q.dayFrom === undefined && q.dayTo === undefined) return undefined;
  for (const [name, other] of [
    ['dayFrom', 'dayTo'],
    ['dayTo', 'dayFrom'],
  ] as const)
    if (q[name] === undefined)
      throw refuse('QUERY_INVALID', said`the query parameter '${name}' is missing; '${other}' goes with it`);
    else if (!isDay(q[name]))
      throw refuse('QUERY_INVALID', said`the query parameter '${name}' must be a date from 2000 on: 2026-11-21`);
  const [from, to] = [q.dayFrom as string, q.dayTo as string];
  if (to < from) throw refuse('QUERY_INVALID', "the query parameter 'dayTo' is before 'dayFrom'");
  return { from, to };
}

/** An id is created within this time after its record's day was determined. */
const slackMs = 60_000;
/** Zones are within 14 hours of UTC. */
const anyZoneMs = 14 * 3_600_000;

/** @throws QUERY_INVALID */
export function readDayRange(s: Needs<'rates'>, q: DaysAsked & { countryCode?: string }): DayRange | undefined {
  const days = readDays(q);
  if (!days) return undefined;
  const [first, end] = [Date.parse(`${days.from}T00:00:00Z`), Date.parse(`${days.to}T00:00:00Z`) + dayMs];
  const iso = (from: number, to: number): Moments => ({
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
  });
  if (q.countryCode === undefined)
    return { ...days, made: iso(first - anyZoneMs - slackMs, end + anyZoneMs + slackMs), exact: undefined };
  const zone = s.rates.book.country(q.countryCode)?.timeZone ?? 'UTC';
  const next = new Date(end).toISOString().slice(0, 10);
  const [from, to] = [startOfDate(zone, days.from), startOfDate(zone, next)];
  return { ...days, made: iso(from - slackMs, to + slackMs), exact: iso(from, to) };
}
