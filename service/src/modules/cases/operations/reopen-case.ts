// POST /v1/case/:caseId/reopen: reopen a closed case.
import { Type } from 'typebox';
import { reopened } from '../../../core/cases/case.ts';
import { type Needs, operation } from '../../kernel/operation.ts';
import { CaseNote, caseAsked, caseChange, policyOf } from '../asked-case.ts';
import { type CaseNeeds, changeCase, noteItem } from '../change-case.ts';

export const reopenCase = operation({
  ...caseChange,
  id: 'reopenCase',
  path: '/v1/case/:caseId/reopen',
  summary: 'Reopen a closed case',
  description: 'Its due date is counted from then on. Its alerts stay resolved.',
  body: Type.Object({ note: CaseNote }),
  example: { note: 'the bank sent the statement after all' },
  refusals: ['NOT_FOUND', 'STATE_CONFLICT'],
  async handle(call, s: CaseNeeds & Needs<'settings'>) {
    return changeCase(s, call, await caseAsked(s, call), {
      step: 'reopen',
      message: 'case reopened',
      to: reopened(policyOf(s), new Date(call.now).toISOString()),
      items: [noteItem(call.body.note, 'reopen')],
    });
  },
});
