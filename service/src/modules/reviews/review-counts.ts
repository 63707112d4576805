// The number of open reviews, from an index.
import type { PspId } from '../../core/ids.ts';
import { type Database, only } from '../../platform/database.ts';

/** @param account limits it to this account's transactions */
export async function countOpenReviews(
  db: Database,
  psps: readonly PspId[],
  account: string | undefined,
): Promise<number> {
  const counts = await db.query<{ n: number }>(
    `SELECT count(*) AS n FROM reviews
     WHERE psp_id = ANY ($1::uuid[]) AND state = 'OPEN' AND ($2::uuid IS NULL OR account_id = $2)`,
    [psps, account ?? null],
  );
  return only(counts).n;
}
