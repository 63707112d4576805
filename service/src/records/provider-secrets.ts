// Secrets for payment providers.
import { column, defineRecord, put } from './define.ts';

export const providerSecrets = defineRecord({
  table: 'provider_secrets',
  key: ['psp_id', 'account_id', 'provider'],
  columns: {
    psp_id: column.pspId,
    account_id: column.accountId,
    provider: column.text,
    secret_sealed: column.text,
    updated_at: column.timestamptz,
  },
  writes: { provider_secrets: put('secret_sealed', 'updated_at') },
});
