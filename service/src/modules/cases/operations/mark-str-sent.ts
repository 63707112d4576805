// POST /v1/case/:caseId/str/:fileId/sent: say that a suspicious transaction report was sent.
import { Type } from 'typebox';
import { added } from '../../../core/cases/case.ts';
import { fromWire, toWire } from '../../../core/ids.ts';
import { notFound, refuse } from '../../../core/refusal.ts';
import { operation, Text } from '../../kernel/operation.ts';
import { caseAsked, caseChange } from '../asked-case.ts';
import { itemsOf } from '../case-store.ts';
import { type CaseNeeds, changeCase } from '../change-case.ts';

export const markStrSent = operation({
  ...caseChange,
  id: 'markStrSent',
  path: '/v1/case/:caseId/str/:fileId/sent',
  summary: 'Say that a suspicious transaction report was sent',
  description: 'Once per report, with the reference that the intelligence unit gave it.',
  body: Type.Object({
    sentOn: Type.String({ description: 'Day on which it was sent, `YYYY-MM-DD`.', format: 'date' }),
    reference: Text('The reference that the intelligence unit gave it. Sealed.', 200),
  }),
  example: { sentOn: '2026-11-26', reference: 'NFIU-2026-118' },
  refusals: ['NOT_FOUND', 'STATE_CONFLICT'],
  async handle(call, s: CaseNeeds) {
    const found = await caseAsked(s, call);
    const id = fromWire('caseItem', call.params.fileId ?? '');
    const items = await itemsOf(s.db, found);
    if (!items.some((i) => i.id === id && i.content.step === 'str')) throw notFound();
    const about = toWire('caseItem', id ?? '');
    if (items.some((i) => i.about === about))
      throw refuse('STATE_CONFLICT', 'this report was sent already; write a further one, or add a note');
    const { sentOn, reference } = call.body;
    return changeCase(s, call, found, {
      step: 'strSent',
      message: 'noted as sent',
      to: added,
      items: [{ kind: 'ACTION', about, text: reference, content: { action: 'STR_SENT', sentOn } }],
    });
  },
});
