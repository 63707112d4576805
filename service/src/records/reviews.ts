// Reviews: alerts about a transaction, a client or a person.
import type { Review } from '../core/risk/review.ts';
import { column, defineRecord, put } from './define.ts';

export const reviews = defineRecord({
  table: 'reviews',
  key: ['psp_id', 'id'],
  columns: {
    psp_id: column.pspId,
    id: column.uuid,
    account_id: column.accountId,
    transaction_id: column.optional(column.transactionId),
    rule: column.text,
    reason: column.text,
    findings: column.json<Review['findings']>(),
    state: column.textOf<Review['state']>(),
    assignee: column.optional(column.text),
    outcome: column.optional(column.textOf<NonNullable<Review['outcome']>>()),
    notes: column.json<Review['notes']>(),
    opened_by: column.text,
    version: column.int4,
    created_at: column.timestamptz,
    updated_at: column.timestamptz,
    severity: column.textOf<Review['severity']>(),
    rule_version: column.optional(column.text),
    about: column.optional(column.text),
    person: column.optional(column.text),
    resolved_at: column.optional(column.timestamptz),
  },
  writes: { reviews: put('state', 'assignee', 'outcome', 'notes', 'version', 'updated_at', 'resolved_at') },
  vouched: true,
  resource: 'review',
});
