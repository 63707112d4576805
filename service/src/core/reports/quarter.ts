// Calendar quarters in a country's own calendar, as moments. Pure.
import { lastDayOf } from '../calendar.ts';
import { monthOf } from './period.ts';

export interface Quarter {
  /** 2026-Q3. */
  readonly name: string;
  readonly year: number;
  readonly number: number;
  /** First and last local date. */
  readonly first: string;
  readonly last: string;
  /** From its first moment up to, but not including, the first of the next quarter; milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
}

/** The name of the quarter of a date or month: 2026-Q3 of 2026-08-14 and of 2026-08. */
export const quarterOn = (day: string): string => `${day.slice(0, 4)}-Q${Math.ceil(Number(day.slice(5, 7)) / 3)}`;

export const quarterEnd = (name: string): string =>
  lastDayOf(`${name.slice(0, 4)}-${String(Number(name.slice(6)) * 3).padStart(2, '0')}`);

/** @param name YYYY-Qn @returns undefined if it is not a calendar quarter from 2000 on */
export function quarterOf(name: string, timeZone: string): Quarter | undefined {
  const [, year, number] = /^([2-9]\d{3})-Q([1-4])$/.exec(name) ?? [];
  if (year === undefined || number === undefined) return undefined;
  const month = (n: number) => monthOf(`${year}-${String(n).padStart(2, '0')}`, timeZone);
  const begin = month(Number(number) * 3 - 2);
  const end = month(Number(number) * 3);
  return (
    begin &&
    end && {
      name,
      year: Number(year),
      number: Number(number),
      first: begin.first,
      last: end.last,
      from: begin.from,
      to: end.to,
    }
  );
}
