// The records that all findings read: those of some accounts whose calls began in a span of time, a day per statement.
// Every statement filters by the PSP first.
import { localDate } from '../../../core/calendar.ts';
import { withheldNumber } from '../../../core/cdr/fields.ts';
import type { NamedAccount } from '../../../core/cdr/networks.ts';
import type { NumberRanges } from '../../../core/cdr/number-ranges.ts';
import { accountWire, type PspId, toWire } from '../../../core/ids.ts';
import type { Database } from '../../../platform/database.ts';

export interface FindingsScope {
  /** Reads from one snapshot of the database. */
  readonly db: Database;
  readonly psp: PspId;
  /** Accounts (uuids) whose records are read. */
  readonly accounts: readonly string[];
  /** Registered name and country, by account. */
  readonly registered: ReadonlyMap<string, NamedAccount>;
  readonly networks: Pick<NumberRanges, 'networkNamed'>;
  readonly period: FindingsPeriod;
}

export interface FindingsPeriod {
  /** Milliseconds since the epoch; `from` is inclusive, `to` exclusive. */
  readonly from: number;
  readonly to: number;
  /** IANA name of the time zone that days are counted in. */
  readonly timeZone: string;
}

export interface Day {
  readonly date: string;
  readonly from: number;
  readonly to: number;
}

const hourMs = 3_600_000;

/** The days of a period in its time zone. */
export function daysOf({ from, to, timeZone }: FindingsPeriod): Day[] {
  const days: Day[] = [];
  for (let at = from; at < to; ) {
    const date = localDate(timeZone, at);
    // A day has 23 to 25 hours and begins on a quarter hour.
    let end = Math.min(at + 22 * hourMs, to);
    while (end < to && localDate(timeZone, end) === date) end = Math.min(end + hourMs / 4, to);
    days.push({ date, from: at, to: end });
    at = end;
  }
  return days;
}

/** SQL: the record was not withdrawn. */
export const notWithdrawn = 'NOT EXISTS (SELECT FROM cdr_withdrawals w WHERE w.psp_id = $1 AND w.id = cdrs.id)';

/**
 * Records of the accounts `$2` whose calls began at or after `$3` and before `$4`. A record's id is made when it comes,
 * at most five minutes before its call, so the ids have a lower bound. The bound is a subquery, so that it is computed
 * once and not for every row.
 */
export const sliceSql = `FROM cdrs
  WHERE psp_id = $1 AND account_id = ANY ($2::uuid[]) AND call_start >= $3::timestamptz AND call_start < $4::timestamptz
    AND id >= (SELECT uuid_floor($3::timestamptz - interval '10 minutes')) AND ${notWithdrawn}`;

/** Parameters of `sliceSql`. @param reachS seconds before the day that are read as well */
export const sliceOf = (s: FindingsScope, day: Day, reachS = 0): unknown[] => [
  s.psp,
  s.accounts,
  new Date(day.from - reachS * 1000).toISOString(),
  new Date(day.to).toISOString(),
];

/** Name and country of an account, as registered; an unknown account is named by its id. */
export const accountOf = (s: FindingsScope, account: string): NamedAccount =>
  s.registered.get(account) ?? { name: accountWire(s.psp, account), country: undefined };

/** SQL: the caller as reports show it: mask and keyed hash; a short code, or a row of an earlier version, as stored. */
export const callerShown = `CASE WHEN caller_generation IS NULL THEN caller_number ELSE caller_mask || ' ' || caller_number END`;

/** SQL: calls only, of which a device or a caller has one at a time. */
export const callsOnly = `call_type IN ('VOICE', 'VIDEO', 'VOIP')`;

/** SQL: the caller's number was presented. Those that were withheld are of many callers. */
export const presented = `caller_number <> '${withheldNumber}'`;

/** Path of the list of exactly these records. */
export const openIds = (ids: readonly string[]): string =>
  `/v1/telecom/cdr?ids=${ids.map((id) => toWire('cdr', id)).join()}`;

/** Path of the list of records whose calls began in a span of time, of one account or of all. */
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
