// How addresses and deliveries are shown on every page: states, reasons and event types.

import { inWords, StatusBadge, type Tone } from '../../components/status-badge.tsx';
import type { Content } from '../../data/assay.ts';
import { capitalized } from '../../data/capitalized.ts';
import { codeWord, say } from '../../words/words.ts';

export type Webhook = Content<'getWebhook'>;
type Delivery = Content<'listDeliveries'>['items'][number];
export type DeliveryState = Delivery['state'];

export const eventTypes = [
  'client.created',
  'client.updated',
  'key.issued',
  'key.updated',
  'key.revoked',
  'transaction.created',
  'transaction.updated',
  'basket.created',
  'dispute.opened',
  'dispute.updated',
  'dispute.resolved',
] as const;

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
