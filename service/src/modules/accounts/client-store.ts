// Further SQL on clients: registrations by number, and the keys of an account that are not revoked.
import type { PspId } from '../../core/ids.ts';
import type { RefKey } from '../../platform/committer.ts';
import type { Database } from '../../platform/database.ts';

/** The account (UUID) that a registration created. */
export async function findRegisteredId(db: Database, gate: RefKey): Promise<string | undefined> {
  const [r] = await db.query<{ target_id: string }>(
    'SELECT target_id FROM refs WHERE psp_id = $1 AND space = $2 AND ref = $3 AND account_id = $4',
    [gate.psp, gate.space, gate.ref, gate.account],
  );
  return r?.target_id;
}

export interface LiveKey {
  readonly id: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

/** Keys of an account that are not revoked. */
export async function findLiveKeys(db: Database, a: { psp: PspId; id: string }): Promise<LiveKey[]> {
  return db.query<LiveKey>(
    `SELECT id, created_at AS "createdAt", last_used_at AS "lastUsedAt" FROM api_keys
     WHERE psp_id = $1 AND account_id = $2 AND revoked_at IS NULL`,
    [a.psp, a.id],
  );
}
