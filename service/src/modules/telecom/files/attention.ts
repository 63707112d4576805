// How many call detail files are in work, and how many lines wait for somebody.
import type { Database } from '../../../platform/database.ts';

export interface CdrAttention {
  readonly filesInWork: number;
  readonly linesInSuspense: number;
}

/** @param account of its files alone */
export async function cdrAttention(
  db: Database,
  psps: readonly string[],
  account: string | undefined,
): Promise<CdrAttention> {
  const [r] = await db.query(
    `SELECT (SELECT count(*) FROM cdr_files f WHERE f.psp_id = ANY ($1::uuid[]) AND ($2::uuid IS NULL OR f.account_id = $2)
         AND f.state IN ('QUEUED', 'PROCESSING')) AS files,
       (SELECT count(*) FROM cdr_suspense s WHERE s.psp_id = ANY ($1::uuid[]) AND ($2::uuid IS NULL OR s.account_id = $2)
         AND s.state = 'OPEN') AS lines`,
    [psps, account ?? null],
  );
  return { filesInWork: r?.files as number, linesInSuspense: r?.lines as number };
}
