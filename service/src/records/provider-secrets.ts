// Secrets for payment providers.
import { defineRecord, put, text, timestamptz, uuid } from './define.ts';

export const providerSecrets = defineRecord({
  table: 'provider_secrets',
  key: ['psp_id', 'account_id', 'provider'],
  columns: {
    psp_id: uuid,
    account_id: uuid,
    provider: text,
    secret_sealed: text,
    updated_at: timestamptz,
  },
  writes: { provider_secrets: put('secret_sealed', 'updated_at') },
});
