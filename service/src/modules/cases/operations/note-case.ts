import { added } from '../../../core/cases/case.ts';
import { operation, Type } from '../../kernel/operation.ts';
import { CaseNote, caseAsked, caseChange } from '../asked-case.ts';
import { type CaseNeeds, changeCase, noteItem } from '../change-case.ts';

export const noteCase = operation({
  ...caseChange,
  id: 'noteCase',
  path: '/v1/case/:caseId/note',
  summary: 'Add a note to a case',
  description:
    'Notes are sealed under the key of the person the case is about, or of the contact of the client, and erased with it. Closed cases take notes too.',
  body: Type.Object({ note: CaseNote }),
  example: { note: 'Ada Obi says the invoice was paid twice; asked her bank' },
  refusals: ['NOT_FOUND'],
  async handle(call, s: CaseNeeds) {
    const items = [noteItem(call.body.note)];
    return changeCase(s, call, await caseAsked(s, call), { step: 'note', message: 'note added', to: added, items });
  },
});
