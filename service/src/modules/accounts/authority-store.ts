// All SQL on authorities, and their wire form.
import { toWire } from '../../core/ids.ts';
import type { View } from '../../core/oversight.ts';
import type { Database } from '../../platform/database.ts';
import { authorities } from '../../records/authorities.ts';
import { type RecordOf, tableOf } from '../../records/table.ts';
import { row } from '../kernel/journal.ts';

const table = tableOf(authorities);
export type Authority = RecordOf<typeof authorities>;

export const authorityRow = (a: Authority) => row('authorities', table.toRow(a));

/** @param id of its account */
export const findAuthority = (db: Database, id: string): Promise<Authority | undefined> =>
  table.find(db, 'WHERE psp_id = $1 AND id = $1', [id]);

/** The authority, locked until the transaction ends. */
export const lockAuthority = (tx: Database, id: string): Promise<Authority | undefined> =>
  table.find(tx, 'WHERE psp_id = $1 AND id = $1 FOR UPDATE', [id]);

/** Newest first. */
export const listAuthorities = (
  db: Database,
  f: { readonly before: string | undefined; readonly limit: number },
): Promise<Authority[]> =>
  table.read(db, 'WHERE ($1::uuid IS NULL OR id < $1) ORDER BY id DESC LIMIT $2', [f.before, f.limit]);

/** Names of accounts (UUIDs) of any tenant. */
export async function namesOf(db: Database, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query<{ id: string; name: string }>(
    'SELECT id, name FROM accounts WHERE id = ANY ($1::uuid[])',
    [[...new Set(ids)]],
  );
  return new Map(rows.map((r) => [r.id, r.name]));
}

/** Names of the accounts of rows, null for one that is not known. */
export async function clientNames<R extends { readonly account: string }>(
  db: Database,
  rows: readonly R[],
): Promise<(row: R) => string | null> {
  const names = await namesOf(
    db,
    rows.map((r) => r.account),
  );
  return (row) => names.get(row.account) ?? null;
}

export const viewResource = (v: View) => ({
  countryCode: v.country,
  taxCodes: v.taxCodes === null ? null : [...v.taxCodes],
  recordKinds: [...v.recordKinds],
  dayFrom: v.dayFrom,
  dayTo: v.dayTo,
  until: v.until,
});

/** What its entity tag is of. */
export const authorityState = (a: Authority) => [a.psp, a.version];

export const authorityResource = (a: Authority, name: string) => ({
  authorityId: toWire('psp', a.psp),
  name,
  ...viewResource(a),
  createdAt: a.createdAt,
  updatedAt: a.updatedAt,
});
