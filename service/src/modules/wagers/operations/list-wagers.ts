import { Wager } from '../../../entries/gaming.ts';
import type { HasAccounts } from '../../accounts/index.ts';
import { countQuery, totalOf } from '../../kernel/counting.ts';
import { type Needs, operation, Type } from '../../kernel/operation.ts';
import { Page, page, pageQuery, readPage } from '../../kernel/paging.ts';
import { gamingRows, narrowed, ref } from '../gaming-lists.ts';
import { listWagers as wagers } from '../list-store.ts';
import { wagerResource } from '../wager-store.ts';

export const listWagers = operation({
  id: 'listWagers',
  method: 'GET',
  path: '/v1/wager',
  tag: 'Gaming',
  summary: 'List wagers',
  audience: ['psp', 'client'],
  query: Type.Object({
    ...pageQuery,
    ...countQuery,
    ref,
    type: Type.Optional(Type.String({ maxLength: 60 })),
    ...gamingRows,
  }),
  content: Page(Wager),
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db' | 'rates' | 'reference'> & HasAccounts) {
    const { query } = call;
    const { limit, before } = readPage('wager', query);
    const filter = { ...(await narrowed(s, call)), type: query.type };
    const rows = await wagers(s.db, { ...filter, before, limit });
    const total = await totalOf(s, query, (db, most) => wagers(db, { ...filter, limit: most }));
    return { message: 'wagers', content: { ...page('wager', rows, limit, wagerResource), ...total } };
  },
});
