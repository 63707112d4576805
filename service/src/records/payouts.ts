// Payouts of wagers.
import { defineRecord, insert, numeric, optional, text, timestamptz, uuid } from './define.ts';

export const payouts = defineRecord({
  table: 'payouts',
  key: ['psp_id', 'id'],
  columns: {
    psp_id: uuid,
    id: uuid,
    account_id: uuid,
    recorded_by: uuid,
    ref: text,
    wager_id: uuid,
    wager_ref: text,
    amount: numeric,
    currency: text,
    country: text,
    evidence: text,
    request: text,
    observations: text,
    sealed: optional(text),
    subject: optional(text),
    created_at: timestamptz,
  },
  writes: { payouts: insert },
  vouched: true,
});
