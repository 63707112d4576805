// Call detail records.
import { defineRecord, insert, int4, numeric, optional, text, timestamptz, uuid } from './define.ts';

export const cdrs = defineRecord({
  table: 'cdrs',
  key: ['psp_id', 'id'],
  columns: {
    psp_id: uuid,
    id: uuid,
    account_id: uuid,
    recorded_by: uuid,
    cdr_id: text,
    call_start: timestamptz,
    duration_s: int4,
    call_type: text,
    network_provider: text,
    cost: optional(numeric),
    currency: optional(text),
    content: text,
    record: text,
    warnings: text,
    sealed: optional(text),
    subject: optional(text),
    created_at: timestamptz,
  },
  writes: { cdrs: insert },
  vouched: true,
});
