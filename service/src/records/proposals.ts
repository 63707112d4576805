// Changes that one person proposes and another decides.
import { defineRecord, int4, optional, put, text, timestamptz, uuid } from './define.ts';

export const proposals = defineRecord({
  table: 'proposals',
  key: ['psp_id', 'id'],
  columns: {
    psp_id: uuid,
    id: uuid,
    account_id: uuid,
    kind: text,
    subject: text,
    content: text,
    reason: text,
    state: text,
    proposed_by: text,
    decided_by: optional(text),
    decision_reason: optional(text),
    version: int4,
    created_at: timestamptz,
    updated_at: timestamptz,
  },
  writes: { proposals: put('state', 'decided_by', 'decision_reason', 'version', 'updated_at') },
  vouched: true,
});
