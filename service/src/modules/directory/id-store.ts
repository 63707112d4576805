// The SQL that finds a single id wherever its kind is stored. Reads only.
import { recordKinds } from '../../core/entry-resources.ts';
import { type IdKind, nobody, type PspId } from '../../core/ids.ts';
import type { Database } from '../../platform/database.ts';
import { type IdPlace, idPlaces } from './id-places.ts';

export interface FoundId {
  /** Null for what belongs to no PSP. */
  readonly psp: PspId | null;
  readonly account: string | null;
  readonly shownWith: string | null;
  readonly name: string | null;
}

/** Every tenant has a journal; its row leads to the keys of each table, which begin with the tenant. */
const reachable = (column: string, one: boolean, shared = false) => {
  const own = one ? `${column} = $2` : `${column} IN (SELECT psp_id FROM journal_heads)`;
  return shared ? `(${own} OR ${column} = '${nobody}')` : own;
};

function sql(place: IdPlace, one: boolean): string {
  const { table, account, shownWith, where = 't.id = $1', tenant = 't.psp_id', name = 'NULL' } = place;
  const reach = tenant === null ? (one ? '$2::uuid IS NOT NULL' : 'true') : reachable(tenant, one, place.shared);
  return `SELECT ${tenant ?? 'NULL::uuid'} AS psp, ${account} AS account, ${shownWith?.[1] ?? 'NULL::uuid'} AS "shownWith", ${name} AS name
    FROM ${table} t WHERE ${where} AND ${reach} LIMIT 1`;
}

/** @param psp whose it must be, or everybody's; undefined for any tenant */
export async function findId(
  db: Database,
  kind: IdKind,
  id: string,
  psp: PspId | undefined,
): Promise<FoundId | undefined> {
  const [found] = await db.query<FoundId>(sql(idPlaces[kind], psp !== undefined), psp === undefined ? [id] : [id, psp]);
  return found;
}

export interface FoundEntry {
  readonly psp: PspId;
  readonly account: string;
  readonly kind: string;
  readonly resource: string;
}

/** An entry of the journal that is about no record of business: the others have an index by their resource only. */
export async function findEntry(db: Database, id: string, psp: PspId | undefined): Promise<FoundEntry | undefined> {
  const [found] = await db.query<FoundEntry>(
    `SELECT t.psp_id AS psp, t.account_id AS account, t.kind, t.resource_id AS resource FROM journal t
     WHERE t.id = $1 AND t.kind NOT IN (${recordKinds.map((k) => `'${k}'`).join(', ')}) AND ${reachable('t.psp_id', psp !== undefined)}
     LIMIT 1`,
    psp === undefined ? [id] : [id, psp],
  );
  return found;
}
