// All SQL of rate corrections: transactions with their adjustments.
import type { PspId } from '../../core/ids.ts';
import { hasAmounts } from '../../core/tax/charge.ts';
import type { TaxedAs } from '../../core/tax/correction.ts';
import type { CountryTax, TaxRule } from '../../core/tax/rule.ts';
import type { TaxProfile } from '../../core/tax/supplier.ts';
import type { TransactionRecord } from '../../core/transaction.ts';
import type { Database } from '../../platform/database.ts';
import type { adjustments } from '../../records/adjustments.ts';
import type { RowOf } from '../../records/define.ts';
import { type TransactionRow, transactionColumns, transactionFromRow } from '../../records/transaction-rows.ts';
import type { DayRange } from '../kernel/day-filter.ts';
import { row } from '../kernel/journal.ts';
import { madeOrRedated } from '../kernel/made-or-redated.ts';

export interface Range {
  readonly psp: PspId;
  /** Limits the range to this account. */
  readonly only: string | undefined;
  readonly country: string;
  readonly days: DayRange;
  /** Only transactions taxed by this rule, as recorded or as adjusted. */
  readonly rule: string | undefined;
  /** Whether the rule is a duty by return: then transactions that lack it are meant too, and none that it does not change. */
  readonly duty: boolean;
}

export interface Recorded {
  readonly transaction: TransactionRecord;
  /** As it was when the transaction was decided. */
  readonly classification: string;
  /** The tax profiles of the account. */
  readonly profiles: readonly TaxProfile[] | null;
  /** For a basket, the part that bears VAT. */
  readonly taxable: string | undefined;
  /** Number of adjustments of this revision. */
  readonly adjusted: number;
  /** Its current taxes: as recorded, or as last adjusted. */
  readonly stands: TaxedAs;
}

const decidedOn = 'decided_on BETWEEN $4::date AND $5::date';
const [madeThen, redated] = madeOrRedated('id', [4, 5], [6, 7]);
/** A transaction that was charged back has had all of its taxes returned. */
const meant = `psp_id = $1 AND country = $2 AND ($3::uuid IS NULL OR account_id = $3) AND status = 'APPROVED'
  AND chargeback IS NULL AND ${decidedOn} AND ($8::text IS NULL OR strpos(evidence, '"rule":"' || $8 || '"') > 0
    OR EXISTS (SELECT FROM adjustments x WHERE x.psp_id = $1 AND x.transaction_id = transactions.id
      AND x.revision = transactions.revision AND strpos(x.tax_after, '"rule":"' || $8 || '"') > 0))`;

const valuesOf = (r: Range) => [
  r.psp,
  r.country,
  r.only ?? null,
  r.days.from,
  r.days.to,
  r.days.made.from,
  r.days.made.to,
  r.duty ? null : (r.rule ?? null),
];

export async function countRecorded(db: Database, range: Range): Promise<number> {
  const [r] = await db.query<{ n: number }>(
    `SELECT (SELECT count(*) FROM transactions WHERE ${meant} AND ${madeThen})
       + (SELECT count(*) FROM transactions WHERE ${meant} AND ${redated}) AS n`,
    valuesOf(range),
  );
  return r?.n ?? 0;
}

/** Ordered by id. @param after id of the last one read */
export async function readRecorded(
  db: Database,
  range: Range,
  after: string | null,
  limit: number,
): Promise<Recorded[]> {
  const some = (more: string) =>
    `(SELECT ${transactionColumns()} FROM transactions
      WHERE ${meant} AND ${more} AND ($9::uuid IS NULL OR id > $9) ORDER BY id LIMIT $10)`;
  return readFound(db, `${some(madeThen)} UNION ALL ${some(redated)}`, [...valuesOf(range), after, limit]);
}

/** Countries that a PSP's transactions are taxed in. */
export const countriesOf = async (db: Database, psp: PspId): Promise<string[]> =>
  (
    await db.query<{ country: string }>(
      'SELECT DISTINCT country FROM transactions WHERE psp_id = $1 ORDER BY country',
      [psp],
    )
  ).map((r) => r.country);

/**
 * Approved transactions that a duty by return may be due on and that have none, neither as recorded nor as adjusted. Their
 * amounts and kinds alone are compared with the rule.
 * @param after id of the last one read
 */
