import { added } from '../../../core/cases/case.ts';
import { toWire } from '../../../core/ids.ts';
import { operation, Text, Type } from '../../kernel/operation.ts';
import { caseChange } from '../asked-case.ts';
import { fileTypes, readContent, storeFile } from '../case-files.ts';
import { type CaseNeeds, changeCaseAsRead } from '../change-case.ts';

export const addCaseFile = operation({
  ...caseChange,
  id: 'addCaseFile',
  path: '/v1/case/:caseId/file',
  summary: 'Put a file into a case',
  description:
    'A PDF, an image or a text of at most 10 MiB. Name and content are sealed as notes are; the journal holds its SHA-256. The same content again is not stored twice. getCase names it, getCaseFile returns it.',
  largeBody: 15 << 20,
  body: Type.Object({
    name: Text('Name of the file.', 200),
    type: Type.Enum(fileTypes, {
      description: 'Its media type; the content must begin as one of that type does.',
    }),
    content: Type.String({ description: 'Its bytes as base64.', minLength: 4, maxLength: 14_000_000 }),
  }),
  example: { name: 'invoice.txt', type: 'text/plain', content: 'SW52b2ljZSAxMDAxCg==' },
  refusals: ['NOT_FOUND'],
  async handle(call, s: CaseNeeds) {
    const file = readContent(call.body);
    return changeCaseAsRead(s, call, async (found, items) => {
      const stored = await storeFile(s, found, items, file);
      return {
        step: 'file',
        message: stored.known ? 'this file is in the case already' : `file added: ${toWire('caseItem', stored.id)}`,
        to: stored.known ? (c) => c : added,
        items: [
          {
            ...{ kind: 'FILE', id: stored.id, text: call.body.name },
            content: { type: file.type, size: file.bytes.length, sha256: file.sha256 },
          },
        ],
      };
    });
  },
});
