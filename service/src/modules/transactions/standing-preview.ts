// Which decisions of a client, or of all clients of a PSP, a change of standing would have turned: read in groups by what
// decided them, so that a month of them is one statement. Changes nothing.
import type { PspId } from '../../core/ids.ts';
import type { Obstacle } from '../../core/obstacles.ts';
import type { Database } from '../../platform/database.ts';

/** Decisions with the same verdict for the same reasons in the same currency. */
export interface DecisionGroup {
  readonly account: string;
  readonly status: 'APPROVED' | 'DECLINED';
  /** Null where nothing was in the way, or an earlier version did not note what was. */
  readonly obstacles: readonly Obstacle[] | null;
  /** Whether it was noted what decided. */
  readonly noted: boolean;
  /** Whether they were made at or after the moment that was asked for. */
  readonly later: boolean;
  readonly currency: string;
  readonly count: number;
  /** Exact decimal text. */
  readonly total: string;
  /** The newest ones. */
  readonly newest: readonly { readonly id: string; readonly amount: string; readonly at: string }[];
}

const mostExamples = 5;

/**
 * What the standing decided of what was recorded since a moment. A transaction that its recorder declined is not among
 * them: no standing would have admitted it.
 * @param account undefined for all of the PSP
 * @param later a moment by which the groups are divided
 */
export async function decisionGroups(
  db: Database,
  f: { readonly psp: PspId; readonly account: string | undefined; readonly since: string; readonly later: string },
): Promise<DecisionGroup[]> {
  const rows = await db.query<{
    account: string;
    status: 'APPROVED' | 'DECLINED';
    obstacles: string | null;
    noted: boolean;
    later: boolean;
    currency: string;
    count: number;
    total: string;
    ids: readonly string[];
    amounts: readonly string[];
    moments: readonly string[];
  }>(
    `WITH decided AS (
       SELECT account_id, status, currency, id, amount, updated_at,
         evidence::json #>> '{standing,obstacles}' AS obstacles,
         evidence::json #>> '{standing,version}' IS NOT NULL AS noted,
         updated_at >= $4::timestamptz AS later
       FROM transactions
       WHERE psp_id = $1 AND ($2::uuid IS NULL OR account_id = $2) AND id >= uuid_floor($3::timestamptz)
         AND (status = 'APPROVED' OR (status = 'DECLINED' AND reason NOT LIKE 'declined by %'))
     ), numbered AS (
       SELECT *, row_number() OVER (PARTITION BY account_id, status, obstacles, noted, later, currency ORDER BY id DESC) AS n
       FROM decided
     )
     SELECT account_id AS account, status, obstacles, noted, later, currency, count(*) AS count, sum(amount)::text AS total,
       array_agg(id::text ORDER BY id DESC) FILTER (WHERE n <= ${mostExamples}) AS ids,
       array_agg(amount::text ORDER BY id DESC) FILTER (WHERE n <= ${mostExamples}) AS amounts,
       array_agg(to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') ORDER BY id DESC)
         FILTER (WHERE n <= ${mostExamples}) AS moments
     FROM numbered GROUP BY account_id, status, obstacles, noted, later, currency`,
    [f.psp, f.account ?? null, f.since, f.later],
  );
  return rows.map(({ obstacles, ids, amounts, moments, ...r }) => ({
    ...r,
    obstacles: obstacles === null ? null : (JSON.parse(obstacles) as readonly Obstacle[]),
    newest: ids.map((id, i) => ({ id, amount: amounts[i] as string, at: moments[i] as string })),
  }));
}
