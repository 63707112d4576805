import { fromWire } from '../../../core/ids.ts';
import { overseenKinds } from '../../../core/oversight.ts';
import { refuse } from '../../../core/refusal.ts';
import { countQuery, totalOf } from '../../kernel/counting.ts';
import { type Needs, operation, Type } from '../../kernel/operation.ts';
import { Page, page, pageQuery } from '../../kernel/paging.ts';
import { AuthorityRecord, overseenQuery, readOverseen, showing } from '../overseen.ts';
import { listOverseen } from '../overseen-store.ts';

export const listAuthorityRecords = operation({
  id: 'listAuthorityRecords',
  method: 'GET',
  path: '/v1/authority/record',
  tag: 'Authorities',
  summary: 'List the records that an authority sees',
  description:
    'Transactions, wagers and payouts of its country, over all PSPs, of the kinds, taxes and days that it is responsible for. Test accounts are left out. Days are those that decided the taxes; without dayFrom and dayTo all that it sees.',
  audience: ['operator', 'authority'],
  query: Type.Object({ ...pageQuery, ...countQuery, ...overseenQuery }),
  content: Page(AuthorityRecord),
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db'>) {
    const { query } = call;
    const cursor = query.cursor;
    const before =
      cursor === undefined ? undefined : overseenKinds.map((k) => fromWire(k, cursor)).find((id) => id !== undefined);
    if (cursor !== undefined && before === undefined)
      throw refuse('QUERY_INVALID', "the query parameter 'cursor' is not a cursor of this list");
    const limit = (query.limit ?? 50) + 1;
    const { filter, ...read } = await readOverseen(s, call);
    const rows = filter === undefined ? [] : await listOverseen(s.db, { ...filter, before, limit });
    const total =
      filter === undefined
        ? query.count && { total: { rows: 0, more: false } }
        : await totalOf(s, query, (db, most) => listOverseen(db, { ...filter, limit: most }));
    const show = await showing(s, read, rows);
    return { message: 'records', content: { ...page((r) => r.kind, rows, limit, show), ...(total || {}) } };
  },
});
