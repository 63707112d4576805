// When scheduled reports are due, and which days each covers. Times are local: summer time and the lengths of months are
// the time zone's and the calendar's. Pure.
import { addDays, lastDayOf, localDate } from '../calendar.ts';
import type { Parameters } from './manifest.ts';
import { quarterOn } from './quarter.ts';

export const rhythms = ['DAY', 'WEEK', 'MONTH'] as const;
export type Every = (typeof rhythms)[number];
export const coverings = ['FINISHED', 'RUNNING'] as const;
export type Covers = (typeof coverings)[number];

export interface Rhythm {
  readonly every: Every;
  /** Of the week, 1 is Monday; of the month, past its end the last one; null for DAY. */
  readonly onDay: number | null;
  readonly hour: number;
  /** IANA name. */
  readonly timeZone: string;
}

const quarterMs = 900_000;
const formatters = new Map<string, Intl.DateTimeFormat>();

/** YYYY-MM-DD HH at a moment in a time zone. */
function localHour(timeZone: string, ms: number): string {
  let f = formatters.get(timeZone);
  if (!f) {
    const parts = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit' } as const;
    f = new Intl.DateTimeFormat('en-CA', { timeZone, ...parts, hourCycle: 'h23' });
    formatters.set(timeZone, f);
  }
  return f.format(ms).replace(',', '');
}

/** The moment of an hour of a local date: the first one if clocks go back over it, the first after it if they skip it. */
function momentOf(timeZone: string, date: string, hour: number): number {
  const wanted = `${date} ${String(hour).padStart(2, '0')}`;
  const utc = Date.parse(`${date}T00:00:00Z`) / quarterMs + hour * 4;
  // Zones are within 14 hours of UTC, and change on quarter hours.
  let before = utc - 64;
  let from = utc + 64;
  while (from - before > 1) {
    const middle = Math.floor((before + from) / 2);
    if (localHour(timeZone, middle * quarterMs) < wanted) before = middle;
    else from = middle;
  }
  return from * quarterMs;
}

/** 1 is Monday. */
const weekdayOf = (date: string): number => ((new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7) + 1;

function isDueOn({ every, onDay }: Rhythm, date: string): boolean {
  if (every === 'DAY') return true;
  if (every === 'WEEK') return weekdayOf(date) === onDay;
  const last = Number(lastDayOf(date.slice(0, 7)).slice(8));
  return Number(date.slice(8)) === Math.min(onDay ?? 1, last);
}

/** More days than lie between two that are due. */
const longestDays = 70;

/** The first moment after `ms` at which a report is due. */
export function nextDue(r: Rhythm, ms: number): number {
  const first = addDays(localDate(r.timeZone, ms), -1);
  for (let day = 0; day < longestDays; day++) {
    const date = addDays(first, day);
    if (!isDueOn(r, date)) continue;
    const at = momentOf(r.timeZone, date, r.hour);
    if (at > ms) return at;
  }
  throw new Error(`no day is due by ${JSON.stringify(r)}`);
}

/** After a time without the service, so many of the reports that were due are made. */
export const mostMissed = 12;

/**
 * The moments up to `now` at which reports were due.
 * @param first the first of them
 * @returns the last ones, oldest first, how many earlier ones are left out, and the next one
 */
export function duesUntil(r: Rhythm, first: number, now: number): { dues: number[]; left: number; next: number } {
  const dues: number[] = [];
  let left = 0;
  let at = first;
  for (; at <= now; at = nextDue(r, at)) {
    dues.push(at);
    if (dues.length <= mostMissed) continue;
    dues.shift();
    left++;
  }
  return { dues, left, next: at };
}

/** Parameters that say for which days: a schedule fills them in. */
export const dayParameters = ['period', 'quarter', 'from', 'to'] as const;

const monthBefore = (month: string): string => addDays(`${month}-01`, -1).slice(0, 7);

/**
 * @param timeZone of the account, whose calendar the report has
 * @param wanted the parameters that the kind requires
 */
export function daysOf(
  { every }: Rhythm,
  covers: Covers,
  timeZone: string,
  dueMs: number,
  wanted: readonly string[],
): Parameters {
  const today = localDate(timeZone, dueMs);
  const month = today.slice(0, 7);
  const quarterStart = `${month.slice(0, 5)}${String(Math.floor((Number(month.slice(5)) - 1) / 3) * 3 + 1).padStart(2, '0')}`;
  const finished = covers === 'FINISHED';
  const monday = addDays(today, 1 - weekdayOf(today));
  const [from, to] = finished
    ? ({
        DAY: [addDays(today, -1), addDays(today, -1)],
        WEEK: [addDays(monday, -7), addDays(monday, -1)],
        MONTH: [`${monthBefore(month)}-01`, lastDayOf(monthBefore(month))],
      }[every] as [string, string])
    : [{ DAY: today, WEEK: monday, MONTH: `${month}-01` }[every], today];
  const days = {
    period: finished ? monthBefore(month) : month,
    quarter: quarterOn(finished ? monthBefore(quarterStart) : month),
    from,
    to,
  };
  return Object.fromEntries(dayParameters.filter((p) => wanted.includes(p)).map((p) => [p, days[p]]));
}
