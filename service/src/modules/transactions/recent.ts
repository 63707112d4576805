// The newest transactions counted by minute and verdict: read from the end of the key, which is in the order of time, and
// never more than so many.
import type { PspId } from '../../core/ids.ts';
import type { Database } from '../../platform/database.ts';

export interface RecentMinute {
  /** ISO 8601, the minute's beginning. */
  readonly at: string;
  readonly status: 'PENDING' | 'APPROVED' | 'DECLINED';
  readonly count: number;
  /** When the oldest one counted was made. */
  readonly since: string;
}

/**
 * Made since a moment; of each PSP the newest `most`, and of all of them too.
 * @param account of it alone; its key is used then: the condition has a form for each case
 */
export const recentMinutes = (
  db: Database,
  psps: readonly PspId[],
  account: string | undefined,
  since: string,
  most: number,
): Promise<RecentMinute[]> =>
  db.query(
    `SELECT date_trunc('minute', created_at) AS at, status, count(*) AS count, min(created_at) AS since
     FROM (
       SELECT n.* FROM unnest($1::uuid[]) AS p(id) CROSS JOIN LATERAL (
         SELECT t.id, t.created_at, t.status FROM transactions t
         WHERE t.psp_id = p.id AND ${account === undefined ? '$2::uuid IS NULL' : 't.account_id = $2'} AND t.id >= uuid_floor($3) ORDER BY t.id DESC LIMIT $4
       ) n ORDER BY n.id DESC LIMIT $4
     ) newest GROUP BY 1, 2 ORDER BY 1, 2`,
    [psps, account ?? null, since, most],
  );
