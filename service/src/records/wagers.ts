// Wagers, as recorded by gaming operators.
import type { Evidence, Observation } from '../core/transaction.ts';
import { column, defineRecord, insert } from './define.ts';

export const wagers = defineRecord({
  table: 'wagers',
  key: ['psp_id', 'id'],
  columns: {
    psp_id: column.pspId,
    id: column.uuid,
    account_id: column.accountId,
    recorded_by: column.accountId,
    ref: column.text,
    amount: column.numeric,
    currency: column.text,
    country: column.text,
    product_line: column.text,
    ip: column.text,
    evidence: column.json<Evidence>(),
    request: column.text,
    observations: column.json<readonly Observation[]>(),
    sealed: column.optional(column.text),
    subject: column.optional(column.text),
    created_at: column.timestamptz,
    decided_on: column.optional(column.date),
  },
  writes: { wagers: insert },
  vouched: true,
  resource: 'wager',
  journaled: true,
});
