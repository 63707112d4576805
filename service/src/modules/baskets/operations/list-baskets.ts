import { basketStates } from '../../../core/basket-states.ts';
import { type HasAccounts, listedClient } from '../../accounts/index.ts';
import { countQuery, totalOf } from '../../kernel/counting.ts';
import { type Needs, operation, Type } from '../../kernel/operation.ts';
import { clientQuery, Page, page, pageQuery, readPage } from '../../kernel/paging.ts';
import { basketResource, listBaskets as list } from '../basket-store.ts';
import { Basket } from '../schemas.ts';

export const listBaskets = operation({
  id: 'listBaskets',
  method: 'GET',
  path: '/v1/basket',
  tag: 'Baskets',
  summary: 'List baskets',
  audience: ['psp', 'client'],
  query: Type.Object({
    ...pageQuery,
    ...countQuery,
    status: Type.Optional(Type.Enum(basketStates)),
    ...clientQuery,
    ref: Type.Optional(Type.String({ maxLength: 200 })),
  }),
  content: Page(Basket),
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db'> & HasAccounts) {
    const { principal, query } = call;
    const { limit, before } = readPage('basket', query);
    const account = await listedClient(s, call, query.clientId);
    const filter = { psp: principal.psp, account, status: query.status, ref: query.ref };
    const rows = await list(s.db, { ...filter, before, limit });
    const total = await totalOf(s, query, (db, most) => list(db, { ...filter, limit: most }));
    return { message: 'baskets', content: { ...page('basket', rows, limit, basketResource), ...total } };
  },
});
