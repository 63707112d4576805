// What is asked of keys that did something: their names, to show who it was, and whether they were revoked since.
import type { PspId } from '../../core/ids.ts';
import type { Database } from '../../platform/database.ts';

/** Names by key id (UUID). @param psp whose keys; undefined for all */
export async function keyNames(
  db: Database,
  psp: PspId | undefined,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.query<{ id: string; name: string }>(
    'SELECT id, name FROM api_keys WHERE id = ANY ($1::uuid[]) AND ($2::uuid IS NULL OR psp_id = $2)',
    [ids, psp ?? null],
  );
  return new Map(rows.map((r) => [r.id, r.name]));
}

/** @param id of a key (UUID) */
export async function wasRevoked(db: Database, id: string): Promise<boolean> {
  const found = await db.query('SELECT 1 FROM api_keys WHERE id = $1 AND revoked_at IS NOT NULL', [id]);
  return found.length > 0;
}
