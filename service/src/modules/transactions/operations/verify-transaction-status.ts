// GET /v1/transaction/verifyTransactionStatus: status and details of a transaction.
import { Type } from 'typebox';
import { operation } from '../../kernel/operation.ts';
import { expand, read, type Uses } from '../read-transaction.ts';
import { TransactionDetail } from '../schemas.ts';

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
