// The positions of readers in the journals, each locked by one process at a time.
import type { PspId } from '../core/ids.ts';
import type { Database } from './database.ts';
import { ofOnly, onlyPsp } from './each-psp.ts';

/** One reader's position in one PSP's journal. */
export interface Cursor {
  readonly psp: PspId;
  readonly reader: string;
  /** Number of the last entry read; 0 for none. */
  readonly seq: number;
}

/** The first statement of a transaction that reads. @param durable whether its commit waits until it is on disk */
export async function begin(tx: Database, durable = false): Promise<void> {
  if (!durable) await tx.query('SET LOCAL synchronous_commit = off');
}

type Wanted = Pick<Cursor, 'psp' | 'reader'>;

const columns = (of: readonly Wanted[]) => [of.map((c) => c.psp), of.map((c) => c.reader)];

/** Locks cursors until the transaction ends and returns them, without those that another transaction has locked. */
export async function holdCursors(tx: Database, wanted: readonly Wanted[]): Promise<Cursor[]> {
  if (wanted.length === 0) return [];
  const psp = onlyPsp(tx, wanted);
  // A distributed database locks rows of one PSP at a time.
  const held = (of: readonly Wanted[]) =>
    tx.query<Cursor>(
      `SELECT c.psp_id AS psp, c.reader, c.seq FROM unnest($1::uuid[], $2::text[]) AS w(psp, reader)
       JOIN journal_cursors c ON c.psp_id = w.psp AND ${ofOnly('c.psp_id', 3)} AND c.reader = w.reader
       FOR UPDATE OF c SKIP LOCKED`,
      [...columns(of), psp],
    );
  const found = await held(wanted);
  if (found.length === wanted.length) return found;
  const has = new Set(found.map((c) => `${c.psp} ${c.reader}`));
  // Missing, or locked by another transaction.
  const others = wanted.filter((w) => !has.has(`${w.psp} ${w.reader}`));
  await tx.query(
    `INSERT INTO journal_cursors (psp_id, reader, seq)
     SELECT w.psp, w.reader, 0 FROM unnest($1::uuid[], $2::text[]) AS w(psp, reader)
     WHERE NOT EXISTS (
       SELECT 1 FROM journal_cursors c WHERE c.psp_id = w.psp AND ${ofOnly('c.psp_id', 3)} AND c.reader = w.reader)
     ORDER BY 1, 2 ON CONFLICT DO NOTHING`,
    [...columns(others), psp],
  );
  return [...found, ...(await held(others))];
}

/** Locks one cursor and returns its position; undefined while another transaction has it. */
export const holdCursor = async (tx: Database, psp: PspId, reader: string): Promise<number | undefined> =>
  (await holdCursors(tx, [{ psp, reader }]))[0]?.seq;

/** Moves cursors that this transaction has locked. */
export async function moveCursors(tx: Database, to: readonly Cursor[]): Promise<void> {
  if (to.length === 0) return;
  await tx.query(
    `UPDATE journal_cursors c SET seq = w.seq FROM unnest($1::uuid[], $2::text[], $3::bigint[]) AS w(psp, reader, seq)
     WHERE c.psp_id = w.psp AND c.reader = w.reader`,
    [...columns(to), to.map((c) => c.seq)],
  );
}

/** The number each journal has reached; journals without an entry are left out. */
export async function headsOf(tx: Database, psps: readonly PspId[]): Promise<ReadonlyMap<PspId, number>> {
  const rows = await tx.query<{ psp_id: string; seq: number }>(
    'SELECT psp_id, seq FROM journal_heads WHERE psp_id = ANY ($1::uuid[])',
    [psps],
  );
  return new Map(rows.map((r) => [r.psp_id, r.seq]));
}

/** Every PSP, and every account of staff, that something was recorded of. */
export const pspsWithJournal = async (db: Database): Promise<PspId[]> =>
  (await db.query<{ psp: PspId }>('SELECT psp_id AS psp FROM journal_heads ORDER BY psp_id')).map((r) => r.psp);

/**
 * Whether these readers have processed a PSP's journal up to an entry. What one could not read and set aside before it is
 * not processed.
 */
export async function haveRead(db: Database, psp: PspId, readers: readonly string[], seq: number): Promise<boolean> {
  const [r] = await db.query<{ read: boolean }>(
    `SELECT (SELECT count(*) FROM journal_cursors WHERE psp_id = $1 AND reader = ANY ($2) AND seq >= $4) = $3::bigint
       AND NOT EXISTS (SELECT FROM journal_set_aside WHERE psp_id = $1 AND reader = ANY ($2) AND seq <= $4) AS read`,
    [psp, readers, readers.length, seq],
  );
  return seq === 0 || r?.read === true;
}

/** Every PSP whose journal one of the readers has not read to its end. Reads all cursors of these readers. */
export async function pspsBehind(db: Database, readers: readonly string[]): Promise<string[]> {
  if (!db.distributed && (await noneBehind(db, readers))) return [];
  const rows = await db.query<{ psp_id: string }>(
    `SELECT h.psp_id FROM journal_heads h
     LEFT JOIN (
       SELECT psp_id, count(*) AS cursors, min(seq) AS seq FROM journal_cursors WHERE reader = ANY ($1) GROUP BY psp_id
     ) c ON c.psp_id = h.psp_id
     WHERE c.cursors IS DISTINCT FROM $2::bigint OR c.seq < h.seq ORDER BY h.psp_id`,
    [readers, readers.length],
  );
  return rows.map((r) => r.psp_id);
}

/**
 * No cursor is beyond its journal's end, so all are there if their sums are. With thousands of journals this takes half
 * the time of asking which are behind.
 */
async function noneBehind(db: Database, readers: readonly string[]): Promise<boolean> {
  const [all] = await db.query<{ none: boolean | null }>(
    `SELECT h.ends * $2::bigint = c.ends AND h.journals * $2::bigint = c.cursors AS none
     FROM (SELECT sum(seq) AS ends, count(*) AS journals FROM journal_heads) h,
       (SELECT sum(seq) AS ends, count(*) AS cursors FROM journal_cursors WHERE reader = ANY ($1)) c`,
    [readers, readers.length],
  );
  return all?.none === true;
}
