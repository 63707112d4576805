import { DocumentResource } from '../../../entries/verifications.ts';
import { clientAsked } from '../../accounts/index.ts';
import { type Needs, operation, Type } from '../../kernel/operation.ts';
import { Page, page, pageQuery, readPage } from '../../kernel/paging.ts';
import { documentResource } from '../shown.ts';
import { listDocuments } from '../verification-store.ts';

export const listClientDocuments = operation({
  id: 'listClientDocuments',
  method: 'GET',
  path: '/v1/client/:clientId/document',
  tag: 'Clients',
  area: 'administration',
  summary: 'List the documents of a client',
  description: 'Newest first, without their contents.',
  audience: ['psp', 'client', 'operator'],
  query: Type.Object(pageQuery),
  content: Page(DocumentResource),
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db'>) {
    const { psp, id } = await clientAsked(s, call);
    const { limit, before } = readPage('document', call.query);
    const rows = await listDocuments(s.db, { psp, account: id, before, limit });
    return { message: 'documents', content: page('document', rows, limit, documentResource) };
  },
});
