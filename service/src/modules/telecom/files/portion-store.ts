// The SQL that records many call detail records at once: refs decide which of them are new.
import type { Database } from '../../../platform/database.ts';
import { encodeRows, type RowValues } from '../../../platform/row-encoder.ts';
import { tables } from '../../../platform/tables.ts';
import type { SubjectKey } from '../../kernel/subjects.ts';

/** Stores new persons' keys. @returns whether all of them were new */
export async function insertSubjects(tx: Database, keys: readonly SubjectKey[]): Promise<boolean> {
  if (keys.length === 0) return true;
  const rows = await tx.query(
    `INSERT INTO subject_keys (psp_id, subject, key_sealed, created_at)
     SELECT k.p, k.s, k.k, k.c FROM unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[]) AS k(p, s, k, c)
     ORDER BY k.p, k.s ON CONFLICT DO NOTHING RETURNING subject`,
    [
      keys.map((k) => k.psp),
      keys.map((k) => k.subject),
      keys.map((k) => k.fresh?.keySealed),
      keys.map((k) => k.fresh?.createdAt),
    ],
  );
  return rows.length === keys.length;
}

/** The number PostgreSQL gave the table's row type. */
export async function cdrRowType(db: Database): Promise<number> {
  const [r] = await db.query("SELECT typrelid, oid::integer AS oid FROM pg_type WHERE oid = 'cdrs'::regtype");
  return r?.oid as number;
}

/** Records the rows whose id is not taken in their account. @returns the ids (ours) of those that were recorded */
export async function insertCdrs(tx: Database, rowType: number, rows: readonly RowValues[]): Promise<Set<string>> {
  if (rows.length === 0) return new Set();
  const added = await tx.query(
    `WITH r AS MATERIALIZED (SELECT * FROM unnest($1::cdrs[])), added AS (
       INSERT INTO refs (psp_id, space, ref, account_id, target_id, revision)
       SELECT psp_id, 'cdr', cdr_id, account_id, id, 1 FROM r ORDER BY psp_id, cdr_id, account_id, id
       ON CONFLICT DO NOTHING RETURNING target_id
     )
     INSERT INTO cdrs SELECT r.* FROM r JOIN added ON added.target_id = r.id RETURNING id`,
    [encodeRows(tables.cdrs[1], rowType, rows)],
  );
  return new Set(added.map((r) => r.id as string));
}

export interface Held {
  readonly content: string;
  readonly record: string;
}

/** What is on record under the operator's ids. */
export async function findHeld(
  tx: Database,
  psp: string,
  account: string,
  cdrIds: readonly string[],
): Promise<Map<string, Held>> {
  if (cdrIds.length === 0) return new Map();
  const rows = await tx.query(
    `SELECT c.cdr_id, c.content, c.record FROM unnest($3::text[]) AS k(ref)
     JOIN refs r ON r.psp_id = $1 AND r.space = 'cdr' AND r.ref = k.ref AND r.account_id = $2
     JOIN cdrs c ON c.psp_id = r.psp_id AND c.id = r.target_id`,
    [psp, account, [...new Set(cdrIds)]],
  );
  return new Map(rows.map((r) => [r.cdr_id as string, { content: r.content as string, record: r.record as string }]));
}
