// Call detail records.
import type { CallType } from '../core/cdr/call-types.ts';
import { column, defineRecord, insert } from './define.ts';

/** A warning about a record that was nevertheless recorded. */
export interface CallWarning {
  readonly column: string;
  readonly code: string;
  readonly message: string;
}

export const cdrs = defineRecord({
  table: 'cdrs',
  key: ['psp_id', 'id'],
  columns: {
    psp_id: column.pspId,
    id: column.uuid,
    account_id: column.accountId,
    recorded_by: column.accountId,
    cdr_id: column.text,
    call_start: column.timestamptz,
    duration_s: column.int4,
    call_type: column.textOf<CallType>(),
    network_provider: column.text,
    cost: column.optional(column.numeric),
    currency: column.optional(column.text),
    content: column.text,
    record: column.text,
    warnings: column.json<readonly CallWarning[]>(),
    sealed: column.optional(column.text),
    subject: column.optional(column.text),
    created_at: column.timestamptz,
    // The fields that reports, rules and filters read. Rows of earlier versions got them in the upgrade.
    caller_number: column.optional(column.text),
    receiver_number: column.optional(column.text),
    call_type_sent: column.optional(column.text),
    call_status: column.optional(column.text),
    caller_device: column.optional(column.text),
    receiver_device: column.optional(column.text),
    caller_place: column.optional(column.text),
    data_kb: column.optional(column.numeric),
    packet_loss: column.optional(column.numeric),
    jitter_ms: column.optional(column.numeric),
    latency_ms: column.optional(column.numeric),
    is_late: column.optional(column.bool),
    // For the receiver; `sealed` and `subject` are the caller's, and in rows of earlier versions both parties'.
    receiver_sealed: column.optional(column.text),
    receiver_subject: column.optional(column.text),
    // The numbers' masks, and the generations of the persons' keys. Rows of earlier versions have the numbers
    // themselves.
    caller_mask: column.optional(column.text),
    receiver_mask: column.optional(column.text),
    caller_generation: column.optional(column.int4),
    receiver_generation: column.optional(column.int4),
  },
  writes: { cdrs: insert },
  vouched: true,
  resource: 'cdr',
});
