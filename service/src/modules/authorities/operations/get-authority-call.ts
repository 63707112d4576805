// GET /v1/authority/cdr/:cdrId: a call that an authority sees, its numbers in clear if a reason is given.
import { Type } from 'typebox';
import { fromWire } from '../../../core/ids.ts';
import { notFound } from '../../../core/refusal.ts';
import type { Needs } from '../../kernel/needs.ts';
import { operation } from '../../kernel/operation.ts';
import { findCdrs, listAnalyses, shownNumbers } from '../../telecom/index.ts';
import { AuthorityCall, callsQuery, expectJournalled, operatorIn, readCalls, showingCalls } from '../overseen-calls.ts';

export const getAuthorityCall = operation({
  id: 'getAuthorityCall',
  method: 'GET',
  path: '/v1/authority/cdr/:cdrId',
  tag: 'Authorities',
  summary: 'A call that an authority sees',
  description:
    'With `reason` the telephone numbers are shown in clear: the reason is journalled with who read it, before they are shown. Those of an erased person read `erased`.',
  audience: ['operator', 'authority'],
  query: Type.Object({
    ...callsQuery,
    reason: Type.Optional(
      Type.String({
        description: 'Why the numbers must be seen in clear, for people of authorities.',
        minLength: 10,
        maxLength: 280,
      }),
    ),
  }),
  content: AuthorityCall,
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db' | 'subjects'>) {
    const { query, params } = call;
    if (query.reason !== undefined) expectJournalled(call);
    const id = fromWire('cdr', params.cdrId ?? '');
    const account = operatorIn(query.clientId);
    const read = await readCalls(s, call);
    if (id === undefined || read === undefined) throw notFound();
    const psp = read.psps[0] as string;
    const of = { psp, account, period: query.period, country: read.country, rules: read.rules };
    const rows = await listAnalyses(s.db, { ...of, id, limit: 1 });
    const [found] = rows;
    if (found === undefined) throw notFound();
    const clear =
      query.reason === undefined ? undefined : await shownNumbers(s, await findCdrs(s.db, psp, [found.cdr]));
    return { message: 'call', content: (await showingCalls(s, read, rows, clear))(found) };
  },
});
