import { reopened } from '../../../core/cases/case.ts';
import { reviewers } from '../../../core/roles.ts';
import { type Needs, operation, Type } from '../../kernel/operation.ts';
import { isStillHere } from '../../users/index.ts';
import { CaseNote, caseAsked, caseChange, policyOf } from '../asked-case.ts';
import { type CaseNeeds, changeCase, noteItem } from '../change-case.ts';

export const reopenCase = operation({
  ...caseChange,
  id: 'reopenCase',
  path: '/v1/case/:caseId/reopen',
  summary: 'Reopen a closed case',
  description:
    'Its due date is counted from then on. Its alerts stay resolved. It stays with its assignee, if that may still work on it, and is nobody’s otherwise.',
  body: Type.Object({ note: CaseNote }),
  example: { note: 'the bank sent the statement after all' },
  refusals: ['NOT_FOUND', 'STATE_CONFLICT'],
  async handle(call, s: CaseNeeds & Needs<'settings'>) {
    const found = await caseAsked(s, call);
    const isThere = found.assignee !== null && (await isStillHere(s.db, found.assignee, reviewers));
    return changeCase(s, call, found, {
      step: 'reopen',
      message: 'case reopened',
      to: reopened(policyOf(s), isThere, new Date(call.now).toISOString()),
      items: [noteItem(call.body.note, 'reopen')],
    });
  },
});
