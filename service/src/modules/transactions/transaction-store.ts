// All SQL on transactions, their revisions and refs.
import { publicReason } from '../../core/public-standing.ts';
import type { TransactionRecord } from '../../core/transaction.ts';
import type { FactLoader, RefKey } from '../../platform/committer.ts';
import type { Database, Row } from '../../platform/database.ts';
import { row } from '../kernel/journal.ts';

/** Fields of a deposit or withdrawal that are kept sealed. */
export const personalFields = ['customer', 'toAddress'] as const;

/** Where a transaction's personal data belongs. */
export const personalRow = (id: string): string => `transactions/${id}`;

/** A new transaction's row, or its next revision's. */
export function transactionRow(t: TransactionRecord, name: 'transactions' | 'transaction_changes') {
  return row(name, {
    psp_id: t.psp,
    id: t.id,
    account_id: t.account,
    recorded_by: t.recordedBy,
    kind: t.kind,
    ref: t.ref,
    status: t.status,
    reason: t.reason,
    revision: t.revision,
    amount: t.amount,
    currency: t.currency,
    country: t.country,
    vat_amount: t.vatAmount,
    processing_fee: t.processingFee,
    transaction_fee: t.transactionFee,
    transaction_vat: t.transactionVat,
    remainder: t.remainder,
    basket_id: t.basketId,
    basket_ref: t.basketRef,
    sealed: t.sealed,
    subject: t.subject,
    created_at: t.createdAt,
    updated_at: t.updatedAt,

    evidence: JSON.stringify(t.evidence),
    request: t.request,
    observations: t.observations.length === 0 ? '[]' : JSON.stringify(t.observations),
    ...(t.chargeback ? { chargeback: JSON.stringify(t.chargeback) } : {}),
  });
}

export function transactionFromRow(r: Row): TransactionRecord {
  return {
    psp: r.psp_id as string,
    id: r.id as string,
    account: r.account_id as string,
    recordedBy: r.recorded_by as string,
    kind: r.kind as TransactionRecord['kind'],
    ref: r.ref as string | null,
    status: r.status as TransactionRecord['status'],
    reason: r.reason === null ? null : publicReason(r.reason as string),
    revision: r.revision as number,
    amount: r.amount as string,
    currency: r.currency as string,
    country: r.country as string,
    vatAmount: r.vat_amount as string,
    processingFee: r.processing_fee as string,
    transactionFee: r.transaction_fee as string,
    transactionVat: r.transaction_vat as string,
    remainder: r.remainder as string,
    basketId: r.basket_id as string | null,
    basketRef: r.basket_ref as string | null,
    evidence: JSON.parse(r.evidence as string),
    request: r.request as string,
    observations: JSON.parse(r.observations as string),
    sealed: r.sealed as string | null,
    subject: r.subject as string | null,
    chargeback: r.chargeback ? JSON.parse(r.chargeback as string) : null,
    createdAt: r.created_at as string,
    updatedAt: r.updated_at as string,
  };
}

/** The transaction that holds a ref of one account, with the ref's revision. */
export interface HeldTransaction {
  readonly transaction: TransactionRecord;
  readonly refRevision: number;
}

export const refText = (k: { psp: string; space: string; ref: string; account: string }) =>
  `${k.psp}|${k.space}|${k.account}|${k.ref}`;

/** Transactions by ref of one account. */
export const transactionByRef: FactLoader<RefKey, HeldTransaction> = {
  name: 'transaction-by-ref',
  text: refText,
  async load(db, keys) {
    const rows = await db.query(
      `SELECT t.*, r.revision AS ref_revision FROM refs r
       JOIN unnest($1::uuid[], $2::text[], $3::uuid[]) AS k(p, f, a)
         ON r.psp_id = k.p AND r.space = 'transaction' AND r.ref = k.f AND r.account_id = k.a
       JOIN transactions t ON t.psp_id = r.psp_id AND t.id = r.target_id`,
      [keys.map((k) => k.psp), keys.map((k) => k.ref), keys.map((k) => k.account)],
    );
    return new Map(
      rows.map((r) => {
        const transaction = transactionFromRow(r);
        const key = {
          psp: transaction.psp,
          space: 'transaction',
          ref: transaction.ref as string,
          account: transaction.account,
        };
        return [refText(key), { transaction, refRevision: r.ref_revision as number }];
      }),
    );
  },
};

/**
 * Accounts of a PSP under which a ref stands, at most two: a PSP's key finds a ref over its own account and
 * its clients', and has to say which when there are several.
 */
export async function accountsOfRef(db: Database, psp: string, ref: string): Promise<string[]> {
  const rows = await db.query(
    `SELECT account_id FROM refs WHERE psp_id = $1 AND space = 'transaction' AND ref = $2 LIMIT 2`,
    [psp, ref],
  );
  return rows.map((r) => r.account_id as string);
}

export async function findTransaction(db: Database, psp: string, id: string): Promise<TransactionRecord | undefined> {
  const [r] = await db.query('SELECT * FROM transactions WHERE psp_id = $1 AND id = $2', [psp, id]);
  return r && transactionFromRow(r);
}

/** Earlier revisions, oldest first. */
export async function listRevisions(db: Database, psp: string, id: string): Promise<TransactionRecord[]> {
  const rows = await db.query('SELECT * FROM transaction_revisions WHERE psp_id = $1 AND id = $2 ORDER BY revision', [
    psp,
    id,
  ]);
  return rows.map(transactionFromRow);
}
