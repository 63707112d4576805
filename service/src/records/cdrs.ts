// Call detail records.
import type { CallType } from '../core/cdr/call-types.ts';
import {
  accountId,
  bool,
  defineRecord,
  insert,
  int4,
  json,
  numeric,
  optional,
  pspId,
  text,
  textOf,
  timestamptz,
  uuid,
} from './define.ts';

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
    psp_id: pspId,
    id: uuid,
    account_id: accountId,
    recorded_by: accountId,
    cdr_id: text,
    call_start: timestamptz,
    duration_s: int4,
    call_type: textOf<CallType>(),
    network_provider: text,
    cost: optional(numeric),
    currency: optional(text),
    content: text,
    record: text,
    warnings: json<readonly CallWarning[]>(),
    sealed: optional(text),
    subject: optional(text),
    created_at: timestamptz,
    // The fields that reports, rules and filters read. Rows of earlier versions got them in the upgrade.
    caller_number: optional(text),
    receiver_number: optional(text),
    call_type_sent: optional(text),
    call_status: optional(text),
    caller_device: optional(text),
    receiver_device: optional(text),
    caller_place: optional(text),
    data_kb: optional(numeric),
    packet_loss: optional(numeric),
    jitter_ms: optional(numeric),
    latency_ms: optional(numeric),
    is_late: optional(bool),
    // For the receiver; `sealed` and `subject` are the caller's, and in rows of earlier versions both parties'.
    receiver_sealed: optional(text),
    receiver_subject: optional(text),
    // The numbers' masks, and the generations of the persons' keys. Rows of earlier versions have the numbers
    // themselves.
    caller_mask: optional(text),
    receiver_mask: optional(text),
    caller_generation: optional(int4),
    receiver_generation: optional(int4),
  },
  writes: { cdrs: insert },
  vouched: true,
  resource: 'cdr',
});
