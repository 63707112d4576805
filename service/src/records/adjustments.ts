// Adjusting entries for transactions whose rates were corrected.
import type { Evidence } from '../core/transaction.ts';
import { column, defineRecord, insert } from './define.ts';

export const adjustments = defineRecord({
  table: 'adjustments',
  key: ['psp_id', 'transaction_id', 'revision', 'number'],
  columns: {
    psp_id: column.pspId,
    transaction_id: column.transactionId,
    revision: column.int4,
    number: column.int4,
    entry_id: column.uuid,
    account_id: column.accountId,
    country: column.text,
    currency: column.text,
    day: column.date,
    dataset: column.text,
    vat_before: column.numeric,
    vat_after: column.numeric,
    transaction_vat_before: column.numeric,
    transaction_vat_after: column.numeric,
    remainder_before: column.numeric,
    remainder_after: column.numeric,
    tax_after: column.json<Evidence['tax']>(),
    reason: column.text,
    actor: column.text,
    created_at: column.timestamptz,
  },
  writes: { adjustments: insert },
  resource: 'adjustment',
});
