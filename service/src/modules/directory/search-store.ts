// The SQL of the search over everything. Each statement finds at most a few rows of each PSP by an index of its own; nothing
// here reads a table as a whole, and nothing writes.
import type { PspId } from '../../core/ids.ts';
import type { Database } from '../../platform/database.ts';
import { eachPsp, ofOnly } from '../../platform/each-psp.ts';

export interface SearchScope {
  readonly psps: readonly PspId[];
  /** Limits it to what this account recorded. */
  readonly account: string | undefined;
}

/** Rows of each kind. */
export const mostHits = 6;
/** Rows looked at for one account's, where the index is not by account. */
const mostSeen = 2000;
/** Rows of one amount looked at for those of one account or currency. */
const mostOfAmount = 20_000;

const hereOnly = (s: SearchScope) => (s.account === undefined ? mostHits : mostSeen);

export interface RecordHit {
  readonly psp: PspId;
  readonly kind: 'transaction' | 'basket' | 'wager' | 'payout';
  readonly id: string;
  readonly account: string;
  readonly ref: string | null;
  readonly amount: string;
  readonly currency: string;
  readonly status: string | null;
}

interface RefHit {
  readonly psp: PspId;
  readonly kind: RecordHit['kind'];
  readonly id: string;
  readonly ref: string;
}

export const refSpaces: readonly RecordHit['kind'][] = ['transaction', 'basket', 'wager', 'payout'];
/** Follows every text that begins with another one, in the order of the index. */
const last = '\u{10FFFF}';

/** Refs that begin with a text; one that equals it comes first. */
async function findRefs(db: Database, scope: SearchScope, begins: string): Promise<RefHit[]> {
  const rows = await eachPsp(
    db,
    scope.psps,
    (psp) => psp,
    (psps, only) =>
      db.query<RefHit>(
        `SELECT r.psp_id AS psp, r.space AS kind, r.ref, r.target_id AS id
         FROM unnest($1::uuid[]) AS p(psp) CROSS JOIN unnest($2::text[]) AS s(space)
         CROSS JOIN LATERAL (
           SELECT * FROM (
             SELECT r.psp_id, r.space, r.ref, r.account_id, r.target_id FROM refs r
             WHERE r.psp_id = p.psp AND ${ofOnly('r.psp_id', 8)} AND r.space = s.space AND r.ref >= $3 AND r.ref < $4
             ORDER BY r.ref LIMIT $5
           ) r WHERE ($6::uuid IS NULL OR r.account_id = $6) AND starts_with(r.ref, $3) ORDER BY r.ref LIMIT $7
         ) r ORDER BY r.ref = $3 DESC, r.ref, r.target_id DESC LIMIT $7`,
        [psps, refSpaces, begins, `${begins}${last}`, hereOnly(scope), scope.account, mostHits, only],
      ),
  );
  return rows.sort((a, b) => Number(b.ref === begins) - Number(a.ref === begins)).slice(0, mostHits);
}

/** Which columns each kind has. */
const statusOf: Readonly<Record<RecordHit['kind'], string>> = {
  transaction: 't.status',
  basket: 't.status',
  wager: 'NULL::text',
  payout: 'NULL::text',
};

/** @param ids of one kind */
const readHits = (db: Database, kind: RecordHit['kind'], psps: readonly PspId[], ids: readonly string[]) =>
  db.query<RecordHit>(
    `SELECT t.psp_id AS psp, '${kind}' AS kind, t.id, t.account_id AS account, t.ref, t.amount, t.currency, ${statusOf[kind]} AS status
     FROM ${kind}s t JOIN unnest($1::uuid[], $2::uuid[]) AS k(psp, id) ON t.psp_id = k.psp AND t.id = k.id`,
    [psps, ids],
  );

/** Records of these ids, in their order. */
export async function recordHits(
  db: Database,
  refs: readonly { readonly psp: PspId; readonly kind: RecordHit['kind']; readonly id: string }[],
): Promise<RecordHit[]> {
  const found = await Promise.all(
    [...Map.groupBy(refs, (r) => r.kind)].map(([kind, of]) =>
      eachPsp(
        db,
        of,
        (r) => r.psp,
        (some) =>
          readHits(
            db,
            kind,
            some.map((r) => r.psp),
            some.map((r) => r.id),
          ),
      ),
    ),
  );
  const byId = new Map(found.flat().map((h) => [h.id, h]));
  return refs.flatMap((r) => byId.get(r.id) ?? []);
}

/** Records whose ref begins with a text. */
export const findByRef = async (db: Database, scope: SearchScope, begins: string): Promise<RecordHit[]> =>
  recordHits(db, await findRefs(db, scope, begins));

