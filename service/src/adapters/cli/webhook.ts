// assay webhook: addresses of an account, what is delivered to them, and sending it again.
import type { Item } from '@assay/client';
import type { Command } from 'commander';
import { eventKinds } from '../../core/events.ts';
import { add, call, group, moment, more, needed, option, paged, wholeNumber } from './command.ts';
import { UsageError } from './exit-codes.ts';
import { withSession } from './session.ts';
import { showDeliveries, showDelivery, showWebhook, showWebhooks } from './webhook-view.ts';

const deliveryStates = Object.keys({
  pending: true,
  delivering: true,
  delivered: true,
  retrying: true,
  exhausted: true,
  held: true,
  cancelled: true,
} satisfies Record<Item<'listDeliveries'>['state'], true>);
/** Types of webhook messages: announced events, and a test. */
const types = [
  ...Object.entries(eventKinds).flatMap(([kind, announced]) => (announced === null ? [] : [kind])),
  'webhook.test',
];
const time = (flags: string, description: string) => option(flags, description).argParser(moment);

/** Adds a command that changes the state of a subscription. */
function stateCommand(webhook: Command, verb: 'pause' | 'resume' | 'delete', description: string): void {
  call(
    webhook,
    `${verb} <webhookId>`,
    description,
    [option('--reason <text>', 'why; kept in the journal')],
    `${verb}Webhook`,
    {
      as: 'webhookId',
      // A deleted subscription has no further properties.
      shape: ({ webhookId, url, state, ...rest }) =>
        state === 'DELETED' ? { webhookId, url, state } : { webhookId, url, state, ...rest },
      show: (out, w) => out.line(`${w.webhookId} (${w.url}) is ${w.state}`),
    },
  );
}

export function webhookCommands(program: Command): void {
  const webhook = group(program, 'webhook', 'webhook addresses and deliveries');
  call(webhook, 'list <accountId>', 'addresses of a PSP or client, newest first', paged(50, 200), 'listWebhooks', {
    as: 'accountId',
    listed: true,
    show: (out, page) => showWebhooks(out, page.items),
  });
  call(webhook, 'show <webhookId>', 'an address, how it fares and what waits for it', [], 'getWebhook', {
    as: 'webhookId',
    show: showWebhook,
  });
  stateCommand(webhook, 'pause', 'keep what is announced until it is resumed');
  stateCommand(webhook, 'resume', 'deliver again, first what was kept; also to a disabled address');
  stateCommand(webhook, 'delete', 'end the subscription');
  call(webhook, 'test <webhookId>', 'send a test event', [], 'testWebhook', {
    as: 'webhookId',
    show: (out, made) => out.line(`${made.deliveryId} is queued; the running service sends it`),
  });
  add<{ limit: number; cursor?: string; state?: string; type?: string; since?: string; until?: string }>(
    webhook,
    'deliveries <webhookId> [deliveryId]',
    'deliveries, newest first, or one with its attempts',
    [
      option('--state <state>', 'only in this state').choices(deliveryStates),
      option('--type <type>', 'only of this type').choices(types),
      time('--since <time>', 'made at or after'),
      time('--until <time>', 'made before'),
      ...paged(50, 200),
    ],
    (out, query, webhookId, deliveryId) =>
      withSession(out, async (session) => {
        const as = await session.owner(webhookId as string);
        if (deliveryId === undefined) {
          const { limit, cursor, state, type, since, until } = query;
          const asked = { webhookId, cursor, state, type, since, until };
          const page = await session.list('listDeliveries', asked, limit, { as });
          out.result(page, () => showDeliveries(out, page.items));
          more(out, page);
        } else {
          const delivery = await session.ask('getDelivery', { webhookId, deliveryId }, { as });
          out.result(delivery, () => showDelivery(out, delivery));
        }
      }),
  );
  call(webhook, 'retry <webhookId> <deliveryId>', 'send one delivery again', [], 'retryDelivery', {
    as: 'webhookId',
    show: (out, d) => out.line(`${d.deliveryId} is ${d.state}`),
  });
  call(
    webhook,
    'replay <webhookId>',
    'deliver events of a period again',
    [
      needed('--since <time>', 'events that happened at or after').argParser(moment),
      time('--until <time>', 'and before; now without it'),
      option('--only <which>', 'what failed, what it was never told, or all')
        .choices(['failed', 'missing', 'all'])
        .default('failed'),
    ],
    'replayWebhook',
    {
      as: 'webhookId',
      check({ since, until }) {
        if (until !== undefined && String(until) <= String(since))
          throw new UsageError('--until must be later than --since');
      },
      show: (out, done) => out.line(`${done.retried} deliveries are due again, ${done.added} were added`),
    },
  );
  call(
    webhook,
    'rotate-secret <accountId>',
    'issue a new webhook secret; printed this once',
    [
      option('--grace-hours <n>', 'hours the old secret still signs; 0 ends it at once')
        .argParser(wholeNumber(0, 168))
        .default(24),
    ],
    'rotateSecret',
    {
      as: 'accountId',
      show: (out, made) =>
        out.facts([
          ['Account', made.clientId],
          ['Secret', made.secret],
          ['Old one signs until', made.previousUntil ?? 'it is ended'],
        ]),
      remark: 'Keep the secret: it is not shown again.',
    },
  );
}
