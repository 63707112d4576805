// Names of people who sign in, to show who did something.
import type { PspId } from '../../core/ids.ts';
import type { Database } from '../../platform/database.ts';

/** Names by id (UUID). @param psp whose people; undefined for all */
export async function userNames(
  db: Database,
  psp: PspId | undefined,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.query<{ id: string; name: string }>(
    'SELECT id, name FROM users WHERE id = ANY ($1::uuid[]) AND ($2::uuid IS NULL OR psp_id = $2)',
    [ids, psp ?? null],
  );
  return new Map(rows.map((r) => [r.id, r.name]));
}
