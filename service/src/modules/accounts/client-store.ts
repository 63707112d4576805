// SQL on clients beside what every decision needs of accounts: registrations by their number, keys never used, changes
// of what is registered.
import type { RefKey } from '../../platform/committer.ts';
import type { Database } from '../../platform/database.ts';
import type { SubjectKey } from '../kernel/subjects.ts';
import type { Account } from './accounts.ts';

/** The account (uuid) that a registration made. */
export async function findRegisteredId(db: Database, gate: RefKey): Promise<string | undefined> {
  const [r] = await db.query(
    'SELECT target_id FROM refs WHERE psp_id = $1 AND space = $2 AND ref = $3 AND account_id = $4',
    [gate.psp, gate.space, gate.ref, gate.account],
  );
  return r?.target_id as string | undefined;
}

export interface LiveKey {
  readonly id: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

/** Keys of an account that were not revoked. */
export async function findLiveKeys(db: Database, a: { psp: string; id: string }): Promise<LiveKey[]> {
  const rows = await db.query(
    'SELECT id, created_at, last_used_at FROM api_keys WHERE psp_id = $1 AND account_id = $2 AND revoked_at IS NULL',
    [a.psp, a.id],
  );
  return rows.map((r) => ({
    id: r.id as string,
    createdAt: r.created_at as string,
    lastUsedAt: r.last_used_at as string | null,
  }));
}

/** Holds an account against other changes until the transaction ends. */
export const lockAccount = (tx: Database, a: { psp: string; id: string }): Promise<unknown> =>
  tx.query('SELECT 1 FROM accounts WHERE psp_id = $1 AND id = $2 FOR UPDATE', [a.psp, a.id]);

/** Writes what may change of a client's registration, and its new version. */
export const writeRegistered = (tx: Database, a: Account): Promise<unknown> =>
  tx.query(
    `UPDATE accounts SET name = $3, classification = $4, organization_tin = $5, contact = $6, observations = $7,
       version = $8, updated_at = $9 WHERE psp_id = $1 AND id = $2`,
    [
      a.psp,
      a.id,
      a.name,
      a.classification,
      a.organizationTin,
      a.contact,
      JSON.stringify(a.observations),
      a.version,
      a.updatedAt,
    ],
  );

/**
 * Stores a person's key where it is a new one, and holds it against erasures until the transaction ends.
 * @returns false where the PSP had an erasure since it was read
 */
export async function holdSubjectKey(tx: Database, key: SubjectKey): Promise<boolean> {
  const { psp, subject, epoch, fresh } = key;
  const stored = fresh && {
    subject,
    key_sealed: fresh.keySealed,
    generation: fresh.generation,
    created_at: fresh.createdAt,
  };
  const [r] = await tx.query('SELECT cardinality(store_subjects($1::json)) AS failed', [
    JSON.stringify([{ psp_id: psp, epoch, cs: [0], ...stored }]),
  ]);
  return r?.failed === 0;
}
