// Converts a transaction between its row and the record that decisions use: for its own store, and for those that join
// it.
import { publicReason } from '../core/public-standing.ts';
import type { TransactionRecord } from '../core/transaction.ts';
import type { RowOf } from './define.ts';
import { tableOf } from './table.ts';
import { transactions } from './transactions.ts';

const table = tableOf(transactions, { basket_id: 'basketId' });

export type TransactionRow = RowOf<typeof transactions>;
/** @param alias alias of the table in a SELECT */
export const transactionColumns = table.columns;

/** The row of a new transaction or its next revision, under the name it is written with. */
export const transactionRow = <N extends 'transactions' | 'transaction_changes'>(t: TransactionRecord, name: N) =>
  [name, table.toRow({ ...t, decidedOn: t.evidence.date })] as const;

export function transactionFromRow(r: TransactionRow): TransactionRecord {
  const t = table.fromRow(r);
  return t.reason === null ? t : { ...t, reason: publicReason(t.reason) };
}
