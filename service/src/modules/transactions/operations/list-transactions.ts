// Transactions, newest first.
import { Type } from 'typebox';
import { idPrefixes, idsBeginning } from '../../../core/ids.ts';
import { refuse } from '../../../core/refusal.ts';
import { transactionResource } from '../../../core/transaction.ts';
import { TransactionResource } from '../../../entries/transactions.ts';
import { type HasAccounts, listedClient } from '../../accounts/index.ts';
import { readDayRange, rowsQuery } from '../../kernel/day-filter.ts';
import type { Needs } from '../../kernel/needs.ts';
import { operation } from '../../kernel/operation.ts';
import { Page, page, pageQuery, readPage } from '../../kernel/paging.ts';
import { listTransactions as list } from '../list-store.ts';

const amount = (description: string) =>
  Type.Optional(Type.String({ description, pattern: '^\\d{1,20}(\\.\\d{1,18})?$', maxLength: 40 }));

export const listTransactions = operation({
  id: 'listTransactions',
  method: 'GET',
  path: '/v1/transaction',
  tag: 'Transactions',
  summary: 'List transactions',
  audience: ['psp', 'client'],
  query: Type.Object({
    ...pageQuery,
    status: Type.Optional(
      Type.Enum(['PENDING', 'APPROVED', 'DECLINED'], {
        description: 'PENDING finds transactions of baskets that are not verified yet.',
      }),
    ),
    type: Type.Optional(Type.Enum(['verifyTransaction', 'cryptoDeposit', 'cryptoWithdrawal', 'deposit', 'withdrawal'])),
    ref: Type.Optional(Type.String({ maxLength: 200 })),
    q: Type.Optional(
      Type.String({
        description: 'First characters of the ref, or of the id if the value begins with txn_. Case-sensitive.',
        minLength: 1,
        maxLength: 200,
      }),
    ),
    amountFrom: amount('Lowest gross amount, in any currency.'),
    amountTo: amount('Highest gross amount, in any currency.'),
    from: Type.Optional(Type.String({ format: 'date-time', description: 'Recorded at or after.' })),
    to: Type.Optional(Type.String({ format: 'date-time', description: 'Recorded before.' })),
    ...rowsQuery,
    fee: Type.Optional(Type.String({ description: 'Id of the fee row that set the processing fee.', maxLength: 80 })),
    chargedBack: Type.Optional(
      Type.Enum(['true', 'false'], {
        description:
          'Only transactions with a chargeback, or only those without. With true, dayFrom and dayTo select by the day of the chargeback.',
      }),
    ),
  }),
  content: Page(TransactionResource),
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db' | 'rates'> & HasAccounts) {
    const { principal, query } = call;
    const { limit, before } = readPage('transaction', query);
    const account = await listedClient(s, call, query.clientId);
    const country = query.countryCode?.toUpperCase();
    const days = readDayRange(s, { ...query, ...(country ? { countryCode: country } : {}) });
    const chargedBack = query.chargedBack === undefined ? undefined : query.chargedBack === 'true';
    if (days && chargedBack && country === undefined)
      throw refuse('QUERY_INVALID', "name 'countryCode': the days of chargebacks are those of one country's calendar");
    const byId = query.q?.startsWith(`${idPrefixes.transaction}_`) === true;
    const ids = byId ? idsBeginning('transaction', query.q ?? '') : undefined;
    if (byId && !ids) return { message: 'transactions', content: { items: [], nextCursor: null } };
    const rows = await list(s.db, {
      psp: principal.psp,
      account,
      status: query.status,
      kind: query.type,
      ref: query.ref,
      ids,
      refBegins: byId ? undefined : query.q,
      amountFrom: query.amountFrom,
      amountTo: query.amountTo,
      from: query.from,
      to: query.to,
      country,
      currency: query.currency?.toUpperCase(),
      rule: query.rule,
      fee: query.fee,
      chargedBack,
      days,
      before,
      limit,
    });
    return { message: 'transactions', content: page('transaction', rows, limit, transactionResource) };
  },
});
