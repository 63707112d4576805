// Authentication and permissions: API keys, sessions of people with their roles, and staff acting as a PSP. A key takes
// precedence over a cookie.
import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { accountFromWire, fromWire, nobody } from '../../core/ids.ts';
import { notFound, Refusal, refuse } from '../../core/refusal.ts';
import { usualRoles } from '../../core/roles.ts';
import { either, phrase, said, type Value } from '../../core/said.ts';
import { permits } from '../../core/scopes.ts';
import { type HasAccounts, type HasKeys, knownAccount, underKey } from '../../modules/accounts/index.ts';
import type { Call, Needs, Operation, Principal, Reply } from '../../modules/kernel/operation.ts';
import { inWords, keysOf } from '../../modules/kernel/scopes.ts';
import { areaOf } from '../../modules/kernel/sections.ts';
import { type HasSessions, sessionCookie } from '../../modules/users/index.ts';
import { coarseNetwork, networkOf } from '../../platform/network.ts';
import { operatorHere } from './door.ts';
import { TokenBuckets, wholeSeconds } from './limits.ts';
import type { Metrics } from './metrics.ts';

type Uses = Needs<'monotonic' | 'log' | 'db'> & HasAccounts & HasKeys & HasSessions;

const cookie = new RegExp(`(?:^|; *)${sessionCookie}=([^;]*)`);

/** An anonymous caller: a client of no PSP, with access to nothing. */
const anyone: Principal = {
  kind: 'client',
  psp: nobody,
  account: nobody,
  actor: 'nobody',
};

export class Access {
  readonly #s: Uses;
  readonly #metrics: Metrics;
  // Failed sign-ins by address: slow enough to prevent guessing, without punishing one typo.
  readonly #failures = new TokenBuckets(5, 50);
  /** Password attempts, which cost more to check than a key. */
  readonly #tries = new TokenBuckets(2, 100);

  constructor(services: Uses, metrics: Metrics) {
    this.#s = services;
    this.#metrics = metrics;
  }

  /**
   * Identifies the caller; synchronous for a key that was checked recently.
   * @throws KEY_MISSING, KEY_INVALID, SESSION_INVALID, CSRF, PASSWORD_EXPIRED, SECOND_FACTOR_REQUIRED, RATE_LIMITED, AUDIENCE, NOT_FOUND
   */
  caller(request: FastifyRequest, operation: Operation): Principal | Promise<Principal> {
    if (operation.access === 'open') return anyone;
    const known = operatorHere(request.raw) ?? this.#keyOrSession(request, operation);
    if (request.headers['x-psp-id'] !== undefined) return this.#asPsp(request, operation, known);
    return known;
  }

  #keyOrSession(request: FastifyRequest, operation: Operation): Principal | Promise<Principal> {
    const key = keyOf(request.headers);
    if (!key) return this.#person(request, operation);
    const resolved = this.#s.keys.resolve(key, request.ip);
    return resolved instanceof Promise ? resolved.then((r) => this.#valid(request, r)) : this.#valid(request, resolved);
  }

