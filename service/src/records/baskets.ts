// Baskets of goods and services.
import type { BasketState } from '../core/basket-states.ts';
import type { Observation } from '../core/transaction.ts';
import { column, defineRecord, insert, put } from './define.ts';

export const baskets = defineRecord({
  table: 'baskets',
  key: ['psp_id', 'id'],
  columns: {
    psp_id: column.pspId,
    id: column.uuid,
    account_id: column.accountId,
    recorded_by: column.accountId,
    ref: column.text,
    transaction_id: column.transactionId,
    status: column.textOf<BasketState>(),
    revision: column.int4,
    amount: column.numeric,
    currency: column.text,
    country: column.text,
    vat_amount: column.numeric,
    taxable_amount: column.numeric,
    line_vat: column.json<readonly string[]>(),
    /** JSON text of the submitted basket, as echoed. */
    original: column.text,
    request: column.text,
    observations: column.json<readonly Observation[]>(),
    created_at: column.timestamptz,
    updated_at: column.timestamptz,
  },
  writes: { baskets: insert, basket_changes: put('status', 'revision', 'updated_at') },
  vouched: true,
  resource: 'basket',
  journaled: true,
});
