import { added } from '../../../core/cases/case.ts';
import { fromWire, toWire } from '../../../core/ids.ts';
import { notFound, refuse } from '../../../core/refusal.ts';
import { Day, operation, Text, Type } from '../../kernel/operation.ts';
import { caseChange } from '../asked-case.ts';
import { type CaseNeeds, changeCaseAsRead } from '../change-case.ts';

const dayIn = (at: string | number, hours: number): string =>
  new Date(new Date(at).getTime() + hours * 3_600_000).toISOString().slice(0, 10);

export const markStrSent = operation({
  ...caseChange,
  id: 'markStrSent',
  path: '/v1/case/:caseId/str/:fileId/sent',
  summary: 'Say that a suspicious transaction report was sent',
  description: 'Once per report, with the reference that the intelligence unit gave it.',
  body: Type.Object({
    sentOn: Day('Day on which it was sent, `YYYY-MM-DD`.'),
    reference: Text('The reference that the intelligence unit gave it. Sealed.', 200),
  }),
  example: { sentOn: '2026-11-26', reference: 'NFIU-2026-118' },
  refusals: ['NOT_FOUND', 'STATE_CONFLICT'],
  async handle(call, s: CaseNeeds) {
    const id = fromWire('caseItem', call.params.fileId ?? '');
    const about = toWire('caseItem', id ?? '');
    const { sentOn, reference } = call.body;
    return changeCaseAsRead(s, call, async (_, items) => {
      const report = items.find((i) => i.id === id && i.content.step === 'str');
      if (!report) throw notFound();
      // Days of the time zones that are furthest behind and ahead.
      if (sentOn < dayIn(report.createdAt, -12) || sentOn > dayIn(call.now, 14))
        throw refuse('FIELD_INVALID', "the field 'sentOn' must be a day from that of the report until today");
      if (items.some((i) => i.about === about))
        throw refuse('STATE_CONFLICT', 'this report was sent already; write a further one, or add a note');
      return {
        step: 'strSent',
        message: 'noted as sent',
        to: added,
        items: [{ kind: 'ACTION', about, text: reference, content: { action: 'STR_SENT', sentOn } }],
      };
    });
  },
});
