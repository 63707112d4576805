// One hash of all the rows that an entry's command wrote, for entries about many rows: the audit computes it from the
// stored rows.
import { hash } from 'node:crypto';
import type { Database } from '../../platform/database.ts';
import { digestOfRow } from '../../platform/row-digests.ts';
import { columnsOf, encodeRows } from '../../platform/row-encoder.ts';
import type { ColumnMap } from '../../records/column.ts';

export interface HeldRows {
  readonly rowsSha256: string;
  /** Number of hashed columns; later ones are appended. */
  readonly rowsColumns: number;
}

const overAll = (digests: readonly string[]): string => hash('sha256', digests.map((d) => `${d}\n`).join(''), 'hex');

/** @param rows in the order in which the stored ones are read */
export function heldRows(columns: ColumnMap, rows: Parameters<typeof encodeRows>[2]): HeldRows {
  const all = columnsOf(columns);
  const digests: string[] = [];
  encodeRows(all, 0, rows, (_, bytes) => digests.push(digestOfRow(bytes)));
  return { rowsSha256: overAll(digests), rowsColumns: all.length };
}

/** @param sql selects `record_send(row) AS bytes` in the order of `heldRows` */
export async function storedSha256(
  db: Database,
  sql: string,
  values: readonly unknown[],
  rowsColumns: number | undefined,
): Promise<string> {
  const rows = await db.query<{ bytes: Buffer }>(sql, values);
  return overAll(rows.map((r) => digestOfRow(r.bytes, rowsColumns)));
}
