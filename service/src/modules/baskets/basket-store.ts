// All SQL on baskets.
import { accountWire, type PspId, toWire } from '../../core/ids.ts';
import { parseJson } from '../../core/json.ts';
import { decimal, Numeral, unitsAt, wireNumber } from '../../core/money.ts';
import type { Goods } from '../../core/tax/goods.ts';
import type { TransactionRecord } from '../../core/transaction.ts';
import type { FactLoader, RefKey } from '../../platform/committer.ts';
import type { Database } from '../../platform/database.ts';
import { baskets } from '../../records/baskets.ts';
import type { RowOf } from '../../records/define.ts';
import { type RecordOf, tableOf } from '../../records/table.ts';
import { type TransactionRow, transactionColumns, transactionFromRow } from '../../records/transaction-rows.ts';
import { row } from '../kernel/journal.ts';
import type { ListFilter } from '../kernel/list-filter.ts';

const table = tableOf(baskets, { transaction_id: 'transactionId' });
export type BasketRecord = RecordOf<typeof baskets, { transaction_id: 'transactionId' }>;
type FoundBasket = RowOf<typeof baskets> & { readonly ref_revision: number };

/** A basket with its transaction and its ref's revision. */
export interface BasketFact {
  readonly basket: BasketRecord;
  readonly transaction: TransactionRecord;
  readonly refRevision: number;
  /** Total and what bears VAT, in the smallest unit of the transaction's asset. */
  readonly amount: bigint;
  readonly goods: readonly Goods[];
}

export const basketRow = (b: BasketRecord) => row('baskets', table.toRow(b));

/** A change of a basket's status: all of the row, which the entry vouches for. */
export const basketChange = (b: BasketRecord) => row('basket_changes', table.toRow(b));

/** Baskets with their transactions, loaded with one query. */
async function factsOf(db: Database, rows: readonly FoundBasket[]): Promise<BasketFact[]> {
  if (rows.length === 0) return [];
  const transactions = await db.query<TransactionRow>(
    `SELECT ${transactionColumns('t')} FROM transactions t JOIN unnest($1::uuid[], $2::uuid[]) AS k(p, i) ON t.psp_id = k.p AND t.id = k.i`,
    [rows.map((r) => r.psp_id), rows.map((r) => r.transaction_id)],
  );
  const byId = new Map(transactions.map((t) => [t.id, transactionFromRow(t)]));
  return rows.flatMap((r) => {
    const basket = table.fromRow(r);
    const transaction = byId.get(basket.transactionId);
    if (!transaction) return [];
    const scale = basket.amount.includes('.') ? basket.amount.length - basket.amount.indexOf('.') - 1 : 0;
    const units = (text: string) => unitsAt(decimal(text), scale) as bigint;
    return [
      {
        basket,
        transaction,
        refRevision: r.ref_revision,
        amount: units(basket.amount),
        goods: (transaction.evidence.goods ?? [{ taxable: basket.taxableAmount }]).map((g) => ({
          ...g,
          taxable: units(g.taxable),
        })),
      },
    ];
  });
}

export interface BasketKey {
  readonly psp: PspId;
  readonly transaction: string;
}

export const basketByTransaction: FactLoader<BasketKey, BasketFact> = {
  name: 'basket-by-transaction',
  text: (k) => `${k.psp}|${k.transaction}`,
  async load(db, keys) {
    const rows = await db.query<FoundBasket>(
      `${select} JOIN unnest($1::uuid[], $2::uuid[]) AS k(p, i) ON b.psp_id = k.p AND b.transaction_id = k.i`,
      [keys.map((k) => k.psp), keys.map((k) => k.transaction)],
    );
    return new Map((await factsOf(db, rows)).map((f) => [`${f.basket.psp}|${f.basket.transactionId}`, f]));
  },
};

const select = `SELECT ${table.columns('b')}, r.revision AS ref_revision FROM baskets b
  JOIN refs r ON r.psp_id = b.psp_id AND r.space = 'basket' AND r.ref = b.ref AND r.account_id = b.account_id`;

export const basketByRef: FactLoader<RefKey, BasketFact> = {
  name: 'basket-by-ref',
  text: (k) => `${k.psp}|${k.account}|${k.ref}`,
  async load(db, keys) {
    const rows = await db.query<FoundBasket>(
      `${select} JOIN unnest($1::uuid[], $2::text[], $3::uuid[]) AS k(p, f, a)
         ON b.psp_id = k.p AND b.ref = k.f AND b.account_id = k.a`,
      [keys.map((k) => k.psp), keys.map((k) => k.ref), keys.map((k) => k.account)],
    );
    return new Map((await factsOf(db, rows)).map((f) => [`${f.basket.psp}|${f.basket.account}|${f.basket.ref}`, f]));
  },
};

export const findBasket = (db: Database, psp: PspId, id: string): Promise<BasketRecord | undefined> =>
  table.find(db, 'WHERE psp_id = $1 AND id = $2', [psp, id]);

export const listBaskets = (db: Database, f: ListFilter<'status' | 'ref'>): Promise<BasketRecord[]> =>
  table.read(
    db,
    `WHERE psp_id = $1 AND ($2::uuid IS NULL OR account_id = $2)
       AND ($3::text IS NULL OR status = $3) AND ($4::text IS NULL OR ref = $4) AND ($5::uuid IS NULL OR id < $5)
     ORDER BY id DESC LIMIT $6`,
    [f.psp, f.account, f.status, f.ref, f.before, f.limit],
  );

/** Reply of submitBasket (Spec 4.16). */
export function basketContent(b: BasketRecord) {
  return {
    basketId: toWire('basket', b.id),
    vatAmount: wireNumber(b.vatAmount),
    originalBasketData: wireJson(b.original) as object,
    status: b.status,
    transactionId: toWire('transaction', b.transactionId),
  };
}

/** The full resource. */
export function basketResource(b: BasketRecord) {
  return {
    ...basketContent(b),
    ref: b.ref,
    totalAmount: wireNumber(b.amount),
    currency: b.currency,
    countryCode: b.country,
    clientId: accountWire(b.psp, b.account),
    lineVat: b.lineVat.map(wireNumber),
    observations: b.observations,
    revision: b.revision,
    createdAt: b.createdAt,
    updatedAt: b.updatedAt,
  };
}

/** Stored JSON for JSON.stringify, with exact numbers. */
function wireJson(text: string): unknown {
  const convert = (v: unknown): unknown => {
    if (v instanceof Numeral) return wireNumber(v.text);
    if (Array.isArray(v)) return v.map(convert);
    if (v !== null && typeof v === 'object')
      return Object.fromEntries(Object.entries(v).map(([k, x]) => [k, convert(x)]));
    return v;
  };
  return convert(parseJson(text));
}
