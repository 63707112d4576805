// Sessions of people: the cookie `assay_session` contains `ses_<id>_<secret>`, the database only a SHA-256 of the
// secret. A session read from the database is cached for less than a second, so that its end takes effect within one.
import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { fromWire, toWire } from '../../core/ids.ts';
import { Refusal, refuse } from '../../core/refusal.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { Kept } from '../../platform/kept.ts';
import { ownBytes } from '../../platform/own-bytes.ts';
import { randomSecret } from '../../platform/random.ts';
import type { Settings } from '../../settings.ts';
import type { Needs, Principal } from '../kernel/needs.ts';
import { type From, firstOf, type Proof, recordedAgent, recordedFrom } from './sign-in-proof.ts';
import { findSession, type Session, type SessionOfUser, type User, writeSeen } from './user-store.ts';

const trustedMs = 750;
/** Maximum lifetime, regardless of activity. */
export const longestMs = 12 * 3_600_000;
/** Since the last call. */
export const idleMs = 3_600_000;

export const sessionCookie = 'assay_session';
const form = /^(ses_[0-9a-hjkmnp-tv-z]{26})_([0-9A-Za-z_-]{43})$/;

export interface NewSession {
  readonly token: string;
  readonly session: Session;
}

/** @param proof how the person signed in; a session that replaces another one continues its proof */
export function newSession(s: Needs<'ids'>, user: User, proof: Proof, from: From): NewSession {
  const id = s.ids.next();
  const secret = randomSecret(32).toString('base64url');
  const at = new Date(from.now).toISOString();
  return {
    token: `${toWire('session', id)}_${secret}`,
    session: {
      psp: user.psp,
      id,
      user: user.id,
      tokenHash: hash('sha256', secret),
      epoch: user.sessionEpoch,
      createdAt: at,
      expiresAt: new Date(from.now + longestMs).toISOString(),
      seenAt: at,
      endedAt: null,
      seenNetwork: null,
      method: proof.method,
      secondFactor: proof.secondFactor,
      agent: recordedAgent(from),
      network: recordedFrom(from),
    },
  };
}

/** The token with which a page proves that it can read the session; it can be derived only from the cookie. */
export const csrfToken = (token: string): string => createHmac('sha256', token).update('csrf').digest('base64url');

/** Whether an account's people may sign in: as with operators' keys; those of a PSP or client that may not trade can still read. */
export const letsIn = (a: Pick<SessionOfUser['account'], 'kind' | 'standing' | 'view'>, now: number): boolean =>
  (a.kind !== 'operator' && a.kind !== 'authority') ||
  (a.standing === 'ACTIVE' && (a.kind === 'operator' || (a.view !== undefined && now < Date.parse(a.view.until))));

export const sessionEnded = () => refuse('SESSION_INVALID', 'the session has ended; sign in again');

export interface SignedIn {
  readonly principal: Principal;
  /** What the person must do before anything else. */
  readonly first: ReturnType<typeof firstOf>;
}

interface Known extends SignedIn {
  readonly found: SessionOfUser;
  readonly secretHash: Uint8Array;
  /** Monotonic milliseconds. */
  readonly readAt: number;
}

export interface HasSessions {
  readonly sessions: SessionRing;
}

/** Resolves session tokens to principals. One per process. */
export class SessionRing {
  readonly #db: Database;
  readonly #clock: Clock;
  /** For the age of cached sessions: unaffected by a clock that was set back. */
  readonly #monotonic: Clock;
  readonly #required: Settings['requireSecondFactor'];
  readonly #known = new Kept<Known>(16 * 2 ** 20, () => 1800);
  /** By hash of the whole token. */
  readonly #checked = new Kept<Principal>(8 * 2 ** 20, () => 700);
  readonly #seen = new Kept<number>(4 * 2 ** 20, () => 160);
  /** Sessions whose last call is not stored yet. */
  readonly #unwritten = new Map<string, { at: number; address: string | undefined }>();
  #changes = 0;

  constructor(db: Database, o: Needs<'settings'> & { readonly clock: Clock; readonly monotonic: Clock }) {
    this.#db = db;
    this.#clock = o.clock;
    this.#monotonic = o.monotonic;
    this.#required = o.settings.requireSecondFactor;
  }

  /** @param address the caller's address */
  async resolve(token: string, address?: string): Promise<SignedIn | Refusal> {
    const digest = hash('sha256', token, 'base64');
    const signedIn = await this.#resolve(token, address);
    if (signedIn instanceof Refusal) this.#checked.delete(digest);
    else {
      this.#checked.set(digest, signedIn.principal);
    }
    return signedIn;
  }

  /** The principal of a session that was valid when last checked. It may have ended since, so this permits nothing. */
  recall(token: string): Principal | undefined {
    return this.#checked.get(hash('sha256', token, 'base64'));
  }

  async #resolve(token: string, address: string | undefined): Promise<SignedIn | Refusal> {
    const [, wire, secret] = form.exec(token) ?? [];
    const id = wire === undefined ? undefined : fromWire('session', wire);
    if (id === undefined || secret === undefined) return sessionEnded();
    const held = this.#known.get(id);
    const known = held && this.#monotonic() - held.readAt < trustedMs ? held : await this.#read(id);
    if (!known || !timingSafeEqual(hash('sha256', secret, 'buffer'), known.secretHash)) return sessionEnded();
    const now = this.#clock();
    if (!this.#isLive(known.found, now)) return sessionEnded();
    this.#seen.set(id, now);
    this.#unwritten.set(id, { at: now, address });
    const { principal, first } = known;
    return {
      principal: {
        ...principal,
        session: {
          id,
          user: known.found.user.id,
          csrfToken: csrfToken(token),
          since: Date.parse(known.found.session.createdAt),
        },
      },
      first,
    };
  }

  #isLive({ session, user, account }: SessionOfUser, now: number): boolean {
    const seen = Math.max(Date.parse(session.seenAt), this.#seen.get(session.id) ?? 0);
    return (
      session.endedAt === null &&
      session.epoch === user.sessionEpoch &&
      user.state === 'ACTIVE' &&
      Date.parse(session.expiresAt) > now &&
      // A session that would last longer was created before the clock was set back.
      Date.parse(session.expiresAt) <= now + 2 * longestMs &&
      seen + idleMs > now &&
      letsIn(account, now)
    );
  }

  async #read(id: string): Promise<Known | undefined> {
    const readAt = this.#monotonic();
    const changes = this.#changes;
    const found = await findSession(this.#db, id);
    if (!found) return undefined;
    const { user, account } = found;
    const known: Known = {
      found,
      principal: {
        kind: account.kind,
        psp: user.psp,
        account: user.account,
        actor: toWire('user', user.id),
        role: user.role,
        ...(account.test ? { test: true } : {}),
        ...(account.view === undefined ? {} : { view: account.view }),
        ...account.strictest,
      },
      first: firstOf(this.#required, user, found.session),
      secretHash: ownBytes(Buffer.from(found.session.tokenHash, 'hex')),
      readAt,
    };
    // The result may lack a change made here meanwhile.
    if (changes === this.#changes) this.#known.set(id, known);
    return known;
  }

  /** Clears the session cache, so that a change made here takes effect at once. */
  forget(): void {
    this.#changes++;
    this.#known.clear();
  }

  /** Stores when sessions were last used, and from which network; called periodically. */
  async flushUse(): Promise<void> {
    if (this.#unwritten.size === 0) return;
    const seen = [...this.#unwritten];
    await writeSeen(this.#db, seen);
    for (const [id, use] of seen) if (this.#unwritten.get(id) === use) this.#unwritten.delete(id);
  }
}
