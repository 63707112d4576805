// How webhook addresses, deliveries and attempts are printed for a person.
import type { Attempt } from '../../modules/webhooks/index.ts';
import type { Output } from './output.ts';

export interface ShownWebhook {
  readonly webhookId: string;
  readonly clientId: string;
  readonly url: string;
  readonly eventTypes: readonly string[];
  readonly state: string;
  readonly stateReason: string | null;
  readonly health: {
    readonly lastOkAt: string | null;
    readonly failingSince: string | null;
    readonly failures: number;
    readonly lastFailureAt: string | null;
  };
  readonly backlog: Readonly<Record<'pending' | 'delivering' | 'retrying' | 'exhausted' | 'held', number>>;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface ShownDelivery {
  readonly deliveryId: string;
  readonly webhookId: string;
  readonly eventId: string;
  readonly type: string;
  readonly clientId: string;
  readonly state: string;
  readonly attemptCount: number;
  readonly lastStatus: number | null;
  readonly lastReason: string | null;
  readonly nextAttemptAt: string | null;
  readonly createdAt: string;
  readonly finishedAt: string | null;
  readonly attempts?: readonly Attempt[];
}

interface Page<R> {
  readonly items: readonly R[];
  readonly nextCursor: string | null;
}

const more = (out: Output, page: Page<unknown>): void => {
  if (page.nextCursor !== null) out.remark(`there are more; go on with --cursor ${page.nextCursor}`);
};
const waiting = ({ pending, delivering, retrying }: ShownWebhook['backlog']) => pending + delivering + retrying;

export function showWebhooks(out: Output, page: Page<ShownWebhook>): void {
  out.result(page, () => {
    if (page.items.length === 0) return out.line('no webhook addresses');
    out.table<ShownWebhook>(
      [
        { title: 'Webhook', value: (w) => w.webhookId },
        { title: 'Address', value: (w) => w.url },
        { title: 'State', value: (w) => w.state },
        { title: 'Failing since', value: (w) => w.health.failingSince },
        { title: 'Waiting', value: (w) => waiting(w.backlog), right: true },
        { title: 'Held', value: (w) => w.backlog.held, right: true },
        { title: 'Given up', value: (w) => w.backlog.exhausted, right: true },
      ],
      page.items,
    );
  });
  more(out, page);
}

export const showWebhook = (out: Output, w: ShownWebhook): void =>
  out.result(w, () =>
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
    ]),
  );

export function showDeliveries(out: Output, page: Page<ShownDelivery>): void {
  out.result(page, () => {
    if (page.items.length === 0) return out.line('no deliveries');
    out.table<ShownDelivery>(
      [
        { title: 'Delivery', value: (d) => d.deliveryId },
        { title: 'Type', value: (d) => d.type },
        { title: 'About', value: (d) => d.clientId },
        { title: 'State', value: (d) => d.state },
        { title: 'Attempts', value: (d) => d.attemptCount, right: true },
        { title: 'Last', value: (d) => d.lastReason },
        { title: 'Next attempt', value: (d) => d.nextAttemptAt },
        { title: 'Made', value: (d) => d.createdAt },
      ],
      page.items,
    );
  });
  more(out, page);
}

export const showDelivery = (out: Output, d: ShownDelivery): void =>
  out.result(d, () => {
    out.facts([
      ['Delivery', d.deliveryId],
      ['Event', `${d.eventId} (${d.type})`],
      ['About', d.clientId],
      ['State', d.state],
      ['Made', d.createdAt],
      ['Next attempt', d.nextAttemptAt],
    ]);
    const attempts = d.attempts ?? [];
    if (attempts.length === 0) return;
    out.line();
    out.table<Attempt>(
      [
        { title: 'Attempt', value: (a) => a.attempt, right: true },
        { title: 'At', value: (a) => a.startedAt },
        { title: 'Ms', value: (a) => a.durationMs, right: true },
        { title: 'Status', value: (a) => a.status, right: true },
        { title: 'Stage', value: (a) => a.stage },
        { title: 'Reason', value: (a) => a.reason },
        { title: 'Answer', value: (a) => a.response?.slice(0, 60) },
      ],
      attempts,
    );
  });
