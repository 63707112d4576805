// A reader's position in a PSP's journal, locked by one process at a time.
import type { PspId } from '../core/ids.ts';
import type { Database } from './database.ts';

/** Locks the cursor until the transaction ends and returns its position; undefined while another process has it. */
export async function holdCursor(tx: Database, psp: PspId, reader: string): Promise<number | undefined> {
  const held = async () => {
    const [cursor] = await tx.query<{ seq: number }>(
      'SELECT seq FROM journal_cursors WHERE psp_id = $1 AND reader = $2 FOR UPDATE SKIP LOCKED',
      [psp, reader],
    );
    return cursor?.seq;
  };
  const found = await held();
  if (found !== undefined) return found;
  // Missing, or locked by another process.
  await tx.query(
    `INSERT INTO journal_cursors (psp_id, reader, seq)
     SELECT $1, $2, 0 WHERE NOT EXISTS (SELECT 1 FROM journal_cursors WHERE psp_id = $1 AND reader = $2)
     ON CONFLICT DO NOTHING`,
    [psp, reader],
  );
  return held();
}
