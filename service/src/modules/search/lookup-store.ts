// All SQL on lookups.
import type { Database } from '../../platform/database.ts';
import type { FoundKind, LookupKind } from './lookups.ts';

export interface FoundRecord {
  readonly id: string;
  readonly kind: FoundKind;
  readonly account: string;
}

export interface LookupFilter {
  readonly psp: string;
  readonly kind: LookupKind;
  readonly hash: string;
  readonly account?: string | undefined;
  readonly before?: string | undefined;
  readonly limit: number;
}

/** Newest first. */
export async function findRecords(db: Database, f: LookupFilter): Promise<FoundRecord[]> {
  const rows = await db.query(
    `SELECT record_id, record_kind, account_id FROM lookups
     WHERE psp_id = $1 AND kind = $2 AND hash = $3 AND ($4::uuid IS NULL OR account_id = $4)
       AND ($5::uuid IS NULL OR record_id < $5)
     ORDER BY record_id DESC LIMIT $6`,
    [f.psp, f.kind, f.hash, f.account ?? null, f.before ?? null, f.limit],
  );
  return rows.map((r) => ({
    id: r.record_id as string,
    kind: r.record_kind as FoundKind,
    account: r.account_id as string,
  }));
}
