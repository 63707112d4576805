// Subscriptions, events, deliveries and attempts as returned.
import { eventKinds } from '../../core/events.ts';
import { toWire } from '../../core/ids.ts';
import { clientId } from '../accounts/index.ts';
import { Extended, Named, Nullable, resourceOf, Time, Type } from '../kernel/operation.ts';
import { announcedTypes } from './administer.ts';
import { type Attempt, type Delivery, deliveryStates, type Fare } from './delivery-reads.ts';
import type { WebhookEvent } from './delivery-store.ts';
import type { Webhook } from './webhook-store.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });

/** Means "every type, including future ones". */
export const everyType = '*';

export const EventTypes = Type.Array(Type.Enum([...announcedTypes, everyType]), {
  description: 'Types of events to receive; `*` for all.',
  minItems: 1,
  maxItems: 50,
});

export const WebhookResource = Named('Webhook', 'A webhook address: its state, health and backlog.', {
  webhookId: Type.String(),
  clientId: Type.String(),
  url: Type.String(),
  eventTypes: Type.Array(Type.String(), { description: 'Types of events it receives; `*` for all.' }),
  state: Type.Enum(['ACTIVE', 'PAUSED', 'DISABLED', 'DELETED'], {
    description:
      'ACTIVE: events are sent. PAUSED: events are kept. DISABLED: it failed for too long. DELETED: it receives nothing more.',
  }),
  stateReason: Nullable(Type.String(), 'Reason for the state; null if none was given.'),
  health: Named('WebhookHealth', 'Results of the latest attempts to deliver to the address.', {
    lastOkAt: Nullable(Type.String(), 'When an attempt last succeeded, ISO 8601 UTC; null if none has.'),
    failingSince: Nullable(
      Type.String(),
      'Since when every attempt failed, ISO 8601 UTC; null if the last one succeeded.',
    ),
    failures: count('Number of attempts that failed in a row.'),
    lastFailureAt: Nullable(Type.String(), 'When an attempt last failed, ISO 8601 UTC; null if none has.'),
  }),
  backlog: Named('WebhookBacklog', 'Deliveries to the address that are not finished, or that failed, by state.', {
    pending: count('Deliveries that wait for their first attempt.'),
    delivering: count('Deliveries that are being sent.'),
    retrying: count('Deliveries that failed and will be retried.'),
    exhausted: count('Deliveries whose attempts all failed.'),
    held: count('Deliveries that are kept until the address is resumed.'),
  }),
  createdAt: Type.String(),
  updatedAt: Type.String(),
});

const untried: Fare = {
  lastOkAt: null,
  failingSince: null,
  failures: 0,
  lastFailureAt: null,
  backlog: { pending: 0, delivering: 0, retrying: 0, exhausted: 0, held: 0 },
};

export function webhookResource(w: Webhook, fare: Fare = untried) {
  const { backlog, ...health } = fare;
  return {
    webhookId: toWire('webhook', w.id),
    clientId: clientId({ psp: w.psp, id: w.account }),
    url: w.url,
    eventTypes: w.eventTypes ?? [everyType],
    state: w.state,
    stateReason: w.stateReason,
    health,
    backlog,
    createdAt: w.createdAt,
    updatedAt: w.updatedAt,
  };
}

export const DeliveryState = Type.Enum(deliveryStates);

const deliveryMembers = {
  deliveryId: Type.String(),
  webhookId: Type.String(),
  eventId: Type.String(),
  type: Type.String({ description: 'Type of the event, for example `transaction.created`.' }),
  clientId: Type.String({ description: 'Account the event concerns.' }),
  state: DeliveryState,
  attemptCount: count('Number of attempts so far.'),
  lastStatus: Nullable(Type.Integer(), 'HTTP status of the last attempt; null if there was no response.'),
  lastReason: Nullable(Type.String(), 'Result of the last attempt; null before the first.'),
  nextAttemptAt: Nullable(Type.String(), 'When the next attempt is due, ISO 8601 UTC; null if there is none.'),
  createdAt: Type.String(),
  finishedAt: Nullable(Type.String()),
};
export const DeliveryResource = Named('Delivery', 'The delivery of an event to a webhook address.', deliveryMembers);

export const deliveryResource = (d: Delivery) =>
  resourceOf(DeliveryResource, d, {
    deliveryId: toWire('delivery', d.id),
    webhookId: toWire('webhook', d.webhook),
    eventId: toWire('event', d.event),
    clientId: clientId({ psp: d.psp, id: d.account }),
    attemptCount: d.attempts,
    nextAttemptAt: d.nextAt,
  });

export const DeliveryDetail = Extended(
  DeliveryResource,
  'DeliveryDetail',
  'A delivery with its attempts and the body that is sent.',
  {
    attempts: Type.Array(
      Named('DeliveryAttempt', 'One attempt to deliver an event.', {
        attempt: Type.Integer({ minimum: 1, description: 'Number of the attempt, from 1.' }),
        startedAt: Type.String({ description: 'When the attempt was started, ISO 8601 UTC.' }),
        durationMs: Type.Integer({ minimum: 0, description: 'Duration of the attempt in milliseconds.' }),
        status: Nullable(Type.Integer(), 'HTTP status of the response; null if there was none.'),
        stage: Type.String({ description: 'Stage that the attempt reached.' }),
        reason: Type.String({ description: 'Result of the attempt.' }),
        response: Nullable(
          Type.String({ description: 'The first 8 KiB of the response, for a PSP and for staff; null for a client.' }),
        ),
      }),
      { description: 'The attempts, oldest first.' },
    ),
    body: Type.String({ description: 'The exact text that is sent.' }),
  },
);

export const deliveryDetail = (d: Delivery, attempts: readonly Attempt[], body: string) => ({
  ...deliveryResource(d),
  attempts,
  body,
});

const eventMembers = {
  eventId: Type.String(),
  type: Type.String({ description: 'Type of the event, for example `transaction.created`.' }),
  event: Nullable(Type.String({ description: 'Name of the event in the specification.' })),
  clientId: Type.String(),
  createdAt: Type.String(),
};
const EventResource = Named('Event', 'Something that happened and is announced by webhook.', eventMembers);

const named: Readonly<Record<string, string | null>> = eventKinds;

export const eventResource = (e: WebhookEvent) => ({
  eventId: toWire('event', e.id),
  type: e.type,
  event: named[e.type] ?? null,
  clientId: clientId({ psp: e.psp, id: e.account }),
  createdAt: e.createdAt,
});

export const ListedEvent = Extended(EventResource, 'ListedEvent', 'A published event of a list.', {
  deliveries: Type.Optional(
    Type.Array(DeliveryResource, { description: 'With `expand=deliveries` only: its deliveries, oldest first.' }),
  ),
});

export const EventDetail = Extended(EventResource, 'EventDetail', 'An event with its body and its deliveries.', {
  body: Type.String({ description: 'The exact text that is sent.' }),
  deliveries: Type.Array(DeliveryResource, { description: 'Its deliveries to the subscribed addresses.' }),
});

export const eventDetail = (e: WebhookEvent, deliveries: readonly Delivery[]) => ({
  ...eventResource(e),
  body: e.body,
  deliveries: deliveries.map(deliveryResource),
});

/** A list's period. */
export const periodQuery = {
  since: Type.Optional(Time('At or after.')),
  until: Type.Optional(Time('Before.')),
};
