// assay webhook: addresses of an account, what is delivered to them, and sending it again.
import { type Command, Option } from 'commander';
import { accountFromWire, fromWire, toWire } from '../../core/ids.ts';
import { notFound } from '../../core/refusal.ts';
import { findAnyAccount } from '../../modules/accounts/index.ts';
import {
  announcedTypes,
  deleteWebhook,
  deliveryStates,
  findAnyWebhook,
  pauseWebhook,
  replay,
  replayed,
  resumeWebhook,
  retry,
  rotateSecret,
  sendTest,
  testType,
  type Webhook,
} from '../../modules/webhooks/index.ts';
import { getDeliveryById, listDeliveries } from '../../modules/webhooks/operations/list-deliveries.ts';
import { getWebhookById, listWebhooks } from '../../modules/webhooks/operations/list-webhooks.ts';
import { longestGraceHours, usualGraceHours } from '../../modules/webhooks/operations/rotate-secret.ts';
import { add, group, moment, needed, option, wholeNumber } from './command.ts';
import { UsageError } from './exit-codes.ts';
import { type Session, withSession } from './session.ts';
import {
  type ShownDelivery,
  type ShownWebhook,
  showDeliveries,
  showDelivery,
  showWebhook,
  showWebhooks,
} from './webhook-view.ts';

const longestReason = 500;
const why = () => option('--reason <text>', 'why; kept in the journal');
const limit = () => option('--limit <n>', 'most entries to list').argParser(wholeNumber(1, 200)).default(50);
const cursor = () => option('--cursor <cursor>', 'go on after the page before: its nextCursor');

/** A subscription of any PSP. @throws NOT_FOUND */
async function webhookAt(session: Session, wireId: string | undefined): Promise<Webhook> {
  const id = fromWire('webhook', wireId ?? '');
  const found = id && (await findAnyWebhook(session.services.db, id));
  if (!found) throw notFound();
  return found;
}

/** An account of any PSP as the one whose things are meant. @throws NOT_FOUND */
async function accountAt(session: Session, wireId: string | undefined): Promise<{ psp: string; account: string }> {
  const id = accountFromWire(wireId ?? '');
  const found = id && (await findAnyAccount(session.services.db, id));
  if (!found) throw notFound();
  return { psp: found.psp, account: found.id };
}

async function shown(session: Session, w: Webhook): Promise<ShownWebhook> {
  const of = { psp: w.psp, account: w.account };
  return (await session.ask(getWebhookById, { params: { webhookId: toWire('webhook', w.id) }, of }))
    .content as ShownWebhook;
}

const asking = ({ principal, now }: Session, w: Webhook) => ({ principal, reach: w, id: w.id, now });

/** A change of the subscription's state; a deleted one is shown by its id alone. */
function stateCommand(webhook: Command, verb: string, description: string, change: typeof pauseWebhook): void {
  add<{ reason?: string }>(webhook, `${verb} <webhookId>`, description, [why()], async (out, { reason }, webhookId) => {
    const words = reason?.trim() || null;
    if (words !== null && words.length > longestReason)
      throw new UsageError(`--reason must have at most ${longestReason} characters`);
    await withSession(out, async (session) => {
      const w = await webhookAt(session, webhookId);
      const { webhook: after } = await change(session.services, asking(session, w), words);
      const result =
        after.state === 'DELETED'
          ? { webhookId: toWire('webhook', w.id), url: w.url, state: after.state }
          : await shown(session, after);
      out.result(result, () => out.line(`${result.webhookId} (${result.url}) is ${result.state}`));
    });
  });
}

