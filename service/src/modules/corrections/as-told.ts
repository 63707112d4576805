// Compares stored adjustments with the journal: each adjusting entry has one hash of all the rows written with it.
import { hash } from 'node:crypto';
import type { PspId } from '../../core/ids.ts';
import { readEntry } from '../../entries/read.ts';
import type { Database } from '../../platform/database.ts';
import { digestOfRow } from '../../platform/row-digests.ts';
import { columnsOf, encodeRows } from '../../platform/row-encoder.ts';
import { adjustments } from '../../records/adjustments.ts';
import type { ColumnsToWrite } from '../../records/index.ts';

export interface ToldAdjusting {
  readonly kind: string;
  readonly seq: number;
  /** UUID. */
  readonly resource: string;
  readonly body: string;
}

export interface HeldRows {
  readonly rowsSha256: string;
  /** Number of hashed columns; later ones are appended. */
  readonly rowsColumns: number;
}

const columns = columnsOf(adjustments.columns);
const overAll = (digests: readonly string[]): string => hash('sha256', digests.map((d) => `${d}\n`).join(''), 'hex');

/** The hash an entry records of the rows written with it, in the order of the table's key. */
export function heldRows(rows: readonly ColumnsToWrite<'adjustments'>[]): HeldRows {
  const ordered = rows.toSorted((a, b) => (a.transaction_id < b.transaction_id ? -1 : 1));
  const digests: string[] = [];
  encodeRows(columns, 0, ordered, (_, bytes) => digests.push(digestOfRow(bytes)));
  return { rowsSha256: overAll(digests), rowsColumns: columns.length };
}

async function storedSha256(db: Database, psp: PspId, entry: string, count: number | undefined): Promise<string> {
  const rows = await db.query<{ bytes: Buffer }>(
    `SELECT record_send(a) AS bytes FROM adjustments a WHERE psp_id = $1 AND entry_id = $2
     ORDER BY transaction_id, revision, number`,
    [psp, entry],
  );
  return overAll(rows.map((r) => digestOfRow(r.bytes, count)));
}

/** Adjusting entries whose rows differ from those written with them. */
export async function adjustmentsAsTold(
  db: Database,
  psp: PspId,
  entries: readonly ToldAdjusting[],
): Promise<{ seq: number; id: string; what: string }[]> {
  const findings: { seq: number; id: string; what: string }[] = [];
  for (const { kind, seq, resource: id, body } of entries) {
    if (kind !== 'tax.adjusted') continue;
    const { evidence } = readEntry(body, ['tax.adjusted/1']);
    // Entries of version 0.1 have no hash of rows.
    if (evidence.rowsSha256 === undefined) continue;
    if ((await storedSha256(db, psp, id, evidence.rowsColumns)) !== evidence.rowsSha256)
      findings.push({ seq, id, what: 'its adjustments are not those that were recorded' });
  }
  return findings;
}
