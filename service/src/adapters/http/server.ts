// The HTTP server: reads requests strictly, authenticates, passes the call to its operation and writes the envelope.
// Maps refusals to status codes; faults become 500 without any detail.
import type { Readable } from 'node:stream';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { Refusal, refuse } from '../../core/refusal.ts';
import { either, said } from '../../core/said.ts';
import type { HasAccounts, HasKeys } from '../../modules/accounts/index.ts';
import { recordRead } from '../../modules/authorities/index.ts';
import { tagOf } from '../../modules/kernel/condition.ts';
import type { Call, Needs, Operation } from '../../modules/kernel/operation.ts';
import type { RequestLog } from '../../modules/requests/index.ts';
import type { HasSessions } from '../../modules/users/index.ts';
import { monotonicClock } from '../../platform/clock.ts';
import { errorFields } from '../../platform/log.ts';
import { networkOf } from '../../platform/network.ts';
import type { Tracing } from '../../platform/tracing.ts';
import { Access, recalled, servicesFor } from './access.ts';
import { Addresses, decodable, paramsOf, pathOf, queryOf } from './addresses.ts';
import type { Admission } from './admission.ts';
import { parseBody } from './body.ts';
import { BodyBudget } from './body-budget.ts';
import { conditionOf } from './conditions.ts';
import { drainedServer, drains } from './drain.ts';
import { broken, faultRefusal, refusedFields } from './fault-refusal.ts';
import { fieldNames, unreadHint } from './field-hints.ts';
import { FrontDoor } from './front-door.ts';
import { Gate, inUrl, keyInUrl } from './gate.ts';
import { bodyTo, sayTo } from './language.ts';
import { LargeBodies } from './large-bodies.ts';
import { fileLanguage, ListFiles, wantsFile } from './list-files.ts';
import { closeListeners } from './listeners.ts';
import { doorReadings, type Metrics } from './metrics.ts';
import { withMonths } from './months.ts';
import { clientErrorHandler, leavesUnread, patience } from './not-http.ts';
import { note, noteRef, refIn } from './noted-requests.ts';
import { readBody, readQuery, type Schema, take } from './reader.ts';
import { ForcedError, Rehearsal, type Rehearsed } from './rehearsal.ts';
import { elapsedOf, timeRequests } from './request-clock.ts';
import { statusOf } from './status.ts';
import { safetyHeaders } from './unambiguous.ts';

export const API_VERSION = '1.0';

/** @typeParam N what the operations require together */
export interface HttpOptions<N> {
  readonly services: N &
    Needs<'settings' | 'clock' | 'monotonic' | 'committer' | 'ids' | 'log' | 'db' | 'reference'> &
    HasAccounts &
    HasKeys &
    HasSessions;
  readonly operations: readonly Operation<N>[];
  readonly metrics: Metrics;
  readonly admission: Admission;
  readonly tracing?: Pick<Tracing, 'request'> | undefined;
  /** Undefined if requests are not logged. */
  readonly requests?: RequestLog | undefined;
  /** Pages and files beside the operations: health, metrics, docs. */
  readonly extras?: (app: FastifyInstance) => void;
}

export interface HttpServer {
  readonly app: FastifyInstance;
  readonly leaving: boolean;
  /** Keeps serving, but closes each connection with its next answer. */
  leave(): void;
  /** Answers accepted requests, refuses the rest, and closes. */
  stop(): Promise<void>;
}

