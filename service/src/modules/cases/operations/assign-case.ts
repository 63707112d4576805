import { assigned } from '../../../core/cases/case.ts';
import { operation } from '../../kernel/operation.ts';
import { Assigning, assigneeOf } from '../../reviews/index.ts';
import { caseAsked, caseChange } from '../asked-case.ts';
import { type CaseNeeds, changeCase } from '../change-case.ts';

export const assignCase = operation({
  ...caseChange,
  id: 'assignCase',
  path: '/v1/case/:caseId/assign',
  summary: 'Assign a case to yourself or another person, or unassign it',
  body: Assigning,
  example: {},
  refusals: ['NOT_FOUND', 'STATE_CONFLICT'],
  async handle(call, s: CaseNeeds) {
    const found = await caseAsked(s, call);
    const to = await assigneeOf(s, call, call.body.assignee, found.psp);
    const message = to === null ? 'case unassigned' : 'case assigned';
    return changeCase(s, call, found, { step: 'assign', message, to: assigned(to, call.body.from), items: [] });
  },
});
