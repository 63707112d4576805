// All SQL on reviews.
import { fromWire, type PspId } from '../../core/ids.ts';
import type { Review } from '../../core/risk/review.ts';
import type { FactLoader, RefKey, Row as TableRow } from '../../platform/committer.ts';
import type { Database } from '../../platform/database.ts';
import type { RowOf } from '../../records/define.ts';
import { reviews } from '../../records/reviews.ts';
import { tableOf } from '../../records/table.ts';
import { row } from '../kernel/journal.ts';

/** Gate of a review: one per rule about the same. Its revision is the review's version. */
export const reviewRef = (r: Pick<Review, 'psp' | 'account' | 'transaction' | 'about' | 'rule'>): RefKey => ({
  psp: r.psp,
  space: 'review',
  ref: `${keyOf(r).about}:${r.rule}`,
  account: r.account,
});

const table = tableOf(reviews);

export const reviewRow = (r: Review): TableRow => row('reviews', table.toRow(r));

export interface ReviewKey {
  readonly psp: PspId;
  /** The transaction's id, or what else the rule names. */
  readonly about: string;
  readonly rule: string;
}

export const keyOf = (r: Pick<Review, 'psp' | 'transaction' | 'about' | 'rule'>): ReviewKey => ({
  psp: r.psp,
  about: r.transaction ?? r.about ?? '',
  rule: r.rule,
});
const keyText = (k: ReviewKey) => `${k.psp}|${k.about}|${k.rule}`;

/** The review that a rule opened about something. */
export const reviewOf: FactLoader<ReviewKey, Review> = {
  name: 'review',
  text: keyText,
  async load(db, keys) {
    const found = await table.read(
      db,
      `JOIN unnest($1::uuid[], $2::text[], $3::text[]) AS k(p, a, l)
         ON reviews.psp_id = k.p AND reviews.rule = k.l
           AND (reviews.about = k.a OR reviews.transaction_id = CASE WHEN k.a ~ '^[-0-9a-f]{36}$' THEN k.a::uuid END)`,
      [keys.map((k) => k.psp), keys.map((k) => k.about), keys.map((k) => k.rule)],
    );
    return new Map(found.map((r) => [keyText(keyOf(r)), r]));
  },
};

/** The rule under which alerts of matches are opened. */
export const listMatchRule = 'LIST_MATCH';

/** Those of these matches of a PSP that have an alert that nobody has resolved. @param matches as on the wire */
export const matchesUnresolved = async (
  db: Pick<Database, 'query'>,
  psps: readonly PspId[],
  matches: readonly string[],
): Promise<ReadonlySet<string>> =>
  new Set(
    (
      await db.query<{ match: string }>(
        `SELECT DISTINCT split_part(r.about, '/', 1) AS match
         FROM reviews r JOIN unnest($1::uuid[], $2::text[]) AS k(psp, match) ON r.psp_id = k.psp AND split_part(r.about, '/', 1) = k.match
         WHERE r.state = 'OPEN' AND r.rule = '${listMatchRule}'`,
        [psps, matches],
      )
    ).map((r) => r.match),
  );

/** Those that are not resolved, of any PSP. @param actor `usr_…` */
export const reviewsAssignedTo = (db: Database, actor: string): Promise<Review[]> =>
  table.read(db, `WHERE assignee = $1 AND state <> 'RESOLVED' ORDER BY id`, [actor]);

interface Named {
  readonly psp: PspId;
  /** As on the wire. */
  readonly ids: readonly string[];
}
const namedText = (k: Named) => `${k.psp}|${k.ids.join()}`;

/** Reviews by their ids, oldest first. */
export const reviewsNamed: FactLoader<Named, readonly Review[]> = {
  name: 'reviews',
  text: namedText,
  async load(db, keys) {
    const uuids = (k: Named) => k.ids.flatMap((id) => fromWire('review', id) ?? []);
    const found = await table.read(
      db,
      'JOIN unnest($1::uuid[], $2::uuid[]) AS k(p, i) ON reviews.psp_id = k.p AND reviews.id = k.i ORDER BY reviews.id',
      [keys.flatMap((k) => uuids(k).map(() => k.psp)), keys.flatMap(uuids)],
    );
    return new Map(
      keys.map((k) => {
        const own = new Set(uuids(k));
        return [namedText(k), found.filter((r) => r.psp === k.psp && own.has(r.id))];
      }),
    );
  },
};

