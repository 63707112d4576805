// The OpenAPI 3.1 description, generated from the schemas that validate the requests.
import type { RefusalCode } from '../../core/refusal.ts';
import { roles, usualRoles } from '../../core/roles.ts';
import type { Operation } from '../../modules/kernel/operation.ts';
import { areaOf, sections } from '../../modules/kernel/sections.ts';
import { sessionCookie } from '../../modules/users/index.ts';
import { loadReplyExamples } from '../../platform/data-files.ts';
import { rowsOf } from './list-files.ts';
import { mayBeArchived } from './months.ts';
import { failureResponses, sharedFailures } from './openapi-failures.ts';
import { parametersOf, pascal, shareParameters } from './openapi-parameters.ts';
import { type Json, NamedSchemas } from './openapi-schemas.ts';
import { eventHeaders, eventSchemas, webhooks } from './openapi-webhooks.ts';
import { API_VERSION } from './server.ts';

const everyOperation: readonly RefusalCode[] = ['KEY_IN_URL', 'RATE_LIMITED', 'QUERY_INVALID', 'OVERLOADED'];
const withSession: readonly RefusalCode[] = ['SESSION_INVALID', 'AUDIENCE'];
const withKeyOrSession: readonly RefusalCode[] = [
  'KEY_MISSING',
  'KEY_INVALID',
  ...withSession,
  'SCOPE',
  'PASSWORD_EXPIRED',
  'SECOND_FACTOR_REQUIRED',
];
const withBody: readonly RefusalCode[] = [
  'FIELD_REQUIRED',
  'FIELD_INVALID',
  'BODY_MALFORMED',
  'BODY_TOO_LARGE',
  'CONTENT_TYPE',
];

/** All refusal codes an operation may answer with. */
export function refusalsOf(o: Operation): RefusalCode[] {
  const codes = new Set<RefusalCode>([
    ...everyOperation,
    ...(o.access === 'open' ? [] : o.access === 'session' ? withSession : withKeyOrSession),
    // A condition on what has no ETag is refused too.
    ...(o.method === 'GET' ? [] : (['PRECONDITION', 'UNKNOWN_OUTCOME'] as const)),
    ...(o.access === 'open' || o.method === 'GET' ? [] : (['CSRF', 'ROLE'] as const)),
    ...(o.roles ? (['ROLE'] as const) : []),
    ...standingRefusals(o),
    ...(o.body ? withBody : []),
    ...(o.query?.required ? (['FIELD_REQUIRED'] as const) : []),
    ...(forPsp(o) || o.path.includes(':') ? (['NOT_FOUND'] as const) : []),
    ...(mayBeArchived(o) ? (['ARCHIVED'] as const) : []),
    ...((o.refusals ?? []) as RefusalCode[]),
  ]);
  return [...codes];
}

/** What a closed or suspended account is answered; where its standing decides, a test account's still counts. */
const standingRefusals = (o: Operation): readonly RefusalCode[] =>
  o.access !== undefined || o.standing === 'any'
    ? []
    : [
        ...(o.method === 'GET' ? [] : (['ACCOUNT_CLOSED'] as const)),
        ...(o.standing === 'active' ? (['ACCOUNT_SUSPENDED'] as const) : []),
      ];

/** Operations on a PSP's data, which staff call by naming the PSP. */
const forPsp = (o: Operation) => o.access === undefined && o.audience.includes('psp');

const pathOf = (o: Operation) => o.path.replace(/:([A-Za-z]+)/g, '{$1}');

export function openApi(operations: readonly Operation[], baseUrl: string): Record<string, unknown> {
  const schemas = new NamedSchemas();
  const described = operations.map((o) => [o, describe(o, schemas)] as const);
  const parameters = shareParameters(described.map(([, d]) => d));
  const events = eventSchemas(schemas);
  const named = schemas.all(loadReplyExamples());
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [o, d] of described) {
    paths[pathOf(o)] ??= {};
    (paths[pathOf(o)] as Record<string, unknown>)[o.method.toLowerCase()] = d;
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Assay',
      version: API_VERSION,
      summary: 'Transaction verification and compliance',
      description:
        'Submit a transaction before money moves. The response is a verdict and an exact split into VAT, fees and the amount that may be settled. Every response carries `x-request-id`, a failure its code in `x-error-code`. It is safe to repeat a request with the same ref.\n\nA list is one CSV file with `Accept: text/csv`: all rows that the filters find, without `limit`, up to 100,000; the last line says how many there are, and how to go on if there are more. `text/csv; language=fr` (or `en`) is for people: in words, for spreadsheets of that language.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    // The roles that may call an operation that names none.
    'x-usual-roles': { get: usualRoles('GET'), others: usualRoles('POST') },
    servers: [{ url: baseUrl }],
    security: [{ apiKey: [] }, { bearer: [] }, { session: [], csrf: [] }],
    tags: Object.entries(sections).map(([name, { about }]) => ({ name, description: about })),
    paths,
    webhooks: webhooks(),
    components: {
      securitySchemes,
      parameters: { ...parameters, ...eventHeaders },
      responses: sharedFailures(),
      schemas: { ...named, ...events, Success: success, Problem: problem },
    },
  };
}

