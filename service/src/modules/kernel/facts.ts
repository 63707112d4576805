// Records as facts that commands decide on, found by their id or by a ref, with one query for all keys of a batch.
import type { AccountId, PspId } from '../../core/ids.ts';
import type { FactLoader, RefKey } from '../../platform/committer.ts';
import { type Database, valuesOf } from '../../platform/database.ts';
import { ofOnly, onlyPsp } from '../../platform/each-psp.ts';
import type { RecordDefinition } from '../../records/define.ts';
import type { Table } from '../../records/table.ts';

export interface IdKey {
  readonly psp: PspId;
  readonly id: string;
}

export const idText = (k: IdKey) => `${k.psp}|${k.id}`;

export const recordById = <D extends RecordDefinition, R extends IdKey>(
  name: string,
  { table }: D,
  { read }: { readonly read: (...given: Parameters<Table<D>['read']>) => Promise<R[]> },
): FactLoader<IdKey, R> => ({
  name,
  text: idText,
  async load(db, keys) {
    const found = await read(
      db,
      `JOIN unnest($1::uuid[], $2::uuid[]) AS k(p, i)
         ON ${table}.psp_id = k.p AND ${table}.id = k.i AND ${ofOnly(`${table}.psp_id`, 3)}`,
      [...valuesOf(keys, 'psp', 'id'), onlyPsp(db, keys)],
    );
    return new Map(found.map((r) => [idText(r), r]));
  },
});

const refText = (psp: PspId, account: AccountId, ref: string) => `${psp}|${account}|${ref}`;

/**
 * What the refs of a space lead to.
 * @param columns of the record t and its ref r, with the PSP, the account and the ref
 */
export const recordByRef = <R extends { psp_id: PspId; account_id: AccountId; ref: string }, T>(
  name: string,
  { space, table }: { readonly space: string; readonly table: string },
  columns: string,
  read: (row: R) => T,
): FactLoader<RefKey, T> => ({
  name,
  text: (k) => refText(k.psp, k.account, k.ref),
  async load(db: Database, keys) {
    const rows = await db.query<R>(
      `SELECT ${columns} FROM refs r
       JOIN unnest($1::uuid[], $2::text[], $3::uuid[]) AS k(p, f, a)
         ON r.psp_id = k.p AND r.space = '${space}' AND r.ref = k.f AND r.account_id = k.a
       JOIN ${table} t ON t.psp_id = r.psp_id AND t.id = r.target_id AND ${ofOnly('t.psp_id', 4)}`,
      [...valuesOf(keys, 'psp', 'ref', 'account'), onlyPsp(db, keys)],
    );
    return new Map(rows.map((r) => [refText(r.psp_id, r.account_id, r.ref), read(r)]));
  },
});
