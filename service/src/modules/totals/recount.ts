// Totals calculated from the journal alone, read backwards: a transaction's latest entry comes first, so its former
// states are not needed. Used to rebuild totals and to verify stored ones.
import type { PspId } from '../../core/ids.ts';
import { plain } from '../../core/sums.ts';
import type { EntryOfTransaction } from '../../core/totals/entry.ts';
import { type DayOf, partsOfTransaction } from '../../core/totals/figures.ts';
import type { Database, Pool } from '../../platform/database.ts';
import { forgetSetAside } from '../../platform/entries-set-aside.ts';
import { type JournalEntry, readJournal } from '../../platform/journal-entries.ts';
import { archived, archivedBefore, archivedThrough } from '../kernel/archived.ts';
import {
  type Counted,
  countEntries,
  countedKinds,
  countPlays,
  isRedated,
  nothingCounted,
  totalsReader,
  transactionOfEntry,
} from './count-entries.ts';
import { addCells, addRedated, cellText, dropTotals, redatedText, storedCells, storedRedated } from './totals-store.ts';

const portion = 2000;

/** A transaction with earlier entries still to come. */
interface Met {
  counted: boolean;
  /** Entries without evidence, latest first; theirs is that of the next older entry that has it. */
  readonly waiting: EntryOfTransaction[];
}

interface Recount extends Counted {
  /** Entries up to this number are counted. */
  readonly upTo: number;
}

/** @param progress called with the number of entries left to read */
async function countBackwards(
  db: Database,
  psp: PspId,
  upTo: number,
  dayOf: DayOf,
  progress: (left: number) => void,
): Promise<Recount> {
  // Entries of archived months are counted in the totals that stand, and cannot be counted again.
  const before = (await archivedThrough(db, psp)) === 0 ? undefined : await archivedBefore(db);
  if (before !== undefined) throw archived(before, 'part of the journal');
  const counted = nothingCounted();
  const met = new Map<string, Met>();
  for (let next = upTo; next > 0; ) {
    const entries = await readJournal(
      db,
      'WHERE psp_id = $1 AND seq <= $2 AND kind = ANY ($3) ORDER BY seq DESC LIMIT $4',
      [psp, next, countedKinds, portion],
    );
    for (const e of entries)
      if (e.kind.startsWith('transaction.')) meet(met, e.resource, transactionOfEntry(e), dayOf, counted);
    await countPlays(db, [{ psp, entries, ...counted }]);
    next = entries.length < portion ? 0 : (entries.at(-1) as JournalEntry).seq - 1;
    progress(next);
  }
  if (met.size > 0) throw new Error(`the journal tells of changes of ${met.size} transactions it never saw made`);
  return { ...counted, upTo };
}

function meet(met: Map<string, Met>, id: string, t: EntryOfTransaction, dayOf: DayOf, { tally, redated }: Counted) {
  const m = met.get(id) ?? { counted: false, waiting: [] };
  if (t.evidence) {
    for (const { record, revision, createdAt } of [...m.waiting, t]) {
      tally.add(partsOfTransaction({ ...record, evidence: t.evidence }, dayOf), m.counted ? 0 : 1);
      m.counted = true;
      if (isRedated(revision, t.evidence.date, dayOf(record.country, createdAt)))
        redated.push({ day: t.evidence.date, transaction: id });
    }
    m.waiting.length = 0;
  } else m.waiting.push(t);
  if (t.revision > 1) met.set(id, m);
  else met.delete(id);
}

/**
 * Replaces a PSP's totals with those calculated from the journal. Writing continues meanwhile; the reader waits only
 * for the last moment, in which the rows are replaced.
 * @returns number of entries counted
 */
export async function rebuildTotals(
  db: Pick<Pool, 'query' | 'transaction'>,
  psp: PspId,
  dayOf: DayOf,
  progress: (left: number) => void = () => undefined,
): Promise<number> {
  const [head] = await db.query<{ seq: number }>('SELECT seq FROM journal_heads WHERE psp_id = $1', [psp]);
  const recount = await countBackwards(db, psp, head?.seq ?? 0, dayOf, progress);
  return db.transaction(async (tx) => {
    await tx.query('INSERT INTO journal_cursors (psp_id, reader, seq) VALUES ($1, $2, 0) ON CONFLICT DO NOTHING', [
      psp,
      totalsReader,
    ]);
    const [cursor] = await tx.query<{ seq: number }>(
      'SELECT seq FROM journal_cursors WHERE psp_id = $1 AND reader = $2 FOR UPDATE',
      [psp, totalsReader],
    );
    // The reader does not read again what it has read meanwhile.
    const read = cursor?.seq ?? 0;
    for (let from = recount.upTo; from < read; from += portion) {
      const more = await readJournal(tx, 'WHERE psp_id = $1 AND seq > $2 AND seq <= $3 ORDER BY seq', [
        psp,
        from,
        Math.min(from + portion, read),
      ]);
      await countEntries(tx, [{ psp, entries: more, ...recount }], dayOf);
    }
    await dropTotals(tx, psp);
    await addCells(tx, [{ psp, ...recount }]);
    await addRedated(tx, [{ psp, ...recount }]);
    // The recount includes all of them.
    await forgetSetAside(tx, psp, totalsReader);
    const upTo = Math.max(read, recount.upTo);
    await tx.query('UPDATE journal_cursors SET seq = $3 WHERE psp_id = $1 AND reader = $2', [psp, totalsReader, upTo]);
    return upTo;
  });
}

export interface TotalsDifference {
  readonly cell: string;
  /** Stored count and figures; undefined if there is no such cell. */
  readonly kept: string | undefined;
  readonly recounted: string | undefined;
}

/** Compares a PSP's totals, and the days of its transactions that were decided again, with the journal, as far as their reader has read. */
export async function verifyTotals(
  db: Pick<Pool, 'query' | 'transaction'>,
  psp: PspId,
  dayOf: DayOf,
  progress: (left: number) => void = () => undefined,
): Promise<{ entries: number; cells: number; differences: TotalsDifference[] }> {
  const { upTo, kept, cells } = await db.transaction(async (tx) => {
    await tx.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
    const [cursor] = await tx.query<{ seq: number }>(
      'SELECT seq FROM journal_cursors WHERE psp_id = $1 AND reader = $2',
      [psp, totalsReader],
    );
    const stored = await storedCells(tx, psp);
    return {
      upTo: cursor?.seq ?? 0,
      cells: stored.size,
      kept: new Map([...stored, ...(await storedRedated(tx, psp)).map(redatedText)]),
    };
  });
  const { tally, redated } = await countBackwards(db, psp, upTo, dayOf, progress);
  const recounted = new Map([
    ...(['amounts', 'taxes', 'accruals'] as const).flatMap((part) => tally.cells(part)).map((c) => cellText(c, plain)),
    ...redated.map(redatedText),
  ]);
  const differences: TotalsDifference[] = [];
  for (const cell of new Set([...kept.keys(), ...recounted.keys()]))
    if (kept.get(cell) !== recounted.get(cell))
      differences.push({ cell, kept: kept.get(cell), recounted: recounted.get(cell) });
  return { entries: upTo, cells, differences };
}
