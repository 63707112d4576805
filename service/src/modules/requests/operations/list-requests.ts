import { toWire } from '../../../core/ids.ts';
import { notFound, Refusal, refusalCodes, refuse, said } from '../../../core/refusal.ts';
import {
  clientId,
  findTestAccount,
  type HasAccounts,
  keyNames,
  listedClient,
  type Reach,
} from '../../accounts/index.ts';
import { idIfAsked } from '../../kernel/asked.ts';
import { countQuery, totalOf } from '../../kernel/counting.ts';
import { type Call, Named, type Needs, Nullable, operation, resourceOf, Type } from '../../kernel/operation.ts';
import { clientQuery, Page, pageQuery } from '../../kernel/paging.ts';
import { listRequests as list, type RequestRow } from '../request-store.ts';

/** Ids of requests; they are not written as other ids, because they are so in the header. */
const form = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const LoggedRequest = Named('LoggedRequest', 'A request of a key, or several of one kind that are counted only.', {
  requestId: Nullable(Type.String(), 'Id of the request, as in `x-request-id`; null for several.'),
  at: Type.String({ description: 'When it was answered, ISO 8601 UTC; of several, the end of their minute.' }),
  requests: Type.Integer({
    description: 'Number of requests: 1, or those of one kind beyond what is kept of a minute.',
  }),
  keyId: Nullable(Type.String(), 'The key that called; null for requests of several keys.'),
  keyName: Nullable(Type.String(), 'Name of the key.'),
  clientId: Type.String({ description: 'The account of the key, or the client that it named in `x-client-id`.' }),
  method: Type.String({ description: 'Method of HTTP.' }),
  route: Nullable(
    Type.String(),
    'Address, with names in place of ids; null if it was refused before its address was read.',
  ),
  status: Type.Integer({ description: 'Status of the answer.' }),
  code: Nullable(Type.String(), 'Code of the refusal.'),
  meaning: Nullable(
    Type.String(),
    'Meaning of the code. The sentence of the answer is not kept, since it may quote the body.',
  ),
  field: Nullable(Type.String(), 'The field or parameter that the refusal names.'),
  ref: Nullable(Type.String(), "The caller's ref, if the body or query has one."),
  ms: Nullable(Type.Integer(), 'Milliseconds from its arrival to its answer.'),
});

const moment = (description: string) => Type.Optional(Type.String({ description, format: 'date-time' }));

export const listRequests = operation({
  id: 'listRequests',
  method: 'GET',
  path: '/v1/request',
  tag: 'Keys',
  summary: 'List the latest requests of keys',
  description:
    "Requests of the PSP's and its clients' keys of the last REQUEST_LOG_DAYS days, newest first, a few seconds after their answers; without bodies, keys and addresses. A client's key lists those of its account's keys. Of each minute a limited number is kept one by one; the others are counted.",
  audience: ['psp', 'client'],
  query: Type.Object({
    ...pageQuery,
    ...countQuery,
    outcome: Type.Optional(Type.Enum(['ANSWERED', 'REFUSED'], { description: '`REFUSED`: a status of 400 or more.' })),
    status: Type.Optional(Type.Integer({ description: 'Only answers with this status.', minimum: 100, maximum: 599 })),
    code: Type.Optional(Type.String({ description: 'Only refusals with this code.', maxLength: 40 })),
    keyId: Type.Optional(Type.String({ description: 'Only requests of this key.', maxLength: 64 })),
    ...clientQuery,
    method: Type.Optional(Type.Enum(['GET', 'POST', 'DELETE'], { description: 'Only requests with this method.' })),
    route: Type.Optional(Type.String({ description: 'Only this address, as `route` has it.', maxLength: 200 })),
    ref: Type.Optional(Type.String({ description: 'Only requests with this ref.', maxLength: 200 })),
    requestId: Type.Optional(Type.String({ description: 'Only the request with this id.', maxLength: 36 })),
    from: moment('Only requests since then.'),
    to: moment('Only requests before then.'),
    mode: Type.Optional(
      Type.Enum(['live', 'test'], { description: '`test`: requests of test keys. Default: `live`.' }),
    ),
  }),
  content: Page(LoggedRequest),
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db'> & HasAccounts) {
    const { principal, query } = call;
    const limit = (query.limit ?? 50) + 1;
    const asked = {
      key: idIfAsked('key', query.keyId),
      id: query.requestId === undefined ? undefined : uuidOf('requestId', query.requestId),
      refused: query.outcome === undefined ? undefined : query.outcome === 'REFUSED',
      status: query.status,
      code: query.code,
      method: query.method,
      route: query.route,
      ref: query.ref,
      from: query.from,
      to: query.to,
    };
    const before = query.cursor === undefined ? undefined : uuidOf('cursor', query.cursor);
    let filter = { ...(await whose(s, call, query.mode)), ...asked };
    let rows = await list(s.db, { ...filter, before, limit });
    // One request is found without knowing which kind of key made it.
    if (rows.length === 0 && asked.id !== undefined && query.mode === undefined && principal.test !== true) {
      const tested = await whose(s, call, 'test').catch(notThere);
      if (tested) filter = { ...tested, ...asked };
      if (tested) rows = await list(s.db, { ...filter, before, limit });
    }
    const total = await totalOf(s, query, (db, most) => list(db, { ...filter, limit: most }));
    const shown = rows.slice(0, limit - 1);
    const keys = [...new Set(shown.flatMap((r) => r.key ?? []))];
    const names = await keyNames(s.db, filter.psp, keys);
    const nextCursor = rows.length === limit ? (shown.at(-1)?.id ?? null) : null;
    return { message: 'requests', content: { items: shown.map((r) => resource(r, names)), nextCursor, ...total } };
  },
});

/** The tenant and account whose requests are listed: of a live caller those of test keys too, if it names their mode. */
async function whose(
  s: Needs<'db'> & HasAccounts,
  call: Call<unknown, { clientId?: string }>,
  mode: 'live' | 'test' | undefined,
) {
  const { principal, query } = call;
  const client = await listedClient(s, call, query.clientId);
  const own = principal.kind === 'client' ? principal.account : undefined;
  const wanted = mode ?? (principal.test ? 'test' : 'live');
  if ((wanted === 'test') === (principal.test === true)) return reached(principal.psp, own, client);
  const other = wanted === 'test' ? await findTestAccount(s.db, client ?? own ?? principal.psp) : undefined;
  if (other === undefined) throw notFound();
  return reached(other.psp, own && other.id, client && other.id);
}

/** A client sees the calls of its own keys only, also where its PSP's concern it. */
const reached = (psp: Reach['psp'], own: Reach['account'], client: Reach['account']) => ({
  psp,
  account: own,
  client: own === undefined ? client : undefined,
});

function uuidOf(name: string, text: string): string {
  const id = text.toLowerCase();
  if (form.test(id)) return id;
  throw refuse('QUERY_INVALID', said`the query parameter '${name}' must be an id as in the header x-request-id`);
}

function notThere(e: unknown): undefined {
  if (e instanceof Refusal && e.code === 'NOT_FOUND') return undefined;
  throw e;
}

const meanings: Readonly<Record<string, readonly [string, string]>> = refusalCodes;

const resource = (r: RequestRow, names: ReadonlyMap<string, string>) =>
  resourceOf(LoggedRequest, r, {
    requestId: r.single ? r.id : null,
    keyId: r.key && toWire('key', r.key),
    keyName: (r.key && names.get(r.key)) ?? null,
    clientId: clientId({ psp: r.psp, id: r.client ?? r.account }),
    meaning: (r.code && meanings[r.code]?.[1]) ?? null,
  });
