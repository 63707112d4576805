// Holds of wallets, which are known by keyed hash.
import { defineRecord, int4, optional, pspId, put, text, timestamptz, transactionId, uuid } from './define.ts';

export const walletHolds = defineRecord({
  table: 'wallet_holds',
  key: ['psp_id', 'id'],
  columns: {
    psp_id: pspId,
    id: uuid,
    wallet: text,
    address_sealed: optional(text),
    transaction_id: optional(transactionId),
    case_id: optional(uuid),
    reason: text,
    set_by: text,
    until_at: optional(timestamptz),
    version: int4,
    created_at: timestamptz,
    updated_at: timestamptz,
  },
  writes: { wallet_holds: put('until_at', 'version', 'updated_at') },
  vouched: true,
  resource: 'walletHold',
  told: true,
});
