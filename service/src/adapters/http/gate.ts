// Decides about a request by its headers, before any of its body is read: the caller, what they may do, their rate, and
// whether the body fits. A refusal here costs no memory, however much the caller still sends.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AccountId } from '../../core/ids.ts';
import { refuse, said } from '../../core/refusal.ts';
import type { Operation, Principal } from '../../modules/kernel/operation.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Settings } from '../../settings.ts';
import { type Access, readClientHeader } from './access.ts';
import { contentType, isJson } from './body.ts';
import type { BodyBudget } from './body-budget.ts';
import { limitedMessage, type TokenBuckets, wholeSeconds } from './limits.ts';
import { unambiguous } from './unambiguous.ts';

/** Most bytes in the body of an operation without authentication. */
const openBodyLimit = 4096;

export interface GateOptions {
  readonly settings: Settings;
  readonly access: Access;
  readonly limits: TokenBuckets;
  readonly budget: BodyBudget;
  /** Clock of the rates, monotonic. */
  readonly monotonic: Clock;
}

/** What the gate knows of a request. */
export interface Entry {
  readonly operation: Operation;
  readonly principal: Principal;
  onBehalfOf: AccountId | undefined;
  /** The caller's ref, once the body was read. */
  ref: string | undefined;
}

interface AdmittedRequest extends FastifyRequest {
  /** Null while nobody knows who calls. */
  entry: Entry | null;
}

export const bodyTooLarge = (limit: number) => refuse('BODY_TOO_LARGE', said`the body is larger than ${limit} bytes`);

export const keyInUrl = (url: string): boolean => /asy(?:test)?_[0-9a-z]{26}_/.test(url);
export const inUrl = () => refuse('KEY_IN_URL', 'a key must be sent in the header x-api-key, never in the address');

export class Gate {
  readonly #o: GateOptions;

  /** Must be made before routes are added. */
  constructor(app: FastifyInstance, options: GateOptions) {
    this.#o = options;
    app.decorateRequest('entry', null);
  }

  /** The largest body an operation takes, in bytes. */
  bodyLimit({ access, largeBody }: Operation): number {
    const { bodyLimit, basketBodyLimit } = this.#o.settings;
    if (access === 'open') return Math.min(openBodyLimit, bodyLimit);
    return typeof largeBody === 'number' ? largeBody : largeBody ? basketBodyLimit : bodyLimit;
  }

  /** Synchronous for a key checked lately. @throws Refusal */
  enter(operation: Operation, request: FastifyRequest, reply: FastifyReply): Promise<void> | undefined {
    if (keyInUrl(request.url)) throw inUrl();
    unambiguous(request.raw);
    const caller = this.#o.access.caller(request, operation);
    if (!(caller instanceof Promise)) return void this.#admit(operation, request, reply, caller);
    return caller.then((principal) => this.#admit(operation, request, reply, principal));
  }

  entryOf(request: FastifyRequest): Entry {
    return (request as AdmittedRequest).entry as Entry;
  }

  /** Of a caller who is known, whether they were let in or not. */
  knownOf(request: FastifyRequest): Entry | null {
    return (request as AdmittedRequest).entry;
  }

  /** A body without a declared length is paid for once it has been read. */
  charge(request: FastifyRequest): void {
    const { limits, monotonic } = this.#o;
    if (isChunked(request) && Buffer.isBuffer(request.body))
      limits.charge(this.entryOf(request).principal.actor, monotonic(), costOf(request.body.length) - 1);
  }

  #admit(operation: Operation, request: FastifyRequest, reply: FastifyReply, principal: Principal): void {
    const { access, limits, budget, monotonic, settings } = this.#o;
    const { raw, headers } = request;
    const entry: Entry = { operation, principal, onBehalfOf: undefined, ref: undefined };
    (request as AdmittedRequest).entry = entry;
    if (principal.test === true) reply.header('x-assay-mode', 'test');
    const limit = this.bodyLimit(operation);
    const chunked = isChunked(request);
    const bytes = chunked ? limit : Number(headers['content-length'] ?? 0);
    if (operation.access === 'open') access.countTry(request);
    else {
      const left = limits.take(principal.actor, monotonic(), chunked || bytes > limit ? 1 : costOf(bytes));
      if (left < 0) {
        reply.headers({ 'ratelimit-limit': String(settings.rateBurst), 'ratelimit-remaining': '0' });
        throw refuse('RATE_LIMITED', limitedMessage, wholeSeconds(-left));
      }
      access.allow(operation, principal);
    }
    entry.onBehalfOf = readClientHeader(request, principal);
    if (operation.ofPsp && (entry.onBehalfOf ?? principal.account) !== principal.account)
      throw refuse(
        'QUERY_INVALID',
        "this holds for all of the PSP, not for one client: leave out the header 'x-client-id'",
      );
    if (operation.body && !isJson(headers['content-type'])) throw contentType();
    if (bytes > limit) throw bodyTooLarge(limit);
    budget.take(raw, principal.actor, bytes);
    if (headers.expect !== undefined && raw.httpVersion === '1.1') reply.raw.writeContinue();
  }
}

const isChunked = ({ headers }: FastifyRequest): boolean => headers['transfer-encoding'] !== undefined;

/** Tokens that a request takes from its key's bucket. */
const costOf = (bytes: number): number => 1 + Math.floor(bytes / 4096);
