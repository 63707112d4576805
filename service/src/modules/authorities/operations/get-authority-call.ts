// GET /v1/authority/cdr/:cdrId: a call that an authority sees, its numbers in clear if a reason is given.
import { fromWire } from '../../../core/ids.ts';
import { notFound } from '../../../core/refusal.ts';
import { type Needs, operation, Type } from '../../kernel/operation.ts';
import { findAnalysis, findCdrs, shownNumbers } from '../../telecom/index.ts';
import { AuthorityCall, expectJournalled, isSeen, readCalls, showingCalls } from '../overseen-calls.ts';
import { asAuthority } from '../view.ts';

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
    ...asAuthority,
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
    const read = await readCalls(s, call);
    const found = id === undefined || read === undefined ? undefined : await findAnalysis(s.db, read.psps, id);
    if (read === undefined || found === undefined || !isSeen(read, found)) throw notFound();
    const clear =
      query.reason === undefined ? undefined : await shownNumbers(s, await findCdrs(s.db, found.psp, [found.cdr]));
    return { message: 'call', content: (await showingCalls(s, read, [found], clear))(found) };
  },
});
