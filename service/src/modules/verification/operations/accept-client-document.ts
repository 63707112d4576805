import { DocumentResource } from '../../../entries/verifications.ts';
import { clientAsked, type HasAccounts } from '../../accounts/index.ts';
import { idAsked } from '../../kernel/asked.ts';
import { Day, type Needs, operation, Reason, Type } from '../../kernel/operation.ts';
import { decideDocument } from '../change-documents.ts';
import { shownDecision } from '../change-verification.ts';
import { documentResource } from '../shown.ts';

export const acceptClientDocument = operation({
  ...shownDecision,
  id: 'acceptClientDocument',
  path: '/v1/client/:clientId/document/:documentId/accept',
  summary: 'Accept a document of a client',
  description: 'From then on it counts for the requirements of the client, until its last day.',
  body: Type.Object({
    reason: Type.Optional(Reason),
    validUntil: Type.Optional(
      Day("Last day on which it counts, in the client's country, `YYYY-MM-DD`. Default: as added."),
    ),
  }),
  content: DocumentResource,
  example: { reason: 'compared with the register', validUntil: '2027-12-31' },
  async handle(call, s: Needs<'settings' | 'ids' | 'db' | 'committer' | 'subjects'> & HasAccounts) {
    const { principal, params, body, now } = call;
    const client = await clientAsked(s, call);
    const id = idAsked('document', params.documentId);
    const decision = { state: 'ACCEPTED', reason: body.reason ?? null, validUntil: body.validUntil } as const;
    const { document, replayed } = await decideDocument(s, principal, client, id, decision, now);
    return { message: 'document accepted', content: documentResource(document), replayed };
  },
});
