// Calls that one account reports twice, under two ids. Messages are left out: a long one is sent in parts.
import { mostLines, nearDuplicateS, sameDurationS } from '../../../core/cdr/thresholds.ts';
import { type Day, type FindingsScope, sliceOf, sliceSql } from './slice.ts';

export interface NearDuplicate {
  readonly account: string;
  /** Our ids of the record whose call began first and of the later one. */
  readonly first: string;
  readonly again: string;
  readonly firstCdrId: string;
  readonly againCdrId: string;
  readonly callStart: string;
  readonly cost: string | null;
  readonly currency: string | null;
}

const statement = `WITH r AS MATERIALIZED (
    SELECT id, account_id, cdr_id, call_start, duration_s, cost, currency, call_type,
      caller_number AS caller, receiver_number AS receiver
    ${sliceSql} AND call_type NOT IN ('SMS', 'MMS', 'USSD')
  ), beside AS (
    SELECT r.*, lag(id) OVER w AS first_id, lag(cdr_id) OVER w AS first_cdr_id,
      call_start - lag(call_start) OVER w AS apart, abs(duration_s - lag(duration_s) OVER w) AS longer
    FROM r WINDOW w AS (PARTITION BY account_id, caller, receiver, call_type ORDER BY call_start, id)
  ), found AS (
    SELECT * FROM beside
    WHERE apart <= interval '${nearDuplicateS} s' AND longer <= ${sameDurationS} AND call_start >= $5::timestamptz
  )
  SELECT *, count(*) OVER (PARTITION BY account_id) AS n, row_number() OVER (PARTITION BY account_id ORDER BY call_start, id) AS nth
  FROM found ORDER BY nth, account_id LIMIT $6::integer`;

export interface NearDuplicates {
  readonly count: number;
  readonly byAccount: ReadonlyMap<string, number>;
  /** The first near-duplicates, ordered by the start of the call. */
  readonly listed: readonly NearDuplicate[];
}

interface Repeat {
  readonly account_id: string;
  readonly n: number;
  readonly first_id: string;
  readonly id: string;
  readonly first_cdr_id: string;
  readonly cdr_id: string;
  readonly call_start: string;
  readonly cost: string | null;
  readonly currency: string | null;
}

export async function readNearDuplicates(s: FindingsScope, day: Day): Promise<NearDuplicates> {
  const rows = await s.db.query<Repeat>(statement, [
    ...sliceOf(s, day, nearDuplicateS),
    new Date(day.from).toISOString(),
    mostLines,
  ]);
  const byAccount = new Map(rows.map((r) => [r.account_id, r.n]));
  const listed = rows.map((r) => ({
    account: r.account_id,
    first: r.first_id,
    again: r.id,
    firstCdrId: r.first_cdr_id,
    againCdrId: r.cdr_id,
    callStart: r.call_start,
    cost: r.cost,
    currency: r.currency,
  }));
  return {
    count: [...byAccount.values()].reduce((a, b) => a + b, 0),
    byAccount,
    listed: listed.sort((a, b) => (a.callStart < b.callStart ? -1 : 1)),
  };
}