  #valid(request: FastifyRequest, resolved: Principal | Refusal): Principal {
    if (resolved instanceof Refusal) throw this.#failed(request, resolved);
    return resolved;
  }

  /** Failed sign-ins are limited by address; somebody else's guesses never block a valid key. */
  #failed(request: FastifyRequest, refusal: Refusal): Refusal {
    this.#metrics.count('assay_auth_failures_total');
    return this.#failures.take(networkOf(request.ip), this.#s.monotonic()) < 0
      ? refuse('RATE_LIMITED', 'too many failed sign-ins from this address; wait a little', 1)
      : refusal;
  }

  /**
   * Logs who signed in and from which network, and who administered what: by these lines somebody who restores a backup
   * knows which keys, people, logins and standings of then are no longer right. A failed attempt is in the refusal's line.
   */
  logDone(request: FastifyRequest, operation: Operation, { principal, params }: Call, answer: Reply): void {
    const { id, method, path } = operation;
    if (
      method !== 'GET' &&
      path.includes(':') &&
      operation.access === undefined &&
      areaOf(operation) === 'administration'
    )
      this.#s.log.info({ requestId: request.id, operation: id, of: params, by: principal.actor }, 'administered');
    if (operation.access !== 'open') return;
    const { user } = answer.content as { user?: { userId: string } };
    if (user === undefined) return;
    this.#s.log.info({ requestId: request.id, user: user.userId, network: coarseNetwork(request.ip) }, 'signed in');
  }

  /** Counts a password attempt. @throws RATE_LIMITED */
  countTry(request: FastifyRequest): void {
    const left = this.#tries.take(networkOf(request.ip), this.#s.monotonic());
    if (left < 0)
      throw refuse('RATE_LIMITED', 'too many sign-ins from this address; wait a little', wholeSeconds(-left));
  }

  async #person(request: FastifyRequest, operation: Operation): Promise<Principal> {
    const token = tokenOf(request.headers);
    if (!token)
      throw operation.access === 'session'
        ? refuse('SESSION_INVALID', 'nobody is signed in')
        : refuse('KEY_MISSING', 'the header x-api-key is required');
    const signedIn = await this.#s.sessions.resolve(token, request.ip);
    if (signedIn instanceof Refusal) throw this.#failed(request, signedIn);
    const { principal, first } = signedIn;
    // Another site can make a browser send the cookie, but cannot read the token.
    if (request.method !== 'GET' && !same(request.headers['x-csrf-token'], principal.session?.csrfToken))
      throw refuse('CSRF', 'the header x-csrf-token is missing or not that of this session');
    if (first !== undefined && operation.access !== 'session')
      throw first === 'PASSWORD'
        ? refuse('PASSWORD_EXPIRED', 'the password was given for one sign-in; change it first')
        : refuse('SECOND_FACTOR_REQUIRED', 'a second factor is required here; set one up first');
    return principal;
  }

  /** Staff who name a PSP in x-psp-id act as that PSP. @throws AUDIENCE, NOT_FOUND */
  async #asPsp(
    request: FastifyRequest,
    operation: Operation,
    caller: Principal | Promise<Principal>,
  ): Promise<Principal> {
    const staff = await caller;
    if (staff.kind !== 'operator') throw refuse('AUDIENCE', 'the header x-psp-id is for staff only');
    if (operation.access !== undefined || !operation.audience.includes('psp'))
      throw refuse('AUDIENCE', said`the header x-psp-id does not go with ${operation.id}`);
    const header = request.headers['x-psp-id'];
    const id = typeof header === 'string' ? fromWire('psp', header) : undefined;
    if (!id) throw notFound();
    const known = await knownAccount(this.#s, { psp: id, id });
    if (known?.kind !== 'psp') throw notFound();
    return {
      ...staff,
      kind: 'psp',
      psp: known.psp,
      account: known.id,
      staff: { psp: staff.psp, account: staff.account },
      ...(known.testOf === null ? {} : { test: true }),
    };
  }

  #callers({ audience }: Operation, { kind }: Principal): Value {
    const keys = keysOf(audience);
    return kind === 'operator' && audience.includes('psp')
      ? said`${keys}; staff name the PSP by the header x-psp-id`
      : keys;
  }

  /** @throws AUDIENCE, SCOPE, ACCOUNT_CLOSED, ACCOUNT_SUSPENDED, ROLE */
  allow(operation: Operation, principal: Principal): void {
    if (operation.access === 'open') return;
    if (operation.access === 'session' && !principal.session)
      throw refuse('AUDIENCE', said`${operation.id} is for people who signed in, not for keys`);
    if (!operation.audience.includes(principal.kind))
      throw refuse('AUDIENCE', said`${operation.id} is for ${this.#callers(operation, principal)}`);
    const area = areaOf(operation);
    if (!permits(principal.scopes, area, operation.method))
      throw refuse(
        'SCOPE',
        said`${operation.id} needs a key with the scope ${area}${operation.method === 'GET' ? said` or read` : ''}; this key has ${inWords(principal.scopes)}`,
      );
    const barred = barredBy(operation, principal.standing, principal.test);
    if (barred) throw barred;
    if (principal.role === undefined || principal.role === 'administrator') return;
    const allowed = operation.roles ?? usualRoles(operation.method);
    if (!allowed.includes(principal.role))
      throw refuse(
        'ROLE',
        said`${operation.id} is for the role ${either(allowed.map(phrase))}; yours is ${phrase(principal.role)}`,
      );
  }
}

/** The refusal that the caller's standing requires. For staff acting as a PSP, their own account's standing counts. */
/** The services for a call that passed: what a key decides is committed only while it still passes. */
export const servicesFor = <S extends Needs<'committer' | 'clock'> & HasKeys>(
  s: S,
  operation: Pick<Operation, 'id' | 'method' | 'access' | 'standing'>,
  caller: Principal,
): S => (operation.method === 'GET' ? s : underKey(s, caller, (now) => barredBy(operation, now.standing, caller.test)));

function barredBy(
  { id, method, access, standing: asks }: Pick<Operation, 'id' | 'method' | 'access' | 'standing'>,
  standing: Principal['standing'],
  test: boolean | undefined,
) {
  if (standing === undefined || access === 'session' || asks === 'any') return undefined;
  // A test call checks the test account's standing, which is independent of the live one.
  if (asks === 'decides' && test !== true) return undefined;
  if (standing === 'CLOSED' && method !== 'GET')
    return refuse('ACCOUNT_CLOSED', 'the account or its PSP is closed: it may read, and change nothing');
  if (asks === 'active')
    return refuse('ACCOUNT_SUSPENDED', said`${id} needs an ACTIVE account; this one or its PSP is suspended`);
  return undefined;
}

/** The principal of a request's key or session at its last check. It may have ended since, so this permits nothing. */
export function recalled(s: HasKeys & HasSessions, headers: IncomingHttpHeaders): Principal | undefined {
  const key = keyOf(headers);
  if (key !== undefined) return s.keys.recall(key);
  const token = tokenOf(headers);
  return token === undefined ? undefined : s.sessions.recall(token);
}

const tokenOf = (headers: IncomingHttpHeaders): string | undefined => cookie.exec(headers.cookie ?? '')?.[1];

/** The key a request carries, valid or not. */
function keyOf(headers: IncomingHttpHeaders): string | undefined {
  const header = headers['x-api-key'];
  if (typeof header === 'string') return header;
  return headers.authorization?.startsWith('Bearer ') ? headers.authorization.slice(7) : undefined;
}

function same(given: string | string[] | undefined, expected: string | undefined): boolean {
  if (typeof given !== 'string' || expected === undefined) return false;
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The account (UUID) a PSP's call is about, from the header x-client-id. @throws QUERY_INVALID */
export function readClientHeader(request: FastifyRequest, principal: Principal): string | undefined {
  const header = request.headers['x-client-id'];
  if (header === undefined || principal.kind === 'operator') return undefined;
  const id = typeof header === 'string' ? accountFromWire(header) : undefined;
  if (!id) throw refuse('QUERY_INVALID', "the header 'x-client-id' is not a client id");
  return id;
}
