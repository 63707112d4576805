// All SQL of the lists of wagers and payouts.
import type { Database } from '../../platform/database.ts';
import type { RowOf } from '../../records/define.ts';
import type { payouts } from '../../records/payouts.ts';
import type { wagers } from '../../records/wagers.ts';
import type { DayRange } from '../kernel/day-filter.ts';
import type { ListFilter } from '../kernel/list-filter.ts';
import { type PayoutRecord, payoutTable, type WagerRecord, wagerFromRow, wagerTable } from './wager-store.ts';

export interface GamingFilter extends ListFilter<'ref' | 'country' | 'currency'> {
  /** Id of a tax rule that taxed the event or counts it for a periodic return. */
  readonly rule?: string | undefined;
  /** Lower case. */
  readonly productLine?: string | undefined;
  readonly days?: DayRange | undefined;
}

// Evidence is text written by JSON.stringify, so what is searched has only one form in it.
const listSql = (columns: string, table: string, line: string, own: string) =>
  `SELECT ${columns} FROM ${table} t WHERE psp_id = $1 AND ($2::uuid IS NULL OR account_id = $2) AND ($3::text IS NULL OR ref = $3)
     AND ($4::uuid IS NULL OR id < $4) AND ($6::text IS NULL OR country = $6) AND ($7::text IS NULL OR currency = $7)
     AND ($8::text IS NULL OR strpos(evidence, '"rule":"' || $8 || '"') > 0) AND ($9::text IS NULL OR ${line} = $9)
     AND ($10::date IS NULL OR decided_on BETWEEN $10 AND $11::date
       AND id >= uuid_floor($12) AND id < uuid_floor($13)) AND ($14::text IS NULL OR ${own} = $14)
   ORDER BY id DESC LIMIT $5`;
const wagersSql = listSql(wagerTable.columns('t'), 'wagers', 'lower(product_line)', 'product_line');
const payoutsSql = listSql(
  payoutTable.columns('t'),
  'payouts',
  '(SELECT lower(w.product_line) FROM wagers w WHERE w.psp_id = $1 AND w.id = t.wager_id)',
  'wager_ref',
);

const values = (f: GamingFilter, own: string | undefined) => [
  f.psp,
  f.account ?? null,
  f.ref ?? null,
  f.before ?? null,
  f.limit,
  f.country ?? null,
  f.currency ?? null,
  f.rule ?? null,
  f.productLine ?? null,
  f.days?.from ?? null,
  f.days?.to ?? null,
  f.days?.made.from ?? null,
  f.days?.made.to ?? null,
  own ?? null,
];

/** Newest first. */
export async function listWagers(
  db: Database,
  f: GamingFilter & { type?: string | undefined },
): Promise<WagerRecord[]> {
  return (await db.query<RowOf<typeof wagers>>(wagersSql, values(f, f.type))).map(wagerFromRow);
}

/** Newest first. */
export async function listPayouts(
  db: Database,
  f: GamingFilter & { wagerRef?: string | undefined },
): Promise<PayoutRecord[]> {
  return (await db.query<RowOf<typeof payouts>>(payoutsSql, values(f, f.wagerRef))).map(payoutTable.fromRow);
}
