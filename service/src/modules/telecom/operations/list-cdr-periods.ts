import { type HasAccounts, listedClient } from '../../accounts/index.ts';
import { Named, type Needs, operation, Type } from '../../kernel/operation.ts';
import { clientQuery } from '../../kernel/paging.ts';
import { listPeriods } from '../analysis/period-store.ts';
import { periodResource } from '../analysis/resources.ts';
import { PeriodResource } from '../analysis/schemas.ts';

/** Most months in a reply: all months of one operator, or the newest months of a PSP's clients. */
const mostPeriods = 1_000;

export const listCdrPeriods = operation({
  id: 'listCdrPeriods',
  method: 'GET',
  path: '/v1/telecom/period',
  tag: 'Telecom',
  summary: 'Months of call detail records, with their state',
  audience: ['psp', 'client'],
  query: Type.Object(clientQuery),
  content: Named('CallPeriodList', 'All months that have records.', { items: Type.Array(PeriodResource) }),
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db'> & HasAccounts) {
    const { psp } = call.principal;
    const account = await listedClient(s, call, call.query.clientId);
    const items = await listPeriods(s.db, psp, account, mostPeriods);
    return { message: 'months', content: { items: items.map((p) => periodResource(psp, p)) } };
  },
});
