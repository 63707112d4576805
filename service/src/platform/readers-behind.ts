// How far readers of the journal are behind, asked for all of them at once and in no connection of theirs: those that stand
// still may hold all they have.
import { timeOfId } from '../core/ids.ts';
import type { Database } from './database.ts';

const unread = `unnest($1::text[]) AS r (reader) CROSS JOIN journal_heads h
  LEFT JOIN journal_cursors c ON c.psp_id = h.psp_id AND c.reader = r.reader`;

/** Number of entries written but not read yet, over all PSPs, of each reader. */
export async function entriesBehind(db: Database, readers: readonly string[]): Promise<Map<string, number>> {
  const rows = await db.query<{ reader: string; entries: number }>(
    `SELECT r.reader, sum(h.seq - coalesce(c.seq, 0))::bigint AS entries FROM ${unread} GROUP BY r.reader`,
    [readers],
  );
  return ofEach(readers, rows, (r) => r?.entries ?? 0);
}

/** When the oldest entry was made that is not read yet, over all PSPs, of each reader in milliseconds; undefined if all are read. */
export async function behindSince(db: Database, readers: readonly string[]): Promise<Map<string, number | undefined>> {
  const rows = await db.query<{ reader: string; id: string }>(
    `SELECT r.reader, min(j.id::text) AS id FROM ${unread}
       JOIN journal j ON j.psp_id = h.psp_id AND j.seq = coalesce(c.seq, 0) + 1
     WHERE h.seq > coalesce(c.seq, 0) GROUP BY r.reader`,
    [readers],
  );
  return ofEach(readers, rows, (r) => r && timeOfId(r.id));
}

const ofEach = <R extends { readonly reader: string }, V>(
  readers: readonly string[],
  rows: readonly R[],
  value: (row: R | undefined) => V,
): Map<string, V> => new Map(readers.map((name) => [name, value(rows.find((r) => r.reader === name))]));
