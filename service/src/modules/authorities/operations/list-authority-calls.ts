// GET /v1/authority/cdr: the calls of an operator and month that an authority sees.
import { type Needs, operation, Type } from '../../kernel/operation.ts';
import { Page, page, pageQuery, readPage } from '../../kernel/paging.ts';
import { ClassName, listAnalyses } from '../../telecom/index.ts';
import { accountIn } from '../overseen.ts';
import { AuthorityCall, callsQuery, readCalls, showingCalls } from '../overseen-calls.ts';

export const listAuthorityCalls = operation({
  id: 'listAuthorityCalls',
  method: 'GET',
  path: '/v1/authority/cdr',
  tag: 'Authorities',
  summary: 'The calls behind a total of listAuthorityCallTotals',
  description:
    'The calls of an operator that count in a month, newest first, with the taxes that the authority is responsible for. Telephone numbers have most of their digits hidden; getAuthorityCall shows those of one call, for a reason.',
  audience: ['operator', 'authority'],
  query: Type.Object({
    ...pageQuery,
    ...callsQuery,
    taxCode: Type.Optional(Type.String({ description: 'Only calls with this tax.', maxLength: 40 })),
    class: Type.Optional(ClassName),
  }),
  content: Page(AuthorityCall),
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db'>) {
    const { query } = call;
    const { limit, before } = readPage('cdr', query);
    const account = accountIn(query.clientId);
    const read = await readCalls(s, call);
    if (read === undefined) return { message: 'calls', content: { items: [], nextCursor: null } };
    const [psp] = read.psps;
    const of = { psp: psp as string, account, period: query.period, class: query.class, country: read.country };
    const rows = await listAnalyses(s.db, { ...of, rules: read.rules, before, limit });
    const show = await showingCalls(s, read, rows);
    const listed = rows.map((r) => ({ ...r, id: r.cdr }));
    return { message: 'calls', content: page('cdr', listed, limit, show) };
  },
});
