// Keys to the API.
import { column, defineRecord, shorten } from './define.ts';

export const apiKeys = defineRecord({
  table: 'api_keys',
  key: ['psp_id', 'id'],
  everywhere: true,
  columns: {
    psp_id: column.pspId,
    id: column.uuid,
    account_id: column.accountId,
    name: column.text,
    secret_hash: column.text,
    created_at: column.timestamptz,
    expires_at: column.optional(column.timestamptz),
    revoked_at: column.optional(column.timestamptz),
    last_used_at: column.optional(column.timestamptz),
    last_used_network: column.optional(column.text),
    /** Separated by spaces; null for all. The hash of the secret covers them too. */
    scopes: column.optional(column.text),
  },
  writes: { keys: shorten('revoked_at', 'expires_at') },
  // The time of a key's last use is stored without an entry.
  vouched: 'revoked_at',
  resource: 'key',
  journaled: true,
  changesAccessOf: 'account_id',
});
