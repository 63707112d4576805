// Amounts subtracted from a later payment for a chargeback.
import { accountId, defineRecord, insert, numeric, pspId, text, timestamptz, uuid } from './define.ts';

export const nettings = defineRecord({
  table: 'nettings',
  key: ['psp_id', 'id'],
  columns: {
    psp_id: pspId,
    id: uuid,
    account_id: accountId,
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
  resource: 'netting',
  told: true,
});
