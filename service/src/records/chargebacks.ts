// Chargebacks of transactions.
import { defineRecord, insert, text, timestamptz, uuid } from './define.ts';

export const chargebacks = defineRecord({
  table: 'chargebacks',
  key: ['psp_id', 'id'],
  columns: {
    psp_id: uuid,
    id: uuid,
    transaction_id: uuid,
    account_id: uuid,
    recorded_by: uuid,
    amounts: text,
    created_at: timestamptz,
  },
  writes: { chargebacks: insert },
  vouched: true,
});
