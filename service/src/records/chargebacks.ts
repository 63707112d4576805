// Chargebacks of transactions.
import { accountId, defineRecord, insert, pspId, text, timestamptz, transactionId, uuid } from './define.ts';

export const chargebacks = defineRecord({
  table: 'chargebacks',
  key: ['psp_id', 'id'],
  columns: {
    psp_id: pspId,
    id: uuid,
    transaction_id: transactionId,
    account_id: accountId,
    recorded_by: accountId,
    amounts: text,
    created_at: timestamptz,
  },
  writes: { chargebacks: insert },
  vouched: true,
  resource: 'chargeback',
  told: true,
});
