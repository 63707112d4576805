// The keys of several PSPs' logs with their latest checkpoints, for those who check receipts of all of them.
import { formatKey } from '../../core/audit/note.ts';
import type { PspId } from '../../core/ids.ts';
import type { Database } from '../../platform/database.ts';
import { logKey } from './audit-key.ts';
import { findAuditKeys, findLastCheckpoints, withResigned } from './audit-store.ts';

export async function logKeyOf(db: Database, psps: readonly PspId[]) {
  const [stored] = await findAuditKeys(db);
  // Every start creates it before anything is served.
  if (!stored) throw new Error('the key of the seal is missing');
  const last = await withResigned(db, [...(await findLastCheckpoints(db, psps)).values()]);
  const notes = new Map(last.map((c) => [c.psp, c.note]));
  return (psp: PspId) => ({ key: formatKey(logKey(stored, psp)), checkpoint: notes.get(psp) ?? null });
}
