// What webhooks send, for the OpenAPI document: one entry for each type of event, with the schema of its body.
import { eventKinds } from '../../core/events.ts';
import type { Json } from './openapi-schemas.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const text = (description: string, more: Json = {}) => ({ type: 'string', ...more, description });

/** An event: what is the same in all of them, around the resource. */
const eventOf = (description: string, types: readonly string[], names: readonly string[], data: Json): Json => ({
  type: 'object',
  description,
  required: ['id', 'type', 'event', 'timestamp', 'clientId', 'version', 'data'],
  properties: {
    id: text('Id of the event, `evt_…`. A repeated delivery has the same id.'),
    type: text('Type of the event.', { enum: types }),
    event: text('Name of the event in the specification.', { enum: names }),
    timestamp: text('When it happened, ISO 8601 UTC.', { format: 'date-time' }),
    clientId: text('The account it concerns.'),
    version: { type: 'integer', description: 'Counts the changes of the resource; events may arrive out of order.' },
    data: { description: 'The whole resource after the change.', ...data },
  },
});

const typesOf = (prefix: string) =>
  Object.entries(eventKinds).flatMap(([type, name]) => (name !== null && type.startsWith(prefix) ? [type] : []));

/**
 * The schemas of the events, by name.
 * @param client the schema of an account
 */
export const eventSchemas = (client: Json): Readonly<Record<string, Json>> => ({
  ClientEvent: eventOf('An account was created or changed.', typesOf('client.'), ['Client Change'], ref('Client')),
  KeyEvent: eventOf(
    'A key of an account was issued, changed or revoked.',
    typesOf('key.'),
    ['Client Change'],
    ref('ClientAndKey'),
  ),
  TransactionEvent: eventOf(
    'A transaction was recorded or changed.',
    typesOf('transaction.'),
    ['New Transaction', 'Transaction Change'],
    ref('Transaction'),
  ),
  BasketEvent: eventOf('A basket was recorded.', typesOf('basket.'), ['New Basket'], ref('Basket')),
  TestEvent: eventOf('A test that testWebhook sends.', ['webhook.test'], ['webhook.test'], ref('TestEventData')),
  ClientAndKey: {
    type: 'object',
    description: 'The account in full, and the key beside it.',
    required: [...(client.required as string[]), 'key'],
    properties: {
      ...(client.properties as Json),
      key: { ...ref('ChangedKey'), description: 'The key that was issued, changed or revoked.' },
    },
  },
  ChangedKey: {
    type: 'object',
    description: 'A key, without the key itself.',
    required: ['keyId', 'name', 'expiresAt'],
    properties: {
      keyId: text('Id of the key, `key_…`.'),
      name: { type: ['string', 'null'], description: 'What the key is for.' },
      expiresAt: { type: ['string', 'null'], description: 'When it ends, ISO 8601 UTC; null if it does not.' },
    },
  },
  TestEventData: {
    type: 'object',
    description: 'The address that is tested.',
    required: ['webhookId', 'url'],
    properties: { webhookId: text('Id of the webhook address, `whk_…`.'), url: text('The address.') },
  },
});

const schemaOf: Readonly<Record<string, string>> = {
  client: 'ClientEvent',
  key: 'KeyEvent',
  transaction: 'TransactionEvent',
  basket: 'BasketEvent',
  webhook: 'TestEvent',
};

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

/** `components.parameters` of the requests. */
export const eventHeaders: Readonly<Record<string, Json>> = {
  EventId: header('webhook-id', 'Id of the event, as Standard Webhooks has it.'),
  EventTimestamp: header('webhook-timestamp', 'When the request was signed, in seconds since 1970.'),
  EventSignature: header('webhook-signature', 'Signatures as Standard Webhooks has them: `v1,` and base64.'),
  EventXSignature: header('X-Signature', 'HMAC-SHA-256 of the body under the secret, hexadecimal.'),
};

/** `webhooks`: one request for each type of event. */
export function webhooks(): Record<string, Json> {
  const announced = Object.entries(eventKinds).flatMap(([type, name]) =>
    name === null ? [] : [[type, name] as const],
  );
  return Object.fromEntries(
    [...announced, ['webhook.test', 'webhook.test'] as const].map(([type, name]) => [
      type,
      {
        post: {
          tags: ['Webhooks'],
          summary: type === name ? 'Test event' : `${name}: ${type}`,
          description: 'Sent to every subscribed address until it answers with HTTP 200.',
          security: [],
          parameters: Object.keys(eventHeaders).map((h) => ({ $ref: `#/components/parameters/${h}` })),
          requestBody: {
            required: true,
            content: { 'application/json': { schema: ref(schemaOf[type.split('.')[0] as string] as string) } },
          },
          responses: { 200: { description: 'The event was taken. Any other answer is a failed attempt.' } },
        },
      },
    ]),
  );
}