/** Those of these that nobody has resolved, oldest first. @param ids as on the wire */
export const unresolved = (db: Database, psp: PspId, ids: readonly string[], limit: number): Promise<Review[]> =>
  table.read(db, "WHERE psp_id = $1 AND id = ANY ($2::uuid[]) AND state <> 'RESOLVED' ORDER BY id LIMIT $3", [
    ...[psp, ids.flatMap((id) => fromWire('review', id) ?? []), limit],
  ]);

/** The first of these that was confirmed. @param ids as on the wire */
export const firstConfirmed = (db: Database, psp: PspId, ids: readonly string[]): Promise<Review | undefined> =>
  table.find(db, "WHERE psp_id = $1 AND id = ANY ($2::uuid[]) AND outcome = 'CONFIRMED' ORDER BY id LIMIT 1", [
    ...[psp, ids.flatMap((id) => fromWire('review', id) ?? [])],
  ]);

/** @param psp undefined for staff, who may see any PSP's */
export const findReview = (db: Database, psp: PspId | undefined, id: string): Promise<Review | undefined> =>
  table.find(db, 'WHERE id = $1 AND ($2::uuid IS NULL OR psp_id = $2)', [id, psp]);

/** Oldest first. */
export const reviewsAbout = (db: Database, psp: PspId, transaction: string): Promise<Review[]> =>
  table.read(db, 'WHERE psp_id = $1 AND transaction_id = $2 ORDER BY id', [psp, transaction]);

/**
 * The first alert about one of these persons, or about one of these clients itself, that nobody has resolved, in a case or not.
 * @param persons keyed hashes
 */
export const findOpenReview = (
  db: Database,
  psp: PspId,
  persons: readonly string[],
  clients: readonly string[],
): Promise<Review | undefined> =>
  table.find(
    db,
    `WHERE psp_id = $1 AND state = 'OPEN' AND (person = ANY ($2) OR (person IS NULL AND account_id = ANY ($3::uuid[])))
     ORDER BY id LIMIT 1`,
    [psp, persons, clients],
  );

export interface ReviewFilter {
  readonly psps: readonly PspId[];
  readonly account?: string | undefined;
  readonly transaction?: string | undefined;
  readonly state?: string | undefined;
  readonly outcome?: string | undefined;
  readonly rule?: string | undefined;
  /** An actor; null for unassigned ones. */
  readonly assignee?: string | null | undefined;
  readonly before?: string | undefined;
  readonly limit: number;
}

/** Newest first. */
export async function listReviews(db: Database, f: ReviewFilter): Promise<Review[]> {
  const rows = await db.query<RowOf<typeof reviews>>(
    `SELECT e.* FROM journal_heads p CROSS JOIN LATERAL (
       SELECT ${table.columns('r')} FROM reviews r
       WHERE r.psp_id = p.psp_id AND ($2::uuid IS NULL OR r.account_id = $2) AND ($3::uuid IS NULL OR r.transaction_id = $3)
         AND ($4::text IS NULL OR r.state = $4) AND ($5::text IS NULL OR r.outcome = $5)
         AND ($6::text IS NULL OR r.rule = $6) AND ($7::text IS NULL OR r.assignee = $7)
         AND ($8::boolean IS NOT TRUE OR r.assignee IS NULL) AND ($9::uuid IS NULL OR r.id < $9)
       ORDER BY r.id DESC LIMIT $10
     ) e WHERE p.psp_id = ANY ($1::uuid[]) ORDER BY e.id DESC LIMIT $10`,
    [f.psps, f.account, f.transaction, f.state, f.outcome, f.rule, f.assignee, f.assignee === null, f.before, f.limit],
  );
  return rows.map(table.fromRow);
}
