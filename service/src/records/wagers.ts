// Wagers, as operators of games record them.
import type { Evidence, Observation } from '../core/transaction.ts';
import { date, defineRecord, insert, json, numeric, optional, text, timestamptz, uuid } from './define.ts';

export const wagers = defineRecord({
  table: 'wagers',
  key: ['psp_id', 'id'],
  columns: {
    psp_id: uuid,
    id: uuid,
    account_id: uuid,
    recorded_by: uuid,
    ref: text,
    amount: numeric,
    currency: text,
    country: text,
    product_line: text,
    ip: text,
    evidence: json<Evidence>(),
    request: text,
    observations: json<readonly Observation[]>(),
    sealed: optional(text),
    subject: optional(text),
    created_at: timestamptz,
    decided_on: optional(date),
  },
  writes: { wagers: insert },
  vouched: true,
});
