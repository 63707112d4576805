// Calendar days, written 2026-11-21: arithmetic on them, the moments they begin at in a zone, and ranges by name. Reads no
// clock.
import { say } from '../words/words.ts';
import { utc, zoneOf } from './zone.ts';

const dayMs = 86_400_000;

export const isDay = (text: string | undefined): text is string =>
  text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));

/** The day so many days later; earlier if negative. */
export const daysAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);

/** The day before a calendar day. */
export const dayBefore = (day: string): string => daysAfter(day, -1);

const fields = new Map<string, Intl.DateTimeFormat>();

/** The date and time that clocks of the zone show, as if it were UTC, in milliseconds. */
function shownAt(moment: number, zone: string): number {
  let format = fields.get(zone);
  if (!format) {
    const digits = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const;
    format = new Intl.DateTimeFormat('en-GB', { ...digits, second: '2-digit', hourCycle: 'h23', timeZone: zone });
    fields.set(zone, format);
  }
  const parts = Object.fromEntries(format.formatToParts(moment).map((p) => [p.type, Number(p.value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** The calendar day of a moment in a zone. */
export const dayOf = (moment: number, zone: string): string =>
  new Date(shownAt(moment, zone)).toISOString().slice(0, 10);

/** The first moment of a day in a zone, also where its clocks are changed at midnight. */
export function startOf(day: string, zone: string): number {
  const midnight = Date.parse(day);
  if (zone === utc) return midnight;
  const offset = (moment: number) => shownAt(moment, zone) - moment;
  const near = midnight - offset(midnight);
  // Where a midnight is left out, one of the two is still the day before.
  const [first = near] = [near, midnight - offset(near)].filter((m) => dayOf(m, zone) === day).sort((a, b) => a - b);
  return first;
}

interface Days {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly zone?: string | undefined;
}

const isMoment = (text: string | undefined): boolean =>
  /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(text ?? '') && !Number.isNaN(Date.parse(text as string));

/**
 * Turns the URL's days into moments: whole days of its zone, the last day included. Moments, which links of reports name,
 * stay as they are; what is neither is left out.
 */
export function wholeDays(days: Days): { from: string | undefined; to: string | undefined } {
  const zone = zoneOf(days);
  const at = (text: string | undefined, after: number) =>
    isDay(text) ? new Date(startOf(daysAfter(text, after), zone)).toISOString() : isMoment(text) ? text : undefined;
  return { from: at(days.from, 0), to: at(days.to, 1) };
}

/** Ranges that are chosen by name: the first and last day, given today. */
export const ranges = {
  today: { label: say('Today'), of: (today: string) => [today, today] },
  yesterday: { label: say('Yesterday'), of: (today: string) => [dayBefore(today), dayBefore(today)] },
  week: { label: say('Last 7 days'), of: (today: string) => [daysAfter(today, -6), today] },
  thisWeek: { label: say('This week'), of: (today: string) => [monday(today), today] },
  lastWeek: {
    label: say('Last week'),
    of: (today: string) => [daysAfter(monday(today), -7), dayBefore(monday(today))],
  },
  month: { label: say('This month'), of: (today: string) => [firstOfMonth(today), today] },
  lastMonth: {
    label: say('Last month'),
    of: (today: string) => [firstOfMonth(dayBefore(firstOfMonth(today))), dayBefore(firstOfMonth(today))],
  },
} as const satisfies Readonly<Record<string, { label: string; of(today: string): readonly string[] }>>;
export type Range = keyof typeof ranges;

const firstOfMonth = (day: string): string => `${day.slice(0, 8)}01`;
const monday = (day: string): string => daysAfter(day, -((new Date(Date.parse(day)).getUTCDay() + 6) % 7));

/** The name of a range, if these days have one today. */
export const rangeOf = (days: Days, today: string): Range | undefined =>
  (Object.keys(ranges) as Range[]).find((name) => {
    const [from, to] = ranges[name].of(today);
    return from === days.from && to === days.to;
  });
