// All SQL on reviews.
import type { Review } from '../../core/risk/review.ts';
import type { FactLoader, RefKey, Row as TableRow } from '../../platform/committer.ts';
import type { Database, Row } from '../../platform/database.ts';
import { row } from '../kernel/journal.ts';

/** Gate of a review: one per transaction and rule. Its revision is the review's version. */
export const reviewRef = (r: Pick<Review, 'psp' | 'account' | 'transaction' | 'rule'>): RefKey => ({
  psp: r.psp,
  space: 'review',
  ref: `${r.transaction}:${r.rule}`,
  account: r.account,
});

export const reviewRow = (r: Review): TableRow =>
  row('reviews', {
    psp_id: r.psp,
    id: r.id,
    account_id: r.account,
    transaction_id: r.transaction,
    rule: r.rule,
    reason: r.reason,
    state: r.state,
    assignee: r.assignee,
    outcome: r.outcome,
    opened_by: r.openedBy,
    version: r.version,
    created_at: r.createdAt,
    updated_at: r.updatedAt,
    findings: JSON.stringify(r.findings),
    notes: JSON.stringify(r.notes),
  });

const fromRow = (r: Row): Review => ({
  psp: r.psp_id as string,
  id: r.id as string,
  account: r.account_id as string,
  transaction: r.transaction_id as string,
  rule: r.rule as string,
  reason: r.reason as string,
  findings: JSON.parse(r.findings as string),
  state: r.state as Review['state'],
  assignee: r.assignee as string | null,
  outcome: r.outcome as Review['outcome'],
  notes: JSON.parse(r.notes as string),
  openedBy: r.opened_by as string,
  version: r.version as number,
  createdAt: r.created_at as string,
  updatedAt: r.updated_at as string,
});

export interface ReviewKey {
  readonly psp: string;
  readonly transaction: string;
  readonly rule: string;
}
const keyText = (k: ReviewKey) => `${k.psp}|${k.transaction}|${k.rule}`;

/** The review of a transaction by a rule. */
export const reviewOf: FactLoader<ReviewKey, Review> = {
  name: 'review',
  text: keyText,
  async load(db, keys) {
    const rows = await db.query(
      `SELECT r.* FROM reviews r JOIN unnest($1::uuid[], $2::uuid[], $3::text[]) AS k(p, t, l)
         ON r.psp_id = k.p AND r.transaction_id = k.t AND r.rule = k.l`,
      [keys.map((k) => k.psp), keys.map((k) => k.transaction), keys.map((k) => k.rule)],
    );
    return new Map(rows.map((r) => [keyText(fromRow(r)), fromRow(r)]));
  },
};

/** @param psp undefined for staff, who may see those of any */
export async function findReview(db: Database, psp: string | undefined, id: string): Promise<Review | undefined> {
  const [r] = await db.query('SELECT * FROM reviews WHERE id = $1 AND ($2::uuid IS NULL OR psp_id = $2)', [
    id,
    psp ?? null,
  ]);
  return r && fromRow(r);
}

/** Oldest first. */
export async function reviewsAbout(db: Database, psp: string, transaction: string): Promise<Review[]> {
  const rows = await db.query('SELECT * FROM reviews WHERE psp_id = $1 AND transaction_id = $2 ORDER BY id', [
    psp,
    transaction,
  ]);
  return rows.map(fromRow);
}

export interface ReviewFilter {
  readonly psps: readonly string[];
  readonly account?: string | undefined;
  readonly transaction?: string | undefined;
  readonly state?: string | undefined;
  readonly outcome?: string | undefined;
  readonly rule?: string | undefined;
  /** An actor; null for those nobody has. */
  readonly assignee?: string | null | undefined;
  readonly before?: string | undefined;
  readonly limit: number;
}

/** Newest first. */
export async function listReviews(db: Database, f: ReviewFilter): Promise<Review[]> {
  const rows = await db.query(
    `SELECT e.* FROM unnest($1::uuid[]) AS p(id) CROSS JOIN LATERAL (
       SELECT r.* FROM reviews r
       WHERE r.psp_id = p.id AND ($2::uuid IS NULL OR r.account_id = $2) AND ($3::uuid IS NULL OR r.transaction_id = $3)
         AND ($4::text IS NULL OR r.state = $4) AND ($5::text IS NULL OR r.outcome = $5)
         AND ($6::text IS NULL OR r.rule = $6) AND ($7::text IS NULL OR r.assignee = $7)
         AND ($8::boolean IS NOT TRUE OR r.assignee IS NULL) AND ($9::uuid IS NULL OR r.id < $9)
       ORDER BY r.id DESC LIMIT $10
     ) e ORDER BY e.id DESC LIMIT $10`,
    [
      f.psps,
      f.account ?? null,
      f.transaction ?? null,
      f.state ?? null,
      f.outcome ?? null,
      f.rule ?? null,
      f.assignee ?? null,
      f.assignee === null,
      f.before ?? null,
      f.limit,
    ],
  );
  return rows.map(fromRow);
}

/** Opens what is not open yet, each once per transaction and rule, in one statement. */
export async function openReviews(tx: Database, psp: string, reviews: readonly Review[]): Promise<void> {
  if (reviews.length === 0) return;
  await tx.query(
    `WITH asked AS (
       SELECT * FROM unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::text[],
         $9::timestamptz[]) AS a(id, account_id, transaction_id, rule, ref, reason, findings, at)
     ), gated AS (
       INSERT INTO refs (psp_id, space, ref, account_id, target_id, revision)
       SELECT $1, 'review', ref, account_id, id, 1 FROM asked ORDER BY ref ON CONFLICT DO NOTHING RETURNING target_id
     )
     INSERT INTO reviews (psp_id, id, account_id, transaction_id, rule, reason, findings, state, notes, opened_by,
       version, created_at, updated_at)
     SELECT $1, a.id, a.account_id, a.transaction_id, a.rule, a.reason, a.findings, 'OPEN', '[]', $10, 1, a.at, a.at
     FROM asked a JOIN gated g ON g.target_id = a.id`,
    [
      psp,
      reviews.map((r) => r.id),
      reviews.map((r) => r.account),
      reviews.map((r) => r.transaction),
      reviews.map((r) => r.rule),
      reviews.map((r) => reviewRef(r).ref),
      reviews.map((r) => r.reason),
      reviews.map((r) => JSON.stringify(r.findings)),
      reviews.map((r) => r.createdAt),
      reviews[0]?.openedBy,
    ],
  );
}
