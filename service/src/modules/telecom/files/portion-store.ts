// The SQL that records many call detail records at once; their refs determine which of them are new.
import { commitForm } from '../../../platform/batch-parameters.ts';
import { type Database, only, valuesOf } from '../../../platform/database.ts';
import { cdrs } from '../../../records/cdrs.ts';
import type { CdrFile } from './file-store.ts';
import type { ExistingRecord } from './outcome.ts';
import type { Expected } from './persons.ts';

const uniqueViolation = '23505';

/**
 * Stores new persons' keys. No person of the PSP can be erased until the transaction ends.
 * @returns false if one of them is already stored, or a person was erased since the keys were read
 */
export async function storeSubjects(tx: Database, { psp, epoch, fresh }: Expected): Promise<boolean> {
  const stored = await tx.query<{ failed: number[] }>('SELECT store_subjects($1) AS failed', [
    JSON.stringify([{ psp_id: psp, epoch, cs: [0] }]),
  ]);
  if (only(stored).failed.length > 0) return false;
  if (fresh.length === 0) return true;
  // As store_subjects does it. Measured: thousands of keys as JSON take half as long again as arrays.
  const rows = await tx.query(
    `INSERT INTO subject_keys AS k (psp_id, subject, key_sealed, generation, created_at, number_sealed)
     SELECT $1, f.s, f.k, f.g, f.c, f.n
     FROM unnest($2::text[], $3::text[], $4::integer[], $5::timestamptz[], $6::text[]) AS f(s, k, g, c, n)
     ORDER BY f.s
     ON CONFLICT (psp_id, subject) DO UPDATE SET key_sealed = excluded.key_sealed, created_at = excluded.created_at,
         number_sealed = CASE WHEN k.key_sealed IS NULL THEN excluded.number_sealed
           ELSE coalesce(k.number_sealed, excluded.number_sealed) END
       WHERE k.generation = excluded.generation AND (k.key_sealed IS NULL OR k.key_sealed = excluded.key_sealed)
     RETURNING 1`,
    [psp, ...valuesOf(fresh, 'subject', 'keySealed', 'generation', 'createdAt', 'numberSealed')],
  );
  return rows.length === fresh.length;
}

const rowType = commitForm.function.rowType('cdrs');
const columns = Object.keys(cdrs.columns).join(', ');

/**
 * Records rows that are expected to be new. Measured: half the time of checking the ref of each row.
 * @param rows in binary form
 * @returns false, and nothing is recorded, when one of them is not new
 */
export async function insertNewCdrs(tx: Database, rows: Uint8Array): Promise<boolean> {
  if (rows.length === 0) return true;
  await tx.query('SAVEPOINT rows');
  try {
    await tx.query(
      `WITH r AS MATERIALIZED (SELECT * FROM unnest($1::${rowType}[])), added AS (
         INSERT INTO refs (psp_id, space, ref, account_id, target_id, revision)
         SELECT psp_id, 'cdr', cdr_id, account_id, id, 1 FROM r ORDER BY psp_id, cdr_id, account_id, id
       )
       INSERT INTO cdrs (${columns}) SELECT * FROM r`,
      [rows],
    );
    return true;
  } catch (e) {
    if ((e as { code?: string }).code !== uniqueViolation) throw e;
    await tx.query('ROLLBACK TO SAVEPOINT rows');
    return false;
  }
}

/**
 * Records the rows whose `cdr_id` does not exist in their account.
 * @param rows in binary form
 * @returns the rows that were not recorded: the service's id and the operator's
 */
export async function insertCdrs(tx: Database, rows: Uint8Array): Promise<{ id: string; cdrId: string }[]> {
  if (rows.length === 0) return [];
  const leftOut = await tx.query<{ id: string; cdr_id: string }>(
    `WITH r AS MATERIALIZED (SELECT * FROM unnest($1::${rowType}[])), added AS (
       INSERT INTO refs (psp_id, space, ref, account_id, target_id, revision)
       SELECT psp_id, 'cdr', cdr_id, account_id, id, 1 FROM r ORDER BY psp_id, cdr_id, account_id, id
       ON CONFLICT DO NOTHING RETURNING target_id
     ), recorded AS (
       INSERT INTO cdrs (${columns}) SELECT r.* FROM r JOIN added ON added.target_id = r.id
     )
     SELECT id, cdr_id FROM r WHERE NOT EXISTS (SELECT FROM added WHERE added.target_id = r.id)`,
    [rows],
  );
  return leftOut.map((r) => ({ id: r.id, cdrId: r.cdr_id }));
}

/**
 * Records rows in place of existing ones; the refs are moved by the commit function.
 * @param ids those of the rows to record
 */
export async function insertCorrections(tx: Database, rows: Uint8Array, ids: readonly string[]): Promise<void> {
  await tx.query(
    `INSERT INTO cdrs (${columns}) SELECT r.* FROM unnest($1::${rowType}[]) r WHERE r.id = ANY ($2::uuid[])`,
    [Buffer.from(rows), ids],
  );
}

/**
 * The records stored under the operator's ids.
 * @param pickedUpAt of the file whose lines have the same ids
 * @param corrects locks the refs until the transaction ends, since they will lead to other records
 */
export async function findExisting(
  tx: Database,
  { psp, account, pickedUpAt }: Pick<CdrFile, 'psp' | 'account' | 'pickedUpAt'>,
  cdrIds: readonly string[],
  corrects: boolean,
): Promise<Map<string, ExistingRecord>> {
  if (cdrIds.length === 0) return new Map();
  // Each is looked for by itself, in order: of an account that the statistics do not know the planner assumes to have few refs, and
  // would read all of them.
  const rows = await tx.query<ExistingRecord & { cdrId: string }>(
    `SELECT c.id, k.ref AS "cdrId", c.content, c.record, r.revision AS "refRevision", c.created_at < $4 AS "isEarlier",
       EXISTS (SELECT FROM cdr_withdrawals w WHERE w.psp_id = $1 AND w.id = c.id) AS "isWithdrawn"
     FROM (SELECT ref FROM unnest($3::text[]) AS k(ref) ORDER BY ref) k
     CROSS JOIN LATERAL (SELECT target_id, revision FROM refs
       WHERE psp_id = $1 AND space = 'cdr' AND ref = k.ref AND account_id = $2 OFFSET 0 ${corrects ? 'FOR UPDATE' : ''}) r
     CROSS JOIN LATERAL (SELECT id, content, record, created_at FROM cdrs
       WHERE psp_id = $1 AND id = r.target_id OFFSET 0) c`,
    [psp, account, [...new Set(cdrIds)], pickedUpAt],
  );
  return new Map(rows.map(({ cdrId, ...r }) => [cdrId, r]));
}
