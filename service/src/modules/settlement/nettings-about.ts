// The nettings related to a transaction: of its chargeback, or against it.
import type { PspId } from '../../core/ids.ts';
import type { Database } from '../../platform/database.ts';

/** Ids of the nettings, which their journal entries are about. @param chargeback the transaction's, if any */
export async function nettingsAbout(
  db: Database,
  psp: PspId,
  transaction: string,
  chargeback: string | undefined,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `SELECT id FROM nettings WHERE psp_id = $1 AND against_id = $2
     UNION SELECT id FROM nettings WHERE psp_id = $1 AND chargeback_id = $3`,
    [psp, transaction, chargeback],
  );
  return rows.map((r) => r.id);
}
