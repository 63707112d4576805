// POST /v1/telecom/cdr/:cdrId/correct: record a call again with other content, in place of a record.
import { refuse, said } from '../../../core/refusal.ts';
import { ownRecordAsked } from '../../kernel/asked.ts';
import { operation, Reason, Type } from '../../kernel/operation.ts';
import { findCdr } from '../cdr-store.ts';
import { type CdrServices, recordChecked } from '../record-checked.ts';
import { correcting } from '../recording.ts';
import { CdrBody, CdrReceipt } from '../schemas.ts';
import { recordCDR } from './record-cdr.ts';

export const correctCdr = operation({
  id: 'correctCdr',
  method: 'POST',
  path: '/v1/telecom/cdr/:cdrId/correct',
  tag: 'Telecom',
  summary: 'Correct a call detail record',
  description:
    'Records `record`, which has the same cdr_id, in place of the record: that one stays as it was and counts no more. A record that was withdrawn is recorded again so. Taxes are taken off and charged again in the month of the call; if that is closed, in the first open one.',
  audience: ['psp', 'client'],
  body: Type.Object({ reason: Reason, record: CdrBody }),
  content: CdrReceipt,
  example: { reason: 'the tariff of the day was not loaded', record: recordCDR.example },
  refusals: ['NOT_FOUND', 'FIELD_INVALID', 'RECORD_INVALID', 'STATE_CONFLICT'],
  async handle(call, s: CdrServices) {
    const { principal, params, body } = call;
    const cdr = await ownRecordAsked(call, 'cdr', params.cdrId, (id) => findCdr(s.db, principal.psp, id));
    if (body.record.cdr_id !== cdr.cdrId)
      throw refuse(
        'FIELD_INVALID',
        said`the field 'record.cdr_id' must be '${cdr.cdrId}', that of the record it corrects`,
      );
    return recordChecked(s, call, cdr.account, body.record, (record, warnings) =>
      correcting(s, call, cdr, body.reason, record, warnings),
    );
  },
});
