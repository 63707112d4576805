// POST /v1/telecom/recordCDR: record one call detail record. The tax analysis reads it from the journal later.
import { orThrow } from '../../../core/refusal.ts';
import { concernedAccount } from '../../accounts/index.ts';
import { operation } from '../../kernel/operation.ts';
import { type CdrServices, recordChecked } from '../record-checked.ts';
import { recording } from '../recording.ts';
import { CdrBody, CdrReceipt } from '../schemas.ts';

export const recordCDR = operation({
  id: 'recordCDR',
  method: 'POST',
  path: '/v1/telecom/recordCDR',
  spec: '4.14',
  tag: 'Telecom',
  summary: 'Record a call detail record',
  description:
    'Records the call; tax analysis and reports follow in the background. The same cdr_id with equal content returns DUPLICATE and the first cdrId; with other content, or if it was withdrawn, it is refused (409): correctCdr records another one in its place. A record with warnings is accepted. Numbers, devices and locations are stored sealed.',
  audience: ['psp', 'client'],
  body: CdrBody,
  content: CdrReceipt,
  example: {
    cdr_id: 'CDR-1001',
    timestamp: '2026-11-21T10:02:05Z',
    caller_number: '+2348031234567',
    receiver_number: '+2348059876543',
    call_start_time: '2026-11-21T10:00:00Z',
    call_end_time: '2026-11-21T10:02:00Z',
    call_duration_seconds: 120,
    call_type: 'VOICE',
    call_status: 'COMPLETED',
    caller_location: { latitude: 6.5244, longitude: 3.3792 },
    network_provider: 'MTN Nigeria',
    imei_caller: '490154203237518',
    billing_information: { call_cost: 24.5, currency: 'NGN', billing_plan: 'PREPAID' },
    recording_available: false,
  },
  refusals: ['RECORD_INVALID', 'REF_CONFLICT', 'NOT_FOUND', 'ARCHIVED'],
  async handle(call, s: CdrServices) {
    const { principal } = call;
    const account = orThrow(concernedAccount(principal, call.onBehalfOf));
    return recordChecked(s, call, account, call.body, (record, warnings) =>
      recording(s, call, account, record, warnings),
    );
  },
});
