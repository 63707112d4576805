// Adds a webhook address to the calling client.
import { Type } from 'typebox';
import { toWire } from '../../../core/ids.ts';
import { Refusal, refuse } from '../../../core/refusal.ts';
import { checkWebhookUrl } from '../../../core/webhook-url.ts';
import { need } from '../../../platform/committer.ts';
import {
  accountChange,
  accountResource,
  bothAccounts,
  clientId,
  concerned,
  concernedAccount,
} from '../../accounts/index.ts';
import { journalRow } from '../../kernel/journal.ts';
import { operation } from '../../kernel/operation.ts';
import { listWebhooks, type Webhook, webhookRow, webhooksOf } from '../webhook-store.ts';

export const subscribeToClient = operation({
  id: 'subscribeToClient',
  method: 'POST',
  path: '/v1/client/subscribeToClient',
  spec: '4.17',
  tag: 'Webhooks',
  summary: 'Subscribe a webhook address',
  description: 'The address must accept POST and answer 200. Subscribing the same address again changes nothing.',
  audience: ['psp', 'client'],
  // Spec 4.17
  body: Type.Object({
    webhookUrl: Type.String({ minLength: 1, maxLength: 2048, description: 'https address on port 443 or 8443.' }),
  }),
  content: Type.Object({ clientId: Type.String(), webhookUrls: Type.Array(Type.String()) }),
  example: { webhookUrl: 'https://hooks.example.com/assay' },
  refusals: ['FIELD_INVALID', 'LIMIT_REACHED', 'NOT_FOUND'],
  async handle(call) {
    const { services: s, principal } = call;
    const id = concernedAccount(principal, call.onBehalfOf);
    if (id instanceof Refusal) throw id;
    const url = checkWebhookUrl(call.body.webhookUrl, { allowHttp: s.settings.webhookAllowHttp });
    if (url instanceof Refusal) throw url;
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
            `a client can have at most ${s.settings.webhookLimit} webhook addresses; remove one first`,
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
        const after = { ...accounts.account, version: accounts.account.version + 1, updatedAt: at };
        return {
          reply: reply(all),
          writes: {
            // The change of the account is the gate: of two that add at once, one is decided again.
            accounts: [],
            rows: [
              accountChange(after),
              webhookRow(hook),
              journalRow(s, principal, at, {
                kind: 'client.updated',
                psp: principal.psp,
                account: id,
                resourceId: id,
                version: after.version,
                data: {
                  ...accountResource(s, after, after.id === after.psp ? after : accounts.psp, at),
                  webhookUrls: all.map((h) => h.url),
                },
              }),
            ],
          },
        };
      },
      committed: () => s.accounts.forget({ psp: principal.psp, id }),
    });
  },
});

export const listWebhookUrls = operation({
  id: 'listWebhooks',
  method: 'GET',
  path: '/v1/webhook',
  tag: 'Webhooks',
  summary: "The calling client's webhook addresses",
  audience: ['psp', 'client'],
  content: Type.Object({
    items: Type.Array(
      Type.Object({ webhookId: Type.String(), url: Type.String(), state: Type.String(), createdAt: Type.String() }),
    ),
  }),
  async handle(call) {
    const { services: s, principal } = call;
    const id = concernedAccount(principal, call.onBehalfOf);
    if (id instanceof Refusal) throw id;
    const hooks = await listWebhooks(s.db, principal.psp, id);
    return {
      message: 'webhooks',
      content: {
        items: hooks.map((h) => ({
          webhookId: toWire('webhook', h.id),
          url: h.url,
          state: h.state,
          createdAt: h.createdAt,
        })),
      },
    };
  },
});
