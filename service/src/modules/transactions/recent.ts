// Counts the newest transactions by minute and verdict: read from the end of the key, which is ordered by time, and
// never more than a fixed number.
import type { PspId } from '../../core/ids.ts';
import type { Database } from '../../platform/database.ts';

export interface RecentMinute {
  /** ISO 8601, start of the minute. */
  readonly at: string;
  readonly status: 'PENDING' | 'APPROVED' | 'DECLINED';
  readonly count: number;
  /** When the oldest counted one was created. */
  readonly since: string;
}

/**
 * Created since a moment; the newest `most` of each PSP, and in total.
 * @param account limits it to this account, by its own index: the condition has a form for each case
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
       SELECT n.* FROM journal_heads p CROSS JOIN LATERAL (
         SELECT t.id, t.created_at, t.status FROM transactions t
         WHERE t.psp_id = p.psp_id AND ${account === undefined ? '$2::uuid IS NULL' : 't.account_id = $2'} AND t.id >= uuid_floor($3) ORDER BY t.id DESC LIMIT $4
       ) n WHERE p.psp_id = ANY ($1::uuid[]) ORDER BY n.id DESC LIMIT $4
     ) newest GROUP BY 1, 2 ORDER BY 1, 2`,
    [psps, account, since, most],
  );
