import { fromWire, type PspId, type TransactionId } from '../../../core/ids.ts';
import { operation, Type } from '../../kernel/operation.ts';
import { expand, read, type Uses } from '../read-transaction.ts';
import { TransactionDetail } from '../schemas.ts';

/** What reviews say of a transaction; app.ts gives it, since reviews depend on transactions. */
export interface HasReviewStates {
  readonly reviewStates: { of(psp: PspId, transaction: TransactionId): Promise<unknown> };
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
  async handle(call, s: Uses & HasReviewStates) {
    const found = await read(s, call, call.query.transactionId, call.query.expand);
    // A client does not learn that its transactions are reviewed.
    if (call.principal.kind !== 'psp') return found;
    const id = fromWire('transaction', call.query.transactionId) as TransactionId;
    const review = await s.reviewStates.of(call.principal.psp, id);
    return { ...found, content: { ...found.content, review } };
  },
});
