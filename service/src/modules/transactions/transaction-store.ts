// All SQL on transactions, their revisions and refs.
import type { PspId, TransactionId } from '../../core/ids.ts';
import type { TransactionRecord } from '../../core/transaction.ts';
import type { FactLoader, RefKey } from '../../platform/committer.ts';
import type { Database } from '../../platform/database.ts';
import { type TransactionRow, transactionColumns, transactionFromRow } from '../../records/transaction-rows.ts';

/** Fields of a deposit or withdrawal that are stored sealed. */
export const personalFields = ['customer', 'toAddress', 'fromAddress'] as const;

/** Context under which a transaction's personal data is sealed. */
export const personalRow = (id: string): string => `transactions/${id}`;

/** The transaction that holds a ref of one account, with the ref's revision. */
export interface HeldTransaction {
  readonly transaction: TransactionRecord;
  readonly refRevision: number;
}

const refText = (k: { psp: PspId; space: string; ref: string; account: string }) =>
  `${k.psp}|${k.space}|${k.account}|${k.ref}`;

/** Transactions by ref within one account. */
export const transactionByRef: FactLoader<RefKey, HeldTransaction> = {
  name: 'transaction-by-ref',
  text: refText,
  async load(db, keys) {
    const rows = await db.query<TransactionRow & { ref: string; ref_revision: number }>(
      `SELECT ${transactionColumns('t')}, r.revision AS ref_revision FROM refs r
       JOIN unnest($1::uuid[], $2::text[], $3::uuid[]) AS k(p, f, a)
         ON r.psp_id = k.p AND r.space = 'transaction' AND r.ref = k.f AND r.account_id = k.a
       JOIN transactions t ON t.psp_id = r.psp_id AND t.id = r.target_id`,
      [keys.map((k) => k.psp), keys.map((k) => k.ref), keys.map((k) => k.account)],
    );
    return new Map(
      rows.map((r) => [
        refText({ psp: r.psp_id, space: 'transaction', ref: r.ref, account: r.account_id }),
        { transaction: transactionFromRow(r), refRevision: r.ref_revision },
      ]),
    );
  },
};

/**
 * Accounts of a PSP that have a ref, at most two: a PSP's key finds refs of its own account and its clients', and must
 * name the account if several have it.
 */
export async function accountsOfRef(db: Database, psp: PspId, ref: string): Promise<string[]> {
  const rows = await db.query<{ account_id: string }>(
    `SELECT account_id FROM refs WHERE psp_id = $1 AND space = 'transaction' AND ref = $2 LIMIT 2`,
    [psp, ref],
  );
  return rows.map((r) => r.account_id);
}

/** @param rest SQL of the statement after the table's name */
export async function readTransactions(
  db: Database,
  rest: string,
  values: readonly unknown[],
): Promise<TransactionRecord[]> {
  const rows = await db.query<TransactionRow>(`SELECT ${transactionColumns()} FROM transactions ${rest}`, values);
  return rows.map(transactionFromRow);
}

export async function findTransaction(
  db: Database,
  psp: PspId,
  id: TransactionId,
): Promise<TransactionRecord | undefined> {
  const [found] = await readTransactions(db, 'WHERE psp_id = $1 AND id = $2', [psp, id]);
  return found;
}

/** Gross amounts of transactions by id; those in the archive are left out. */
export async function amountsOf(
  db: Database,
  of: readonly { readonly psp: PspId; readonly id: TransactionId }[],
): Promise<ReadonlyMap<string, Pick<TransactionRecord, 'amount' | 'currency'>>> {
  if (of.length === 0) return new Map();
  const rows = await db.query<Pick<TransactionRow, 'id' | 'amount' | 'currency'>>(
    `SELECT t.id, t.amount, t.currency FROM transactions t
     JOIN unnest($1::uuid[], $2::uuid[]) AS k(p, i) ON t.psp_id = k.p AND t.id = k.i`,
    [of.map((k) => k.psp), of.map((k) => k.id)],
  );
  return new Map(rows.map((r) => [r.id, r]));
}

/** Earlier revisions, oldest first. */
export async function listRevisions(db: Database, psp: PspId, id: TransactionId): Promise<TransactionRecord[]> {
  const rows = await db.query<TransactionRow>(
    `SELECT ${transactionColumns('r')} FROM transaction_revisions r WHERE psp_id = $1 AND id = $2 ORDER BY revision`,
    [psp, id],
  );
  return rows.map(transactionFromRow);
}
