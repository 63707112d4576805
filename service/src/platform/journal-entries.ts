// Journal entries as read from the database: by any condition, and those of several journals at once.
import type { PspId } from '../core/ids.ts';
import type { RowOf } from '../records/define.ts';
import { journal } from '../records/journal.ts';
import { type RecordOf, tableOf } from '../records/table.ts';
import { type Database, valuesOf } from './database.ts';
import { ofOnly, onlyPsp } from './each-psp.ts';

const table = tableOf(journal);
/** `seq` is its number in the PSP's journal: 1, 2, 3 … in commit order. */
export type JournalEntry = RecordOf<typeof journal>;
export type JournalRow = RowOf<typeof journal>;
/** @param alias alias of the journal in a SELECT */
export const journalColumns = table.columns;
export const journalEntry = table.fromRow;
export const readJournal = table.read;

/** The entries of one PSP after number `from` up to `to`. */
export interface Stretch {
  readonly psp: PspId;
  readonly from: number;
  readonly to: number;
}

/** A PSP's entries, in order. */
export interface Journal {
  readonly psp: PspId;
  readonly entries: readonly JournalEntry[];
  /** Where the reader's cursor is, and where it goes in the same commit; absent if that is not known yet. */
  readonly between?: { readonly from: number; readonly to: number };
}

const earlierMs = 86_400_000;
const lowest = '00000000-0000-0000-0000-000000000000';

/**
 * The lowest id that an entry written at this moment can have, with a day for clocks that differ. The journal is
 * partitioned by id: with it, only the partitions since then are searched.
 */
export function idsSince(nowMs: number): string {
  const time = Math.max(0, nowMs - earlierMs)
    .toString(16)
    .padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
}

/** The journal joined to stretches of several PSPs, given as $1 to $3, with the lowest id as $4 and their only PSP as $5. */
export const stretchesSql = (columns: string): string =>
  `unnest($1::uuid[], $2::bigint[], $3::bigint[]) AS w(psp, after, upto) CROSS JOIN LATERAL (
     SELECT ${columns} FROM journal j
     WHERE j.psp_id = w.psp AND j.seq > w.after AND j.seq <= w.upto AND j.id >= $4 AND ${ofOnly('j.psp_id', 5)}
   )`;
/** @param since without it all partitions are searched */
export const stretchValues = (
  db: Pick<Database, 'distributed'>,
  stretches: readonly Stretch[],
  since: string = lowest,
): unknown[] => [...valuesOf(stretches, 'psp', 'from', 'to'), since, onlyPsp(db, stretches)];

const entriesSql = `SELECT e.* FROM ${stretchesSql(journalColumns('j'))} e ORDER BY e.psp_id, e.seq`;

/**
 * Reads stretches of several journals with one statement. Entries with an id before `since` are searched for only where
 * numbers are missing without them, so that the result never depends on it.
 */
export async function readStretches(
  tx: Database,
  stretches: readonly Stretch[],
  since: string | undefined,
): Promise<ReadonlyMap<PspId, readonly JournalEntry[]>> {
  const found = new Map<PspId, JournalEntry[]>();
  const read = async (of: readonly Stretch[], lowestId?: string) => {
    if (of.length === 0) return;
    for (const s of of) found.set(s.psp, []);
    for (const row of await tx.query<JournalRow>(entriesSql, stretchValues(tx, of, lowestId)))
      found.get(row.psp_id)?.push(journalEntry(row));
  };
  await read(stretches, since);
  if (since !== undefined) await read(stretches.filter((s) => found.get(s.psp)?.length !== s.to - s.from));
  return found;
}
