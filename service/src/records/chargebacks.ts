// Chargebacks of transactions.
import { column, defineRecord, insert } from './define.ts';

export const chargebacks = defineRecord({
  table: 'chargebacks',
  key: ['psp_id', 'id'],
  columns: {
    psp_id: column.pspId,
    id: column.uuid,
    transaction_id: column.transactionId,
    account_id: column.accountId,
    recorded_by: column.accountId,
    amounts: column.text,
    created_at: column.timestamptz,
  },
  writes: { chargebacks: insert },
  vouched: true,
  resource: 'chargeback',
  journaled: true,
});
