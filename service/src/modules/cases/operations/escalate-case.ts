// POST /v1/case/:caseId/escalate: give a case to those who decide on hard ones.
import { escalated } from '../../../core/cases/case.ts';
import { operation, Type } from '../../kernel/operation.ts';
import { form } from '../../kernel/text-forms.ts';
import { CaseNote, caseAsked, caseChange } from '../asked-case.ts';
import { type CaseNeeds, changeCase, noteItem } from '../change-case.ts';

export const escalateCase = operation({
  ...caseChange,
  id: 'escalateCase',
  path: '/v1/case/:caseId/escalate',
  summary: 'Escalate a case to another queue',
  description: 'The case is ESCALATED and unassigned. Its due date stays.',
  body: Type.Object({
    queue: Type.Optional(
      Type.String({
        description: 'The queue it goes to; default: `escalated`.',
        ...form(
          '^[a-z0-9][a-z0-9_-]{0,39}$',
          "at most 40 small letters, digits, '_' and '-', the first a letter or digit, such as money-laundering",
        ),
        maxLength: 40,
      }),
    ),
    note: CaseNote,
  }),
  example: { queue: 'money-laundering', note: 'the pattern of three other clients of the same owner' },
  refusals: ['NOT_FOUND', 'STATE_CONFLICT'],
  async handle(call, s: CaseNeeds) {
    return changeCase(s, call, await caseAsked(s, call), {
      step: 'escalate',
      message: 'case escalated',
      to: escalated(call.body.queue ?? 'escalated'),
      items: [noteItem(call.body.note, 'escalate')],
    });
  },
});
