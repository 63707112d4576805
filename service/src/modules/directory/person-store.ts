// The SQL on all that names one person, by the keyed hash of what identifies the person. Reads only.
import type { PspId } from '../../core/ids.ts';
import { type Database, only } from '../../platform/database.ts';
import type { RecordHit } from './search-store.ts';

export interface PersonScope {
  readonly psp: PspId;
  /** Keyed hash. */
  readonly person: string;
  readonly account: string | undefined;
}

type NamedKind = 'transaction' | 'wager' | 'payout';

/** The records that are added up: the newest of each kind of value. */
export const mostSummed = 5000;

const lookupKinds = ['customer', 'msisdn', 'wallet', 'chainHash', 'ip'];

/** A person may be named by several values in one record. Parameters: PSP, hash, account, id before. */
const named = (limit: string) => `(
  SELECT DISTINCT record_id AS id, record_kind AS kind, account_id AS account
  FROM unnest(ARRAY[${lookupKinds.map((k) => `'${k}'`).join(', ')}]) AS k(kind) CROSS JOIN LATERAL (
    SELECT l.record_id, l.record_kind, l.account_id FROM lookups l
    WHERE l.psp_id = $1 AND l.kind = k.kind AND l.hash = $2 AND ($3::uuid IS NULL OR l.account_id = $3)
      AND ($4::uuid IS NULL OR l.record_id < $4)
    ORDER BY l.record_id DESC LIMIT ${limit}
  ) l)`;

/** The kinds of value by which records name the person, with the newest record of each. */
export const namedBy = (db: Database, p: PersonScope): Promise<{ readonly by: string; readonly newest: string }[]> =>
  db.query(
    `SELECT k.kind AS by, l.record_id AS newest FROM unnest($4::text[]) AS k(kind) CROSS JOIN LATERAL (
       SELECT l.record_id FROM lookups l
       WHERE l.psp_id = $1 AND l.kind = k.kind AND l.hash = $2 AND ($3::uuid IS NULL OR l.account_id = $3)
       ORDER BY l.record_id DESC LIMIT 1
     ) l`,
    [p.psp, p.person, p.account, lookupKinds],
  );

/** A row of calls looks as those of other records; calls have no amount. */
export type PersonRow = Omit<RecordHit, 'kind' | 'amount' | 'currency'> & {
  readonly kind: NamedKind | 'cdr';
  readonly type: string;
  readonly amount: string | null;
  readonly currency: string | null;
};

export interface PersonSum {
  readonly kind: NamedKind;
  readonly type: string;
  readonly status: string | null;
  readonly currency: string;
  readonly count: number;
  readonly amount: string;
}

/** Sums over the newest records. Currencies stay apart. */
export const sumsOfPerson = (db: Database, p: PersonScope): Promise<PersonSum[]> =>
  db.query(
    `SELECT f.kind, coalesce(t.kind, f.kind) AS type, t.status, coalesce(t.currency, w.currency, o.currency) AS currency,
       count(*) AS count, trim_scale(sum(coalesce(t.amount, w.amount, o.amount))) AS amount
     FROM (SELECT * FROM ${named('$5')} f ORDER BY id DESC LIMIT $5) f
     LEFT JOIN transactions t ON f.kind = 'transaction' AND t.psp_id = $1 AND t.id = f.id
     LEFT JOIN wagers w ON f.kind = 'wager' AND w.psp_id = $1 AND w.id = f.id
     LEFT JOIN payouts o ON f.kind = 'payout' AND o.psp_id = $1 AND o.id = f.id
     WHERE coalesce(t.id, w.id, o.id) IS NOT NULL
     GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 4, 3`,
    [p.psp, p.person, p.account, null, mostSummed],
  );

export interface PersonCount {
  readonly records: number;
  readonly first: string | null;
  readonly last: string | null;
  readonly accounts: readonly string[];
}

/** How many records name the person, up to one more than are summed; the accounts that recorded them. */
export async function countOfPerson(db: Database, p: PersonScope): Promise<PersonCount> {
  const rows = await db.query<PersonCount>(
    `SELECT count(*) AS records, min(id::text) AS first, max(id::text) AS last,
       coalesce(array_agg(DISTINCT account::text), '{}') AS accounts
     FROM (SELECT * FROM ${named('$5')} f ORDER BY id DESC LIMIT $5) f`,
    [p.psp, p.person, p.account, null, mostSummed + 1],
  );
  return only(rows);
}

/** Newest first. @param before id of the last one of the page before */
export const recordsOfPerson = (
  db: Database,
  p: PersonScope,
  before: string | undefined,
  limit: number,
): Promise<PersonRow[]> =>
  db.query(
    `SELECT $1::uuid AS psp, f.kind, f.id, f.account, coalesce(t.kind, f.kind) AS type, coalesce(t.ref, w.ref, o.ref) AS ref,
       coalesce(t.amount, w.amount, o.amount) AS amount, coalesce(t.currency, w.currency, o.currency) AS currency, t.status
     FROM (SELECT * FROM ${named('$5')} f ORDER BY id DESC LIMIT $5) f
     LEFT JOIN transactions t ON f.kind = 'transaction' AND t.psp_id = $1 AND t.id = f.id
     LEFT JOIN wagers w ON f.kind = 'wager' AND w.psp_id = $1 AND w.id = f.id
     LEFT JOIN payouts o ON f.kind = 'payout' AND o.psp_id = $1 AND o.id = f.id
     WHERE coalesce(t.id, w.id, o.id) IS NOT NULL
     ORDER BY f.id DESC`,
    [p.psp, p.person, p.account, before, limit],
  );

export interface PersonNamed {
  readonly by: string;
  readonly person: string;
}

/** Whom a record names. */
export const personsOf = (
  db: Database,
  psp: PspId,
  record: string,
): Promise<(PersonNamed & { readonly account: string })[]> =>
  db.query(
    `SELECT kind AS by, hash AS person, account_id AS account FROM lookups WHERE psp_id = $1 AND record_id = $2 AND kind <> 'mailbox'
     ORDER BY kind, hash`,
    [psp, record],
  );

export interface PersonCase {
  readonly id: string;
  readonly account: string;
  readonly number: number;
  readonly state: string;
}

/** Newest first. */
export const casesOfPerson = (db: Database, psp: PspId, person: string): Promise<PersonCase[]> =>
  db.query(
    `SELECT id, account_id AS account, number, state FROM cases WHERE psp_id = $1 AND person = $2 ORDER BY id DESC LIMIT 50`,
    [psp, person],
  );

/** Whether the person was erased and nothing was recorded since. */
export async function isErased(db: Database, psp: PspId, person: string): Promise<boolean> {
  const rows = await db.query<{ readonly erased: boolean }>(
    'SELECT key_sealed IS NULL AS erased FROM subject_keys WHERE psp_id = $1 AND subject = $2',
    [psp, person],
  );
  return rows[0]?.erased === true;
}
