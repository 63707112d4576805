import { declineCauseNames, declineCauses } from '../../../core/decline-causes.ts';
import { idPrefixes, idsBeginning, type PspId, type TransactionId } from '../../../core/ids.ts';
import { refuse, said } from '../../../core/refusal.ts';
import { transactionResource } from '../../../core/transaction.ts';
import { TransactionResource } from '../../../entries/transactions.ts';
import { type HasAccounts, listedClient } from '../../accounts/index.ts';
import { countQuery, countRows, mostCounted, totalOf } from '../../kernel/counting.ts';
import { countryIn, readDayRange, rowsQuery } from '../../kernel/day-filter.ts';
import { type Needs, operation, Time, Type } from '../../kernel/operation.ts';
import { Page, page, pageQuery, readPage } from '../../kernel/paging.ts';
import { AmountText } from '../../kernel/text-forms.ts';
import {
  isByAmount,
  listTransactions as list,
  type TransactionFilter,
  type TransactionSort,
  transactionSorts,
} from '../list-store.ts';
import { findTransaction } from '../transaction-store.ts';

export const listTransactions = operation({
  id: 'listTransactions',
  method: 'GET',
  path: '/v1/transaction',
  tag: 'Transactions',
  summary: 'List transactions',
  audience: ['psp', 'client'],
  query: Type.Object({
    ...pageQuery,
    ...countQuery,
    sort: Type.Optional(
      Type.Enum(transactionSorts, {
        description: `Order: \`-time\` (default) is newest first, \`time\` oldest first, \`-amount\` largest gross amount first, \`amount\` smallest first. By amount only with \`currency\`, and if at most ${mostCounted.toLocaleString('en')} transactions match.`,
      }),
    ),
    status: Type.Optional(
      Type.Enum(['PENDING', 'APPROVED', 'DECLINED'], {
        description: 'PENDING finds transactions of baskets that are not verified yet.',
      }),
    ),
    type: Type.Optional(Type.Enum(['verifyTransaction', 'cryptoDeposit', 'cryptoWithdrawal', 'deposit', 'withdrawal'])),
    declinedFor: Type.Optional(
      Type.Enum(declineCauseNames, {
        description:
          'Only transactions that were declined for this cause. `WITHDRAWN`: declined afterwards, by the PSP or the client.',
      }),
    ),
    ref: Type.Optional(Type.String({ maxLength: 200 })),
    q: Type.Optional(
      Type.String({
        description: 'First characters of the ref, or of the id if the value begins with txn_. Case-sensitive.',
        minLength: 1,
        maxLength: 200,
      }),
    ),
    amountFrom: AmountText('Lowest gross amount, in any currency.'),
    amountTo: AmountText('Highest gross amount, in any currency.'),
    from: Type.Optional(Time('Recorded at or after.')),
    to: Type.Optional(Time('Recorded before.')),
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
  async handle(call, s: Needs<'db' | 'rates' | 'reference'> & HasAccounts) {
    const { principal, query } = call;
    const { limit, before } = readPage('transaction', query);
    const account = await listedClient(s, call, query.clientId);
    const country = countryIn(s, query);
    const days = readDayRange(s, { ...query, ...(country ? { countryCode: country } : {}) });
    const chargedBack = query.chargedBack === undefined ? undefined : query.chargedBack === 'true';
    if (days && chargedBack && country === undefined)
      throw refuse('QUERY_INVALID', "name 'countryCode': the days of chargebacks are those of one country's calendar");
    const byId = query.q?.startsWith(`${idPrefixes.transaction}_`) === true;
    const ids = byId ? idsBeginning('transaction', query.q ?? '') : undefined;
    if (byId && !ids) {
      const total = await totalOf(s, query, async () => []);
      return { message: 'transactions', content: { items: [], nextCursor: null, ...total } };
    }
    const filter = {
      psp: principal.psp,
      account,
      status: query.status,
      kind: query.type,
      reasons: query.declinedFor && declineCauses[query.declinedFor],
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
    };
    const sort = query.sort ?? '-time';
    if (isByAmount(sort)) await expectSortable(s, filter);
    const rows = await list(s.db, { ...filter, sort, after: await lastOf(s, filter.psp, sort, before), limit });
    const total = await totalOf(s, query, (db, most) => list(db, { ...filter, limit: most }));
    return {
      message: 'transactions',
      content: { ...page('transaction', rows, limit, transactionResource), ...total },
    };
  },
});

type Filter = Omit<TransactionFilter, 'limit'>;

/** No index has amounts: all that match are read and sorted. @throws QUERY_INVALID */
async function expectSortable(s: Needs<'db'>, filter: Filter): Promise<void> {
  if (filter.currency === undefined)
    throw refuse('QUERY_INVALID', "name 'currency' to sort by amount: amounts of several currencies have no order");
  const total = await countRows(s, (db, most) => list(db, { ...filter, limit: most }));
  if (!total || total.more)
    throw refuse(
      'QUERY_INVALID',
      said`more than ${mostCounted.toLocaleString('en')} transactions match, too many to sort by amount; narrow the days or another filter`,
    );
}

/** The last transaction of the page before, with its amount where that decides the order. @throws QUERY_INVALID */
async function lastOf(s: Needs<'db'>, psp: PspId, sort: TransactionSort, id: TransactionId | undefined) {
  if (id === undefined || !isByAmount(sort)) return id && { id, amount: '0' };
  const last = await findTransaction(s.db, psp, id);
  if (!last) throw refuse('QUERY_INVALID', "the query parameter 'cursor' is not a cursor of this list");
  return last;
}
