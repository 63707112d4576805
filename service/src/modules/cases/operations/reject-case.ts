// POST /v1/case/:caseId/reject: refuse, or take back, what is proposed in a case.
import { Type } from 'typebox';
import { rejected } from '../../../core/cases/case.ts';
import { operation } from '../../kernel/operation.ts';
import { CaseNote, caseAsked, workers } from '../asked-case.ts';
import { CaseResource } from '../case-resource.ts';
import { type CaseNeeds, changeCase, noteItem } from '../change-case.ts';

export const rejectCase = operation({
  id: 'rejectCase',
  method: 'POST',
  path: '/v1/case/:caseId/reject',
  tag: 'Cases',
  summary: 'Reject what is proposed in a case',
  description: 'The case goes on as before. Who proposed it may take it back so.',
  audience: ['psp', 'operator'],
  roles: workers,
  body: Type.Object({ note: CaseNote }),
  content: CaseResource,
  example: { note: 'the second invoice is missing' },
  refusals: ['NOT_FOUND', 'STATE_CONFLICT'],
  async handle(call, s: CaseNeeds) {
    const items = [noteItem(call.body.note, 'reject')];
    return changeCase(s, call, await caseAsked(s, call), {
      ...{ step: 'reject', message: 'rejected; the case goes on', to: rejected, items },
    });
  },
});
