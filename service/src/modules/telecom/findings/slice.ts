// What all findings read: the records of some accounts whose calls began within a stretch of time, a day at a time. Every
// statement names the PSP first.
import { localDate } from '../../../core/calendar.ts';
import type { NamedAccount } from '../../../core/cdr/networks.ts';
import type { NumberRanges } from '../../../core/cdr/number-ranges.ts';
import { type PspId, toWire } from '../../../core/ids.ts';
import { accountWire } from '../../../core/transaction.ts';
import type { Database } from '../../../platform/database.ts';

export interface FindingsScope {
  /** One moment of the database. */
  readonly db: Database;
  readonly psp: PspId;
  /** Accounts (uuids) whose records are looked at. */
  readonly accounts: readonly string[];
  /** How the accounts are registered. */
  readonly registered: ReadonlyMap<string, NamedAccount>;
  readonly networks: Pick<NumberRanges, 'networkNamed'>;
  readonly period: FindingsPeriod;
}

export interface FindingsPeriod {
  /** From its first moment to, without it, the first after it; milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
  /** IANA name: days are those of this zone. */
  readonly timeZone: string;
}

export interface Day {
  readonly date: string;
  readonly from: number;
  readonly to: number;
}

const hourMs = 3_600_000;

/** The days of a period in its own calendar. */
export function daysOf({ from, to, timeZone }: FindingsPeriod): Day[] {
  const days: Day[] = [];
  for (let at = from; at < to; ) {
    const date = localDate(timeZone, at);
    // Days have 23 to 25 hours, and begin on quarter hours.
    let end = Math.min(at + 22 * hourMs, to);
    while (end < to && localDate(timeZone, end) === date) end = Math.min(end + hourMs / 4, to);
    days.push({ date, from: at, to: end });
    at = end;
  }
  return days;
}

/**
 * The records of `$2` whose calls began from `$3` on and before `$4`; a record's id is made when it comes, at most five
 * minutes before its call. The floor of ids is a query of its own, so that it is made once and not for every row.
 */
export const sliceSql = `FROM cdrs
  WHERE psp_id = $1 AND account_id = ANY ($2::uuid[]) AND call_start >= $3::timestamptz AND call_start < $4::timestamptz
    AND id >= (SELECT uuid_floor($3::timestamptz - interval '10 minutes'))`;

/** @param reachS seconds before the day that are looked at as well */
export const sliceOf = (s: FindingsScope, day: Day, reachS = 0): unknown[] => [
  s.psp,
  s.accounts,
  new Date(day.from - reachS * 1000).toISOString(),
  new Date(day.to).toISOString(),
];

/** The account as a report names it. */
export const accountOf = (s: FindingsScope, account: string): NamedAccount =>
  s.registered.get(account) ?? { name: accountWire(s.psp, account), country: undefined };

/** What a report shows of the caller: a short code, or the mask and the keyed hash of a number. Rows of before have the number. */
export const callerShown = `CASE WHEN caller_generation IS NULL THEN caller_number ELSE caller_mask || ' ' || caller_number END`;

/** Calls, of what a device or a caller can have one at a time. */
export const callsOnly = `call_type IN ('VOICE', 'VIDEO', 'VOIP')`;

/** Path of the list of records that shows just these. */
export const openIds = (ids: readonly string[]): string =>
  `/v1/telecom/cdr?ids=${ids.map((id) => toWire('cdr', id)).join()}`;

/** Path of the list of records whose calls began within a stretch, of one account or of all. */
export function openCalls(
  { psp }: Pick<FindingsScope, 'psp'>,
  account: string | undefined,
  { from, to }: { from: number; to: number },
  more: Readonly<Record<string, string>> = {},
): string {
  const query = new URLSearchParams({
    ...(account === undefined ? {} : { clientId: accountWire(psp, account) }),
    callFrom: new Date(from).toISOString(),
    callTo: new Date(to).toISOString(),
    ...more,
  });
  return `/v1/telecom/cdr?${query}`;
}