export const readWithoutDuty = (
  db: Database,
  psp: PspId,
  country: CountryTax,
  rule: TaxRule,
  after: string | null,
  limit: number,
): Promise<Recorded[]> =>
  readFound(
    db,
    `SELECT ${transactionColumns()} FROM transactions WHERE psp_id = $1 AND country = $2 AND status = 'APPROVED'
       AND chargeback IS NULL AND kind = ANY ($3) AND decided_on >= $4::date AND ($5::date IS NULL OR decided_on < $5)
       AND ($6::text IS NULL OR currency = $6) AND amount >= $7::numeric AND strpos(evidence, '"owedBy":') = 0
       AND NOT EXISTS (SELECT FROM adjustments x WHERE x.psp_id = $1 AND x.transaction_id = transactions.id
         AND x.revision = transactions.revision AND strpos(x.tax_after, '"rule":"' || $8 || '"') > 0)
       AND ($9::uuid IS NULL OR id > $9) ORDER BY id LIMIT $10`,
    [
      ...[psp, country.jurisdiction, rule.operations, rule.validFrom, rule.validTo],
      hasAmounts(rule) ? (rule.currency ?? country.currency) : null,
      ...[rule.base === 'FEE' ? '0' : (rule.atLeast ?? rule.threshold ?? '0'), rule.ruleId, after, limit],
    ],
  );

/** For a record that does not keep the classification: the last entry about the account before it was decided. */
const accountThen = `
  SELECT j.body AS account_then FROM journal j
  WHERE strpos(t.evidence, '"classification":') = 0 AND j.psp_id = $1 AND j.resource_id = t.account_id
    AND j.kind IN ('client.created', 'client.updated')
    AND j.seq < (SELECT max(e.seq) FROM journal e WHERE e.psp_id = $1 AND e.resource_id = t.id)
  ORDER BY j.seq DESC LIMIT 1`;

const classificationIn = (entry: string | null): string | null | undefined =>
  entry === null ? undefined : (JSON.parse(entry) as { data: { classification?: string | null } }).data.classification;

/**
 * Each table names the PSP by the parameter: a distributed database does not follow it into what is joined to each row.
 * @param of statement of the transactions of the PSP $1, at most $10 of them
 */
async function readFound(db: Database, of: string, values: readonly unknown[]): Promise<Recorded[]> {
  const rows = await db.query<FoundRecorded>(
    `SELECT t.*, a.classification, a.tax_profiles, e.account_then,
       b.taxable_amount, j.number, j.vat_after, j.transaction_vat_after,
       j.remainder_after, j.tax_after
     FROM (${of}) t
     JOIN accounts a ON a.psp_id = t.psp_id AND a.id = t.account_id
     LEFT JOIN LATERAL (${accountThen}) e ON true
     LEFT JOIN baskets b ON b.psp_id = $1 AND b.id = t.basket_id
     LEFT JOIN LATERAL (
       SELECT * FROM adjustments x WHERE x.psp_id = $1 AND x.transaction_id = t.id AND x.revision = t.revision
       ORDER BY number DESC LIMIT 1
     ) j ON true
     ORDER BY t.id LIMIT $10`,
    [...values],
  );
  return rows.map((r) => {
    const transaction = transactionFromRow(r);
    const { vatAmount, transactionVat, remainder, evidence } = transaction;
    return {
      transaction,
      classification: evidence.classification ?? classificationIn(r.account_then) ?? r.classification ?? '',
      profiles: r.tax_profiles === null ? null : JSON.parse(r.tax_profiles),
      taxable: r.taxable_amount ?? undefined,
      adjusted: r.number ?? 0,
      stands:
        r.number === null
          ? { vatAmount, transactionVat, remainder, tax: evidence.tax }
          : {
              vatAmount: r.vat_after,
              transactionVat: r.transaction_vat_after,
              remainder: r.remainder_after,
              tax: JSON.parse(r.tax_after),
            },
    };
  });
}

/** The adjustment's columns are null if there is none, and so is its number. */
type FoundRecorded = TransactionRow &
  Pick<RowOf<typeof adjustments>, 'vat_after' | 'transaction_vat_after' | 'remainder_after' | 'tax_after'> & {
    readonly number: number | null;
    readonly classification: string | null;
    /** JSON. */
    readonly tax_profiles: string | null;
    /** JSON: the body of an entry. */
    readonly account_then: string | null;
    readonly taxable_amount: string | null;
  };

export interface Adjustment {
  readonly recorded: Recorded;
  readonly after: TaxedAs;
}

export interface Made {
  /** UUID. */
  readonly entry: string;
  readonly dataset: string;
  readonly reason: string;
  readonly actor: string;
  readonly at: string;
}

/** Serialises corrections of a PSP until the transaction ends. */
export async function lockCorrections(tx: Database, psp: PspId): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`rate-correction|${psp}`]);
}

