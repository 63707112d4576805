// POST /v1/telecom/recordCDR: record one call detail record. The tax analysis reads it from the journal later.
import { Type } from 'typebox';
import { fromNested, pathOf } from '../../../core/cdr/record.ts';
import { checkRecord } from '../../../core/cdr/rules.ts';
import { orThrow, refuse } from '../../../core/refusal.ts';
import { loadNumberRanges } from '../../../platform/data-files.ts';
import { errorFields } from '../../../platform/log.ts';
import { concernedAccount, type HasAccounts, knownAccount } from '../../accounts/index.ts';
import { Named, type Needs, operation } from '../../kernel/operation.ts';
import { rulesOfAccount } from '../account-rules.ts';
import { closeCorrectedBy } from '../files/suspense-store.ts';
import { recording } from '../recording.ts';
import { CdrBody, Warnings } from '../schemas.ts';

/** Most errors that a refusal lists. */
const mostListed = 10;

function saidOf(messages: readonly string[]): string {
  if (messages.length === 1) return `${messages[0]} (1 error)`;
  const more = messages.length - mostListed;
  return `${messages.slice(0, mostListed).join('; ')} (${messages.length} errors${more > 0 ? `, ${more} of them not listed` : ''})`;
}

export const recordCDR = operation({
  id: 'recordCDR',
  method: 'POST',
  path: '/v1/telecom/recordCDR',
  spec: '4.14',
  tag: 'Telecom',
  summary: 'Record a call detail record',
  description:
    'Records the call; tax analysis and reports follow in the background. The same cdr_id with equal content returns DUPLICATE and the first cdrId; with other content it is refused (409). A record with warnings is accepted. Numbers, devices and locations are stored sealed.',
  audience: ['psp', 'client'],
  body: CdrBody,
  content: Named('CallDetailRecordReceipt', 'The record that was kept.', {
    cdrId: Type.String(),
    status: Type.Enum(['RECORDED', 'DUPLICATE']),
    warnings: Warnings,
  }),
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
  refusals: ['RECORD_INVALID', 'REF_CONFLICT', 'NOT_FOUND'],
  async handle(call, s: Needs<'ids' | 'log' | 'db' | 'committer' | 'vault' | 'reference' | 'subjects'> & HasAccounts) {
    const { principal } = call;
    const account = orThrow(concernedAccount(principal, call.onBehalfOf));
    const known = await knownAccount(s, { psp: principal.psp, id: account });
    const registered = known && { name: known.name, country: known.country ?? undefined };
    const { record, errors, warnings } = checkRecord(fromNested(call.body), {
      now: call.now,
      reference: s.reference,
      nameOf: pathOf,
      ...rulesOfAccount(registered, loadNumberRanges()),
    });
    if (!record) {
      throw refuse('RECORD_INVALID', saidOf(errors.map((e) => e.message)));
    }
    const reply = await s.committer.submit(
      recording(
        s,
        call,
        account,
        record,
        warnings.map(({ column, code, message }) => ({ column, code, message })),
      ),
    );
    const { cdrId } = reply.content as { cdrId: string };
    const at = new Date(call.now).toISOString();
    // If closing the line fails, the record stays recorded. Repeating the request tries to close the line again.
    await closeCorrectedBy(s.db, { psp: principal.psp, account, cdrId: record.cdrId, by: cdrId, at }).catch((e) =>
      s.log.warn(errorFields(e), 'a rejected line stays open although its record was sent'),
    );
    return reply;
  },
});
