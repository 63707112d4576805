// Finding transactions: all SQL of their list.
import type { TransactionRecord } from '../../core/transaction.ts';
import type { Database } from '../../platform/database.ts';
import type { DayRange } from '../kernel/day-filter.ts';
import { transactionFromRow } from './transaction-store.ts';

export interface TransactionFilter {
  readonly psp: string;
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
  /** Tax rule. */
  readonly rule?: string | undefined;
  /** Fee row. */
  readonly fee?: string | undefined;
  readonly chargedBack?: boolean | undefined;
  /** Days of the decision; of the chargeback, in one country, where only those charged back are wanted. */
  readonly days?: DayRange | undefined;
}

// Evidence is text: what is looked for in it stands there in one form only, for it is written by JSON.stringify.
const sql = (more: string) => `SELECT * FROM transactions t
  WHERE t.psp_id = $1 AND ($2::uuid IS NULL OR account_id = $2) AND ($3::text IS NULL OR status = $3)
    AND ($4::text IS NULL OR kind = $4) AND ($5::text IS NULL OR ref = $5)
    AND ($6::timestamptz IS NULL OR id >= uuid_floor($6)) AND ($7::timestamptz IS NULL OR id < uuid_floor($7))
    AND ($8::uuid IS NULL OR id < $8) AND ($9::text IS NULL OR country = $9) AND ($10::text IS NULL OR currency = $10)
    AND ($11::text IS NULL OR strpos(evidence, '"rule":"' || $11 || '"') > 0)
    AND ($12::text IS NULL OR strpos(evidence, '"fee":"' || $12 || '"') > 0)
    AND ($13::boolean IS NULL OR (chargeback IS NOT NULL) = $13) ${more}`;
const decidedOn = `left(split_part(evidence, '"date":"', 2), 10) BETWEEN $14 AND $15`;
const madeThen = 'id >= uuid_floor($16) AND id < uuid_floor($17)';

const all = `${sql('')} ORDER BY id DESC LIMIT $14`;
const ofDays = `(${sql(`AND ${decidedOn} AND ${madeThen}`)} ORDER BY id DESC LIMIT $18)
  UNION ALL
  (${sql(`AND ${decidedOn} AND NOT (${madeThen}) AND id IN (
     SELECT transaction_id FROM redated_transactions r
     WHERE r.psp_id = $1 AND r.day BETWEEN $14::date AND $15::date)`)} ORDER BY id DESC LIMIT $18)
  ORDER BY id DESC LIMIT $18`;
const chargedBackOn = `${sql(`AND id IN (
     SELECT transaction_id FROM chargebacks c WHERE c.psp_id = $1 AND c.id >= uuid_floor($14) AND c.id < uuid_floor($15)
       AND c.created_at >= $16 AND c.created_at < $17 AND ($2::uuid IS NULL OR c.account_id = $2))`)}
  ORDER BY id DESC LIMIT $18`;

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
  ];
  const { days } = f;
  const rows = await (days === undefined
    ? db.query(all, [...values, f.limit])
    : days.exact && f.chargedBack
      ? db.query(chargedBackOn, [...values, days.made.from, days.made.to, days.exact.from, days.exact.to, f.limit])
      : db.query(ofDays, [...values, days.from, days.to, days.made.from, days.made.to, f.limit]));
  return rows.map(transactionFromRow);
}