export function webhookCommands(program: Command): void {
  const webhook = group(program, 'webhook', 'webhook addresses and deliveries');
  add<{ limit: number; cursor?: string }>(
    webhook,
    'list <accountId>',
    'addresses of a PSP or client, newest first',
    [limit(), cursor()],
    (out, query, accountId) =>
      withSession(out, async (session) => {
        const of = await accountAt(session, accountId);
        const { content } = await session.ask(listWebhooks, { query, of });
        showWebhooks(out, content as { items: readonly ShownWebhook[]; nextCursor: string | null });
      }),
  );
  add(webhook, 'show <webhookId>', 'an address, how it fares and what waits for it', [], (out, _options, webhookId) =>
    withSession(out, async (session) => showWebhook(out, await shown(session, await webhookAt(session, webhookId)))),
  );
  stateCommand(webhook, 'pause', 'keep what is announced until it is resumed', pauseWebhook);
  stateCommand(webhook, 'resume', 'deliver again, first what was kept; also to a disabled address', resumeWebhook);
  stateCommand(webhook, 'delete', 'end the subscription', deleteWebhook);
  add(webhook, 'test <webhookId>', 'send a test event', [], (out, _options, webhookId) =>
    withSession(out, async (session) => {
      const w = await webhookAt(session, webhookId);
      const made = await sendTest(session.services, asking(session, w));
      const result = {
        webhookId: toWire('webhook', made.webhook),
        eventId: toWire('event', made.event),
        deliveryId: toWire('delivery', made.delivery),
      };
      out.result(result, () => out.line(`${result.deliveryId} is queued; the running service sends it`));
    }),
  );
  add<{ limit: number; cursor?: string; state?: string; type?: string; since?: string; until?: string }>(
    webhook,
    'deliveries <webhookId> [deliveryId]',
    'deliveries, newest first, or one with its attempts',
    [
      new Option('--state <state>', 'only in this state').choices(deliveryStates),
      new Option('--type <type>', 'only of this type').choices([...announcedTypes, testType]),
      option('--since <time>', 'made at or after').argParser(moment),
      option('--until <time>', 'made before').argParser(moment),
      limit(),
      cursor(),
    ],
    (out, query, webhookId, deliveryId) =>
      withSession(out, async (session) => {
        const w = await webhookAt(session, webhookId);
        const of = { psp: w.psp, account: w.account };
        if (deliveryId === undefined) {
          const { content } = await session.ask(listDeliveries, {
            params: { webhookId: webhookId as string },
            query,
            of,
          });
          showDeliveries(out, content as { items: readonly ShownDelivery[]; nextCursor: string | null });
        } else {
          const params = { webhookId: webhookId as string, deliveryId };
          showDelivery(out, (await session.ask(getDeliveryById, { params, of })).content as ShownDelivery);
        }
      }),
  );
  add(
    webhook,
    'retry <webhookId> <deliveryId>',
    'send one delivery again',
    [],
    (out, _options, webhookId, deliveryId) =>
      withSession(out, async (session) => {
        const w = await webhookAt(session, webhookId);
        const d = await retry(session.services, asking(session, w), fromWire('delivery', deliveryId ?? ''));
        const result = { deliveryId: toWire('delivery', d.id), state: d.state };
        out.result(result, () => out.line(`${result.deliveryId} is ${result.state}`));
      }),
  );
  add<{ since: string; until?: string; only: (typeof replayed)[number] }>(
    webhook,
    'replay <webhookId>',
    'deliver events of a period again',
    [
      needed('--since <time>', 'events that happened at or after').argParser(moment),
      option('--until <time>', 'and before; now without it').argParser(moment),
      new Option('--only <which>', 'what failed, what it was never told, or all').choices(replayed).default('failed'),
    ],
    async (out, { since, until, only }, webhookId) => {
      await withSession(out, async (session) => {
        const w = await webhookAt(session, webhookId);
        const period = { since, until: until ?? new Date(session.now).toISOString() };
        if (period.until <= since) throw new UsageError('--until must be later than --since');
        const done = await replay(session.services, asking(session, w), period, only);
        const result = { webhookId: toWire('webhook', w.id), ...done };
        out.result(result, () => out.line(`${done.retried} deliveries are due again, ${done.added} were added`));
      });
    },
  );
  add<{ graceHours: number }>(
    webhook,
    'rotate-secret <accountId>',
    'issue a new webhook secret; printed this once',
    [
      option('--grace-hours <n>', 'hours the old secret still signs; 0 ends it at once')
        .argParser(wholeNumber(0, longestGraceHours))
        .default(usualGraceHours),
    ],
    (out, { graceHours }, accountId) =>
      withSession(out, async (session) => {
        const whose = await accountAt(session, accountId);
        const { services, principal, now } = session;
        const made = await rotateSecret(services, principal, whose, graceHours * 3_600_000, now);
        const result = { clientId: accountId, ...made };
        out.result(result, () =>
          out.facts([
            ['Account', result.clientId],
            ['Secret', result.secret],
            ['Old one signs until', result.previousUntil ?? 'it is ended'],
          ]),
        );
        out.remark('Keep the secret: it is not shown again.');
      }),
  );
}
