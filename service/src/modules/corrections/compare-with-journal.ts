// Compares stored adjustments with the journal: each adjusting entry has one hash of all the rows written with it.
import type { PspId } from '../../core/ids.ts';
import { readEntry } from '../../entries/read.ts';
import type { Database } from '../../platform/database.ts';
import { adjustments } from '../../records/adjustments.ts';
import type { ColumnsToWrite } from '../../records/index.ts';
import { type HeldRows, heldRows as held, storedSha256 } from '../kernel/held-rows.ts';

export interface JournaledAdjusting {
  readonly kind: string;
  readonly seq: number;
  /** UUID. */
  readonly resource: string;
  readonly body: string;
}

/** The hash an entry records of the rows written with it, in the order of the table's key. */
export const heldRows = (rows: readonly ColumnsToWrite<'adjustments'>[]): HeldRows =>
  held(
    adjustments.columns,
    rows.toSorted((a, b) => (a.transaction_id < b.transaction_id ? -1 : 1)),
  );

const rowsOfEntry = `SELECT record_send(a) AS bytes FROM adjustments a WHERE psp_id = $1 AND entry_id = $2
  ORDER BY transaction_id, revision, number`;

/** Adjusting entries whose rows differ from those written with them. */
export async function compareAdjustments(
  db: Database,
  psp: PspId,
  entries: readonly JournaledAdjusting[],
): Promise<{ seq: number; id: string; what: string }[]> {
  const findings: { seq: number; id: string; what: string }[] = [];
  for (const { kind, seq, resource: id, body } of entries) {
    if (kind !== 'tax.adjusted') continue;
    const { evidence } = readEntry(body, ['tax.adjusted/1']);
    // Entries of version 0.1 have no hash of rows.
    if (evidence.rowsSha256 === undefined) continue;
    if ((await storedSha256(db, rowsOfEntry, [psp, id], evidence.rowsColumns)) !== evidence.rowsSha256)
      findings.push({ seq, id, what: 'its adjustments are not those that were recorded' });
  }
  return findings;
}
