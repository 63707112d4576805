// Baskets of goods and services.
import type { BasketState } from '../core/basket-states.ts';
import type { Observation } from '../core/transaction.ts';
import {
  accountId,
  defineRecord,
  insert,
  int4,
  json,
  numeric,
  pspId,
  put,
  text,
  textOf,
  timestamptz,
  transactionId,
  uuid,
} from './define.ts';

export const baskets = defineRecord({
  table: 'baskets',
  key: ['psp_id', 'id'],
  columns: {
    psp_id: pspId,
    id: uuid,
    account_id: accountId,
    recorded_by: accountId,
    ref: text,
    transaction_id: transactionId,
    status: textOf<BasketState>(),
    revision: int4,
    amount: numeric,
    currency: text,
    country: text,
    vat_amount: numeric,
    taxable_amount: numeric,
    line_vat: json<readonly string[]>(),
    /** JSON text of the submitted basket, as echoed. */
    original: text,
    request: text,
    observations: json<readonly Observation[]>(),
    created_at: timestamptz,
    updated_at: timestamptz,
  },
  writes: { baskets: insert, basket_changes: put('status', 'revision', 'updated_at') },
  vouched: true,
  resource: 'basket',
  told: true,
});
