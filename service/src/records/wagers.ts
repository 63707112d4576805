// Wagers, as recorded by gaming operators.
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

export const wagers = defineRecord({
  table: 'wagers',
  key: ['psp_id', 'id'],
  columns: {
    psp_id: pspId,
    id: uuid,
    account_id: accountId,
    recorded_by: accountId,
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
  resource: 'wager',
  told: true,
});
