// POST /v1/case/:caseId/close: close a case with an outcome, or propose that.
import { closed } from '../../../core/cases/case.ts';
import { reviewOutcomes } from '../../../core/risk/review.ts';
import { type Needs, operation, Type } from '../../kernel/operation.ts';
import { CaseNote, caseAsked, caseChange, policyOf } from '../asked-case.ts';
import { type CaseNeeds, changeCase, noteItem } from '../change-case.ts';

export const closeCase = operation({
  ...caseChange,
  id: 'closeCase',
  path: '/v1/case/:caseId/close',
  summary: 'Close a case with an outcome',
  description:
    'Resolves its open alerts with the outcome. CLEARED: nothing is wrong. CONFIRMED: something is. A case of a severity that CASE_SECOND_PERSON names stays open, with the closing in `proposed`, until another person approves it (approveCase).',
  body: Type.Object({ outcome: Type.Enum(reviewOutcomes), note: CaseNote }),
  example: { outcome: 'CLEARED', note: 'a known customer; the invoices were seen' },
  refusals: ['NOT_FOUND', 'STATE_CONFLICT'],
  async handle(call, s: CaseNeeds & Needs<'settings'>) {
    const { outcome, note } = call.body;
    const at = new Date(call.now).toISOString();
    return changeCase(s, call, await caseAsked(s, call), {
      step: 'close',
      message: (c) =>
        c.state === 'CLOSED' ? `case closed: ${outcome}` : 'proposed; another person closes the case by approving it',
      to: closed(outcome, policyOf(s), call.principal.actor, at),
      items: [noteItem(note, 'close')],
    });
  },
});