const securitySchemes = {
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
    description:
      "A client's, a PSP's or an operator's key. A key with scopes may call the operations whose `x-scope` it has; the scope `read` permits every GET.",
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'The same key as `Authorization: Bearer`.' },
  session: { type: 'apiKey', in: 'cookie', name: sessionCookie, description: 'Cookie set by signIn.' },
  csrf: {
    type: 'apiKey',
    in: 'header',
    name: 'x-csrf-token',
    description: '`csrfToken` of the session; required with the session cookie in every call other than GET.',
  },
};

const success = {
  type: 'object',
  description: 'Fields of every successful JSON response.',
  required: ['success', 'message'],
  properties: {
    success: { type: 'boolean', const: true, description: 'Always true.' },
    message: { type: 'string', description: 'The result, in a sentence for people. Its wording may change.' },
  },
};

const problem = {
  type: 'object',
  description: 'The body of every failure. The header `x-error-code` says which failure it is.',
  required: ['success', 'message'],
  properties: {
    success: { type: 'boolean', const: false, description: 'Always false.' },
    message: {
      type: 'string',
      description:
        'The problem and its remedy, in a sentence for people, in the language of `Accept-Language`: English or French. Its wording may change.',
    },
  },
  examples: [{ success: false, message: "the field 'ref' is required" }],
};

const keysOf = {
  operator: 'an operator',
  psp: 'a PSP',
  client: 'a client',
  authority: 'people of an authority',
} as const;

/** Describes who may call the operation. */
function callersOf(o: Operation): string {
  if (o.access === 'open') return 'Called without a key or a session.';
  if (o.access === 'session') return 'Called by a person who is signed in.';
  const allowed = o.roles ?? usualRoles(o.method);
  const people = allowed.length === roles.length ? 'any role' : `the role ${allowed.join(' or ')}`;
  return `Called by ${o.audience.map((a) => keysOf[a]).join(' or ')}, or by a person with ${people}.`;
}

/** Says how a change is kept from undoing that of somebody else. */
const conditionsOf = (o: Operation): string | undefined =>
  typeof o.conditional === 'string'
    ? `Send the ETag of ${o.conditional} as \`If-Match\` so that nothing is lost that somebody else changed meanwhile.`
    : undefined;

function describe(o: Operation, schemas: NamedSchemas): Json & { parameters?: Json[] } {
  const parameters = parametersOf(o, forPsp(o), schemas);
  return {
    operationId: o.id,
    tags: [o.tag],
    summary: o.summary,
    description: [o.description, conditionsOf(o), o.spec ? `Specification ${o.spec}.` : undefined, callersOf(o)]
      .filter(Boolean)
      .join('\n\n'),
    ...(o.spec ? { 'x-spec-clause': o.spec } : {}),
    'x-audience': o.audience,
    ...(o.access === undefined ? { 'x-scope': areaOf(o) } : {}),
    ...(o.access === undefined ? {} : { security: o.access === 'open' ? [] : [{ session: [], csrf: [] }] }),
    ...(o.roles ? { 'x-roles': o.roles } : {}),
    ...(o.method === 'GET' || o.idempotent || o.refusals?.includes('REF_CONFLICT') ? { 'x-idempotent': true } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(o.body
      ? {
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: schemas.show(o.body, `${pascal(o.id)}Request`),
                ...(o.example ? { example: o.example } : {}),
              },
            },
          },
        }
      : {}),
    responses: {
      200: {
        description: 'Success',
        ...(o.conditional ? { headers: { ETag: etag } } : {}),
        content: {
          [o.produces ?? 'application/json']: { schema: replyOf(o, schemas) },
          ...(rowsOf(o) ? { 'text/csv': { schema: { type: 'string' } } } : {}),
        },
      },
      ...failureResponses(refusalsOf(o)),
    },
  };
}

const etag = {
  description: 'The entity tag of what a change replaces, for `If-Match`. It says nothing else: do not take it apart.',
  schema: { type: 'string' },
};

function replyOf(o: Operation, schemas: NamedSchemas): Json {
  const isObject = 'properties' in o.content;
  const content = schemas.show(o.content, isObject ? `${pascal(o.id)}Result` : undefined);
  if (o.produces) return content;
  return {
    allOf: [{ $ref: '#/components/schemas/Success' }, { required: ['content'], properties: { content } }],
  };
}
