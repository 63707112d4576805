// The writes of a change that does not affect a transaction's taxes: the record and its entry.
import { type TransactionRecord, transactionResource } from '../../core/transaction.ts';
import { transactionRow } from '../../records/transaction-rows.ts';
import { about, journalRow } from '../kernel/journal.ts';
import type { Call, Needs } from '../kernel/operation.ts';

/** Members of every entry about a transaction besides its kind and data. */
export const aboutTransaction = (t: TransactionRecord) => ({
  ...about({ ...t, version: t.revision }),
  sealed: t.sealed,
  subject: t.subject,
});

/**
 * A transaction that was declined, charged back, or whose chargeback was reversed, and its entry: its taxes stay the
 * same.
 */
export const changedRows = (s: Needs<'ids'>, call: Call, after: TransactionRecord) => [
  transactionRow(after, 'transaction_changes'),
  journalRow(s, call.principal, after.updatedAt, {
    kind: 'transaction.updated',
    ...aboutTransaction(after),
    data: transactionResource(after),
  }),
];
