// The writes of a decision on a transaction: the record, its ref, the entries, and its basket.
import { type BasketTrigger, basketTable } from '../../core/basket-states.ts';
import { type replyContent, type TransactionRecord, transactionResource } from '../../core/transaction.ts';
import { transactionRow } from '../../records/transaction-rows.ts';
import { type BasketFact, basketChange, basketResource } from '../baskets/index.ts';
import { about, journalRow } from '../kernel/journal.ts';
import type { Call, Needs } from '../kernel/operation.ts';
import type { PlayerVerdict } from '../players/index.ts';
import { aboutTransaction } from './changed-rows.ts';
import type { HeldTransaction } from './transaction-store.ts';

/** The refs a record locks or creates. @param player those of the limits its player was checked against */
export function gates(
  record: TransactionRecord,
  held: HeldTransaction | undefined,
  b: BasketFact | undefined,
  player: PlayerVerdict['gates'] = [],
) {
  const key = { psp: record.psp, space: 'transaction', ref: record.ref as string, account: record.account };
  const basketKey = b && {
    psp: record.psp,
    space: 'basket',
    ref: b.basket.ref,
    account: b.basket.account,
    revision: b.refRevision,
  };
  return {
    refsHeld: [...(held ? [{ ...key, revision: held.refRevision }] : []), ...(basketKey ? [basketKey] : []), ...player],
    refsNew: held ? [] : [{ ...key, target: record.id, revision: 1 }],
  };
}

/** The rows of a record, including its basket's change. */
export function rowsOf(
  s: Needs<'ids'>,
  call: Call,
  record: TransactionRecord,
  content: ReturnType<typeof replyContent>,
  existed: boolean,
  b: BasketFact | undefined,
) {
  const rows = [
    transactionRow(record, existed ? 'transaction_changes' : 'transactions'),
    journalRow(s, call.principal, record.updatedAt, {
      kind: existed ? 'transaction.updated' : 'transaction.created',
      ...aboutTransaction(record),
      data: transactionResource(record, content),
      evidence: record.evidence,
    }),
  ];
  return [...rows, ...basketRows(s, call, b, record.status === 'APPROVED' ? 'approved' : 'declined', record.updatedAt)];
}

/** The basket after its transaction was decided, and its entry; nothing if its status stays the same. */
export function basketRows(s: Needs<'ids'>, call: Call, b: BasketFact | undefined, trigger: BasketTrigger, at: string) {
  if (!b) return [];
  const status = basketTable[b.basket.status][trigger];
  if (status === b.basket.status) return [];
  const basket = { ...b.basket, status, revision: b.basket.revision + 1, updatedAt: at };
  return [
    basketChange(basket),
    journalRow(s, call.principal, at, {
      kind: 'basket.updated',
      ...about({ ...basket, version: basket.revision }),
      data: basketResource(basket),
    }),
  ];
}
