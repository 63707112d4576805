import { type Needs, operation, Type } from '../../kernel/operation.ts';
import { AuthorityRecord, showing } from '../overseen.ts';
import { overseenRecord } from '../overseen-record.ts';
import { asAuthority } from '../view.ts';

export const getAuthorityRecord = operation({
  id: 'getAuthorityRecord',
  method: 'GET',
  path: '/v1/authority/record/:recordId',
  tag: 'Authorities',
  summary: 'A record that an authority sees',
  description: 'Everything else that was recorded of it is in its receipt (getAuthorityReceipt).',
  audience: ['operator', 'authority'],
  query: Type.Object(asAuthority),
  content: AuthorityRecord,
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db'>) {
    const { record, ...read } = await overseenRecord(s, call);
    return { message: 'record', content: (await showing(s, read, [record]))(record) };
  },
});
