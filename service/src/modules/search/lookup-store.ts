// All SQL on lookups.
import type { PspId } from '../../core/ids.ts';
import { type Database, valuesOf } from '../../platform/database.ts';
import type { ColumnsToWrite } from '../../records/index.ts';
import type { ListFilter } from '../kernel/list-filter.ts';
import type { FoundKind, LookupKind } from './lookups.ts';

export interface FoundRecord {
  readonly id: string;
  readonly kind: FoundKind;
  readonly account: string;
}

export interface LookupFilter extends ListFilter {
  readonly kind: LookupKind;
  readonly hash: string;
}

/** Newest first. */
export const findRecords = (db: Database, f: LookupFilter): Promise<FoundRecord[]> =>
  db.query(
    `SELECT record_id AS id, record_kind AS kind, account_id AS account FROM lookups
     WHERE psp_id = $1 AND kind = $2 AND hash = $3 AND ($4::uuid IS NULL OR account_id = $4)
       AND ($5::uuid IS NULL OR record_id < $5)
     ORDER BY record_id DESC LIMIT $6`,
    [f.psp, f.kind, f.hash, f.account, f.before, f.limit],
  );

/** The wallets that records name, by keyed hash; records that name none are left out. */
export async function walletsOf(
  db: Pick<Database, 'query'>,
  psp: PspId,
  records: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query<{ id: string; hash: string }>(
    `SELECT record_id AS id, hash FROM lookups WHERE psp_id = $1 AND record_id = ANY ($2) AND kind = 'wallet'`,
    [psp, records],
  );
  return new Map(rows.map((r) => [r.id, r.hash]));
}

/** Stores lookups of old records; existing ones stay. */
export async function putLookups(tx: Database, rows: readonly ColumnsToWrite<'lookups'>[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(
    `INSERT INTO lookups (psp_id, kind, hash, record_id, record_kind, account_id)
     SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::uuid[], $5::text[], $6::uuid[]) ON CONFLICT DO NOTHING`,
    valuesOf(rows, 'psp_id', 'kind', 'hash', 'record_id', 'record_kind', 'account_id'),
  );
}
