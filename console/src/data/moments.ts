// Moments in words: absolute with the zone, exact to the second, and how long ago.
const zone = { timeZoneName: 'short' } as const;
const short = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const zoneOnly = new Intl.DateTimeFormat('en-GB', { ...zone, hour: 'numeric' });
const toSecond = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'long' });
const distance = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** 21 Nov 2026, 10:04 UTC */
export const absolute = (at: string): string => {
  const moment = new Date(at);
  if (Number.isNaN(moment.getTime())) return at;
  const name = zoneOnly.formatToParts(moment).find((p) => p.type === 'timeZoneName')?.value ?? '';
  return `${short.format(moment)} ${name}`;
};

/** 21 Nov 2026, 10:04, in the zone of whoever looks. */
export const local = (at: string): string => {
  const moment = new Date(at);
  return Number.isNaN(moment.getTime()) ? at : short.format(moment);
};

/** Saturday 21 November 2026 at 10:04:09 UTC */
export const exact = (at: string): string => {
  const moment = new Date(at);
  return Number.isNaN(moment.getTime()) ? at : toSecond.format(moment);
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