export function makeServer<N>(o: HttpOptions<N>): HttpServer {
  const { services: s, metrics, admission } = o;
  const access = new Access(s, metrics);
  const { settings, monotonic } = s;
  const budget = new BodyBudget(settings.bodyBudget);
  const addresses = new Addresses(o.operations);
  const safety = safetyHeaders(settings.baseUrl);
  const door = new FrontDoor({
    admission,
    recall: (headers) => recalled(s, headers),
    newId: () => s.ids.next(),
    monotonic: monotonicClock,
    burst: settings.rateBurst,
    apiVersion: API_VERSION,
    observe(r) {
      metrics.answered('door', r.method, r.status, r.ms);
      if (r.principal) o.requests?.note({ ...r, principal: r.principal, onBehalfOf: undefined, route: undefined });
    },
    tell: (refused, actors) =>
      s.log.warn({ refused, actors, inHand: admission.inHand, limit: admission.limit }, 'refused at the door'),
  });
  metrics.read(
    doorReadings(() => ({
      inHand: admission.inHand,
      limit: admission.limit,
      held: door.held,
      bodyBytes: budget.bytes,
    })),
  );
  const app = Fastify({
    logger: false,
    bodyLimit: settings.bodyLimit,
    // The caller's address is then the right-most one that is not one of our proxies.
    ...(settings.trustedProxies.length > 0 ? { trustProxy: [...settings.trustedProxies] } : {}),
    serverFactory: (handler) => drainedServer(patience, door.before(handler)),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // Pages and probes answer HEAD; an operation answers 405, as to every method that is not its own.
    exposeHeadRoutes: true,
    routerOptions: { ignoreTrailingSlash: false, caseSensitive: true, maxParamLength: Number.MAX_SAFE_INTEGER },
    genReqId: () => s.ids.next(),
    rewriteUrl: ({ url = '/' }) => decodable(url),
    clientErrorHandler,
  });
  timeRequests(app);
  const gate = new Gate(app, { settings, access, limits: admission.limits, budget, monotonic });
  const drain = drains(app, settings.maxConnections);
  const rehearsal = new Rehearsal();
  const large = new LargeBodies();
  const files = new ListFiles(s);
  const stop = () => {
    rehearsal.stop();
    files.stop();
    return drain.stop(async () => {
      await closeListeners(app);
      door.close();
    });
  };
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_req, body, done) => done(null, body));
  app.setErrorHandler((error, request, reply) => {
    answerError(request, reply, error);
  });
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    const path = pathOf(request);
    if (keyInUrl(request.url)) throw inUrl();
    const misspelt = addresses.misspelt(request.method, path);
    if (!misspelt && addresses.methodsAt(path).length > 0) answerMethod(request, reply);
    else throw misspelt ?? addresses.unknown(request.method, path);
  });

  function answerMethod(request: FastifyRequest, reply: FastifyReply): never {
    const methods = addresses.methodsAt(pathOf(request));
    reply.header('allow', methods.join(', '));
    throw refuse('METHOD', said`${request.method} is not supported here; use ${either(methods)}`);
  }

  function answerError(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
    budget.give(request.raw);
    if (leavesUnread(request.raw)) reply.header('connection', 'close');
    const forced = error instanceof ForcedError;
    const refusal = forced
      ? error.refusal
      : error instanceof Refusal
        ? error
        : faultRefusal(error, request.routeOptions.bodyLimit ?? settings.bodyLimit);
    let status = 500;
    if (refusal) {
      status = statusOf[refusal.kind];
      reply.header('x-error-code', refusal.code);
      if (refusal.retryAfterS !== undefined) reply.header('retry-after', String(refusal.retryAfterS));
      s.log.info({ ...refusedFields(request, status, refusal, error), ...(forced ? { forced } : {}) }, 'refused');
    } else {
      reply.header('x-error-code', 'INTERNAL');
      if (!forced)
        s.log.error(
          { requestId: request.id, method: request.method, route: request.routeOptions?.url, ...errorFields(error) },
          'fault',
        );
    }
    const sentence = refusal?.said ?? broken;
    return send(
      request,
      reply,
      forced ? 'forced' : (request.routeOptions?.url ?? 'none'),
      status,
      JSON.stringify({ success: false, message: sayTo(request, reply, sentence) }),
      undefined,
      String(sentence),
    );
  }

  function send(
    request: FastifyRequest,
    reply: FastifyReply,
    route: string,
    status: number,
    body: string | Buffer | Readable,
    type = 'application/json',
    message?: string,
  ): FastifyReply {
    const elapsedMs = elapsedOf(request);
    metrics.answered(route, request.method, status, elapsedMs);
    if (o.requests) note(o.requests, request, reply, gate.knownOf(request), { status, ms: elapsedMs, message });
    if (o.tracing) {
      const { id: requestId, method, headers } = request;
      o.tracing.request({ method, route, status, requestId, elapsedMs, headers });
    }
    return reply
      .code(status)
      .headers({
        'content-type': Buffer.isBuffer(body) ? type : `${type}; charset=utf-8`,
        'x-request-id': request.id,
        'x-api-version': API_VERSION,
        'cache-control': 'no-store',
        ...safety,
      })
      .send(body);
  }

  async function handle(operation: Operation<N>, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const entry = gate.entryOf(request);
    const { principal, onBehalfOf } = entry;
    const ignored: string[] = [];
    const given = queryOf(request);
    if (o.requests && !operation.body) noteRef(entry, operation, given.get('ref'));
    const query = take(readQuery((operation.query ?? {}) as Schema, given), ignored);
    const json = operation.body && parseBody(request);
    if (o.requests && json !== undefined) noteRef(entry, operation, refIn(json));
    const body = json === undefined ? undefined : take(readBody(operation.body as Schema, json), ignored);
    budget.give(request.raw);
    const from = operation.access && { network: networkOf(request.ip), agent: request.headers['user-agent'] };
    const condition = conditionOf(operation, request.headers);
    const asked = { principal, onBehalfOf, body, query, params: paramsOf(request), condition };
    const isAwaited = () => !drain.stopping && !reply.raw.destroyed;
    const call: Call = { ...asked, now: s.clock(), ...from, isAwaited };
    const may = servicesFor(s, operation, principal);
    const asFile = wantsFile(operation, request.headers.accept);
    if (principal.kind === 'authority') await recordRead(s, operation, call, asFile);
    const handled = (c: Call) => admission.during(principal.actor, withMonths(s, operation, c, may));
    if (asFile) {
      const read = async (c: Call) => {
        // Each page is for a caller who still may read it.
        access.allow(operation, await access.caller(request, operation));
        return handled(c);
      };
      const file = await files.begin({ operation, call, read, language: fileLanguage(request.headers.accept) });
      return send(request, reply.headers(file.headers), operation.path, 200, file.body, 'text/csv');
    }
    const answer: Rehearsed = await (principal.test === true ? rehearsal.handle(handled, call) : handled(call)).catch(
      (error: unknown) => {
        // A missing field may have been sent under a name that was ignored.
        if (!(error instanceof Refusal && error.code === 'FIELD_INVALID')) throw error;
        throw refuse(error.code, said`${error.said}${unreadHint(ignored)}`);
      },
    );
    access.logDone(request, operation, call, answer);
    if (answer.headers) reply.headers(answer.headers);
    if (operation.conditional && answer.state) reply.header('etag', tagOf(answer.state));
    if (answer.replayed) reply.header('idempotency-replayed', 'true');
    if (ignored.length > 0) reply.header('x-ignored-fields', fieldNames(ignored));
    if (s.log.isLevelEnabled('debug'))
      s.log.debug({ requestId: request.id, operation: operation.id, status: 200, ms: elapsedOf(request) }, 'answered');
    return send(
      request,
      reply,
      answer.waited ? 'forced' : operation.path,
      200,
      answer.text ?? bodyTo(request, reply, operation.id, answer),
      operation.produces,
    );
  }

  for (const operation of o.operations) {
    const withParameter = operation.path.includes(':');
    app.route({
      method: operation.method,
      url: operation.path,
      exposeHeadRoute: false,
      bodyLimit: gate.bodyLimit(operation),
      onRequest: (request, reply, done) => {
        const misspelt = withParameter ? addresses.misspelt(request.method, pathOf(request)) : undefined;
        if (misspelt) throw misspelt;
        const entering = gate.enter(operation, request, reply);
        if (entering) return entering;
        done();
      },
      handler: (request, reply) => {
        gate.charge(request);
        const answer = () => handle(operation, request, reply);
        return large.isLarge(request.body) ? large.inTurn(gate.entryOf(request).principal.actor, answer) : answer();
      },
    });
  }
  // Without these routes, GET on a POST-only address would be read as the id in a GET address with a parameter.
  for (const { method, path } of addresses.overshadowed())
    if (!app.hasRoute({ method, url: path }))
      app.route({ method, url: path, exposeHeadRoute: false, onRequest: answerMethod, handler: answerMethod });
  o.extras?.(app);
  return {
    app,
    get leaving() {
      return drain.leaving;
    },
    leave: drain.leave,
    stop,
  };
}
