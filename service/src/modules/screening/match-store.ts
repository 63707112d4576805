// All SQL on matches, and on how far clients have been screened.
import type { AccountId, PspId } from '../../core/ids.ts';
import type { ListMatch } from '../../core/screening/match.ts';
import type { RefKey, Row as TableRow } from '../../platform/committer.ts';
import type { Database } from '../../platform/database.ts';
import { ofOnly, onlyPsp } from '../../platform/each-psp.ts';
import type { RowOf } from '../../records/define.ts';
import { listMatches } from '../../records/list-matches.ts';
import { tableOf } from '../../records/table.ts';
import { recordById } from '../kernel/facts.ts';
import { row } from '../kernel/journal.ts';
import type { StaffListFilter } from '../kernel/list-filter.ts';

type Reading = Pick<Database, 'query' | 'distributed'>;
const table = tableOf(listMatches);

export type MatchKey = Pick<ListMatch, 'psp' | 'about' | 'list' | 'ref' | 'shared'>;

/** A match of the same with the same entry has this text. */
export const keyOfMatch = (m: MatchKey): string => `${m.psp}|${m.about}|${m.shared}|${m.list}|${m.ref}`;

/** Gate of a match: one for each client, customer or wallet and entry. Its revision is the match's version. */
export const matchRef = (m: MatchKey & Pick<ListMatch, 'account'>): RefKey => ({
  psp: m.psp,
  space: 'match',
  ref: `${m.about}:${m.shared ? 'all' : 'own'}:${m.list}:${m.ref}`,
  account: m.account,
});

export const matchRow = (m: ListMatch): TableRow => row('list_matches', table.toRow(m));

/** Matches about these, by PSP and what they are about. */
export const matchesAbout = (db: Reading, of: readonly Pick<MatchKey, 'psp' | 'about'>[]): Promise<ListMatch[]> =>
  table.read(
    db,
    `JOIN (SELECT DISTINCT p, a FROM unnest($1::uuid[], $2::text[]) AS k(p, a)) k
       ON list_matches.psp_id = k.p AND list_matches.about = k.a AND ${ofOnly('list_matches.psp_id', 3)}
     ORDER BY list_matches.id`,
    [of.map((m) => m.psp), of.map((m) => m.about), onlyPsp(db, of)],
  );

export type ClientOf = Pick<ListMatch, 'psp' | 'account'>;

/** Matches of the owners of these clients that have not ended. */
export const ownerMatches = (db: Reading, clients: readonly ClientOf[]): Promise<ListMatch[]> =>
  table.read(
    db,
    `JOIN (SELECT DISTINCT p, a FROM unnest($1::uuid[], $2::uuid[]) AS k(p, a)) k
       ON list_matches.psp_id = k.p AND list_matches.account_id = k.a AND ${ofOnly('list_matches.psp_id', 3)}
     WHERE list_matches.what = 'OWNER' AND list_matches.state <> 'ENDED' ORDER BY list_matches.id`,
    [clients.map((c) => c.psp), clients.map((c) => c.account), onlyPsp(db, clients)],
  );

/** Matches of customers and wallets that have not ended, by id. */
export const paidMatches = (db: Reading, psp: PspId, after: string | undefined, limit: number): Promise<ListMatch[]> =>
  table.read(
    db,
    `WHERE psp_id = $1 AND what IN ('CUSTOMER', 'WALLET') AND state <> 'ENDED' AND ($2::uuid IS NULL OR id > $2)
     ORDER BY id LIMIT $3`,
    [psp, after, limit],
  );

/** @param psp undefined for staff, who may see any PSP's */
export const findMatch = (db: Reading, psp: PspId | undefined, id: string): Promise<ListMatch | undefined> =>
  table.find(db, 'WHERE id = $1 AND ($2::uuid IS NULL OR psp_id = $2)', [id, psp]);

/** A match by its id, for a decision. */
export const matchById = recordById('match', listMatches, table);

/** Newest first. */
export async function listMatchesOf(db: Reading, f: StaffListFilter<'state' | 'list'>): Promise<ListMatch[]> {
  // The newest of each PSP are read by an index; without it, an operator's page reads and sorts all matches.
  const rows = await db.query<RowOf<typeof listMatches>>(
    `SELECT e.* FROM journal_heads p CROSS JOIN LATERAL (
       SELECT ${table.columns('m')} FROM list_matches m
       WHERE m.psp_id = p.psp_id AND ($2::uuid IS NULL OR m.account_id = $2) AND ($3::text IS NULL OR m.state = $3)
         AND ($4::text IS NULL OR m.list = $4) AND ($5::uuid IS NULL OR m.id < $5)
       ORDER BY m.id DESC LIMIT $6
     ) e WHERE $1::uuid IS NULL OR p.psp_id = $1 ORDER BY e.id DESC LIMIT $6`,
    [f.psp, f.account, f.state, f.list, f.before, f.limit],
  );
  return rows.map(table.fromRow);
}

