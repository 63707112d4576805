// Adjusting entries beside transactions whose rates were corrected.
import type { Evidence } from '../core/transaction.ts';
import {
  accountId,
  date,
  defineRecord,
  insert,
  int4,
  json,
  numeric,
  pspId,
  text,
  timestamptz,
  transactionId,
  uuid,
} from './define.ts';

export const adjustments = defineRecord({
  table: 'adjustments',
  key: ['psp_id', 'transaction_id', 'revision', 'number'],
  columns: {
    psp_id: pspId,
    transaction_id: transactionId,
    revision: int4,
    number: int4,
    entry_id: uuid,
    account_id: accountId,
    country: text,
    currency: text,
    day: date,
    dataset: text,
    vat_before: numeric,
    vat_after: numeric,
    transaction_vat_before: numeric,
    transaction_vat_after: numeric,
    remainder_before: numeric,
    remainder_after: numeric,
    tax_after: json<Evidence['tax']>(),
    reason: text,
    actor: text,
    created_at: timestamptz,
  },
  writes: { adjustments: insert },
});
