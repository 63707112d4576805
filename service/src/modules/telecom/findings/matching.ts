// Compares calls between networks where both sides report. The owner of a number is derived from the day's records: a
// block of numbers belongs to the account that reports most calls within the block.
import { mostLines, nearDuplicateS, portedCalls, sameCallS, sameDurationS } from '../../../core/cdr/thresholds.ts';
import { callsOnly, type Day, type FindingsScope, sliceOf, sliceSql } from './slice.ts';

export type MatchKind = 'MATCHED' | 'DIFFERS' | 'MISSING';

/** Calls of one day between two accounts. */
export interface MatchedDay {
  readonly kind: MatchKind;
  /** The two accounts; for MISSING, `a` reports the calls and `b` does not. */
  readonly a: string;
  readonly b: string;
  readonly count: number;
  /** Seconds by which the durations differ; for MISSING, the reported durations. */
  readonly seconds: number;
  /** The first calls; empty for MATCHED. */
  readonly calls: readonly MatchedCall[];
}

export interface MatchedCall {
  readonly ids: readonly string[];
  readonly cdrIds: readonly string[];
  readonly callStart: string;
  readonly durations: readonly number[];
}

/** Characters of a number that name its block, country code and network: `+234803`. */
const blockDigits = 7;

const statement = `WITH r AS MATERIALIZED (
    SELECT id, account_id, cdr_id, call_start, duration_s, caller, receiver,
      left(caller_shape, ${blockDigits}) AS caller_block, left(receiver_shape, ${blockDigits}) AS receiver_block
    FROM (SELECT *, caller_number AS caller, receiver_number AS receiver,
      coalesce(caller_mask, caller_number) AS caller_shape, coalesce(receiver_mask, receiver_number) AS receiver_shape
      ${sliceSql} AND ${callsOnly}) x
    WHERE caller_shape LIKE '+%' AND receiver_shape LIKE '+%'
  ), homes AS (
    SELECT DISTINCT ON (block) block, account_id FROM (
      SELECT caller_block AS block, account_id, count(*) AS n FROM r WHERE caller_block = receiver_block GROUP BY 1, 2
    ) x ORDER BY block, n DESC, account_id
  ), among AS (
    SELECT DISTINCT caller, receiver FROM r JOIN homes h ON h.block = caller_block
    WHERE caller_block = receiver_block AND h.account_id <> r.account_id
  ), crossing AS (
    -- Most calls stay within one network, and nobody else reports them: they are left out.
    SELECT * FROM r WHERE caller_block <> receiver_block OR (caller, receiver) IN (SELECT caller, receiver FROM among)
  ), once AS (
    SELECT * FROM (SELECT c.*, call_start - lag(call_start) OVER (
      PARTITION BY account_id, caller, receiver ORDER BY call_start, id) AS apart FROM crossing c) x
    WHERE apart IS NULL OR apart > interval '${nearDuplicateS} s'
  ), begun AS (
    SELECT once.*, coalesce(call_start - lag(call_start) OVER w > interval '${sameCallS} s', true)::integer AS begins
    FROM once WINDOW w AS (PARTITION BY caller, receiver ORDER BY call_start, id)
  ), calls AS (
    SELECT begun.*, sum(begins) OVER (PARTITION BY caller, receiver ORDER BY call_start, id) AS call FROM begun
  ), placed AS (
    SELECT calls.*, row_number() OVER (PARTITION BY caller, receiver, call, account_id ORDER BY call_start, id) AS k
    FROM calls
  ), sides AS (
    SELECT caller, receiver, min(caller_block) AS caller_block, min(receiver_block) AS receiver_block, count(*) AS reported, min(call_start) AS call_start,
      array_agg(account_id ORDER BY account_id) AS accounts, array_agg(id ORDER BY account_id) AS ids,
      array_agg(cdr_id ORDER BY account_id) AS cdr_ids, array_agg(duration_s ORDER BY account_id) AS durations,
      max(duration_s) - min(duration_s) AS differs
    FROM placed GROUP BY caller, receiver, call, k
    HAVING min(call_start) >= $5::timestamptz AND min(call_start) < $6::timestamptz
  ), both_sides AS (
    SELECT CASE WHEN differs > ${sameDurationS} THEN 'DIFFERS' ELSE 'MATCHED' END AS kind, accounts[1] AS a,
      accounts[2] AS b, differs AS seconds, ids, cdr_ids, call_start, durations
    FROM sides WHERE reported > 1
  ), alone AS (
    SELECT s.*, CASE WHEN c.account_id = accounts[1] THEN h.account_id ELSE c.account_id END AS other,
      CASE WHEN c.account_id = accounts[1] THEN receiver ELSE caller END AS number
    FROM sides s
    JOIN homes c ON c.block = caller_block
    JOIN homes h ON h.block = receiver_block
    WHERE reported = 1 AND c.account_id <> h.account_id AND accounts[1] IN (c.account_id, h.account_id)
  ), ported AS (
    SELECT other, number FROM alone GROUP BY other, number HAVING count(*) >= ${portedCalls}
    EXCEPT SELECT account_id, caller FROM r
    EXCEPT SELECT account_id, receiver FROM r
  ), found AS (
    SELECT * FROM both_sides
    UNION ALL
    SELECT 'MISSING', accounts[1], other, durations[1], ids, cdr_ids, call_start, durations FROM alone a
    WHERE NOT EXISTS (SELECT 1 FROM ported p WHERE p.other = a.other AND p.number = a.number)
  ), ordered AS (
    SELECT *, row_number() OVER (PARTITION BY kind, a, b ORDER BY call_start, ids) AS nth FROM found
  )
  SELECT kind, a, b, count(*) AS count, sum(seconds)::bigint AS seconds,
    coalesce(json_agg(json_build_array(ids, cdr_ids, to_char(call_start, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), durations)
      ORDER BY nth) FILTER (WHERE kind <> 'MATCHED' AND nth <= $7::integer), '[]') AS calls
  FROM ordered GROUP BY kind, a, b ORDER BY kind, a, b`;

/** Compares the calls of one day; the scope must have at least two accounts. */
export async function readMatches(s: FindingsScope, day: Day): Promise<MatchedDay[]> {
  // One more minute is read at both ends, so that calls at midnight find their other side.
  const around = { ...day, to: day.to + 60_000 };
  const rows = await s.db.query<Omit<MatchedDay, 'calls'> & { readonly calls: string }>(statement, [
    ...sliceOf(s, around, 60),
    new Date(day.from).toISOString(),
    new Date(day.to).toISOString(),
    mostLines,
  ]);
  return rows.map((r) => ({
    ...r,
    calls: (JSON.parse(r.calls) as [string[], string[], string, number[]][]).map(
      ([ids, cdrIds, callStart, durations]) => ({ ids, cdrIds, callStart, durations }),
    ),
  }));
}
