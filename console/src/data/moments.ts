// Moments in words: absolute with the zone, exact to the second, and relative. Every page uses UTC in rows and filters,
// so that a URL shows everybody the same; exact times add the reader's local time.
const short = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
const toSecond = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'long', timeZone: 'UTC' });
const here = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const zoneHere = here.resolvedOptions().timeZone;
const distance = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** 21 Nov 2026, 10:04 UTC */
export const absolute = (at: string): string => {
  const moment = new Date(at);
  return Number.isNaN(moment.getTime()) ? at : `${short.format(moment)} UTC`;
};

const ofDay = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });

/** A calendar day: 2026-11-21 becomes 21 Nov 2026. */
export const dayInWords = (day: string): string => (isDay(day) ? ofDay.format(Date.parse(day)) : day);

/** 21 Nov 2026, 10:04, in UTC, for columns whose heading gives the zone. */
export const withoutZone = (at: string): string => {
  const moment = new Date(at);
  return Number.isNaN(moment.getTime()) ? at : short.format(moment);
};

/** Saturday 21 November 2026 at 10:04:09 UTC · 21 Nov 2026, 11:04 in Africa/Lagos */
export const exact = (at: string): string => {
  const moment = new Date(at);
  if (Number.isNaN(moment.getTime())) return at;
  const own = zoneHere === 'UTC' ? '' : ` · ${here.format(moment)} in ${zoneHere}`;
  return `${toSecond.format(moment)}${own}`;
};

const steps: readonly [limit: number, unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  [60, 'second', 1],
  [3_600, 'minute', 60],
  [86_400, 'hour', 3_600],
  [30 * 86_400, 'day', 86_400],
  [365 * 86_400, 'month', 30 * 86_400],
  [Number.POSITIVE_INFINITY, 'year', 365 * 86_400],
];

/** "3 minutes ago", "in 2 days"; `now` in milliseconds. */
export function relative(at: string, now: number): string {
  const seconds = (Date.parse(at) - now) / 1000;
  if (Number.isNaN(seconds)) return '';
  if (Math.abs(seconds) < 5) return 'just now';
  const [, unit, size] = steps.find(([limit]) => Math.abs(seconds) < limit) as (typeof steps)[number];
  return distance.format(Math.round(seconds / size), unit);
}

const dayMs = 86_400_000;
const isDay = (text: string | undefined): text is string =>
  text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));

/** The day before a calendar day. */
export const dayBefore = (day: string): string => new Date(Date.parse(day) - dayMs).toISOString().slice(0, 10);

/** Turns the URL's days into moments: whole days in UTC, the last day included. Invalid days are left out. */
export function wholeDays(days: { readonly from?: string | undefined; readonly to?: string | undefined }) {
  return {
    from: isDay(days.from) ? new Date(Date.parse(days.from)).toISOString() : undefined,
    to: isDay(days.to) ? new Date(Date.parse(days.to) + dayMs).toISOString() : undefined,
  };
}
