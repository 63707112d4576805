// Keys to the API.
import { accountId, defineRecord, optional, pspId, shorten, text, timestamptz, uuid } from './define.ts';

export const apiKeys = defineRecord({
  table: 'api_keys',
  key: ['psp_id', 'id'],
  everywhere: true,
  columns: {
    psp_id: pspId,
    id: uuid,
    account_id: accountId,
    name: text,
    secret_hash: text,
    created_at: timestamptz,
    expires_at: optional(timestamptz),
    revoked_at: optional(timestamptz),
    last_used_at: optional(timestamptz),
    last_used_network: optional(text),
    /** Separated by spaces; null for all. The hash of the secret covers them too. */
    scopes: optional(text),
  },
  writes: { keys: shorten('revoked_at', 'expires_at') },
  // The time of a key's last use is stored without an entry.
  vouched: 'revoked_at',
  resource: 'key',
  changesAccessOf: 'account_id',
});
