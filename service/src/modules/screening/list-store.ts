// All SQL on lists: their loads and the revisions of their entries. The entry in force is its last revision.
import { nobody } from '../../core/ids.ts';
import type { ListEntry } from '../../core/screening/entry.ts';
import type { Database } from '../../platform/database.ts';
import type { Vault } from '../../platform/sealed-secrets.ts';
import { listEntries, listLoads } from '../../records/lists.ts';
import { type RecordOf, tableOf } from '../../records/table.ts';
import type { State } from '../kernel/condition.ts';

export type ListLoad = RecordOf<typeof listLoads>;
type Reading = Pick<Database, 'query'>;

const loads = tableOf(listLoads);
const stored = tableOf(listEntries);

/** One change of lists at a time, until the transaction ends: loads are numbered in the order of their commits. */
export async function lockLists(tx: Database): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock(727495)');
}

/** SQL of a text that changes when lists do. */
export const listsState = '(SELECT coalesce(max(seq), 0)::text FROM list_loads)';

export async function lastSeq(db: Reading): Promise<number> {
  const rows = await db.query<{ seq: number }>('SELECT coalesce(max(seq), 0) AS seq FROM list_loads');
  return rows[0]?.seq ?? 0;
}

/** The last load of a list, complete or not. @param through of those up to this number, if given */
export const lastLoad = (db: Reading, owner: string, list: string, through?: number): Promise<ListLoad | undefined> =>
  loads.find(db, 'WHERE owner_id = $1 AND list = $2 AND ($3::int IS NULL OR seq <= $3) ORDER BY seq DESC LIMIT 1', [
    owner,
    list,
    through,
  ]);

/** The last load of each list of these owners, by name. */
export const lastLoads = (db: Reading, owners: readonly string[]): Promise<ListLoad[]> =>
  loads.read(
    db,
    `WHERE owner_id = ANY ($1::uuid[]) AND seq = (SELECT max(l.seq) FROM list_loads l
       WHERE l.owner_id = list_loads.owner_id AND l.list = list_loads.list)
     ORDER BY owner_id, list`,
    [owners],
  );

export const loadsAfter = (db: Reading, seq: number): Promise<ListLoad[]> =>
  loads.read(db, 'WHERE seq > $1 ORDER BY seq', [seq]);

export interface StoredEntry {
  readonly owner: string;
  readonly list: string;
  readonly ref: string;
  readonly revision: number;
  readonly load: string;
  readonly loadSeq: number;
  readonly removed: boolean;
  readonly content: string;
}

/** The last revision of each entry of a list, removed ones too. */
export const entriesOf = (db: Reading, owner: string, list: string): Promise<StoredEntry[]> =>
  db.query<StoredEntry>(
    `SELECT DISTINCT ON (ref) owner_id AS owner, list, ref, revision, load_id AS load, load_seq AS "loadSeq", removed, content
     FROM list_entries WHERE owner_id = $1 AND list = $2 ORDER BY ref, revision DESC`,
    [owner, list],
  );

/** Revisions that came with the loads after a number, in the order of loads. */
export const entriesAfter = (db: Reading, seq: number, through: number): Promise<StoredEntry[]> =>
  stored.read(db, 'WHERE load_seq > $1 AND load_seq <= $2 ORDER BY load_seq, owner_id, list, ref', [seq, through]);

export interface EntryPage {
  readonly owner: string;
  readonly list: string;
  readonly after?: string | undefined;
  readonly limit: number;
}

/** Entries in force by ref. */
export const listedEntries = (db: Reading, p: EntryPage): Promise<StoredEntry[]> =>
  stored.read(
    db,
    `WHERE owner_id = $1 AND list = $2 AND NOT removed AND ($3::text IS NULL OR ref > $3)
       AND NOT EXISTS (SELECT 1 FROM list_entries n WHERE n.owner_id = list_entries.owner_id AND n.list = list_entries.list
         AND n.ref = list_entries.ref AND n.revision > list_entries.revision)
     ORDER BY ref LIMIT $4`,
    [p.owner, p.list, p.after, p.limit],
  );

/** The last revision of one entry, removed or not. */
export const findEntry = (db: Reading, owner: string, list: string, ref: string): Promise<StoredEntry | undefined> =>
  stored.find(db, 'WHERE owner_id = $1 AND list = $2 AND ref = $3 ORDER BY revision DESC LIMIT 1', [owner, list, ref]);

/** What the entity tag of an entry is of; undefined if it is not in the list. */
export const entryState = (
  e: Pick<StoredEntry, 'owner' | 'list' | 'ref' | 'revision' | 'removed'> | undefined,
): State => (e && !e.removed ? [e.owner, e.list, e.ref, e.revision] : undefined);

export type EntryKey = Pick<StoredEntry, 'owner' | 'list' | 'ref'>;

/** The last revisions of these entries, removed ones too. */
export const lastRevisions = (db: Reading, entries: readonly EntryKey[]): Promise<StoredEntry[]> =>
  stored.read(
    db,
    `JOIN (SELECT DISTINCT o, l, r FROM unnest($1::uuid[], $2::text[], $3::text[]) AS k(o, l, r)) k
       ON owner_id = k.o AND list = k.l AND ref = k.r
     WHERE NOT EXISTS (SELECT 1 FROM list_entries n WHERE n.owner_id = k.o AND n.list = k.l AND n.ref = k.r
       AND n.revision > list_entries.revision)`,
    [entries.map((e) => e.owner), entries.map((e) => e.list), entries.map((e) => e.ref)],
  );

const place = (e: EntryKey): string => `list_entries/${e.owner}/${e.list}/${e.ref}`;

/** Entries of published lists are public; those of a PSP's own list name its people and are sealed. */
export const toStored = (vault: Vault, of: Pick<StoredEntry, 'owner' | 'list' | 'ref'>, entry: ListEntry): string =>
  of.owner === nobody ? JSON.stringify(entry) : vault.seal(JSON.stringify(entry), place(of));

export const fromStored = (vault: Vault, e: StoredEntry): ListEntry =>
  JSON.parse(e.owner === nobody ? e.content : vault.open(e.content, place(e)));

/** The rows of a load as the database sends them, in the order of their key. */
export const rowsOfListLoad = `SELECT record_send(r) AS bytes FROM list_entries r WHERE load_id = $1
  ORDER BY ref COLLATE "C", revision`;

/** Every load, for the audit. */
export const loadsOfAll = (db: Reading): Promise<ListLoad[]> => loads.read(db, 'ORDER BY seq');

/** Loads that entries name and that are not stored. */
export const strayEntries = async (db: Reading): Promise<string[]> =>
  (
    await db.query<{ load_id: string }>(
      'SELECT DISTINCT load_id FROM list_entries e WHERE NOT EXISTS (SELECT 1 FROM list_loads l WHERE l.id = e.load_id)',
    )
  ).map((r) => r.load_id);
