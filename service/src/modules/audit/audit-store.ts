// All SQL on the seal's keys, tiles and checkpoints, and on the journal entries it reads.
import type { Hash } from '../../core/audit/merkle.ts';
import { leafFormat, type SealedEntry } from '../../core/audit/receipt.ts';
import { hashesIn, type Tile } from '../../core/audit/tiles.ts';
import type { PspId } from '../../core/ids.ts';
import { type Database, valuesOf } from '../../platform/database.ts';
import { readJournal, type Stretch, stretchesSql, stretchValues } from '../../platform/journal-entries.ts';

export interface StoredAuditKey {
  readonly version: number;
  readonly name: string;
  readonly publicKey: Uint8Array;
  readonly privateSealed: string;
  readonly createdAt: string;
  /** The signed note about the key before and this one; null for the first. */
  readonly change: string | null;
  /** Until then the key before signs too; null if it ended at once. */
  readonly bothUntil: string | null;
}

/** Newest first. */
export async function findAuditKeys(db: Database): Promise<StoredAuditKey[]> {
  const rows = await db.query<Omit<StoredAuditKey, 'publicKey'> & { publicKey: Buffer }>(
    `SELECT version, name, public_key AS "publicKey", private_sealed AS "privateSealed", created_at AS "createdAt",
       change, both_until AS "bothUntil"
     FROM audit_keys ORDER BY version DESC`,
  );
  return rows.map((r) => ({ ...r, publicKey: new Uint8Array(r.publicKey) }));
}

/** Whether it was put in: somebody else may have put one of this version in before. */
export async function insertAuditKey(db: Database, k: StoredAuditKey): Promise<boolean> {
  const rows = await db.query(
    `INSERT INTO audit_keys (version, name, public_key, private_sealed, created_at, change, both_until)
     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING RETURNING 1`,
    [k.version, k.name, Buffer.from(k.publicKey), k.privateSealed, k.createdAt, k.change, k.bothUntil],
  );
  return rows.length > 0;
}

export interface StoredCheckpoint {
  readonly psp: PspId;
  readonly size: number;
  readonly note: string;
  /** The note of the key that signed first, if later keys signed it too. */
  readonly firstNote?: string;
  readonly tail: readonly Hash[];
  readonly sealedAt: string;
}

/** A checkpoint as read, with its hashes concatenated. */
export type FoundCheckpoint = Omit<StoredCheckpoint, 'tail'> & { readonly tail: Buffer };
/** @param alias alias of audit_checkpoints */
export const checkpointColumns = (alias = 'audit_checkpoints') =>
  `${alias}.psp_id AS psp, ${alias}.size, ${alias}.note, ${alias}.tail, ${alias}.sealed_at AS "sealedAt"`;
export const storedCheckpoint = <C extends FoundCheckpoint>(c: C) => ({ ...c, tail: hashesIn(c.tail) });
const readCheckpoints = async (db: Database, rest: string, values: unknown[]): Promise<StoredCheckpoint[]> =>
  withResigned(
    db,
    (await db.query<FoundCheckpoint>(`SELECT ${checkpointColumns()} FROM audit_checkpoints ${rest}`, values)).map(
      storedCheckpoint,
    ),
  );

/** Those that later keys signed have that note in place of their first. */
export async function withResigned<C extends StoredCheckpoint>(db: Database, found: readonly C[]): Promise<C[]> {
  if (found.length === 0) return [];
  const rows = await db.query<Pick<C, 'psp' | 'size' | 'note'>>(
    `SELECT psp_id AS psp, size, note FROM audit_resigned
     WHERE psp_id = ANY ($1::uuid[]) AND size BETWEEN $2 AND $3 ORDER BY version`,
    [
      [...new Set(found.map((c) => c.psp))],
      found.reduce((least, c) => Math.min(least, c.size), Number.MAX_SAFE_INTEGER),
      found.reduce((most, c) => Math.max(most, c.size), 0),
    ],
  );
  const later = new Map(rows.map((r) => [`${r.psp}|${r.size}`, r.note]));
  return found.map((c) => {
    const note = later.get(`${c.psp}|${c.size}`);
    return note === undefined ? c : { ...c, note, firstNote: c.note };
  });
}

