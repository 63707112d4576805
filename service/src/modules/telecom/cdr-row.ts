// A call detail record as a row: what is known of it when it was read, and what is filled in when it is stored. The
// thread that validates files rests on it, so it must load neither the database nor the journal.
import type { ColumnValues } from '../../core/cdr/record.ts';
import { callColumns } from './call-columns.ts';
import type { NewCdr } from './cdr-store.ts';
import type { Side } from './seal-cdr.ts';

/** The id under which the personal data of one side of a record is stored. */
export const personalRow = (id: string, side: Side): string => `cdrs/${id}${side === 'caller' ? '' : '/receiver'}`;

/** The columns of a row that a later step fills in: they depend on the moment and on the persons' keys. */
export const laterColumns = [
  'id',
  'sealed',
  'created_at',
  'receiver_sealed',
  'caller_generation',
  'receiver_generation',
] as const;

type Later = 'id' | 'sealed' | 'createdAt' | 'receiverSealed' | 'callerGeneration' | 'receiverGeneration';

/**
 * All columns but the later ones.
 * @param values the values that `record` is the JSON text of
 */
export function knownColumns(c: Omit<NewCdr, Later>, values: ColumnValues) {
  // Written out: measured, adding the members of one object to another takes twice as long.
  const call = callColumns(values, c.warnings);
  return {
    psp_id: c.psp,
    account_id: c.account,
    recorded_by: c.recordedBy,
    cdr_id: c.cdrId,
    call_start: c.callStart,
    duration_s: c.durationS,
    call_type: c.callType,
    network_provider: c.networkProvider,
    cost: c.cost,
    currency: c.currency,
    content: c.content,
    subject: c.subject,
    receiver_subject: c.receiverSubject,
    record: c.record,
    warnings: JSON.stringify(c.warnings),
    caller_mask: c.callerMask,
    receiver_mask: c.receiverMask,
    caller_number: call.caller_number,
    receiver_number: call.receiver_number,
    call_type_sent: call.call_type_sent,
    call_status: call.call_status,
    caller_device: call.caller_device,
    receiver_device: call.receiver_device,
    caller_place: call.caller_place,
    data_kb: call.data_kb,
    packet_loss: call.packet_loss,
    jitter_ms: call.jitter_ms,
    latency_ms: call.latency_ms,
    is_late: call.is_late,
  };
}
