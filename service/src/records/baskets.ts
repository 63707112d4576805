// Baskets of goods and services.
import { change, defineRecord, insert, int4, numeric, text, timestamptz, uuid } from './define.ts';

export const baskets = defineRecord({
  table: 'baskets',
  key: ['psp_id', 'id'],
  columns: {
    psp_id: uuid,
    id: uuid,
    account_id: uuid,
    recorded_by: uuid,
    ref: text,
    transaction_id: uuid,
    status: text,
    revision: int4,
    amount: numeric,
    currency: text,
    country: text,
    vat_amount: numeric,
    taxable_amount: numeric,
    line_vat: text,
    original: text,
    request: text,
    observations: text,
    created_at: timestamptz,
    updated_at: timestamptz,
  },
  writes: { baskets: insert, basket_changes: change('status', 'revision', 'updated_at') },
  vouched: true,
});
