// Numbers that make more calls on a day than a person makes, with their figures. Only subscribers of the reporting
// account are included: it knows their device or place.
import type { CallerDay } from '../../../core/cdr/standouts.ts';
import { outsizedCallsADay } from '../../../core/cdr/thresholds.ts';
import { callerShown, callsOnly, type Day, type FindingsScope, presented, sliceOf, sliceSql } from './slice.ts';

export interface CallerOf extends CallerDay {
  readonly account: string;
  /** The number as stored: its keyed hash; in rows of earlier versions, and for short codes, the number itself. */
  readonly number: string;
  /** The number as reports show it, see `callerShown`. */
  readonly shown: string;
}

const statement = `WITH r AS MATERIALIZED (
    SELECT account_id, caller_number AS caller, receiver_number AS receiver, ${callerShown} AS shown,
      caller_place AS place, caller_device AS device ${sliceSql} AND ${callsOnly} AND ${presented}
  ), busy AS (
    SELECT account_id, caller, min(shown) AS shown, count(*) AS made, count(DISTINCT receiver) AS receivers, count(place) AS placed,
      count(DISTINCT place) AS places
    FROM r GROUP BY account_id, caller
    HAVING count(*) >= ${outsizedCallsADay} AND count(place) + count(device) > 0
  ), heard AS (
    SELECT r.account_id, r.receiver, count(*) AS received FROM r
    WHERE r.receiver IN (SELECT caller FROM busy) GROUP BY r.account_id, r.receiver
  )
  SELECT b.account_id AS account, caller AS number, shown, made, receivers, placed, places, coalesce(h.received, 0) AS received
  FROM busy b
  LEFT JOIN heard h ON h.account_id = b.account_id AND h.receiver = b.caller
  ORDER BY b.account_id, b.caller`;

export async function readBusyCallers(s: FindingsScope, day: Day): Promise<CallerOf[]> {
  const rows = await s.db.query<Omit<CallerOf, 'date'>>(statement, sliceOf(s, day));
  return rows.map((r) => ({ ...r, date: day.date }));
}