/** The newest checkpoint of each PSP that has one, as its first key signed it. */
export async function findLastCheckpoints(
  db: Database,
  psps: readonly PspId[],
): Promise<ReadonlyMap<PspId, StoredCheckpoint>> {
  const rows = await db.query<FoundCheckpoint>(
    `SELECT c.* FROM journal_heads p CROSS JOIN LATERAL (
       SELECT ${checkpointColumns('c')} FROM audit_checkpoints c WHERE c.psp_id = p.psp_id ORDER BY c.size DESC LIMIT 1
     ) c WHERE p.psp_id = ANY ($1::uuid[])`,
    [psps],
  );
  return new Map(rows.map((r) => [r.psp, storedCheckpoint(r)]));
}

/** Adds the same checkpoint signed by later keys. @param version of the newest of them */
export async function insertResigned(
  db: Database,
  { psp, size, note }: Pick<StoredCheckpoint, 'psp' | 'size' | 'note'>,
  version: number,
): Promise<void> {
  await db.query(
    'INSERT INTO audit_resigned (psp_id, size, version, note) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
    [psp, size, version, note],
  );
}

/** Found whatever became of the head of its journal. */
export async function findLastCheckpoint(db: Database, psp: PspId): Promise<StoredCheckpoint | undefined> {
  const [last] = await readCheckpoints(db, 'WHERE psp_id = $1 ORDER BY size DESC LIMIT 1', [psp]);
  return last;
}

export async function findCheckpoint(db: Database, psp: PspId, size: number): Promise<StoredCheckpoint | undefined> {
  const [found] = await readCheckpoints(db, 'WHERE psp_id = $1 AND size = $2', [psp, size]);
  return found;
}

/** Checkpoints of sizes after `from` up to `to`, smallest first. */
export const listCheckpoints = (
  db: Database,
  psp: PspId,
  from: number,
  to: number,
  limit?: number,
): Promise<StoredCheckpoint[]> =>
  readCheckpoints(db, 'WHERE psp_id = $1 AND size > $2 AND size <= $3 ORDER BY size LIMIT $4', [
    psp,
    from,
    to,
    limit ?? null,
  ]);

/** A checkpoint and the tiles that were filled since the one before. */
export interface NewCheckpoint extends Omit<StoredCheckpoint, 'tail'> {
  readonly tail: Uint8Array;
  readonly tiles: readonly Tile[];
}

/** Stores new checkpoints of several PSPs. */
export async function insertSealed(tx: Database, made: readonly NewCheckpoint[]): Promise<void> {
  const tiles = made.flatMap((c) => c.tiles.map((t) => ({ psp: c.psp, ...t })));
  if (tiles.length > 0)
    await tx.query(
      `INSERT INTO audit_tiles (psp_id, level, tile, hashes, root)
       SELECT * FROM unnest($1::uuid[], $2::integer[], $3::bigint[], $4::bytea[], $5::bytea[])`,
      [
        ...valuesOf(tiles, 'psp', 'level', 'index'),
        tiles.map((t) => Buffer.from(t.hashes)),
        tiles.map((t) => Buffer.from(t.root)),
      ],
    );
  await tx.query(
    `INSERT INTO audit_checkpoints (psp_id, size, note, tail, sealed_at)
     SELECT * FROM unnest($1::uuid[], $2::bigint[], $3::text[], $4::bytea[], $5::timestamptz[])`,
    [...valuesOf(made, 'psp', 'size', 'note'), made.map((c) => Buffer.from(c.tail)), made.map((c) => c.sealedAt)],
  );
}

export interface WantedTile {
  readonly level: number;
  readonly tile: number;
  /** With all its hashes, not only its root. */
  readonly whole: boolean;
}

/** Tiles as stored; missing ones are left out. */
export async function loadTiles(db: Database, psp: PspId, wanted: readonly WantedTile[]): Promise<Tile[]> {
  if (wanted.length === 0) return [];
  return db.query(
    `SELECT t.level, t.tile AS index, t.root, CASE WHEN w.whole THEN t.hashes ELSE '' END AS hashes
     FROM unnest($2::integer[], $3::bigint[], $4::boolean[]) AS w(level, tile, whole)
     JOIN audit_tiles t ON t.psp_id = $1 AND t.level = w.level AND t.tile = w.tile`,
    [psp, wanted.map((w) => w.level), wanted.map((w) => w.tile), wanted.map((w) => w.whole)],
  );
}

