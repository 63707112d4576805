// Calendar months in a country's own calendar, as moments. Pure.
import { lastDayOf, localDate } from '../calendar.ts';

export interface Month {
  /** YYYY-MM. */
  readonly name: string;
  /** First and last local date. */
  readonly first: string;
  readonly last: string;
  /** From its first moment up to, but not including, the first of the next month; milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
}

const quarterMs = 900_000;

/** The first moment of a local date; if summer time skips midnight, the first moment after it. */
export function startOfDate(timeZone: string, date: string): number {
  const utc = Date.parse(`${date}T00:00:00Z`);
  // Zones are within 14 hours of UTC, and their days begin on quarter hours.
  let before = utc / quarterMs - 64;
  let from = utc / quarterMs + 64;
  while (from - before > 1) {
    const middle = Math.floor((before + from) / 2);
    if (localDate(timeZone, middle * quarterMs) < date) before = middle;
    else from = middle;
  }
  return from * quarterMs;
}

/** @param name YYYY-MM @returns undefined if it is not a calendar month from 2000 on */
export function monthOf(name: string, timeZone: string): Month | undefined {
  if (!/^[2-9]\d{3}-(0[1-9]|1[0-2])$/.test(name)) return undefined;
  const [year, month] = name.split('-').map(Number) as [number, number];
  const first = `${name}-01`;
  const next = new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10);
  // The month after the year 9999 cannot be written with four digits.
  if (next.length !== 10 || next.startsWith('+')) return undefined;
  return { name, first, last: lastDayOf(name), from: startOfDate(timeZone, first), to: startOfDate(timeZone, next) };
}
