// Signing in through a provider (OpenID Connect, code flow with PKCE): the provider vouches for an e-mail, which must be
// that of a person of its account. It creates nobody and gives no role. Its tokens are not kept.
import type { Configuration, CustomFetch, IDToken } from 'openid-client';
import { notFound, type Refusal, refuse } from '../../core/refusal.ts';
import { isHere, type SignInProvider } from '../../core/sign-in-providers.ts';
import { systemClock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { errorFields } from '../../platform/log.ts';
import { fetchAtMost } from '../../platform/published-file.ts';
import { randomSecret } from '../../platform/random.ts';
import type { Settings } from '../../settings.ts';
import type { Needs } from '../kernel/needs.ts';
import { beginSession, type SignedInNow } from './begin-session.ts';
import { isFresh, opened } from './challenge.ts';
import { isKnownAs, pinned } from './identities.ts';
import type { HasSessions } from './sessions.ts';
import { type From, hasSecondFactor } from './sign-in-proof.ts';
import { findIdentified, findUsersByEmail, plainEmail, type User } from './user-store.ts';

/** Time to sign in at the provider. */
const attemptMs = 15 * 60_000;
/** A provider may change its addresses; they are read again after this. */
const knownMs = 3_600_000;
/**
 * A provider may have changed its keys a moment ago, and a code is spent before the token says by which it was signed. The
 * end of a sign-in takes keys that were first read so short a time ago, or later, so that many at once read them once.
 */
const keysKnownMs = 1_000;
/** Most bytes of an answer of a provider: what it publishes, its keys, a token, who somebody is. */
const mostBytes = 1_000_000;
/** How far a provider's clock may be ahead of the one here, in seconds. */
const aheadS = 60;
const attemptPlace = 'sign-in at a provider';
/** Loaded with the first sign-in through a provider. */
const openId = () => import('openid-client');

const random = () => randomSecret(32).toString('base64url');

/** What providers publish about themselves, per process. */
export class Providers {
  readonly #known = new Map<string, { at: number; configuration: Promise<Configuration> }>();

  /** @param now monotonic milliseconds */
  configurationOf(p: SignInProvider, now: number, atMostMs = knownMs): Promise<Configuration> {
    const known = this.#known.get(p.name);
    if (known && now - known.at < atMostMs) return known.configuration;
    const read = { at: now, configuration: discover(p) };
    this.#known.set(p.name, read);
    read.configuration.catch(() => {
      if (this.#known.get(p.name) === read) this.#known.delete(p.name);
    });
    return read.configuration;
  }
}

export interface HasProviders {
  readonly providers: Providers;
}

async function discover(p: SignInProvider): Promise<Configuration> {
  const o = await openId();
  const authentication = p.clientSecret === undefined ? o.None() : undefined;
  // The token comes over TLS from the provider itself; its signature is checked besides.
  const execute = [o.enableNonRepudiationChecks, ...(isHere(p.issuer) ? [o.allowInsecureRequests] : [])];
  const options = { execute, timeout: 10, [o.customFetch]: fetchAtMost(mostBytes) as CustomFetch };
  return o.discovery(new URL(p.issuer), p.clientId, p.clientSecret, authentication, options);
}

const returnTo = ({ baseUrl = '' }: Settings): string => `${baseUrl.replace(/\/+$/, '')}/console/sign-in/provider`;

function named(s: Needs<'settings'>, name: string): SignInProvider {
  const provider = s.settings.signInProviders.find((p) => p.name === name);
  if (!provider) throw notFound();
  return provider;
}

interface Attempt {
  readonly provider: string;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly at: number;
}

type Uses = Needs<'settings' | 'vault' | 'log' | 'monotonic'> & HasProviders;

/**
 * Begins a sign-in: the address to go to, and a sealed text that only this browser has and that the end needs.
 * @throws NOT_FOUND, OVERLOADED if the provider cannot be reached
 */
export async function startAtProvider(s: Uses, name: string, now: number): Promise<{ url: string; attempt: string }> {
  const provider = named(s, name);
  const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await openId();
  const configuration = await s.providers.configurationOf(provider, s.monotonic()).catch((e: unknown) => {
    s.log.warn({ provider: name, ...errorFields(e) }, 'a sign-in provider cannot be reached');
    throw refuse('OVERLOADED', 'the sign-in provider cannot be reached; try again shortly', 5);
  });
  const attempt: Attempt = { provider: name, state: random(), nonce: random(), verifier: random(), at: now };
  const url = buildAuthorizationUrl(configuration, {
    redirect_uri: returnTo(s.settings),
    scope: 'openid email',
    state: attempt.state,
    nonce: attempt.nonce,
    code_challenge: await calculatePKCECodeChallenge(attempt.verifier),
    code_challenge_method: 'S256',
  });
  return { url: url.href, attempt: s.vault.seal(JSON.stringify(attempt), attemptPlace) };
}

const providerFailed = (): Refusal =>
  refuse('SIGN_IN_FAILED', 'the sign-in at the provider was cancelled, failed or took too long; begin again');
const otherTime = (): Refusal =>
  refuse(
    'SIGN_IN_FAILED',
    'the clocks of the sign-in provider and of this service differ, so that its answer is not believed; tell an administrator',
  );
const unknownHere = (): Refusal =>
  refuse(
    'SIGN_IN_FAILED',
    'nobody of this account signs in with the verified e-mail that the provider has for you; ask an administrator',
  );

/** Whether the provider says that a second factor was used, and is believed. */
const isTrusted = ({ secondFactor }: SignInProvider, { amr }: IDToken): boolean =>
  secondFactor === 'always' || (secondFactor === 'amr' && Array.isArray(amr) && amr.includes('mfa'));

/**
 * Ends a sign-in. Somebody who has a second factor here gives it as well, unless that of the provider is trusted.
 * @param query what the provider added to the address it led back to
 * @throws NOT_FOUND, SIGN_IN_FAILED
 */
export async function finishAtProvider(
  s: Uses & Needs<'ids' | 'db' | 'committer'> & HasSessions,
  name: string,
  given: { readonly attempt: string; readonly query: string },
  from: From,
): Promise<SignedInNow | { readonly half: User; readonly identity: { issuer: string; subject: string } }> {
  const { now } = from;
  const provider = named(s, name);
  const attempt = opened<Attempt>(s.vault, given.attempt, attemptPlace);
  if (attempt?.provider !== name || !isFresh(attempt.at, now, attemptMs)) throw providerFailed();
  const claims = await claimsOf(s, provider, attempt, given.query);
  const identity = { issuer: provider.issuer, subject: claims.sub };
  const at = new Date(now).toISOString();
  // Who is known there needs no e-mail, which may change; it serves to find somebody at their first sign-in alone.
  const known = (await findIdentified(s.db, provider.account)).filter((u) => isKnownAs(u, identity));
  const user = known[0] ?? (await byEmail(s.db, provider.account, claims));
  if (known.length > 1 || user?.state !== 'ACTIVE' || pinned(user, identity, at) === undefined) throw unknownHere();
  const trusted = isTrusted(provider, claims);
  if (hasSecondFactor(user) && !trusted) return { half: user, identity };
  const proof = { method: 'PROVIDER', secondFactor: trusted ? 'PROVIDER' : null } as const;
  return beginSession(s, user, proof, from, (u) =>
    hasSecondFactor(u) && !trusted ? undefined : pinned(u, identity, at),
  );
}

/** Who has the e-mail that the provider has verified. */
async function byEmail(db: Database, account: string, claims: IDToken): Promise<User | undefined> {
  const { email, email_verified } = claims;
  if (typeof email !== 'string' || email_verified !== true) return undefined;
  return (await findUsersByEmail(db, plainEmail(email), account))[0];
}

/** Beginning again does not help. */
class WrongTime extends Error {}

/** Exchanges the code for the claims of the person. @throws SIGN_IN_FAILED */
async function claimsOf(s: Uses, provider: SignInProvider, attempt: Attempt, query: string) {
  try {
    const { authorizationCodeGrant, fetchUserInfo } = await openId();
    const configuration = await s.providers.configurationOf(provider, s.monotonic(), keysKnownMs);
    const at = new URL(returnTo(s.settings));
    at.search = query;
    const tokens = await authorizationCodeGrant(configuration, at, {
      expectedState: attempt.state,
      expectedNonce: attempt.nonce,
      pkceCodeVerifier: attempt.verifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims() as IDToken;
    // The library compares the end of a token with the machine's clock, and not its beginning.
    if (claims.iat > systemClock() / 1000 + aheadS)
      throw new WrongTime('the token says that it was issued later than now');
    return claims.email === undefined
      ? { ...(await fetchUserInfo(configuration, tokens.access_token, claims.sub)), ...claims }
      : claims;
  } catch (e) {
    const isClock = e instanceof WrongTime || (e as { code?: unknown }).code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED';
    s.log[isClock ? 'warn' : 'info']({ provider: provider.name, ...errorFields(e) }, 'a sign-in at a provider failed');
    throw isClock ? otherTime() : providerFailed();
  }
}
