// How a person sets up, renews and removes their second factor: codes of a generator (RFC 6238) and recovery codes.
// Secrets are stored sealed or hashed, and shown once.
import { notFound, refuse } from '../../core/refusal.ts';
import {
  codeAddress,
  makeCodeSecret,
  makeRecoveryCode,
  recoveryHash,
  stepOfCode,
} from '../../platform/one-time-codes.ts';
import type { SecondFactor } from '../../records/sessions.ts';
import type { Needs, Principal } from '../kernel/needs.ts';
import type { SignedInNow } from './begin-session.ts';
import { isFresh, opened } from './challenge.ts';
import { type ChangesUsers, changeUser, endsSessions } from './change-user.ts';
import { secretPlace } from './second-step.ts';
import { type HasSessions, type NewSession, newSession, sessionEnded } from './sessions.ts';
import { hasSecondFactor, needsSecondFactor, type OwnCall } from './sign-in-proof.ts';
import { findSession, type Session, sessionRow, type User } from './user-store.ts';

const recoveryCodes = 10;
/** Time to scan the picture and type a code. */
const setUpMs = 15 * 60_000;
/** A stranger who finds an open session cannot change how its person signs in. */
const recentMs = 15 * 60_000;
const setUpPlace = 'second factor being set up';

/** The session and person of a call. @throws SESSION_INVALID */
export async function ownSession(s: Needs<'db'>, principal: Principal): Promise<{ user: User; session: Session }> {
  const found = principal.session && (await findSession(s.db, principal.session.id));
  if (!found) throw sessionEnded();
  return found;
}

/** @throws SIGN_IN_AGAIN */
export function expectRecent({ session }: Principal, now: number): void {
  if (!session || !isFresh(session.since, now, recentMs))
    throw refuse('SIGN_IN_AGAIN', 'this needs a sign-in of the last 15 minutes; sign out and in again first');
}

interface SetUp {
  readonly user: string;
  readonly secret: string;
  readonly at: number;
}

/** A new secret for a code generator. Nothing is stored until a code proves that the generator has it. */
export async function startCodes(s: Needs<'settings' | 'db' | 'vault'>, principal: Principal, now: number) {
  expectRecent(principal, now);
  const { user } = await ownSession(s, principal);
  const secret = makeCodeSecret();
  const setUp: SetUp = { user: user.id, secret, at: now };
  return {
    secret,
    address: codeAddress(secret, user.email),
    setUp: s.vault.seal(JSON.stringify(setUp), setUpPlace),
    expiresAt: new Date(now + setUpMs).toISOString(),
  };
}

/** Shown once; the hashes are stored. */
const makeRecoveryCodes = (user: User) =>
  Array.from({ length: recoveryCodes }, makeRecoveryCode).map((code) => ({
    code,
    hash: recoveryHash(user.id, code),
  }));

/** The recovery codes of a person who sets up a second factor: new ones if they have none, and otherwise those they keep. */
export function recoveryCodesFor(user: User) {
  const made = makeRecoveryCodes(user);
  let given: readonly string[] = [];
  return {
    /** @param u as they are at the commit @returns what changes in the person */
    change(u: User): Partial<User> {
      const isFirst = (u.recoveryCodes ?? []).length === 0;
      given = isFirst ? made.map((c) => c.code) : [];
      return isFirst ? { recoveryCodes: made.map((c) => c.hash) } : {};
    },
    /** Those to show after the commit; none if the person keeps theirs. */
    given: () => given,
  };
}

export interface WithRecoveryCodes {
  readonly begun: SignedInNow;
  readonly recoveryCodes: readonly string[];
}

/** Ends all sessions of the person, for they began without the second factor, and starts one that has it. */
export async function confirmCodes(
  s: Needs<'ids' | 'db' | 'committer' | 'vault'> & HasSessions,
  call: OwnCall,
  given: { readonly setUp: string; readonly code: string },
): Promise<WithRecoveryCodes> {
  const { principal, now } = call;
  expectRecent(principal, now);
  const { user, session } = await ownSession(s, principal);
  const setUp = opened<SetUp>(s.vault, given.setUp, setUpPlace);
  if (setUp?.user !== user.id || !isFresh(setUp.at, now, setUpMs))
    throw refuse('FIELD_INVALID', "the field 'setUp' is not of this set-up, or older than 15 minutes; start again");
  const step = stepOfCode(setUp.secret, given.code.replaceAll(/[\s-]/g, ''), now);
  if (step === undefined)
    throw refuse(
      'FIELD_INVALID',
      "the field 'code' is not the code of this moment; check the clock of the device and type the next code",
    );
  const codes = recoveryCodesFor(user);
  const begun = await replacing(s, call, user, session, 'CODE', {
    change: 'CODES_SET_UP',
    to: (u, at) =>
      u.totpSince === null
        ? {
            totpSecret: s.vault.seal(setUp.secret, secretPlace(u)),
            totpSince: at,
            totpStep: step,
            ...codes.change(u),
          }
        : refuse('STATE_CONFLICT', 'a code generator is set up already; remove it first'),
  });
  return { begun, recoveryCodes: codes.given() };
}

