// The proof of a record that came in a file: the journal entry of its portion, and the records that the entry's hash
// covers.
import { fromWire, type PspId } from '../../../core/ids.ts';
import { readEntry } from '../../../entries/read.ts';
import type { Database } from '../../../platform/database.ts';
import { type JournalEntry, readJournal } from '../../../platform/journal-entries.ts';
import { findCdr } from '../cdr-store.ts';
import { portionHash, portionLine, sharedDigits } from './portion-hash.ts';

export interface PortionOf {
  readonly entry: JournalEntry;
  /** The record's stored text, whose SHA-256 is in its line of `records`. */
  readonly text: string;
  /** Of all records of the portion, in order: id, `cdr_id` and SHA-256 of the text. */
  readonly records: readonly string[];
}

/** The first and the last id of a portion's records, if it recorded any. */
const spanOf = (data: { readonly firstCdrId?: string | undefined; readonly lastCdrId?: string | undefined }) =>
  [data.firstCdrId, data.lastCdrId].map((wire) => fromWire('cdr', wire ?? ''));

/**
 * @param account if given, the record must belong to it
 * @returns undefined for a record that does not exist, or that did not come in a file
 * @throws if the records do not match the hash in their portion's entry
 */
export async function findPortionOf(
  db: Database,
  psp: PspId,
  id: string,
  account: string | undefined,
): Promise<PortionOf | undefined> {
  const cdr = await findCdr(db, psp, id);
  if (!cdr || (account !== undefined && cdr.account !== account)) return undefined;
  const entries = await readJournal(
    db,
    `JOIN cdr_files f ON f.psp_id = journal.psp_id AND f.id = journal.resource_id
     WHERE f.psp_id = $1 AND f.account_id = $2 AND f.picked_up_at <= $3 AND (f.completed_at IS NULL OR f.completed_at >= $3)
       AND kind = 'cdr.file_portion' AND (body::jsonb->>'timestamp')::timestamptz = $3`,
    [psp, cdr.account, cdr.createdAt],
  );
  for (const entry of entries) {
    const { data } = readEntry(entry.body, ['cdr.file_portion/1']);
    const [first, last] = spanOf(data);
    if (!first || !last || id < first || id > last) continue;
    const between = await db.query<{ id: string; cdr_id: string; content: string }>(
      `SELECT id, cdr_id, content FROM cdrs
       WHERE psp_id = $1 AND account_id = $2 AND id BETWEEN $3 AND $4 AND created_at = $5 ORDER BY id`,
      [psp, cdr.account, first, last, cdr.createdAt],
    );
    const tail = first.slice(-sharedDigits);
    // A record of another portion made in the same millisecond may have an id in this range.
    const records = between.filter((r) => r.id.endsWith(tail)).map((r) => portionLine(r.id, r.cdr_id, r.content));
    if (!id.endsWith(tail)) continue;
    if (portionHash(records) !== data.recordsSha256)
      throw new Error(`the records of the portion in journal entry ${entry.seq} are not those the entry tells of`);
    return { entry, text: cdr.record, records };
  }
  return undefined;
}

/** The first portion of a file, after the entry of this number, that recorded anything. */
export async function nextPortion(
  db: Database,
  { psp, id }: { readonly psp: PspId; readonly id: string },
  after: number,
): Promise<{ seq: number; first: string; last: string; at: string } | undefined> {
  const entries = await readJournal(
    db,
    `WHERE psp_id = $1 AND resource_id = $2 AND kind = 'cdr.file_portion' AND seq > $3 AND strpos(body, '"firstCdrId":') > 0
     ORDER BY seq LIMIT 1`,
    [psp, id, after],
  );
  const [entry] = entries;
  if (!entry) return undefined;
  const { timestamp: at, data } = readEntry(entry.body, ['cdr.file_portion/1']);
  const [first, last] = spanOf(data);
  return first && last ? { seq: entry.seq, first, last, at } : undefined;
}
