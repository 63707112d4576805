// A call detail record by our id.
import { Type } from 'typebox';
import { fromWire } from '../../../core/ids.ts';
import { notFound, refuse } from '../../../core/refusal.ts';
import { operation } from '../../kernel/operation.ts';
import type { Services } from '../../kernel/services.ts';
import { openPersonal } from '../../kernel/subjects.ts';
import { type CdrRecord, cdrResource, findCdr } from '../cdr-store.ts';
import { CdrResource } from '../schemas.ts';

export const getCdr = operation({
  id: 'getCdr',
  method: 'GET',
  path: '/v1/telecom/cdr/:cdrId',
  tag: 'Telecom',
  summary: 'A call detail record by its id',
  description: 'With `?expand=personal` the record also has its devices and locations, unless the caller was erased.',
  audience: ['psp', 'client'],
  query: Type.Object({ expand: Type.Optional(Type.String({ description: 'personal', maxLength: 100 })) }),
  content: CdrResource,
  refusals: ['NOT_FOUND'],
  async handle({ services: s, principal, params, query }) {
    if (query.expand !== undefined && query.expand !== 'personal')
      throw refuse('QUERY_INVALID', `the query parameter 'expand' knows personal; not '${query.expand.slice(0, 40)}'`);
    const id = fromWire('cdr', params.cdrId ?? '');
    const cdr = id && (await findCdr(s.db, principal.psp, id));
    // Unknown, or of another: the same answer.
    if (!cdr || (principal.kind === 'client' && cdr.account !== principal.account)) throw notFound();
    const shown = cdrResource(cdr);
    if (query.expand === undefined) return { message: 'call detail record found', content: shown };
    return {
      message: 'call detail record found',
      content: { ...shown, record: { ...shown.record, ...(await personal(s, cdr)) } },
    };
  },
});

async function personal(s: Services, cdr: CdrRecord): Promise<object | undefined> {
  if (!cdr.subject) return undefined;
  const id = { psp: cdr.psp, subject: cdr.subject };
  const key = (await s.subjects.load(s.db, [id])).get(s.subjects.text(id));
  return openPersonal(key?.fresh ? undefined : key, cdr.sealed) as object | undefined;
}
