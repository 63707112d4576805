// Payouts of wagers.
import type { Evidence, Observation } from '../core/transaction.ts';
import { column, defineRecord, insert } from './define.ts';

export const payouts = defineRecord({
  table: 'payouts',
  key: ['psp_id', 'id'],
  columns: {
    psp_id: column.pspId,
    id: column.uuid,
    account_id: column.accountId,
    recorded_by: column.accountId,
    ref: column.text,
    wager_id: column.uuid,
    wager_ref: column.text,
    amount: column.numeric,
    currency: column.text,
    country: column.text,
    evidence: column.json<Evidence>(),
    request: column.text,
    observations: column.json<readonly Observation[]>(),
    sealed: column.optional(column.text),
    subject: column.optional(column.text),
    created_at: column.timestamptz,
    decided_on: column.optional(column.date),
  },
  writes: { payouts: insert },
  vouched: true,
  resource: 'payout',
  journaled: true,
});
