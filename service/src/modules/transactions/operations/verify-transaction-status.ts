// Status and details of one transaction.
import { Type } from 'typebox';
import { fromWire } from '../../../core/ids.ts';
import { notFound } from '../../../core/refusal.ts';
import { TransactionResource } from '../../../entries/transactions.ts';
import type { Needs } from '../../kernel/needs.ts';
import type { Call } from '../../kernel/operation.ts';
import { operation } from '../../kernel/operation.ts';
import type { HasRateKeeper } from '../../rates/index.ts';
import { describeTransaction, expandQuery, transactionParts } from '../describe.ts';
import { findTransaction } from '../transaction-store.ts';

type Uses = Needs<'db' | 'subjects'> & HasRateKeeper;

const expand = expandQuery(transactionParts);

async function read(s: Uses, call: Call, id: string | undefined, parts: string | undefined) {
  const { principal } = call;
  const uuid = id === undefined ? undefined : fromWire('transaction', id);
  const t = uuid && (await findTransaction(s.db, principal.psp, uuid));
  // The same answer if it is unknown or another account's.
  if (!t || (principal.kind === 'client' && t.account !== principal.account)) throw notFound();
  return { message: 'transaction found', content: await describeTransaction(s, t, parts) };
}

export const verifyTransactionStatus = operation({
  id: 'verifyTransactionStatus',
  method: 'GET',
  path: '/v1/transaction/verifyTransactionStatus',
  spec: '4.2',
  tag: 'Transactions',
  summary: 'Status and details of a transaction',
  audience: ['psp', 'client'],
  query: Type.Object({ transactionId: Type.String({ maxLength: 64 }), expand }),
  content: TransactionResource,
  refusals: ['NOT_FOUND'],
  handle: (call, s: Uses) => read(s, call, call.query.transactionId, call.query.expand),
});

export const getTransaction = operation({
  id: 'getTransaction',
  method: 'GET',
  path: '/v1/transaction/:transactionId',
  tag: 'Transactions',
  summary: 'A transaction by its id',
  audience: ['psp', 'client'],
  query: Type.Object({ expand }),
  content: TransactionResource,
  refusals: ['NOT_FOUND'],
  handle: (call, s: Uses) => read(s, call, call.params.transactionId, call.query.expand),
});
