import { rejected } from '../../../core/cases/case.ts';
import { operation, Type } from '../../kernel/operation.ts';
import { CaseNote, caseAsked, caseChange } from '../asked-case.ts';
import { type CaseNeeds, changeCase, noteItem } from '../change-case.ts';

export const rejectCase = operation({
  ...caseChange,
  id: 'rejectCase',
  path: '/v1/case/:caseId/reject',
  summary: 'Reject what is proposed in a case',
  description: 'The case goes on as before. Who proposed it may take it back so.',
  body: Type.Object({ note: CaseNote }),
  example: { note: 'the second invoice is missing' },
  refusals: ['NOT_FOUND', 'STATE_CONFLICT'],
  async handle(call, s: CaseNeeds) {
    const items = [noteItem(call.body.note, 'reject')];
    return changeCase(s, call, await caseAsked(s, call), {
      ...{ step: 'reject', message: 'rejected; the case goes on', to: rejected, items },
    });
  },
});
