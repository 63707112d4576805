// All SQL of the list of transactions.
import type { PspId } from '../../core/ids.ts';
import type { TransactionRecord } from '../../core/transaction.ts';
import { type Database, literally } from '../../platform/database.ts';
import { type TransactionRow, transactionColumns, transactionFromRow } from '../../records/transaction-rows.ts';
import type { DayRange } from '../kernel/day-filter.ts';
import { madeOrRedated } from '../kernel/made-or-redated.ts';

/** By the time of recording or by gross amount; `-` for the latest or largest first. */
export const transactionSorts = ['-time', 'time', '-amount', 'amount'] as const;
export type TransactionSort = (typeof transactionSorts)[number];

export interface TransactionFilter {
  readonly psp: PspId;
  readonly account?: string | undefined;
  readonly status?: string | undefined;
  readonly kind?: string | undefined;
  readonly ref?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** The last transaction of the page before. */
  readonly after?: { readonly id: string; readonly amount: string } | undefined;
  readonly limit: number;
  readonly sort?: TransactionSort | undefined;
  readonly country?: string | undefined;
  readonly currency?: string | undefined;
  /** Patterns of reasons, of which it has one. */
  readonly reasons?: readonly string[] | undefined;
  /** Id of a tax rule that it bears as recorded, or as last corrected. */
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

// Evidence and corrected taxes are text written by JSON.stringify, so what is searched has only one form in it.
const corrected = `EXISTS (SELECT FROM adjustments a WHERE a.psp_id = $1 AND a.transaction_id = t.id
      AND strpos(a.tax_after, '"rule":"' || $11 || '"') > 0 AND NOT EXISTS (SELECT FROM adjustments l
        WHERE l.psp_id = $1 AND l.transaction_id = t.id AND (l.revision, l.number) > (a.revision, a.number)))`;
// An id is made when its record is decided, a moment after the request that createdAt is of.
const where = `t.psp_id = $1 AND ($2::uuid IS NULL OR account_id = $2) AND ($3::text IS NULL OR status = $3)
    AND ($4::text IS NULL OR kind = $4) AND ($5::text IS NULL OR ref = $5)
    AND ($6::timestamptz IS NULL OR created_at >= $6 AND id >= (SELECT uuid_floor($6 - interval '1 hour')))
    AND ($7::timestamptz IS NULL OR created_at < $7 AND id < (SELECT uuid_floor($7 + interval '1 hour')))
    AND ($8::text[] IS NULL OR reason LIKE ANY ($8)) AND ($9::text IS NULL OR country = $9) AND ($10::text IS NULL OR currency = $10)
    AND ($11::text IS NULL OR strpos(evidence, '"rule":"' || $11 || '"') > 0 OR ${corrected})
    AND ($12::text IS NULL OR strpos(evidence, '"fee":"' || $12 || '"') > 0)
    AND ($13::boolean IS NULL OR (chargeback IS NOT NULL) = $13)
    AND ($14::numeric IS NULL OR amount >= $14) AND ($15::numeric IS NULL OR amount <= $15)
    AND ($16::uuid IS NULL OR id >= $16) AND ($17::uuid IS NULL OR id <= $17)`;
// Included only if requested: the planner then starts with the refs, which have an index, not with the records.
const refBegins = `id IN (SELECT target_id FROM refs r WHERE r.psp_id = $1 AND r.space = 'transaction' AND r.ref LIKE $18
  AND ($2::uuid IS NULL OR r.account_id = $2))`;
const decidedOn = 'decided_on BETWEEN $22::date AND $23::date';
const ofDays = madeOrRedated('id', [22, 23], [24, 25]).map((made) => ` AND ${decidedOn} AND ${made}`);
const chargedBackOn = `id IN (SELECT transaction_id FROM chargebacks c WHERE c.psp_id = $1 AND c.id >= uuid_floor($22)
  AND c.id < uuid_floor($23) AND c.created_at >= $24 AND c.created_at < $25 AND ($2::uuid IS NULL OR c.account_id = $2))`;

/** What follows the page before, and the order; $19 is the limit, $20 and $21 the last id and amount. */
const orders: Readonly<Record<TransactionSort, { readonly after: string; readonly by: string }>> = {
  '-time': { after: '($20::uuid IS NULL OR id < $20) AND $21::numeric IS NULL', by: 'id DESC' },
  time: { after: '($20::uuid IS NULL OR id > $20) AND $21::numeric IS NULL', by: 'id' },
  '-amount': { after: '($20::uuid IS NULL OR (amount, id) < ($21::numeric, $20))', by: 'amount DESC, id DESC' },
  amount: { after: '($20::uuid IS NULL OR (amount, id) > ($21::numeric, $20))', by: 'amount, id' },
};

/** Statements that each find some of the rows, first to last; none finds a row of another. */
function partsOf({ days, chargedBack }: TransactionFilter): readonly string[] {
  if (days === undefined) return [''];
  if (days.exact && chargedBack) return [` AND ${chargedBackOn}`];
  return ofDays;
}

const daysOf = ({ days, chargedBack }: TransactionFilter): readonly string[] =>
  days === undefined
    ? []
    : days.exact && chargedBack
      ? [days.made.from, days.made.to, days.exact.from, days.exact.to]
      : [days.from, days.to, days.made.from, days.made.to];

/** In the order of `sort`, newest first by default. */
export async function listTransactions(db: Database, f: TransactionFilter): Promise<TransactionRecord[]> {
  const sort = f.sort ?? '-time';
  const { after, by } = orders[sort];
  const ref = f.refBegins === undefined ? '$18::text IS NULL' : refBegins;
  const statement = (part: string) =>
    `SELECT ${transactionColumns('t')} FROM transactions t WHERE ${where}${part} AND ${ref} AND ${after} ORDER BY ${by} LIMIT $19`;
  const [only = '', ...more] = partsOf(f).map(statement);
  const text =
    more.length === 0 ? only : `${[only, ...more].map((p) => `(${p})`).join(' UNION ALL ')} ORDER BY ${by} LIMIT $19`;
  const rows = await db.query<TransactionRow>(text, [
    f.psp,
    f.account,
    f.status,
    f.kind,
    f.ref,
    f.from,
    f.to,
    f.reasons,
    f.country,
    f.currency,
    f.rule,
    f.fee,
    f.chargedBack,
    f.amountFrom,
    f.amountTo,
    f.ids?.from,
    f.ids?.to,
    f.refBegins === undefined ? null : `${literally(f.refBegins)}%`,
    f.limit,
    f.after?.id,
    f.after && isByAmount(sort) ? f.after.amount : null,
    ...daysOf(f),
  ]);
  return rows.map(transactionFromRow);
}

export const isByAmount = (sort: TransactionSort): boolean => sort.endsWith('amount');
