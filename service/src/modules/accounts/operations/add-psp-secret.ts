import { notFound, orThrow, Refusal, refuse, said } from '../../../core/refusal.ts';
import { journalRow, row } from '../../kernel/journal.ts';
import { Named, type Needs, operation, Secret, Text, Type } from '../../kernel/operation.ts';
import { bothAccounts, concerned, concernedAccount, type HasAccounts } from '../accounts.ts';

export const addPSPSecret = operation({
  id: 'addPSPSecret',
  method: 'POST',
  path: '/v1/client/addPSPSecret',
  spec: '4.7',
  tag: 'Clients',
  area: 'administration',
  summary: "Store the client's secret at a payment provider",
  description:
    'The secret is stored sealed, for orchestrating payments later. A second one for the same provider replaces the first.',
  audience: ['psp', 'client'],
  // Spec 4.7: the allowed names are a setting (PSP_NAMES).
  body: Type.Object({
    psp: Text('Payment provider, one of the configured names (STRIPE, PAYSTACK without a setting).', 60),
    secret: Secret({ description: "The provider's secret.", minLength: 1, maxLength: 4000 }),
  }),
  content: Named('ProviderSecret', 'The payment provider whose secret was kept.', {
    psp: Type.String({ description: 'The payment provider.' }),
    updatedAt: Type.String({ description: 'When the secret was stored, ISO 8601 UTC.' }),
  }),
  example: { psp: 'PAYSTACK', secret: 'a-secret-issued-by-the-provider' },
  refusals: ['FIELD_INVALID', 'NOT_FOUND'],
  async handle(call, s: Needs<'settings' | 'ids' | 'committer' | 'vault'> & HasAccounts) {
    const { principal, body: b } = call;
    const name = s.settings.pspNames.find((n) => n.toUpperCase() === b.psp.toUpperCase());
    if (!name) throw refuse('FIELD_INVALID', said`the field 'psp' must be one of ${s.settings.pspNames.join(', ')}`);
    const id = orThrow(concernedAccount(principal, call.onBehalfOf));
    const who = concerned(s.accounts, principal.psp, id);
    const at = new Date(call.now).toISOString();
    const content = { psp: name, updatedAt: at };
    return s.committer.submit({
      account: id,
      keys: [`s|${id}|${name}`],
      needs: [who.account, who.psp],
      decide(facts) {
        const accounts = bothAccounts(facts, who);
        if (accounts instanceof Refusal) return notFound();
        return {
          reply: { message: 'secret stored', content },
          writes: {
            rows: [
              row('provider_secrets', {
                psp_id: principal.psp,
                account_id: id,
                provider: name,
                updated_at: at,
                secret_sealed: s.vault.seal(b.secret, `provider_secrets/${id}/${name}`),
              }),
              journalRow(s, principal, at, {
                kind: 'client.secret_stored',
                psp: principal.psp,
                account: id,
                resourceId: id,
                version: accounts.account.version,
                data: content,
              }),
            ],
          },
        };
      },
    });
  },
});
