import { operation, Type } from '../../kernel/operation.ts';
import { expand, read, type Uses } from '../read-transaction.ts';
import { TransactionDetail } from '../schemas.ts';

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
