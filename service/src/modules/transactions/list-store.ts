// All SQL of the list of transactions.
import type { PspId } from '../../core/ids.ts';
import type { TransactionRecord } from '../../core/transaction.ts';
import { type Database, literally } from '../../platform/database.ts';
import { type TransactionRow, transactionColumns, transactionFromRow } from '../../records/transaction-rows.ts';
import type { DayRange } from '../kernel/day-filter.ts';

export interface TransactionFilter {
  readonly psp: PspId;
  readonly account?: string | undefined;
  readonly status?: string | undefined;
  readonly kind?: string | undefined;
  readonly ref?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly before?: string | undefined;
  readonly limit: number;
  readonly country?: string | undefined;
  readonly currency?: string | undefined;
  /** Id of a tax rule. */
  readonly rule?: string | undefined;
  /** Id of a fee row. */
  readonly fee?: string | undefined;
  readonly chargedBack?: boolean | undefined;
  /** Decimal text; both bounds inclusive. */
  readonly amountFrom?: string | undefined;
  readonly amountTo?: string | undefined;
  /** Ids (UUID) from and to, both inclusive. */
  readonly ids?: { readonly from: string; readonly to: string } | undefined;
  /** Prefix of the ref. */
  readonly refBegins?: string | undefined;
  /** Days of the decision; or, if only charged-back ones are wanted, days of the chargeback in one country. */
  readonly days?: DayRange | undefined;
}

// Evidence is text written by JSON.stringify, so what is searched has only one form in it.
const sql = (more: string) => `SELECT ${transactionColumns('t')} FROM transactions t
  WHERE t.psp_id = $1 AND ($2::uuid IS NULL OR account_id = $2) AND ($3::text IS NULL OR status = $3)
    AND ($4::text IS NULL OR kind = $4) AND ($5::text IS NULL OR ref = $5)
    AND ($6::timestamptz IS NULL OR id >= uuid_floor($6)) AND ($7::timestamptz IS NULL OR id < uuid_floor($7))
    AND ($8::uuid IS NULL OR id < $8) AND ($9::text IS NULL OR country = $9) AND ($10::text IS NULL OR currency = $10)
    AND ($11::text IS NULL OR strpos(evidence, '"rule":"' || $11 || '"') > 0)
    AND ($12::text IS NULL OR strpos(evidence, '"fee":"' || $12 || '"') > 0)
    AND ($13::boolean IS NULL OR (chargeback IS NOT NULL) = $13)
    AND ($14::numeric IS NULL OR amount >= $14) AND ($15::numeric IS NULL OR amount <= $15)
    AND ($16::uuid IS NULL OR id >= $16) AND ($17::uuid IS NULL OR id <= $17) ${more}`;
// Included only if requested: the planner then starts with the refs, which have an index, not with the records.
const refBegins = `id IN (SELECT target_id FROM refs r WHERE r.psp_id = $1 AND r.space = 'transaction' AND r.ref LIKE $18
  AND ($2::uuid IS NULL OR r.account_id = $2))`;
const decidedOn = 'decided_on BETWEEN $19::date AND $20::date';
const madeThen = 'id >= uuid_floor($21) AND id < uuid_floor($22)';

const all = (and: string) => `${sql(and)} ORDER BY id DESC LIMIT $19`;
const ofDays = (and: string) => `(${sql(`${and} AND ${decidedOn} AND ${madeThen}`)} ORDER BY id DESC LIMIT $23)
  UNION ALL
  (${sql(`${and} AND ${decidedOn} AND NOT (${madeThen}) AND id IN (
     SELECT transaction_id FROM redated_transactions r
     WHERE r.psp_id = $1 AND r.day BETWEEN $19::date AND $20::date)`)} ORDER BY id DESC LIMIT $23)
  ORDER BY id DESC LIMIT $23`;
const chargedBackOn = (and: string) => `${sql(`${and} AND id IN (
     SELECT transaction_id FROM chargebacks c WHERE c.psp_id = $1 AND c.id >= uuid_floor($19) AND c.id < uuid_floor($20)
       AND c.created_at >= $21 AND c.created_at < $22 AND ($2::uuid IS NULL OR c.account_id = $2))`)}
  ORDER BY id DESC LIMIT $23`;

/** Newest first. */
export async function listTransactions(db: Database, f: TransactionFilter): Promise<TransactionRecord[]> {
  const values = [
    f.psp,
    f.account ?? null,
    f.status ?? null,
    f.kind ?? null,
    f.ref ?? null,
    f.from ?? null,
    f.to ?? null,
    f.before ?? null,
    f.country ?? null,
    f.currency ?? null,
    f.rule ?? null,
    f.fee ?? null,
    f.chargedBack ?? null,
    f.amountFrom ?? null,
    f.amountTo ?? null,
    f.ids?.from ?? null,
    f.ids?.to ?? null,
    f.refBegins === undefined ? null : `${literally(f.refBegins)}%`,
  ];
  const { days } = f;
  const and = `AND ${f.refBegins === undefined ? '$18::text IS NULL' : refBegins}`;
  const rows = await (days === undefined
    ? db.query<TransactionRow>(all(and), [...values, f.limit])
    : days.exact && f.chargedBack
      ? db.query<TransactionRow>(chargedBackOn(and), [
          ...values,
          days.made.from,
          days.made.to,
          days.exact.from,
          days.exact.to,
          f.limit,
        ])
      : db.query<TransactionRow>(ofDays(and), [...values, days.from, days.to, days.made.from, days.made.to, f.limit]));
  return rows.map(transactionFromRow);
}
