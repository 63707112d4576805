// All SQL on the auditor's state: a cursor per PSP, the size of the checkpoint it accepted last.
import type { PspId } from '../../core/ids.ts';
import type { Database } from '../../platform/database.ts';
import {
  checkpointColumns,
  type FoundCheckpoint,
  type StoredCheckpoint,
  storedCheckpoint,
  withResigned,
} from './audit-store.ts';
import { sealerName } from './sealer.ts';

/** Under which the auditor's cursors are stored. */
export const auditorCursor = 'auditor';

/** The newest checkpoint of a PSP. */
export interface NewForAuditor extends StoredCheckpoint {
  /** Size of the checkpoint the auditor accepted last; 0 for none. */
  readonly held: number;
  /** When that checkpoint was sealed; null if there is none. */
  readonly heldSealedAt: string | null;
}

/** @param also PSPs to include even if the auditor has their newest checkpoint; undefined for all */
export async function findNewForAuditor(db: Database, also?: readonly string[]): Promise<NewForAuditor[]> {
  const rows = await db.query<FoundCheckpoint & Pick<NewForAuditor, 'held' | 'heldSealedAt'>>(
    `SELECT ${checkpointColumns('n')}, coalesce(a.seq, 0)::bigint AS held, h.sealed_at AS "heldSealedAt"
     FROM journal_cursors s
     LEFT JOIN journal_cursors a ON a.psp_id = s.psp_id AND a.reader = $2
     LEFT JOIN audit_checkpoints h ON h.psp_id = s.psp_id AND h.size = a.seq
     CROSS JOIN LATERAL (
       SELECT * FROM audit_checkpoints c WHERE c.psp_id = s.psp_id ORDER BY c.size DESC LIMIT 1
     ) n
     WHERE s.reader = $1 
       AND (s.seq > coalesce(a.seq, 0) OR $3::uuid[] IS NULL OR s.psp_id = ANY ($3)) ORDER BY s.psp_id`,
    [sealerName, auditorCursor, also],
  );
  return withResigned(db, rows.map(storedCheckpoint));
}

export async function storeHeldByAuditor(db: Database, psp: PspId, size: number): Promise<void> {
  await db.query(
    `INSERT INTO journal_cursors (psp_id, reader, seq) VALUES ($1, $2, $3)
     ON CONFLICT (psp_id, reader) DO UPDATE SET seq = excluded.seq`,
    [psp, auditorCursor, size],
  );
}
