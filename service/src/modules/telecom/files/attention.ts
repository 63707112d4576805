// Counts the call detail files in progress and the rejected lines that wait for a person.
import type { PspId } from '../../../core/ids.ts';
import { type Database, only } from '../../../platform/database.ts';

export interface CdrAttention {
  readonly filesInWork: number;
  readonly linesInSuspense: number;
}

/** @param account counts only the files of this account */
export const cdrAttention = async (
  db: Database,
  psps: readonly PspId[],
  account: string | undefined,
): Promise<CdrAttention> =>
  only(
    await db.query(
      `SELECT (SELECT count(*) FROM cdr_files f WHERE f.psp_id = ANY ($1::uuid[]) AND ($2::uuid IS NULL OR f.account_id = $2)
         AND f.state IN ('QUEUED', 'PROCESSING')) AS "filesInWork",
       (SELECT count(*) FROM cdr_suspense s WHERE s.psp_id = ANY ($1::uuid[]) AND ($2::uuid IS NULL OR s.account_id = $2)
         AND s.state = 'OPEN') AS "linesInSuspense"`,
      [psps, account],
    ),
  );
