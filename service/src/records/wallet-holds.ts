// Holds of wallets, which are known by keyed hash.
import { column, defineRecord, put } from './define.ts';

export const walletHolds = defineRecord({
  table: 'wallet_holds',
  key: ['psp_id', 'id'],
  columns: {
    psp_id: column.pspId,
    id: column.uuid,
    wallet: column.text,
    address_sealed: column.optional(column.text),
    transaction_id: column.optional(column.transactionId),
    case_id: column.optional(column.uuid),
    reason: column.text,
    set_by: column.text,
    until_at: column.optional(column.timestamptz),
    version: column.int4,
    created_at: column.timestamptz,
    updated_at: column.timestamptz,
  },
  writes: { wallet_holds: put('until_at', 'version', 'updated_at') },
  vouched: true,
  resource: 'walletHold',
  journaled: true,
});
