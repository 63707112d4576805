// How webhook addresses, deliveries and attempts are printed for a person.
import type { Output as Answer, Item } from '@assay/client';
import type { Output } from './output.ts';

type ShownWebhook = Answer<'getWebhook'>;
type ShownDelivery = Answer<'getDelivery'>;
type Attempt = ShownDelivery['attempts'][number];

const waiting = ({ pending, delivering, retrying }: ShownWebhook['backlog']) => pending + delivering + retrying;

export function showWebhooks(out: Output, items: readonly ShownWebhook[]): void {
  if (items.length === 0) out.line('no webhook addresses');
  else
    out.table<ShownWebhook>(items, [
      { title: 'Webhook', value: (w) => w.webhookId },
      { title: 'Address', value: (w) => w.url },
      { title: 'State', value: (w) => w.state },
      { title: 'Failing since', value: (w) => w.health.failingSince },
      { title: 'Waiting', value: (w) => waiting(w.backlog), right: true },
      { title: 'Held', value: (w) => w.backlog.held, right: true },
      { title: 'Given up', value: (w) => w.backlog.exhausted, right: true },
    ]);
}

export const showWebhook = (out: Output, w: ShownWebhook): void =>
  out.facts([
    ['Webhook', w.webhookId],
    ['Account', w.clientId],
    ['Address', w.url],
    ['Event types', w.eventTypes.join(' ')],
    ['State', w.stateReason === null ? w.state : `${w.state}: ${w.stateReason}`],
    ['Last 200', w.health.lastOkAt],
    ['Failing since', w.health.failingSince],
    ['Failures', w.health.failures],
    ['Waiting', waiting(w.backlog)],
    ['Held', w.backlog.held],
    ['Given up', w.backlog.exhausted],
    ['Subscribed', w.createdAt],
    ['Changed', w.updatedAt],
  ]);

export function showDeliveries(out: Output, items: readonly Item<'listDeliveries'>[]): void {
  if (items.length === 0) out.line('no deliveries');
  else
    out.table<Item<'listDeliveries'>>(items, [
      { title: 'Delivery', value: (d) => d.deliveryId },
      { title: 'Type', value: (d) => d.type },
      { title: 'About', value: (d) => d.clientId },
      { title: 'State', value: (d) => d.state },
      { title: 'Attempts', value: (d) => d.attemptCount, right: true },
      { title: 'Last', value: (d) => d.lastReason },
      { title: 'Next attempt', value: (d) => d.nextAttemptAt },
      { title: 'Made', value: (d) => d.createdAt },
    ]);
}

export function showDelivery(out: Output, d: ShownDelivery): void {
  out.facts([
    ['Delivery', d.deliveryId],
    ['Event', `${d.eventId} (${d.type})`],
    ['About', d.clientId],
    ['State', d.state],
    ['Made', d.createdAt],
    ['Next attempt', d.nextAttemptAt],
  ]);
  if (d.attempts.length === 0) return;
  out.line();
  out.table<Attempt>(d.attempts, [
    { title: 'Attempt', value: (a) => a.attempt, right: true },
    { title: 'At', value: (a) => a.startedAt },
    { title: 'Ms', value: (a) => a.durationMs, right: true },
    { title: 'Status', value: (a) => a.status, right: true },
    { title: 'Stage', value: (a) => a.stage },
    { title: 'Reason', value: (a) => a.reason },
    { title: 'Answer', value: (a) => a.response?.slice(0, 60) },
  ]);
}