type Change = 'CODES_SET_UP' | 'CODES_REMOVED' | 'RECOVERY_CODES_MADE' | 'PASSKEY_ADDED' | 'PASSKEY_REMOVED';

/**
 * Changes how a person signs in, ends all their sessions and starts a new one in place of the caller's. Nobody has signed in
 * by that: the new one is as old as the caller's, and ends when that would have.
 */
export async function replacing(
  s: ChangesUsers,
  call: OwnCall,
  user: User,
  session: Session,
  secondFactor: SecondFactor | null,
  {
    change,
    passkeyId = null,
    to,
  }: { change: Change; passkeyId?: string | null; to: Parameters<typeof changeUser>[4]['to'] },
): Promise<SignedInNow> {
  let begun: NewSession | undefined;
  const after = await changeUser(s, call.principal, user, call.now, {
    kind: 'user.second_factor_changed',
    evidence: { change, passkeyId, reason: null },
    to(u, at) {
      const changed = to(u, at);
      return changed === undefined || changed instanceof Error ? changed : { ...changed, ...endsSessions(u) };
    },
    rows(u) {
      const { token, session: made } = newSession(s, u, { method: session.method, secondFactor }, call);
      const { createdAt, expiresAt } = session;
      begun = { token, session: { ...made, createdAt, expiresAt } };
      return [sessionRow(begun.session)];
    },
  });
  if (!begun) throw refuse('STATE_CONFLICT', 'there is nothing to change');
  return { ...begun, user: after };
}

/** @throws STATE_CONFLICT if it is the last second factor and one is required */
export function expectRemains(s: Needs<'settings'>, before: User, after: User): void {
  if (
    hasSecondFactor(before) &&
    !hasSecondFactor(after) &&
    needsSecondFactor(s.settings.requireSecondFactor, after.role)
  )
    throw refuse('STATE_CONFLICT', 'a second factor is required here; set up another one before you remove this one');
}

/** The person without codes; recovery codes remain as long as there is a second factor that can be lost. */
const withoutCodes = (u: User) => ({
  totpSecret: null,
  totpSince: null,
  totpStep: null,
  ...((u.passkeys ?? []).length > 0 ? {} : { recoveryCodes: null }),
});

export async function removeCodes(
  s: Needs<'settings' | 'ids' | 'db' | 'committer'> & HasSessions,
  call: OwnCall,
): Promise<SignedInNow> {
  const { principal, now } = call;
  expectRecent(principal, now);
  const { user, session } = await ownSession(s, principal);
  if (user.totpSince === null) throw notFound();
  expectRemains(s, user, { ...user, ...withoutCodes(user) });
  const left = (user.passkeys ?? []).length > 0 ? session.secondFactor : null;
  return replacing(s, call, user, session, left, {
    change: 'CODES_REMOVED',
    to: (u) => (u.totpSince === null ? undefined : withoutCodes(u)),
  });
}

/** Makes ten new recovery codes; the old ones end. */
export async function renewRecoveryCodes(
  s: Needs<'ids' | 'db' | 'committer'> & HasSessions,
  principal: Principal,
  now: number,
): Promise<readonly string[]> {
  expectRecent(principal, now);
  const { user } = await ownSession(s, principal);
  const codes = makeRecoveryCodes(user);
  await changeUser(s, principal, user, now, {
    kind: 'user.second_factor_changed',
    evidence: { change: 'RECOVERY_CODES_MADE', passkeyId: null, reason: null },
    to: (u) =>
      hasSecondFactor(u)
        ? { recoveryCodes: codes.map((c) => c.hash) }
        : refuse('STATE_CONFLICT', 'there is no second factor to recover; set one up first'),
  });
  return codes.map((c) => c.code);
}

/** Removes every second factor of a person who lost theirs, and ends their sessions. */
export const resetSecondFactor = (s: ChangesUsers, by: Principal, user: User, reason: string, now: number) =>
  changeUser(s, by, user, now, {
    kind: 'user.second_factor_changed',
    evidence: { change: 'RESET', passkeyId: null, reason },
    to: (u) =>
      hasSecondFactor(u)
        ? {
            totpSecret: null,
            totpSince: null,
            totpStep: null,
            recoveryCodes: null,
            passkeys: null,
            ...endsSessions(u),
          }
        : undefined,
  });
