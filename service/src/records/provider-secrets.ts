// Secrets for payment providers.
import { accountId, defineRecord, pspId, put, text, timestamptz } from './define.ts';

export const providerSecrets = defineRecord({
  table: 'provider_secrets',
  key: ['psp_id', 'account_id', 'provider'],
  columns: {
    psp_id: pspId,
    account_id: accountId,
    provider: text,
    secret_sealed: text,
    updated_at: timestamptz,
  },
  writes: { provider_secrets: put('secret_sealed', 'updated_at') },
});
