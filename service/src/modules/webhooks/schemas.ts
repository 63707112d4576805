// Subscriptions, events, deliveries and attempts as returned.
import { eventKinds } from '../../core/events.ts';
import { toWire } from '../../core/ids.ts';
import { clientId } from '../accounts/index.ts';
import { Extended, Named, Nullable, resourceOf, Type } from '../kernel/operation.ts';
import { announcedTypes } from './administer.ts';
import { type Attempt, type Delivery, deliveryStates, type Fare } from './delivery-reads.ts';
import type { WebhookEvent } from './delivery-store.ts';
import type { Webhook } from './webhook-store.ts';

const Count = Type.Integer({ minimum: 0 });

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
  eventTypes: Type.Array(Type.String()),
  state: Type.Enum(['ACTIVE', 'PAUSED', 'DISABLED', 'DELETED']),
  stateReason: Nullable(Type.String()),
  health: Named('WebhookHealth', 'Results of the latest attempts to deliver to the address.', {
    lastOkAt: Nullable(Type.String()),
    failingSince: Nullable(Type.String()),
    failures: Count,
    lastFailureAt: Nullable(Type.String()),
  }),
  backlog: Named('WebhookBacklog', 'Deliveries to the address that are not finished, or that failed, by state.', {
    pending: Count,
    delivering: Count,
    retrying: Count,
    exhausted: Count,
    held: Count,
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
  type: Type.String(),
  clientId: Type.String({ description: 'Account the event concerns.' }),
  state: DeliveryState,
  attemptCount: Count,
  lastStatus: Nullable(Type.Integer()),
  lastReason: Nullable(Type.String()),
  nextAttemptAt: Nullable(Type.String()),
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
        attempt: Type.Integer({ minimum: 1 }),
        startedAt: Type.String(),
        durationMs: Type.Integer({ minimum: 0 }),
        status: Nullable(Type.Integer()),
        stage: Type.String(),
        reason: Type.String(),
        response: Nullable(
          Type.String({ description: 'The first 8 KiB of the response, for a PSP and for staff; null for a client.' }),
        ),
      }),
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
  type: Type.String(),
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
  deliveries: Type.Array(DeliveryResource),
});

export const eventDetail = (e: WebhookEvent, deliveries: readonly Delivery[]) => ({
  ...eventResource(e),
  body: e.body,
  deliveries: deliveries.map(deliveryResource),
});

/** A list's period. */
export const periodQuery = {
  since: Type.Optional(Type.String({ format: 'date-time', description: 'At or after.' })),
  until: Type.Optional(Type.String({ format: 'date-time', description: 'Before.' })),
};
