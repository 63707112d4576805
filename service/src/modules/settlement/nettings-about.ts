// Which nettings a transaction has to do with: of its chargeback, or set off against it.
import type { PspId } from '../../core/ids.ts';
import type { Database } from '../../platform/database.ts';

/** Ids, which their journal entries are about. @param chargeback of the transaction, where it has one */
export async function nettingsAbout(
  db: Database,
  psp: PspId,
  transaction: string,
  chargeback: string | undefined,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `SELECT id FROM nettings WHERE psp_id = $1 AND against_id = $2
     UNION SELECT id FROM nettings WHERE psp_id = $1 AND chargeback_id = $3`,
    [psp, transaction, chargeback ?? null],
  );
  return rows.map((r) => r.id);
}
