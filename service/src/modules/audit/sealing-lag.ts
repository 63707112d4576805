// How far the seal lags behind the journal: number of entries, and age of the oldest unsealed one.
import type { PspId } from '../../core/ids.ts';
import { type Database, only } from '../../platform/database.ts';
import { sealerName } from './sealer.ts';

export interface SealingLag {
  readonly entries: number;
  /** Time-ordered id (UUID) of the oldest unsealed entry; undefined if all are sealed. */
  readonly oldest: string | undefined;
}

/** @param psps if not given, of all journals: also those of operators, of test tenants and of the service itself */
export async function sealingLag(db: Database, psps?: readonly PspId[]): Promise<SealingLag> {
  const lags = await db.query<{ entries: number; oldest: string | null }>(
    `SELECT coalesce(sum(h.seq - coalesce(c.seq, 0)), 0)::bigint AS entries, min(j.id::text) AS oldest
     FROM journal_heads h LEFT JOIN journal_cursors c ON c.psp_id = h.psp_id AND c.reader = $2
     LEFT JOIN LATERAL (
       SELECT id FROM journal j WHERE j.psp_id = h.psp_id AND j.seq = coalesce(c.seq, 0) + 1 LIMIT 1
     ) j ON true
     WHERE ($1::uuid[] IS NULL OR h.psp_id = ANY ($1)) AND h.seq > coalesce(c.seq, 0)`,
    [psps, sealerName],
  );
  const { entries, oldest } = only(lags);
  return { entries, oldest: oldest ?? undefined };
}
