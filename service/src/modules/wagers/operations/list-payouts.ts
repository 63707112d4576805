import { Payout } from '../../../entries/gaming.ts';
import type { HasAccounts } from '../../accounts/index.ts';
import { countQuery, totalOf } from '../../kernel/counting.ts';
import { type Needs, operation, Type } from '../../kernel/operation.ts';
import { Page, page, pageQuery, readPage } from '../../kernel/paging.ts';
import { gamingRows, narrowed, ref } from '../gaming-lists.ts';
import { listPayouts as payouts } from '../list-store.ts';
import { payoutResource } from '../wager-store.ts';

export const listPayouts = operation({
  id: 'listPayouts',
  method: 'GET',
  path: '/v1/payout',
  tag: 'Gaming',
  summary: 'List payouts',
  audience: ['psp', 'client'],
  query: Type.Object({ ...pageQuery, ...countQuery, ref, wagerReference: ref, ...gamingRows }),
  content: Page(Payout),
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db' | 'rates' | 'reference'> & HasAccounts) {
    const { query } = call;
    const { limit, before } = readPage('payout', query);
    const filter = { ...(await narrowed(s, call)), wagerRef: query.wagerReference };
    const rows = await payouts(s.db, { ...filter, before, limit });
    const total = await totalOf(s, query, (db, most) => payouts(db, { ...filter, limit: most }));
    return { message: 'payouts', content: { ...page('payout', rows, limit, payoutResource), ...total } };
  },
});
