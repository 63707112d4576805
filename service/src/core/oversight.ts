// What the people of an authority may read: records of one country, of some kinds and taxes, dated to certain days, until a
// moment. Pure.
import { addDays, lastDayOf } from './calendar.ts';
import type { IdKind } from './ids.ts';

export const overseenKinds = ['transaction', 'wager', 'payout'] as const satisfies readonly IdKind[];
export type OverseenKind = (typeof overseenKinds)[number];

/** What a view may name: the records that are listed, the baskets behind transactions, and calls. */
export const viewKinds = [...overseenKinds, 'basket', 'cdr'] as const satisfies readonly IdKind[];
export type ViewKind = (typeof viewKinds)[number];

export interface View {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** Codes of taxes; null for all of the country. */
  readonly taxCodes: readonly string[] | null;
  readonly recordKinds: readonly ViewKind[];
  /** Days in the country's calendar, inclusive; `dayTo` is null up to the present. */
  readonly dayFrom: string;
  readonly dayTo: string | null;
  /** ISO UTC. */
  readonly until: string;
}

interface Days {
  readonly from: string;
  readonly to: string;
}

/** Whether a tax is among those of the view. */
export const seesTax = ({ taxCodes }: View, code: string): boolean => taxCodes === null || taxCodes.includes(code);

/**
 * The days that are both in the view and asked for.
 * @param latest the last day that a record may be dated to now
 * @returns undefined if there is none
 */
export function commonDays({ dayFrom, dayTo }: View, asked: Days | undefined, latest: string): Days | undefined {
  const last = dayTo ?? latest;
  const from = asked !== undefined && asked.from > dayFrom ? asked.from : dayFrom;
  const to = asked !== undefined && asked.to < last ? asked.to : last;
  return from <= to ? { from, to } : undefined;
}

/** Whether a period lies within the days of the view as a whole. */
export const holdsPeriod = ({ dayFrom, dayTo }: View, { from, to }: Days): boolean =>
  from >= dayFrom && (dayTo === null || to <= dayTo);

/** The first and the last month (`YYYY-MM`) that the view has as a whole; the first is after the last if it has none. */
export function monthsIn({ dayFrom, dayTo }: View): { readonly first: string; readonly last: string } {
  const month = dayFrom.slice(0, 7);
  const first = dayFrom.endsWith('-01') ? month : addDays(lastDayOf(month), 1).slice(0, 7);
  if (dayTo === null) return { first, last: '9999-12' };
  const end = dayTo.slice(0, 7);
  return { first, last: lastDayOf(end) === dayTo ? end : addDays(`${end}-01`, -1).slice(0, 7) };
}