/** PSPs with clients that were screened before the last load of lists that concern them. */
export const pspsToScreen = async (db: Reading, loads: readonly { owner: string; seq: number }[]): Promise<PspId[]> =>
  (
    await db.query<{ psp_id: PspId }>(
      `SELECT h.psp_id FROM journal_heads h LEFT JOIN list_screenings s ON s.psp_id = h.psp_id
       WHERE coalesce(s.seq, 0) < (SELECT coalesce(max(k.q), 0) FROM unnest($1::uuid[], $2::int[]) AS k(o, q)
         WHERE k.o = '00000000-0000-0000-0000-000000000000' OR k.o = h.psp_id)
       ORDER BY h.psp_id`,
      [loads.map((l) => l.owner), loads.map((l) => l.seq)],
    )
  ).map((r) => r.psp_id);

/** Holds the screening of a PSP until the transaction ends; false if another process has it. */
export async function holdScreening(tx: Database, psp: PspId): Promise<boolean> {
  const [held] = await tx.query<{ held: boolean }>('SELECT pg_try_advisory_xact_lock(727496, hashtext($1)) AS held', [
    psp,
  ]);
  return held?.held === true;
}

/** One records matches of these PSPs at a time, until the transaction ends: the next one sees what this one found. */
export async function holdMatches(tx: Database, psps: readonly PspId[]): Promise<void> {
  await tx.query(
    'SELECT pg_advisory_xact_lock(727497, hashtext(p)) FROM (SELECT DISTINCT p FROM unnest($1::text[]) AS k(p) ORDER BY p) k',
    [psps],
  );
}

/** The versions of a client and of what it has shown, its owners among it; 0 if it has shown nothing. */
export interface ClientVersion {
  readonly account: number;
  readonly shown: number;
}

export async function clientVersions(
  db: Reading,
  psp: PspId,
  clients: readonly AccountId[],
): Promise<ReadonlyMap<AccountId, ClientVersion>> {
  const found = await db.query<ClientVersion & { readonly id: AccountId }>(
    `SELECT a.id, a.version AS account, coalesce(v.version, 0) AS shown
     FROM accounts a LEFT JOIN client_verifications v ON v.psp_id = a.psp_id AND v.id = a.id
     WHERE a.psp_id = $1 AND a.id = ANY ($2::uuid[])`,
    [psp, clients],
  );
  return new Map(found.map((a) => [a.id, a]));
}

export interface Screening {
  /** The load through which the PSP has been screened. */
  readonly seq: number;
  /** When its clients were last compared with all lists; null for not since that is known. */
  readonly wholeAt: string | null;
}

/** The last screening of a PSP; undefined for none. */
export async function lastScreening(db: Reading, psp: PspId): Promise<Screening | undefined> {
  const [found] = await db.query<Screening>(
    'SELECT seq, whole_at AS "wholeAt" FROM list_screenings WHERE psp_id = $1',
    [psp],
  );
  return found;
}

/** @param whole whether all lists were compared, and not only what changed in them */
export async function noteScreened(tx: Database, psp: PspId, seq: number, at: string, whole: boolean): Promise<void> {
  await tx.query(
    `INSERT INTO list_screenings (psp_id, seq, screened_at, whole_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (psp_id) DO UPDATE SET seq = EXCLUDED.seq, screened_at = EXCLUDED.screened_at,
       whole_at = coalesce(EXCLUDED.whole_at, list_screenings.whole_at)
     WHERE list_screenings.seq < EXCLUDED.seq`,
    [psp, seq, at, whole ? at : null],
  );
}

const over = "state = 'EXCEPTED' AND (exception::json->>'until')::timestamptz <= ";

/** PSPs with excepted matches whose exception is over at a time. */
export const pspsWithOver = async (db: Reading, at: string): Promise<PspId[]> =>
  (await db.query<{ psp_id: PspId }>(`SELECT DISTINCT psp_id FROM list_matches WHERE ${over}$1`, [at])).map(
    (r) => r.psp_id,
  );

/** Those of one PSP. */
export const overExceptions = (db: Reading, psp: PspId, at: string): Promise<ListMatch[]> =>
  table.read(db, `WHERE psp_id = $1 AND ${over}$2 ORDER BY id LIMIT 500`, [psp, at]);
