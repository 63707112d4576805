// Finds a record in the archive: its rows as they were stored, and its receipt, from archive files and the sealed tree.
import { makeReceipt, type Receipt, type SealedEntry } from '../../core/audit/receipt.ts';
import type { PspId } from '../../core/ids.ts';
import { refuse } from '../../core/refusal.ts';
import type { Database } from '../../platform/database.ts';
import { readJournal } from '../../platform/journal-entries.ts';
import { findLastCheckpoint, proveInclusion } from '../audit/index.ts';
import { listMonths } from './archive-store.ts';
import { faultOf, fileOf, type RowRead, readMonth, textIn } from './month-file.ts';
import { entryOf } from './verify.ts';

interface FoundRow {
  readonly month: string;
  readonly table: string;
  readonly row: RowRead;
}

export interface FoundRecord {
  readonly id: string;
  readonly rows: readonly FoundRow[];
  /** Undefined if no entry is about the record alone, as for call detail records that came in a file. */
  readonly receipt: Receipt | undefined;
}

/** Tables with records, each with the column of the id. */
const tables = { transactions: 'id', wagers: 'id', payouts: 'id', cdrs: 'id', cdr_analyses: 'cdr_id' };

/** Reads every archived month once. @throws STATE_CONFLICT if a file is missing or was changed */
export async function findInArchive(
  db: Database,
  dataDir: string,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<FoundRecord[]> {
  const wanted = new Set(ids);
  const rows: FoundRow[] = [];
  const entries = new Map<string, SealedEntry>();
  for (const { month, sha256 } of await listMonths(db)) {
    if (sha256 === null) continue;
    const file = fileOf(dataDir, month);
    const fault = await faultOf(file, sha256);
    if (fault !== undefined) throw refuse('STATE_CONFLICT', fault);
    const pick = ([table, key]: [string, string]) => [
      table,
      (some: readonly RowRead[]) => {
        for (const row of some) if (wanted.has(textIn(row, key))) rows.push({ month, table, row });
      },
    ];
    const journal = (some: readonly RowRead[]) => {
      for (const e of some.map(entryOf)) if (wanted.has(e.resource)) entries.set(e.id, e);
    };
    await readMonth(file, { ...Object.fromEntries(Object.entries(tables).map(pick)), journal }, signal);
  }
  return Promise.all(
    ids.map(async (id) => {
      const own = rows.filter((r) => r.row.id === id || r.row.cdr_id === id);
      const [psp] = [
        ...own.map((r) => r.row.psp_id),
        ...[...entries.values()].filter((e) => e.resource === id).map((e) => e.psp),
      ];
      const receipt = psp ? await receiptOf(db, psp, id, [...entries.values()]) : undefined;
      return { id, rows: own, receipt };
    }),
  );
}

/** Entries of later months are still in the journal. */
async function receiptOf(
  db: Database,
  psp: PspId,
  id: string,
  archived: readonly SealedEntry[],
): Promise<Receipt | undefined> {
  const live = await readJournal(db, 'WHERE psp_id = $1 AND resource_id = $2', [psp, id]);
  const all = new Map([...archived.filter((e) => e.resource === id && e.psp === psp), ...live].map((e) => [e.seq, e]));
  const entries = [...all.values()].sort((a, b) => a.seq - b.seq);
  const sealed = await findLastCheckpoint(db, psp);
  if (!sealed || entries.length === 0) return undefined;
  const seqs = entries.map((e) => e.seq);
  const proofs = await proveInclusion(db, sealed, seqs);
  return makeReceipt(
    entries.map((entry, i) => ({ entry, proof: proofs[i] as (typeof proofs)[number] })),
    sealed.note,
  );
}
