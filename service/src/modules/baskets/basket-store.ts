// All SQL on baskets.
import { toWire } from '../../core/ids.ts';
import { parseJson } from '../../core/json.ts';
import { decimal, Numeral, unitsAt, wireNumber } from '../../core/money.ts';
import { accountWire, type Observation, type TransactionRecord } from '../../core/transaction.ts';
import type { FactLoader, RefKey } from '../../platform/committer.ts';
import type { Database, Row } from '../../platform/database.ts';
import { row } from '../kernel/journal.ts';
import { transactionFromRow } from '../transactions/index.ts';

export interface BasketRecord {
  readonly psp: string;
  readonly id: string;
  readonly account: string;
  readonly recordedBy: string;
  readonly ref: string;
  readonly transactionId: string;
  readonly status: 'PENDING' | 'VERIFIED' | 'CANCELLED';
  readonly revision: number;
  readonly amount: string;
  readonly currency: string;
  readonly country: string;
  readonly vatAmount: string;
  readonly taxableAmount: string;
  readonly lineVat: readonly string[];
  /** JSON text of the submitted basket as it is echoed. */
  readonly original: string;
  readonly request: string;
  readonly observations: readonly Observation[];
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A basket with its transaction and the revision of its ref. */
export interface BasketFact {
  readonly basket: BasketRecord;
  readonly transaction: TransactionRecord;
  readonly refRevision: number;
  /** Total and its VAT-bearing part, in the smallest unit of the transaction's amounts. */
  readonly amount: bigint;
  readonly taxable: bigint;
}

export function basketFromRow(r: Row): BasketRecord {
  return {
    psp: r.psp_id as string,
    id: r.id as string,
    account: r.account_id as string,
    recordedBy: r.recorded_by as string,
    ref: r.ref as string,
    transactionId: r.transaction_id as string,
    status: r.status as BasketRecord['status'],
    revision: r.revision as number,
    amount: r.amount as string,
    currency: r.currency as string,
    country: r.country as string,
    vatAmount: r.vat_amount as string,
    taxableAmount: r.taxable_amount as string,
    lineVat: JSON.parse(r.line_vat as string),
    original: r.original as string,
    request: r.request as string,
    observations: JSON.parse(r.observations as string),
    createdAt: r.created_at as string,
    updatedAt: r.updated_at as string,
  };
}

export function basketRow(b: BasketRecord) {
  return row('baskets', {
    psp_id: b.psp,
    id: b.id,
    account_id: b.account,
    recorded_by: b.recordedBy,
    ref: b.ref,
    transaction_id: b.transactionId,
    status: b.status,
    revision: b.revision,
    amount: b.amount,
    currency: b.currency,
    country: b.country,
    vat_amount: b.vatAmount,
    taxable_amount: b.taxableAmount,
    created_at: b.createdAt,
    updated_at: b.updatedAt,
    line_vat: JSON.stringify(b.lineVat),
    original: b.original,
    request: b.request,
    observations: JSON.stringify(b.observations),
  });
}

/** A basket's change of status. */
export const basketChange = (b: Pick<BasketRecord, 'psp' | 'id' | 'status' | 'revision' | 'updatedAt'>) =>
  row('basket_changes', { psp_id: b.psp, id: b.id, status: b.status, revision: b.revision, updated_at: b.updatedAt });

/** Baskets with their transactions, one query for all. */
async function factsOf(db: Database, rows: Row[]): Promise<BasketFact[]> {
  if (rows.length === 0) return [];
  const transactions = await db.query(
    `SELECT t.* FROM transactions t JOIN unnest($1::uuid[], $2::uuid[]) AS k(p, i) ON t.psp_id = k.p AND t.id = k.i`,
    [rows.map((r) => r.psp_id), rows.map((r) => r.transaction_id)],
  );
  const byId = new Map(transactions.map((t) => [t.id as string, transactionFromRow(t)]));
  return rows.flatMap((r) => {
    const basket = basketFromRow(r);
    const transaction = byId.get(basket.transactionId);
    if (!transaction) return [];
    const scale = basket.amount.includes('.') ? basket.amount.length - basket.amount.indexOf('.') - 1 : 0;
    const units = (text: string) => unitsAt(decimal(text), scale) as bigint;
    return [
      {
        basket,
        transaction,
        refRevision: r.ref_revision as number,
        amount: units(basket.amount),
        taxable: units(basket.taxableAmount),
      },
    ];
  });
}

export interface BasketKey {
  readonly psp: string;
  readonly transaction: string;
}

/** Baskets by the transaction they are tied to. */
export const basketByTransaction: FactLoader<BasketKey, BasketFact> = {
  name: 'basket-by-transaction',
  text: (k) => `${k.psp}|${k.transaction}`,
  async load(db, keys) {
    const rows = await db.query(
      `${baskets} JOIN unnest($1::uuid[], $2::uuid[]) AS k(p, i) ON b.psp_id = k.p AND b.transaction_id = k.i`,
      [keys.map((k) => k.psp), keys.map((k) => k.transaction)],
    );
    return new Map((await factsOf(db, rows)).map((f) => [`${f.basket.psp}|${f.basket.transactionId}`, f]));
  },
};

const baskets = `SELECT b.*, r.revision AS ref_revision FROM baskets b
  JOIN refs r ON r.psp_id = b.psp_id AND r.space = 'basket' AND r.ref = b.ref AND r.account_id = b.account_id`;

/** Baskets by ref. */
export const basketByRef: FactLoader<RefKey, BasketFact> = {
  name: 'basket-by-ref',
  text: (k) => `${k.psp}|${k.account}|${k.ref}`,
  async load(db, keys) {
    const rows = await db.query(
      `${baskets} JOIN unnest($1::uuid[], $2::text[], $3::uuid[]) AS k(p, f, a)
         ON b.psp_id = k.p AND b.ref = k.f AND b.account_id = k.a`,
      [keys.map((k) => k.psp), keys.map((k) => k.ref), keys.map((k) => k.account)],
    );
    return new Map((await factsOf(db, rows)).map((f) => [`${f.basket.psp}|${f.basket.account}|${f.basket.ref}`, f]));
  },
};

export async function findBasket(db: Database, psp: string, id: string): Promise<BasketRecord | undefined> {
  const [r] = await db.query('SELECT * FROM baskets WHERE psp_id = $1 AND id = $2', [psp, id]);
  return r && basketFromRow(r);
}

export async function listBaskets(
  db: Database,
  f: {
    psp: string;
    account?: string | undefined;
    status?: string | undefined;
    ref?: string | undefined;
    before?: string | undefined;
    limit: number;
  },
): Promise<BasketRecord[]> {
  const rows = await db.query(
    `SELECT * FROM baskets WHERE psp_id = $1 AND ($2::uuid IS NULL OR account_id = $2)
       AND ($3::text IS NULL OR status = $3) AND ($4::text IS NULL OR ref = $4) AND ($5::uuid IS NULL OR id < $5)
     ORDER BY id DESC LIMIT $6`,
    [f.psp, f.account ?? null, f.status ?? null, f.ref ?? null, f.before ?? null, f.limit],
  );
  return rows.map(basketFromRow);
}

/** Reply of submitBasket (Spec 4.16). */
export function basketContent(b: BasketRecord): Record<string, unknown> {
  return {
    basketId: toWire('basket', b.id),
    vatAmount: wireNumber(b.vatAmount),
    originalBasketData: wireJson(b.original),
    status: b.status,
    transactionId: toWire('transaction', b.transactionId),
  };
}

/** The full resource. */
export function basketResource(b: BasketRecord): Record<string, unknown> {
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

/** Stored JSON for JSON.stringify, its numbers exact. */
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
