// Reviews of transactions.
import type { Review } from '../core/risk/review.ts';
import {
  accountId,
  defineRecord,
  int4,
  json,
  optional,
  pspId,
  put,
  text,
  textOf,
  timestamptz,
  transactionId,
  uuid,
} from './define.ts';

export const reviews = defineRecord({
  table: 'reviews',
  key: ['psp_id', 'id'],
  columns: {
    psp_id: pspId,
    id: uuid,
    account_id: accountId,
    transaction_id: transactionId,
    rule: text,
    reason: text,
    findings: json<Review['findings']>(),
    state: textOf<Review['state']>(),
    assignee: optional(text),
    outcome: optional(textOf<NonNullable<Review['outcome']>>()),
    notes: json<Review['notes']>(),
    opened_by: text,
    version: int4,
    created_at: timestamptz,
    updated_at: timestamptz,
  },
  writes: { reviews: put('state', 'assignee', 'outcome', 'notes', 'version', 'updated_at') },
  vouched: true,
  resource: 'review',
});
