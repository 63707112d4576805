// The webhooks in the OpenAPI document: one entry per event type, with the schema of its body.
import { type EventKind, eventKinds } from '../../core/events.ts';
import { entrySchemas, writtenSchema } from '../../entries/index.ts';
import { pascal } from './openapi-parameters.ts';
import type { Json, NamedSchemas } from './openapi-schemas.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const text = (description: string, more: Json = {}) => ({ type: 'string', ...more, description });

const announced = Object.entries(eventKinds).flatMap(([type, event]) =>
  event === null ? [] : [{ type: type as EventKind, event }],
);

/** Members common to all events. */
const event: Json = {
  type: 'object',
  description: 'An event, as webhooks deliver it.',
  required: ['id', 'type', 'event', 'timestamp', 'clientId', 'version', 'data'],
  properties: {
    id: text('Id of the event, `evt_…`. A repeated delivery has the same id.'),
    type: text('Type of the event.'),
    event: text('Name of the event in the specification.'),
    timestamp: text('When it happened, ISO 8601 UTC.', { format: 'date-time' }),
    clientId: text('The account it concerns.'),
    version: { type: 'integer', description: 'Counts the changes of the resource; events may arrive out of order.' },
    schema: text('Schema of `data`; absent from events of version 0.1.'),
    data: { description: 'The whole resource after the change.' },
  },
};

const eventOf = (description: string, types: readonly string[], names: readonly string[], data: Json): Json => ({
  type: 'object',
  description,
  allOf: [ref('WebhookEvent')],
  required: ['type', 'event', 'data'],
  properties: {
    type: text('Type of the event.', { enum: types }),
    event: text('Name of the event in the specification.', { enum: names }),
    data: { description: 'The whole resource after the change.', ...data },
  },
});

/** The schema of all events about a noun; the journal's schemas describe their data. */
function eventAbout(noun: string, description: string, schemas: NamedSchemas): Json {
  const kinds = announced.filter(({ type }) => type.startsWith(`${noun}.`));
  const [data, ...others] = new Set(
    kinds.map(({ type }) => JSON.stringify(schemas.show(entrySchemas[writtenSchema[type]].properties.data))),
  );
  if (data === undefined || others.length > 0) throw new Error(`events about a ${noun} have more than one schema`);
  const names = [...new Set(kinds.map(({ event }) => event))];
  return eventOf(
    description,
    kinds.map(({ type }) => type),
    names,
    JSON.parse(data) as Json,
  );
}

/** Descriptions of the events about each noun. */
const nouns: Readonly<Record<string, string>> = {
  client: 'An account was created or changed.',
  key: 'A key of an account was issued, changed or revoked.',
  transaction: 'A transaction was recorded or changed.',
  basket: 'A basket was recorded.',
  review: 'An alert was opened or changed. Sent to the PSP alone.',
  case: 'A case was opened or changed. Sent to the PSP alone.',
  report: 'A report was made, or could not be made. Sent to the PSP alone.',
  dispute: 'A dispute of a chargeback was opened, got evidence, or was decided.',
};

const schemaOf = (noun: string) => (noun === 'webhook' ? 'TestEvent' : `${pascal(noun)}Event`);

export const eventSchemas = (schemas: NamedSchemas): Readonly<Record<string, Json>> => ({
  WebhookEvent: event,
  ...Object.fromEntries(
    Object.entries(nouns).map(([noun, about]) => [schemaOf(noun), eventAbout(noun, about, schemas)]),
  ),
  TestEvent: eventOf('A test that testWebhook sends.', ['webhook.test'], ['webhook.test'], ref('TestEventData')),
  TestEventData: {
    type: 'object',
    description: 'The address that is tested.',
    required: ['webhookId', 'url'],
    properties: { webhookId: text('Id of the webhook address, `whk_…`.'), url: text('The address.') },
  },
});

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

/** `components.parameters` of webhook requests. */
export const eventHeaders: Readonly<Record<string, Json>> = {
  EventId: header('webhook-id', 'Id of the event, as Standard Webhooks has it.'),
  EventTimestamp: header('webhook-timestamp', 'When the request was signed, in seconds since 1970.'),
  EventSignature: header('webhook-signature', 'Signatures as Standard Webhooks has them: `v1,` and base64.'),
  EventXSignature: header('X-Signature', 'HMAC-SHA-256 of the body under the secret, hexadecimal.'),
};

/** `webhooks`: one request per event type. */
export function webhooks(): Record<string, Json> {
  return Object.fromEntries(
    [...announced, { type: 'webhook.test', event: 'webhook.test' }].map(({ type, event }) => [
      type,
      {
        post: {
          operationId: `receive${pascal(type.replaceAll(/[._]/g, '-'))}`,
          tags: ['Webhooks'],
          summary: type === event ? 'Test event' : `${event}: ${type}`,
          description: 'Sent to every subscribed address until it answers with HTTP 200.',
          security: [],
          parameters: Object.keys(eventHeaders).map((h) => ({ $ref: `#/components/parameters/${h}` })),
          requestBody: {
            required: true,
            content: { 'application/json': { schema: ref(schemaOf(type.split('.')[0] as string)) } },
          },
          responses: { 200: { description: 'The event was received. Any other status is a failed attempt.' } },
        },
      },
    ]),
  );
}