/** Transactions of exactly this amount between two moments, newest first: the partitions of those months, by their index. */
export async function findByAmount(
  db: Database,
  scope: SearchScope,
  a: { readonly amount: string; readonly currency?: string; readonly from: string; readonly to: string },
): Promise<RecordHit[]> {
  const rows = await eachPsp(
    db,
    scope.psps,
    (psp) => psp,
    (psps, only) =>
      db.query<RecordHit>(
        `SELECT t.psp_id AS psp, 'transaction' AS kind, t.id, t.account_id AS account, t.ref, t.amount, t.currency, t.status
         FROM unnest($1::uuid[]) AS p(psp) CROSS JOIN LATERAL (
           SELECT * FROM (
             SELECT t.psp_id, t.id, t.account_id, t.ref, t.amount, t.currency, t.status FROM transactions t
             WHERE t.psp_id = p.psp AND ${ofOnly('t.psp_id', 8)} AND t.amount = $2::numeric
               AND t.id >= uuid_floor($3::timestamptz) AND t.id < uuid_floor($9::timestamptz)
             ORDER BY t.id DESC LIMIT $5
           ) t WHERE ($4::text IS NULL OR t.currency = $4) AND ($6::uuid IS NULL OR t.account_id = $6) ORDER BY t.id DESC LIMIT $7
         ) t ORDER BY t.id DESC LIMIT $7`,
        [psps, a.amount, a.from, a.currency, mostOfAmount, scope.account, mostHits, only, a.to],
      ),
  );
  return rows.sort((x, y) => (x.id < y.id ? 1 : -1)).slice(0, mostHits);
}

/** As in the index accounts_by_words. */
const nameWords =
  "to_tsvector('simple', translate(name || ' ' || coalesce(registration_number, ''), '-_./,:;&@#()', '            '))";

/** Accounts whose name or registration number has words that begin so, live ones first; of many, some. */
export async function findByName(
  db: Database,
  psps: readonly PspId[],
  words: readonly string[],
): Promise<{ readonly psp: PspId; readonly id: string }[]> {
  const rows = await db.query<{ readonly psp: PspId; readonly id: string }>(
    `SELECT a.psp_id AS psp, a.id FROM (
       SELECT psp_id, id, name, test_of FROM accounts
       WHERE ${nameWords} @@ to_tsquery('simple', $1) AND psp_id = ANY ($2::uuid[]) AND kind IN ('client', 'psp') LIMIT $4
     ) a ORDER BY a.test_of IS NOT NULL, a.name, a.id LIMIT $3`,
    [words.map((w) => `${w}:*`).join(' & '), psps, mostHits, mostSeen],
  );
  return rows;
}

export interface PersonHit {
  readonly psp: PspId;
  readonly by: string;
  readonly person: string;
  /** The newest record that names the person. */
  readonly record: string;
}

/** Calls have their numbers in columns of their own, as keyed hashes. */
const newestCall = (side: string) => `UNION ALL
  (SELECT c.id FROM cdrs c WHERE k.by = 'msisdn' AND c.psp_id = k.psp AND ${ofOnly('c.psp_id', 5)} AND c.${side} = k.hash
     AND ($4::uuid IS NULL OR c.account_id = $4)
   ORDER BY c.id DESC LIMIT 1)`;

/** Which of these values name somebody, with the newest record of each. */
export const findPersons = (
  db: Database,
  account: string | undefined,
  values: readonly { readonly psp: PspId; readonly by: string; readonly hash: string }[],
): Promise<PersonHit[]> =>
  eachPsp(
    db,
    values,
    (v) => v.psp,
    (some, only) =>
      db.query<PersonHit>(
        `SELECT k.psp, k.by, k.hash AS person, l.record FROM unnest($1::uuid[], $2::text[], $3::text[]) AS k(psp, by, hash)
         CROSS JOIN LATERAL (
           (SELECT l.record_id AS record FROM lookups l
            WHERE l.psp_id = k.psp AND ${ofOnly('l.psp_id', 5)} AND l.kind = k.by AND l.hash = k.hash
              AND ($4::uuid IS NULL OR l.account_id = $4)
            ORDER BY l.record_id DESC LIMIT 1)
           ${['caller_number', 'receiver_number'].map(newestCall).join(' ')}
           ORDER BY record DESC LIMIT 1
         ) l`,
        [some.map((v) => v.psp), some.map((v) => v.by), some.map((v) => v.hash), account, only],
      ),
  );

export interface CaseHit {
  readonly psp: PspId;
  readonly id: string;
  readonly account: string;
  readonly number: number;
  readonly state: string;
}

export const findCases = (db: Database, psps: readonly PspId[], number: number): Promise<CaseHit[]> =>
  db.query(
    `SELECT c.psp_id AS psp, c.id, c.account_id AS account, c.number, c.state FROM cases c
     WHERE c.psp_id = ANY ($1::uuid[]) AND c.number = $2 ORDER BY c.id DESC LIMIT $3`,
    [psps, number, mostHits],
  );

/** Every PSP, those of tests too. */
export async function allPsps(db: Database): Promise<PspId[]> {
  const rows = await db.query<{ readonly id: PspId }>("SELECT id FROM accounts WHERE kind = 'psp' ORDER BY id");
  return rows.map((r) => r.id);
}
