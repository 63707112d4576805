import { DocumentResource } from '../../../entries/verifications.ts';
import { clientAsked, type HasAccounts } from '../../accounts/index.ts';
import { idAsked } from '../../kernel/asked.ts';
import { type Needs, operation, ReasonBody } from '../../kernel/operation.ts';
import { decideDocument } from '../change-documents.ts';
import { shownDecision } from '../change-verification.ts';
import { documentResource } from '../shown.ts';

export const refuseClientDocument = operation({
  ...shownDecision,
  id: 'refuseClientDocument',
  path: '/v1/client/:clientId/document/:documentId/refuse',
  summary: 'Refuse a document of a client',
  description: 'The client and its PSP read the reason. An accepted document may be refused later.',
  body: ReasonBody,
  content: DocumentResource,
  example: { reason: 'the second page is missing' },
  async handle(call, s: Needs<'settings' | 'ids' | 'db' | 'committer' | 'subjects'> & HasAccounts) {
    const { principal, params, body, now } = call;
    const client = await clientAsked(s, call);
    const id = idAsked('document', params.documentId);
    const decision = { state: 'REFUSED', reason: body.reason } as const;
    const { document, replayed } = await decideDocument(s, principal, client, id, decision, now);
    return { message: 'document refused', content: documentResource(document), replayed };
  },
});
