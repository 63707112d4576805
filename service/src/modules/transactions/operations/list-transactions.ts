// Transactions, newest first.
import { Type } from 'typebox';
import { Refusal } from '../../../core/refusal.ts';
import { transactionResource } from '../../../core/transaction.ts';
import { listedAccount } from '../../accounts/index.ts';
import { operation } from '../../kernel/operation.ts';
import { Page, page, pageQuery, readPage } from '../../kernel/paging.ts';
import { TransactionResource } from '../schemas.ts';
import { listTransactions as list } from '../transaction-store.ts';

export const listTransactions = operation({
  id: 'listTransactions',
  method: 'GET',
  path: '/v1/transaction',
  tag: 'Transactions',
  summary: 'List transactions',
  audience: ['psp', 'client'],
  query: Type.Object({
    ...pageQuery,
    status: Type.Optional(Type.Enum(['PENDING', 'APPROVED', 'DECLINED'])),
    type: Type.Optional(Type.Enum(['verifyTransaction', 'cryptoDeposit', 'cryptoWithdrawal', 'deposit', 'withdrawal'])),
    ref: Type.Optional(Type.String({ maxLength: 200 })),
    from: Type.Optional(Type.String({ format: 'date-time', description: 'Recorded at or after.' })),
    to: Type.Optional(Type.String({ format: 'date-time', description: 'Recorded before.' })),
  }),
  content: Page(TransactionResource),
  refusals: ['NOT_FOUND'],
  async handle(call) {
    const { services: s, principal, query } = call;
    const { limit, before } = readPage('transaction', query);
    const account = await listedAccount(s, principal, call.onBehalfOf);
    if (account instanceof Refusal) throw account;
    const rows = await list(s.db, {
      psp: principal.psp,
      account,
      status: query.status,
      kind: query.type,
      ref: query.ref,
      from: query.from,
      to: query.to,
      before,
      limit,
    });
    return { message: 'transactions', content: page('transaction', rows, limit, transactionResource) };
  },
});
