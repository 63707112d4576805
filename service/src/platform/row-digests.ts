// What a journal entry records of the rows written with it: the SHA-256 of each, over all its columns, so that an audit
// finds any later change. The database computes the same from a stored row as `sha256(record_send(row))`.
import { hash } from 'node:crypto';
import type { RowValues } from './row-encoder.ts';

export interface RowDigest {
  readonly table: string;
  /** UUID of the row. */
  readonly id: string;
  /** In the form of `digestOfRow`. */
  readonly digest: string;
}

/**
 * The number of columns, a dot, and the SHA-256 in hex: later versions append columns, so that the number says which
 * ones were hashed.
 * @param bytes the row as returned by `record_send`, beginning with the number of columns
 * @param count number of columns to hash; all by default
 */
export function digestOfRow(bytes: Uint8Array, count?: number): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const all = view.getInt32(0);
  if (count === undefined || count === all) return `${all}.${hash('sha256', bytes, 'hex')}`;
  let end = 4;
  // For each column: the OID of its type, its length (negative for null), its value.
  for (let i = 0; i < count; i++) end += 8 + Math.max(0, view.getInt32(end + 4));
  const first = Uint8Array.from(bytes.subarray(0, end));
  new DataView(first.buffer).setInt32(0, count);
  return `${count}.${hash('sha256', first, 'hex')}`;
}

/**
 * Adds the digests of a command's rows to the bodies of its journal entries: each to the entry about the same resource,
 * or to the first. A digest's name is the table's, plus the row's id if that differs from the entry's resource.
 */
export function vouch(entries: readonly RowValues[], digests: readonly RowDigest[]): RowValues[] {
  const [first] = entries;
  if (!first || digests.length === 0) return [...entries];
  const of = new Map<RowValues, Record<string, string>>();
  for (const { table, id, digest } of digests) {
    const about = entries.find((e) => e.resource_id === id);
    const entry = about ?? first;
    let rows = of.get(entry);
    if (!rows) of.set(entry, (rows = {}));
    rows[about ? table : `${table}/${id}`] = digest;
  }
  return entries.map((e) => {
    const rows = of.get(e);
    return rows ? { ...e, body: `${(e.body as string).slice(0, -1)},"rows":${JSON.stringify(rows)}}` } : e;
  });
}