const leaf = `j.seq, sha256('\\x00'::bytea || convert_to(concat_ws(E'\\n', '${leafFormat}', j.psp_id, j.seq, j.id, j.kind,
       j.account_id, j.resource_id, j.body), 'UTF8')) AS leaf`;
const leavesSql = `SELECT w.psp, count(*) AS entries, min(e.seq) AS first, max(e.seq) AS last,
    string_agg(e.leaf, ''::bytea ORDER BY e.seq) AS leaves
  FROM ${stretchesSql(leaf)} e GROUP BY w.psp`;

/**
 * Hashes of the leaves of entries of several journals, computed in the database so that the bodies need not be
 * transferred. Entries with an id before `since` are searched for only where numbers are missing without them.
 * @throws if a journal has a gap there, or two entries with one number
 */
export async function leafHashes(
  db: Database,
  stretches: readonly Stretch[],
  since?: string,
): Promise<ReadonlyMap<PspId, Hash[]>> {
  const rows = await db.query<{ psp: PspId; entries: number; first: number; last: number; leaves: Buffer }>(
    leavesSql,
    stretchValues(db, stretches, since),
  );
  const found = new Map(rows.map((r) => [r.psp, r]));
  const missing = stretches.filter(({ psp, from, to }) => {
    const r = found.get(psp);
    return r?.entries !== to - from || r.first !== from + 1 || r.last !== to;
  });
  const [first] = missing;
  if (first && since === undefined)
    throw new Error(`entries ${first.from + 1} to ${first.to} of the journal are not numbered one by one`);
  const leaves = first ? await leafHashes(db, missing) : new Map<PspId, Hash[]>();
  return new Map(stretches.map(({ psp }) => [psp, leaves.get(psp) ?? hashesIn(found.get(psp)?.leaves as Buffer)]));
}

/** Entries about a record, in order. @param account limits them to those about it */
export const entriesOf = (
  db: Database,
  psp: PspId,
  resource: string,
  account: string | undefined,
): Promise<SealedEntry[]> =>
  readJournal(db, 'WHERE psp_id = $1 AND resource_id = $2 AND ($3::uuid IS NULL OR account_id = $3) ORDER BY seq', [
    psp,
    resource,
    account ?? null,
  ]);

/** Entries after a position up to a number, whatever their numbers are: two with one number differ by id. */
export const entriesAfter = (
  db: Database,
  psp: PspId,
  after: Pick<SealedEntry, 'seq' | 'id'>,
  to: number,
  limit: number,
): Promise<SealedEntry[]> =>
  readJournal(db, 'WHERE psp_id = $1 AND seq >= $2 AND (seq, id) > ($2, $3) AND seq <= $4 ORDER BY seq, id LIMIT $5', [
    psp,
    after.seq,
    after.id,
    to,
    limit,
  ]);

/** Entries up to a number that are still in the journal although those of records around them are in the archive. */
export const entriesUpTo = (
  db: Database,
  psp: PspId,
  after: number,
  to: number,
  limit: number,
): Promise<SealedEntry[]> =>
  readJournal(db, 'WHERE psp_id = $1 AND seq > $2 AND seq <= $3 ORDER BY seq, id LIMIT $4', [psp, after, to, limit]);

/** The number a PSP's journal has reached, and the highest number of an entry. */
export async function journalEnd(db: Database, psp: PspId): Promise<{ readonly head: number; readonly last: number }> {
  const [r] = await db.query<{ head: number; last: number }>(
    `SELECT coalesce((SELECT seq FROM journal_heads WHERE psp_id = $1), 0)::bigint AS head,
       coalesce((SELECT max(seq) FROM journal WHERE psp_id = $1), 0)::bigint AS last`,
    [psp],
  );
  return r ?? { head: 0, last: 0 };
}

/** Every PSP with rows in the journal or the seal. */
export async function pspsWithTraces(db: Database): Promise<string[]> {
  const rows = await db.query<{ psp_id: string }>(
    `SELECT psp_id FROM journal_heads UNION SELECT psp_id FROM journal
     UNION SELECT psp_id FROM audit_checkpoints ORDER BY psp_id`,
  );
  return rows.map((r) => r.psp_id);
}
