// The adjusting entries that include a transaction.
import type { PspId } from '../../core/ids.ts';
import type { Database } from '../../platform/database.ts';

/** Ids of the entries, as in the journal; each covers many transactions. */
export async function adjustmentsAbout(db: Database, psp: PspId, transaction: string): Promise<string[]> {
  const rows = await db.query<{ entry_id: string }>(
    'SELECT DISTINCT entry_id FROM adjustments WHERE psp_id = $1 AND transaction_id = $2',
    [psp, transaction],
  );
  return rows.map((r) => r.entry_id);
}
