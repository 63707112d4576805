// How addresses and deliveries are shown on every page: states, reasons and event types.

import type { Input } from '@assay/client';
import type { ComponentProps } from 'react';
import { Stamp } from '../../components/stamp.tsx';
import { inWords, StatusBadge, type Tone } from '../../components/status-badge.tsx';
import type { Content } from '../../data/assay.ts';
import { capitalized } from '../../data/capitalized.ts';
import { isIdOf } from '../../data/id-kind.ts';
import { useNow } from '../../data/now.ts';
import { codeWord, say } from '../../words/words.ts';

export type Webhook = Content<'getWebhook'>;
type Delivery = Content<'listDeliveries'>['items'][number];
export type DeliveryState = Delivery['state'];

export type EventType = Exclude<Input<'setEventTypes'>['eventTypes'][number], '*'>;

/** Whose addresses receive each type: those of a client and of its PSP, or of the PSP alone. */
const receivers = {
  'client.created': 'both',
  'client.updated': 'both',
  'client.licence_expiring': 'both',
  'key.issued': 'both',
  'key.updated': 'both',
  'key.revoked': 'both',
  'transaction.created': 'both',
  'transaction.updated': 'both',
  'basket.created': 'both',
  'dispute.opened': 'both',
  'dispute.updated': 'both',
  'dispute.resolved': 'both',
  'review.opened': 'psp',
  'review.updated': 'psp',
  'case.opened': 'psp',
  'case.updated': 'psp',
  'report.completed': 'psp',
  'report.failed': 'psp',
} as const satisfies Readonly<Record<EventType, 'both' | 'psp'>>;

/** The types that an address can receive. */
export const typesFor = (webhook: Webhook): EventType[] =>
  (Object.keys(receivers) as EventType[]).filter((t) => receivers[t] === 'both' || isIdOf('psp', webhook.clientId));

export const deliveryStates = [
  'pending',
  'delivering',
  'delivered',
  'retrying',
  'exhausted',
  'held',
  'cancelled',
] as const satisfies readonly DeliveryState[];

const deliveryTones: Readonly<Partial<Record<DeliveryState, Tone>>> = {
  exhausted: 'bad',
  held: 'wait',
  cancelled: 'quiet',
};

/** As the figures of an address call them. */
const deliveryWords: Readonly<Partial<Record<DeliveryState, string>>> = {
  exhausted: say('Failed'),
  held: say('Paused'),
};

export const deliveryInWords = (state: DeliveryState): string => deliveryWords[state] ?? inWords(state);

export function DeliveryBadge({ state }: { readonly state: DeliveryState }) {
  const tone = deliveryTones[state];
  return <StatusBadge status={state} label={deliveryInWords(state)} {...(tone ? { tone } : {})} />;
}

/** When a delivery is sent next; one whose time has come waits for its address, which is tried a few deliveries at a time. */
export function NextAttempt({ at, show }: Pick<ComponentProps<typeof Stamp>, 'at' | 'show'>) {
  const now = useNow();
  return at && Date.parse(at) <= now ? say('As soon as it can') : <Stamp at={at} {...(show ? { show } : {})} />;
}

/** The state of an address, and whether an active one is failing. */
export function AddressBadge({ webhook }: { readonly webhook: Webhook }) {
  if (webhook.state === 'ACTIVE' && webhook.health.failingSince)
    return <StatusBadge status="FAILING" tone="bad" label={say('Active, failing')} />;
  return <StatusBadge status={webhook.state} />;
}

const initials = new Set(['OK', 'HTTP', 'DNS', 'TLS', 'IP', 'URL']);

/** HTTP_NOT_200 as a label: HTTP not 200. */
export function reasonInWords(reason: string): string {
  const word = codeWord(reason);
  if (word) return word;
  const words = reason.split('_').map((w) => (initials.has(w) ? w : w.toLowerCase()));
  const text = words.join(' ');
  return capitalized(text);
}
