import { documentKinds } from '../../../core/requirements/requirement.ts';
import { DocumentResource } from '../../../entries/verifications.ts';
import { contentTypes } from '../../../records/client-documents.ts';
import { clientAsked, type HasAccounts } from '../../accounts/index.ts';
import { Day, type Needs, operation, Text, Type } from '../../kernel/operation.ts';
import { form } from '../../kernel/text-forms.ts';
import { addDocument } from '../change-documents.ts';
import { mostBytes, readContent } from '../document-content.ts';
import { documentResource } from '../shown.ts';

/** Base64 takes four characters for three bytes. */
const mostCharacters = Math.ceil(mostBytes / 3) * 4;

export const addClientDocument = operation({
  id: 'addClientDocument',
  method: 'POST',
  path: '/v1/client/:clientId/document',
  tag: 'Clients',
  area: 'administration',
  summary: 'Add a document of a client',
  description:
    "A PDF, JPEG, PNG or plain text of at most 10 MiB. Name and content are stored sealed under the client's key; the SHA-256 of the content is in the journal. It counts for the requirements of the client once staff have accepted it. The same content of the same kind, and of the same owner, is added once.",
  audience: ['psp', 'client', 'operator'],
  idempotent: true,
  largeBody: mostCharacters + 4096,
  body: Type.Object({
    kind: Type.Enum(documentKinds, { description: 'Kind of document.' }),
    contentType: Type.Enum(contentTypes, { description: 'Media type of the content.' }),
    content: Type.String({
      description: 'The file as base64.',
      minLength: 1,
      maxLength: mostCharacters,
      'x-characters': 'any',
    }),
    name: Type.Optional(Text('Name of the file; stored sealed.', 200)),
    owner: Type.Optional(
      Type.String({
        description:
          'Owner whose identity it shows, as in getClientOwners; for the kind `OWNER_IDENTITY`. Each owner of whom the requirements ask who they are has to show one.',
        ...form('^[0-9a-f]{16}$', 'the ownerId of an owner, as getClientOwners returns it'),
        maxLength: 16,
      }),
    ),
    validUntil: Type.Optional(Day("Last day on which it is valid, in the client's country, `YYYY-MM-DD`.")),
  }),
  content: DocumentResource,
  example: {
    kind: 'CERTIFICATE_OF_INCORPORATION',
    contentType: 'text/plain',
    content: 'Q2VydGlmaWNhdGUgb2YgaW5jb3Jwb3JhdGlvbg==',
    name: 'certificate.txt',
  },
  refusals: ['NOT_FOUND', 'STATE_CONFLICT', 'LIMIT_REACHED'],
  async handle(call, s: Needs<'settings' | 'ids' | 'db' | 'committer' | 'subjects'> & HasAccounts) {
    const { principal, body: b, now } = call;
    const client = await clientAsked(s, call);
    const bytes = readContent(b.content, b.contentType);
    const { document, replayed } = await addDocument(
      s,
      principal,
      client,
      {
        ...{ kind: b.kind, contentType: b.contentType, owner: b.owner ?? null },
        ...{ validUntil: b.validUntil ?? null, name: b.name, bytes },
      },
      now,
    );
    return {
      message: replayed ? 'document added before' : 'document added',
      content: documentResource(document),
      replayed,
    };
  },
});
