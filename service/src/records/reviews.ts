// Reviews of transactions.
import { defineRecord, int4, optional, put, text, timestamptz, uuid } from './define.ts';

export const reviews = defineRecord({
  table: 'reviews',
  key: ['psp_id', 'id'],
  columns: {
    psp_id: uuid,
    id: uuid,
    account_id: uuid,
    transaction_id: uuid,
    rule: text,
    reason: text,
    findings: text,
    state: text,
    assignee: optional(text),
    outcome: optional(text),
    notes: text,
    opened_by: text,
    version: int4,
    created_at: timestamptz,
    updated_at: timestamptz,
  },
  writes: { reviews: put('state', 'assignee', 'outcome', 'notes', 'version', 'updated_at') },
  vouched: true,
});
