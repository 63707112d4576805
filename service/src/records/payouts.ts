// Payouts of wagers.
import type { Evidence, Observation } from '../core/transaction.ts';
import {
  accountId,
  date,
  defineRecord,
  insert,
  json,
  numeric,
  optional,
  pspId,
  text,
  timestamptz,
  uuid,
} from './define.ts';

export const payouts = defineRecord({
  table: 'payouts',
  key: ['psp_id', 'id'],
  columns: {
    psp_id: pspId,
    id: uuid,
    account_id: accountId,
    recorded_by: accountId,
    ref: text,
    wager_id: uuid,
    wager_ref: text,
    amount: numeric,
    currency: text,
    country: text,
    evidence: json<Evidence>(),
    request: text,
    observations: json<readonly Observation[]>(),
    sealed: optional(text),
    subject: optional(text),
    created_at: timestamptz,
    decided_on: optional(date),
  },
  writes: { payouts: insert },
  vouched: true,
  resource: 'payout',
  told: true,
});
