// Status and details of one transaction.
import { Type } from 'typebox';
import { fromWire } from '../../../core/ids.ts';
import { notFound } from '../../../core/refusal.ts';
import { TransactionResource } from '../../../entries/transactions.ts';
import type { Needs } from '../../kernel/needs.ts';
import type { Call } from '../../kernel/operation.ts';
import { Extended, Named, Nullable, operation } from '../../kernel/operation.ts';
import { FeeEvidence, type HasRateKeeper, TaxEvidence } from '../../rates/index.ts';
import { describeTransaction, expandQuery, transactionParts } from '../describe.ts';
import { findTransaction } from '../transaction-store.ts';

type Uses = Needs<'db' | 'subjects'> & HasRateKeeper;

const expand = expandQuery(transactionParts);

const TransactionDetail = Extended(
  TransactionResource,
  'TransactionDetail',
  'A transaction, with what was asked for by `expand`.',
  {
    tax: Type.Optional(Type.Array(TaxEvidence, { description: 'With `tax`: its taxes, each with its rule.' })),
    fees: Type.Optional(FeeEvidence),
    decision: Type.Optional(
      Named('DecisionEvidence', 'With `decision`: why it was approved or declined.', {
        status: Type.String(),
        reason: Nullable(Type.String(), 'Why it was declined; null if it was not.'),
        taxDataset: Type.String({ description: 'Version of the tax rules.' }),
        localDate: Type.String({ description: 'Local calendar date that decided.' }),
      }),
    ),
    revisions: Type.Optional(
      Type.Array(TransactionResource, { description: 'With `revisions`: how it was before, oldest first.' }),
    ),
    customer: Type.Optional(
      Type.Unknown({
        description: 'With `customer`: its customer; null without one, `erased` where they were erased.',
      }),
    ),
    request: Type.Optional(Type.Unknown({ description: 'With `request`: what was submitted, as it was given.' })),
  },
);

async function read(s: Uses, call: Call, id: string | undefined, parts: string | undefined) {
  const { principal } = call;
  const uuid = id === undefined ? undefined : fromWire('transaction', id);
  const t = uuid && (await findTransaction(s.db, principal.psp, uuid));
  // Unknown, or of another: the same answer.
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
  content: TransactionDetail,
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
  content: TransactionDetail,
  refusals: ['NOT_FOUND'],
  handle: (call, s: Uses) => read(s, call, call.params.transactionId, call.query.expand),
});
