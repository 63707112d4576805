// Amounts subtracted from a later payment for a chargeback.
import { column, defineRecord, insert } from './define.ts';

export const nettings = defineRecord({
  table: 'nettings',
  key: ['psp_id', 'id'],
  columns: {
    psp_id: column.pspId,
    id: column.uuid,
    account_id: column.accountId,
    ref: column.text,
    chargeback_id: column.uuid,
    against_id: column.uuid,
    currency: column.text,
    country: column.text,
    day: column.text,
    vat_amount: column.numeric,
    processing_fee: column.numeric,
    merchant_amount: column.numeric,
    transaction_fee: column.numeric,
    transaction_vat: column.numeric,
    request: column.text,
    created_at: column.timestamptz,
  },
  writes: { nettings: insert },
  vouched: true,
  resource: 'netting',
  journaled: true,
});
