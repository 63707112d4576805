// Adds a webhook address to the calling client.
import { orThrow, Refusal, refuse, said } from '../../../core/refusal.ts';
import { WebhookUrlFault } from '../../../core/webhook-url.ts';
import { need } from '../../../platform/committer.ts';
import { bothAccounts, clientId, concerned, concernedAccount, type HasAccounts } from '../../accounts/index.ts';
import { Named, type Needs, operation, Type } from '../../kernel/operation.ts';
import { subscriptionRows } from '../administer.ts';
import { type Webhook, webhooksOf } from '../webhook-store.ts';

export const subscribeToClient = operation({
  id: 'subscribeToClient',
  method: 'POST',
  path: '/v1/client/subscribeToClient',
  spec: '4.17',
  tag: 'Webhooks',
  summary: 'Subscribe a webhook address',
  description:
    'The address must accept POST and answer 200. Its host name must resolve to public addresses only. Subscribing the same address again changes nothing.',
  audience: ['psp', 'client'],
  // Spec 4.17
  body: Type.Object({
    webhookUrl: Type.String({ minLength: 1, maxLength: 2048, description: 'https address on port 443 or 8443.' }),
  }),
  content: Named('Subscriptions', 'The webhook addresses of an account.', {
    clientId: Type.String(),
    webhookUrls: Type.Array(Type.String(), { description: 'All addresses of the account.' }),
  }),
  example: { webhookUrl: 'https://hooks.example.com/assay' },
  refusals: ['FIELD_INVALID', 'LIMIT_REACHED', 'NOT_FOUND'],
  async handle(call, s: Needs<'settings' | 'ids' | 'committer' | 'outgoing'> & HasAccounts) {
    const { principal } = call;
    const id = orThrow(concernedAccount(principal, call.onBehalfOf));
    const checked = await s.outgoing.check(call.body.webhookUrl);
    if (checked instanceof WebhookUrlFault) throw refuse('FIELD_INVALID', said`the field 'webhookUrl' ${checked.why}`);
    const url = checked.href;
    const who = concerned(s.accounts, principal.psp, id);
    const known = need(webhooksOf, { psp: principal.psp, account: id });
    const at = new Date(call.now).toISOString();
    return s.committer.submit({
      account: id,
      keys: [`a|${id}`],
      exclusive: true,
      needs: [who.account, who.psp, known],
      decide(facts) {
        const accounts = bothAccounts(facts, who);
        if (accounts instanceof Refusal) return accounts;
        const before = facts(known) ?? [];
        const reply = (hooks: readonly Webhook[], replayed = false) => ({
          message: 'subscribed',
          content: { clientId: clientId(accounts.account), webhookUrls: hooks.map((h) => h.url) },
          replayed,
        });
        if (before.some((h) => h.url === url)) return { reply: reply(before, true) };
        if (before.length >= s.settings.webhookLimit)
          return refuse(
            'LIMIT_REACHED',
            said`a client can have at most ${s.settings.webhookLimit} webhook addresses; remove one first`,
          );
        const hook: Webhook = {
          psp: principal.psp,
          id: s.ids.next(),
          account: id,
          url,
          eventTypes: null,
          state: 'ACTIVE',
          stateReason: null,
          createdAt: at,
          updatedAt: at,
        };
        const all = [...before, hook];
        return {
          reply: reply(all),
          writes: { rows: subscriptionRows(s, principal, accounts, hook, all, at) },
        };
      },
      committed: () => s.accounts.forget({ psp: principal.psp, id }),
    });
  },
});
