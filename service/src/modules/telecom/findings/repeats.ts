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
  SELECT account_id AS account, first_id AS first, id AS again, first_cdr_id AS "firstCdrId", cdr_id AS "againCdrId",
    call_start AS "callStart", cost, currency, count(*) OVER (PARTITION BY account_id) AS n
  FROM found ORDER BY row_number() OVER (PARTITION BY account_id ORDER BY call_start, id), account_id LIMIT $6::integer`;

export interface NearDuplicates {
  readonly count: number;
  readonly byAccount: ReadonlyMap<string, number>;
  /** The first near-duplicates, ordered by the start of the call. */
  readonly listed: readonly NearDuplicate[];
}

export async function readNearDuplicates(s: FindingsScope, day: Day): Promise<NearDuplicates> {
  const rows = await s.db.query<NearDuplicate & { readonly n: number }>(statement, [
    ...sliceOf(s, day, nearDuplicateS),
    new Date(day.from).toISOString(),
    mostLines,
  ]);
  const byAccount = new Map(rows.map((r) => [r.account, r.n]));
  return {
    count: [...byAccount.values()].reduce((a, b) => a + b, 0),
    byAccount,
    listed: rows.map(({ n: _, ...d }) => d).sort((a, b) => (a.callStart < b.callStart ? -1 : 1)),
  };
}
