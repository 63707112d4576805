// Moments in words: absolute with the zone, exact to the second, and relative. A page has one zone for its rows and its
// filters, which its URL names (data/zone.ts); exact times add UTC and the reader's own time.

import { dateLocale, language, locale } from '../words/language.ts';
import { say } from '../words/words.ts';
import { isDay } from './days.ts';
import { utc, zoneHere } from './zone.ts';

type Form = 'short' | 'toSecond' | 'name';
const forms: Readonly<Record<Form, Intl.DateTimeFormatOptions>> = {
  short: { dateStyle: 'medium', timeStyle: 'short' },
  toSecond: { dateStyle: 'full', timeStyle: 'medium' },
  name: { timeZoneName: 'short' },
};
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(form: Form, timeZone: string): Intl.DateTimeFormat {
  const key = `${form} ${timeZone}`;
  let format = formats.get(key);
  if (!format) formats.set(key, (format = new Intl.DateTimeFormat(dateLocale, { ...forms[form], timeZone })));
  return format;
}

/** In French the first of a month is its 1er: Intl writes a numeral. */
export const inFull = (date: string): string =>
  language === 'fr' ? date.replace(/(^|\s)1(?=\s\p{L})/u, '$11er') : date;

const distance = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });

/** UTC, GMT+1 or BST, as the zone is called at that moment. */
const nameOf = (zone: string, moment: Date): string =>
  zone === utc
    ? utc
    : (formatOf('name', zone)
        .formatToParts(moment)
        .find((p) => p.type === 'timeZoneName')?.value ?? zone);

const inWords = (form: Form, at: string, zone: string, named: boolean): string => {
  const moment = new Date(at);
  if (Number.isNaN(moment.getTime())) return at;
  return `${inFull(formatOf(form, zone).format(moment))}${named ? ` ${nameOf(zone, moment)}` : ''}`;
};

/** 21 Nov 2026, 10:04 UTC */
export const absolute = (at: string, zone: string = utc): string => inWords('short', at, zone, true);

/** 21 Nov 2026, 10:04, for columns whose heading gives the zone. */
export const withoutZone = (at: string, zone: string = utc): string => inWords('short', at, zone, false);

/** Saturday 21 November 2026 at 11:04:09 GMT+1 · 21 Nov 2026, 10:04 UTC: in the page's zone, in UTC and in the reader's. */
export const exact = (at: string, zone: string = utc): string =>
  [
    inWords('toSecond', at, zone, true),
    ...[...new Set([utc, zoneHere()])].filter((z) => z !== zone).map((z) => inWords('short', at, z, true)),
  ].join(' · ');

const ofDay = new Intl.DateTimeFormat(dateLocale, { dateStyle: 'medium', timeZone: utc });

/** A calendar day: 2026-11-21 becomes 21 Nov 2026. */
export const dayInWords = (day: string): string => (isDay(day) ? inFull(ofDay.format(Date.parse(day))) : day);

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
  if (Math.abs(seconds) < 5) return say('just now');
  const [, unit, size] = steps.find(([limit]) => Math.abs(seconds) < limit) as (typeof steps)[number];
  return distance.format(Math.round(seconds / size), unit);
}
