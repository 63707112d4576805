// The OpenAPI 3.1 description, made from the same schemas that read the requests.
import { type RefusalCode, refusalCodes } from '../../core/refusal.ts';
import { roles, usualRoles } from '../../core/roles.ts';
import type { Operation } from '../../modules/kernel/operation.ts';
import { sessionCookie } from '../../modules/users/index.ts';
import { API_VERSION } from './server.ts';
import { statusOf } from './status.ts';

const everyOperation: readonly RefusalCode[] = ['KEY_IN_URL', 'RATE_LIMITED'];
const withSession: readonly RefusalCode[] = ['SESSION_INVALID', 'AUDIENCE'];
const withKeyOrSession: readonly RefusalCode[] = ['KEY_MISSING', 'KEY_INVALID', ...withSession, 'PASSWORD_EXPIRED'];
const withBody: readonly RefusalCode[] = [
  'FIELD_REQUIRED',
  'FIELD_INVALID',
  'BODY_MALFORMED',
  'BODY_TOO_LARGE',
  'CONTENT_TYPE',
  'OVERLOADED',
  'UNKNOWN_OUTCOME',
];

/** All refusal codes an operation can answer with. */
export function refusalsOf(o: Operation): RefusalCode[] {
  const codes = new Set<RefusalCode>([
    ...everyOperation,
    ...(o.access === 'open' ? [] : o.access === 'session' ? withSession : withKeyOrSession),
    ...(o.access === 'open' || o.method === 'GET' ? [] : (['CSRF', 'ROLE'] as const)),
    ...(o.body ? withBody : []),
    'QUERY_INVALID',
    ...(o.query?.required ? (['FIELD_REQUIRED'] as const) : []),
    ...(forPsp(o) ? (['NOT_FOUND'] as const) : []),
    ...((o.refusals ?? []) as RefusalCode[]),
  ]);
  return [...codes];
}

/** Operations about the data of a PSP, which staff reach by naming it. */
const forPsp = (o: Operation) => o.access === undefined && o.audience.includes('psp');

const pathOf = (o: Operation) => o.path.replace(/:([A-Za-z]+)/g, '{$1}');

export function openApi(operations: readonly Operation[], baseUrl: string): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const o of operations) {
    paths[pathOf(o)] ??= {};
    (paths[pathOf(o)] as Record<string, unknown>)[o.method.toLowerCase()] = describe(o);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Assay',
      version: API_VERSION,
      summary: 'Transaction verification and compliance',
      description:
        'Submit a transaction before money moves: the answer is its verdict and its exact split into VAT, fees and the amount that may be settled. Every reply carries `x-request-id`; failures carry their code in `x-error-code`. Repeating a request with the same ref is safe.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl }],
    security: [{ apiKey: [] }, { bearer: [] }, { session: [], csrf: [] }],
    tags: [...new Set(operations.map((o) => o.tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
        bearer: { type: 'http', scheme: 'bearer' },
        session: { type: 'apiKey', in: 'cookie', name: sessionCookie, description: 'Set by signIn.' },
        csrf: {
          type: 'apiKey',
          in: 'header',
          name: 'x-csrf-token',
          description: "`csrfToken` of the session; with the session's cookie, in every call that is no GET.",
        },
      },
      schemas: {
        Failure: {
          type: 'object',
          required: ['success', 'message'],
          properties: { success: { const: false }, message: { type: 'string' } },
          examples: [{ success: false, message: "the field 'ref' is required" }],
        },
      },
    },
  };
}

const callers = { operator: "an operator's key", psp: "a PSP's key", client: "a client's key" } as const;

function callersOf(o: Operation): string {
  if (o.access === 'open') return 'Needs no sign-in.';
  if (o.access === 'session') return 'For people who signed in.';
  const allowed = o.roles ?? usualRoles(o.method);
  const people = allowed.length === roles.length ? '' : ` Of people who signed in: the role ${allowed.join(' or ')}.`;
  return `For ${o.audience.map((a) => callers[a]).join(' or ')}.${people}`;
}

function describe(o: Operation): Record<string, unknown> {
  const byStatus = new Map<number, RefusalCode[]>();
  for (const code of refusalsOf(o)) {
    const status = statusOf[refusalCodes[code][0]];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const parameters: unknown[] = [...o.path.matchAll(/:([A-Za-z]+)/g)].map((m) => ({
    name: m[1],
    in: 'path',
    required: true,
    schema: { type: 'string', maxLength: 100 },
  }));
  for (const [name, schema] of Object.entries(o.query?.properties ?? {}))
    parameters.push({ name, in: 'query', required: o.query?.required?.includes(name) ?? false, schema: plain(schema) });
  if (forPsp(o))
    parameters.push({
      name: 'x-psp-id',
      in: 'header',
      required: false,
      schema: { type: 'string', maxLength: 64 },
      description: 'Of staff: the PSP the call is made as. The journal names who made it.',
    });
  if (forPsp(o) && o.id !== 'registerClient')
    parameters.push({
      name: 'x-client-id',
      in: 'header',
      required: false,
      schema: { type: 'string', maxLength: 64 },
      description: "With a PSP's key: the client the call concerns; without it the PSP's own account.",
    });
  return {
    operationId: o.id,
    tags: [o.tag],
    summary: o.summary,
    description: [o.description, o.spec ? `Specification ${o.spec}.` : undefined, callersOf(o)]
      .filter(Boolean)
      .join('\n\n'),
    ...(o.spec ? { 'x-spec-clause': o.spec } : {}),
    'x-audience': o.audience,
    ...(o.access === undefined ? {} : { security: o.access === 'open' ? [] : [{ session: [], csrf: [] }] }),
    'x-roles': o.roles ?? usualRoles(o.method),
    ...(o.method === 'GET' || o.idempotent || o.refusals?.includes('REF_CONFLICT') ? { 'x-idempotent': true } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(o.body
      ? {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: plain(o.body), ...(o.example ? { example: o.example } : {}) } },
          },
        }
      : {}),
    responses: {
      200: {
        description: 'Success',
        headers: { 'x-request-id': { schema: { type: 'string' } } },
        content: {
          [o.produces ?? 'application/json']: {
            schema: o.produces
              ? plain(o.content)
              : {
                  type: 'object',
                  required: ['success', 'message', 'content'],
                  properties: { success: { const: true }, message: { type: 'string' }, content: plain(o.content) },
                },
          },
        },
      },
      ...Object.fromEntries(
        [...byStatus]
          .sort(([a], [b]) => a - b)
          .map(([status, codes]) => [
            status,
            {
              description: codes.map((c) => `\`${c}\`: ${refusalCodes[c][1]}`).join('\n\n'),
              headers: { 'x-error-code': { schema: { type: 'string', enum: codes } } },
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
            },
          ]),
      ),
    },
  };
}

/** A schema as plain JSON, without the library's hidden members. */
const plain = (schema: unknown): unknown => JSON.parse(JSON.stringify(schema));
