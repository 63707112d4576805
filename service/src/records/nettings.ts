// What is taken off a later payment for a chargeback.
import { defineRecord, insert, numeric, text, timestamptz, uuid } from './define.ts';

export const nettings = defineRecord({
  table: 'nettings',
  key: ['psp_id', 'id'],
  columns: {
    psp_id: uuid,
    id: uuid,
    account_id: uuid,
    ref: text,
    chargeback_id: uuid,
    against_id: uuid,
    currency: text,
    country: text,
    day: text,
    vat_amount: numeric,
    processing_fee: numeric,
    merchant_amount: numeric,
    transaction_fee: numeric,
    transaction_vat: numeric,
    request: text,
    created_at: timestamptz,
  },
  writes: { nettings: insert },
  vouched: true,
});
