// What adjusting entries changed, by rule: those made between two moments, and those taken back then.
import { setImmediate as pause } from 'node:timers/promises';
import { lineChanges, type TaxedLine } from '../../core/tax/correction.ts';
import type { Database } from '../../platform/database.ts';
import type { AdjustmentsOf } from './adjustment-store.ts';

export interface AdjustedLine extends TaxedLine {
  readonly operation: string;
  readonly currency: string;
  /** Local day of the transaction. */
  readonly day: string;
  /** When it was made or taken back, ISO 8601. */
  readonly at: string;
}

interface Adjusted {
  readonly id: string;
  readonly revision: number;
  readonly number: number;
  readonly kind: string;
  readonly currency: string;
  readonly day: string;
  /** JSON: the evidence as recorded. */
  readonly evidence: string;
  /** JSON: the taxes before, if adjusted before. */
  readonly former: string | null;
  readonly after: string;
  readonly at: string;
}

const page = 1000;

/** A state of a transaction is in its table until another one follows. */
const recorded = `JOIN LATERAL (
    SELECT kind, evidence FROM transactions t WHERE t.psp_id = $1 AND t.id = a.transaction_id AND t.revision = a.revision
    UNION ALL SELECT kind, evidence FROM transaction_revisions r
    WHERE r.psp_id = $1 AND r.id = a.transaction_id AND r.revision = a.revision
  ) s ON true
  LEFT JOIN adjustments f ON f.psp_id = $1 AND f.transaction_id = a.transaction_id AND f.revision = a.revision
    AND f.number = a.number - 1`;
const columns = `a.transaction_id AS id, a.revision, a.number, s.kind, a.currency, a.day, s.evidence,
  f.tax_after AS former, a.tax_after AS after`;
const reach = `a.psp_id = $1 AND ($2::uuid IS NULL OR a.account_id = $2) AND ($3::text IS NULL OR a.country = $3)
  AND ($6::uuid IS NULL OR (a.transaction_id, a.revision, a.number) > ($6, $7, $8))`;
const order = `ORDER BY a.transaction_id, a.revision, a.number LIMIT ${page}`;

const made = `SELECT ${columns}, a.created_at AS at FROM adjustments a ${recorded}
  WHERE ${reach} AND a.created_at >= $4 AND a.created_at < $5 ${order}`;

/** The last adjustment of each state that another one followed then. */
const takenBack = `SELECT ${columns}, next.updated_at AS at FROM adjustments a ${recorded}
  JOIN LATERAL (
    SELECT updated_at FROM transactions t
    WHERE t.psp_id = $1 AND t.id = a.transaction_id AND t.revision = a.revision + 1
    UNION ALL SELECT updated_at FROM transaction_revisions r
    WHERE r.psp_id = $1 AND r.id = a.transaction_id AND r.revision = a.revision + 1
  ) next ON true
  WHERE ${reach} AND next.updated_at >= $4 AND next.updated_at < $5 AND NOT EXISTS (
    SELECT FROM adjustments l WHERE l.psp_id = $1 AND l.transaction_id = a.transaction_id
      AND l.revision = a.revision AND l.number = a.number + 1)
  ${order}`;

const taxOf = (text: string): readonly TaxedLine[] => JSON.parse(text);
const recordedTax = (evidence: string): readonly TaxedLine[] => (JSON.parse(evidence) as { tax: TaxedLine[] }).tax;

async function read(
  db: Database,
  statement: string,
  of: AdjustmentsOf,
  changesOf: (a: Adjusted) => readonly TaxedLine[],
): Promise<AdjustedLine[]> {
  const out: AdjustedLine[] = [];
  for (let last: Adjusted | undefined; ; ) {
    const rows: Adjusted[] = await db.query<Adjusted>(statement, [
      ...[of.psp, of.account ?? null, of.country ?? null, of.made.from, of.made.to],
      ...[last?.id ?? null, last?.revision ?? null, last?.number ?? null],
    ]);
    for (const a of rows)
      for (const change of changesOf(a))
        out.push({ ...change, operation: a.kind, currency: a.currency, day: a.day, at: a.at });
    if (rows.length < page) return out;
    last = rows.at(-1);
    await pause();
  }
}

/** Changes by adjustments made between the two moments, and by those that were taken back then, which reverses them. */
export const adjustedLines = async (db: Database, of: AdjustmentsOf): Promise<AdjustedLine[]> => [
  ...(await read(db, made, of, (a) =>
    lineChanges({ tax: a.former === null ? recordedTax(a.evidence) : taxOf(a.former) }, { tax: taxOf(a.after) }),
  )),
  ...(await read(db, takenBack, of, (a) => lineChanges({ tax: taxOf(a.after) }, { tax: recordedTax(a.evidence) }))),
];