export const adjustmentRow = (made: Made, { recorded: { transaction: t, stands, adjusted }, after }: Adjustment) =>
  row('adjustments', {
    psp_id: t.psp,
    transaction_id: t.id,
    revision: t.revision,
    number: adjusted + 1,
    entry_id: made.entry,
    account_id: t.account,
    country: t.country,
    currency: t.currency,
    day: t.evidence.date,
    dataset: made.dataset,
    vat_before: stands.vatAmount,
    vat_after: after.vatAmount,
    transaction_vat_before: stands.transactionVat,
    transaction_vat_after: after.transactionVat,
    remainder_before: stands.remainder,
    remainder_after: after.remainder,
    tax_after: JSON.stringify(after.tax),
    reason: made.reason,
    actor: made.actor,
    created_at: made.at,
  });

/** Sums are decimal text. */
interface Adjusted {
  readonly currency: string;
  readonly n: number;
  readonly vat: string;
  readonly transactionVat: string;
}
interface AdjustedSums extends Adjusted {
  /** Start of the day, ISO 8601. */
  readonly madeOn: string;
  readonly dataset: string;
  readonly reason: string;
  readonly remainder: string;
}
export interface AdjustedDays extends Adjusted {
  /** First and last day of the adjusted transactions. */
  readonly first: string;
  readonly last: string;
}

/** Adjustments in the range, by day of entry, dataset and reason. */
export const sumAdjustments = (db: Database, range: Range): Promise<AdjustedSums[]> =>
  db.query(
    `SELECT created_at AS "madeOn", dataset, currency, reason, count(*) AS n, sum(vat_after - vat_before)::text AS vat,
       sum(transaction_vat_after - transaction_vat_before)::text AS "transactionVat",
       sum(remainder_after - remainder_before)::text AS remainder
     FROM (
       SELECT date_trunc('day', created_at) AS created_at, dataset, currency, reason, vat_after, vat_before,
         transaction_vat_after, transaction_vat_before, remainder_after, remainder_before
       FROM adjustments WHERE psp_id = $1 AND country = $2 AND ($3::uuid IS NULL OR account_id = $3)
         AND day BETWEEN $4::date AND $5::date
     ) x GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`,
    [range.psp, range.country, range.only, range.days.from, range.days.to],
  );

export interface AdjustmentsOf {
  readonly psp: PspId;
  readonly account?: string | undefined;
  readonly country?: string | undefined;
  /** ISO times. */
  readonly made: { readonly from: string; readonly to: string };
}

/**
 * Adjustments voided between two moments, by currency, with reversed signs: their transaction was charged back,
 * declined or decided again, which undoes the recorded amounts and therefore their difference. Where the chargeback was
 * reversed then, they stand again, with their own signs.
 */
export const adjustmentsTakenBack = (db: Database, of: AdjustmentsOf): Promise<AdjustedDays[]> =>
  db.query(
    `SELECT a.currency, count(*) AS n, min(a.day)::text AS first, max(a.day)::text AS last,
       sum(next.sign * (a.vat_before - a.vat_after))::text AS vat,
       sum(next.sign * (a.transaction_vat_before - a.transaction_vat_after))::text AS "transactionVat"
     FROM adjustments a JOIN LATERAL (
       SELECT updated_at, 1 AS sign FROM transactions t
       WHERE t.psp_id = $1 AND t.id = a.transaction_id AND t.revision = a.revision + 1
       UNION ALL SELECT updated_at, 1 FROM transaction_revisions r
       WHERE r.psp_id = $1 AND r.id = a.transaction_id AND r.revision = a.revision + 1
       UNION ALL SELECT updated_at, -1 FROM transactions t
       WHERE t.psp_id = $1 AND t.id = a.transaction_id AND t.revision = a.revision + 2
         AND EXISTS (SELECT FROM chargebacks c JOIN disputes d ON d.psp_id = $1 AND d.chargeback_id = c.id
           WHERE c.psp_id = $1 AND c.transaction_id = t.id AND d.state = 'WON')
     ) next ON true
     WHERE a.psp_id = $1 AND ($2::uuid IS NULL OR a.account_id = $2) AND ($3::text IS NULL OR a.country = $3)
       AND next.updated_at >= $4 AND next.updated_at < $5 GROUP BY a.currency ORDER BY a.currency`,
    [of.psp, of.account, of.country, of.made.from, of.made.to],
  );

/** Adjustments made between two moments, by currency. */
export const adjustmentsMade = (db: Database, of: AdjustmentsOf): Promise<AdjustedDays[]> =>
  db.query(
    `SELECT currency, count(*) AS n, min(day)::text AS first, max(day)::text AS last,
       sum(vat_after - vat_before)::text AS vat,
       sum(transaction_vat_after - transaction_vat_before)::text AS "transactionVat"
     FROM adjustments WHERE psp_id = $1 AND ($2::uuid IS NULL OR account_id = $2) AND ($3::text IS NULL OR country = $3)
       AND created_at >= $4 AND created_at < $5 GROUP BY currency ORDER BY currency`,
    [of.psp, of.account, of.country, of.made.from, of.made.to],
  );
