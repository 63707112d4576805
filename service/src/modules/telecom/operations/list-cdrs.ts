import { type HasAccounts, listedClient } from '../../accounts/index.ts';
import { countQuery, totalOf } from '../../kernel/counting.ts';
import { type Needs, operation, Time, Type } from '../../kernel/operation.ts';
import { clientQuery, Page, page, pageQuery, readPage } from '../../kernel/paging.ts';
import { cdrResource, listCdrs as list } from '../cdr-store.ts';
import { callQuery, readCallFilter } from '../findings/call-filter.ts';
import { CallTypeName, CdrResource } from '../schemas.ts';
import { shownNumbers } from '../shown-numbers.ts';
import { withdrawalShown, withdrawalsOf } from '../withdrawal-store.ts';

export const listCdrs = operation({
  id: 'listCdrs',
  method: 'GET',
  path: '/v1/telecom/cdr',
  tag: 'Telecom',
  summary: 'List call detail records',
  audience: ['psp', 'client'],
  query: Type.Object({
    ...pageQuery,
    ...countQuery,
    from: Type.Optional(Time('Recorded at or after.')),
    to: Type.Optional(Time('Recorded before.')),
    callType: Type.Optional(CallTypeName),
    ...clientQuery,
    ...callQuery,
  }),
  content: Page(CdrResource),
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db' | 'subjects'> & HasAccounts) {
    const { principal, query } = call;
    const { limit, before } = readPage('cdr', query);
    const account = await listedClient(s, call, query.clientId);
    const filter = {
      psp: principal.psp,
      account,
      callType: query.callType,
      from: query.from,
      to: query.to,
      calls: readCallFilter(s.subjects, principal.psp, query),
    };
    const rows = await list(s.db, { ...filter, before, limit });
    const total = await totalOf(s, query, (db, most) => list(db, { ...filter, limit: most }));
    const numbersOf = await shownNumbers(s, rows);
    const withdrawals = await withdrawalsOf(s.db, principal.psp, rows);
    return {
      message: 'call detail records',
      content: {
        ...page('cdr', rows, limit, (c) => ({
          ...cdrResource(c, numbersOf(c)),
          ...withdrawalShown(withdrawals.get(c.id)),
        })),
        ...total,
      },
    };
  },
});
