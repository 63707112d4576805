// GET /v1/client/:clientId/document/:documentId: the content of a document. It is sent to be stored, never to be shown by
// the browser as a page of this service.
import { refuse } from '../../../core/refusal.ts';
import { clientAsked } from '../../accounts/index.ts';
import { recordAsked } from '../../kernel/asked.ts';
import { type Needs, operation, Type } from '../../kernel/operation.ts';
import { openContent } from '../document-content.ts';
import { findDocument } from '../verification-store.ts';

const endings = {
  'application/pdf': 'pdf',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'text/plain': 'txt',
} as const;

export const getClientDocument = operation({
  id: 'getClientDocument',
  method: 'GET',
  path: '/v1/client/:clientId/document/:documentId',
  tag: 'Clients',
  area: 'administration',
  summary: 'The content of a document of a client',
  description: 'The file as it was added. Not for auditors: documents hold data of persons.',
  audience: ['psp', 'client', 'operator'],
  roles: ['administrator', 'reviewer'],
  produces: 'application/octet-stream',
  content: Type.String({ format: 'binary' }),
  refusals: ['NOT_FOUND', 'STATE_CONFLICT'],
  async handle(call, s: Needs<'db' | 'subjects'>) {
    const client = await clientAsked(s, call);
    const document = await recordAsked('document', call.params.documentId, (id) =>
      findDocument(s.db, { psp: client.psp, account: client.id }, id),
    );
    const bytes = await openContent(s, document);
    if (!bytes) throw refuse('STATE_CONFLICT', 'the content of the document was erased with the data of the client');
    return {
      message: 'document',
      content: undefined,
      text: bytes,
      headers: {
        'content-disposition': `attachment; filename="${call.params.documentId}.${endings[document.contentType]}"`,
        'repr-digest': `sha-256=:${Buffer.from(document.sha256, 'hex').toString('base64')}:`,
        'x-content-type-options': 'nosniff',
      },
    };
  },
});
