// The passkeys of a person: adding, naming and removing them, and signing in with one, alone or as the second step.
import { fromWire, toWire } from '../../core/ids.ts';
import { notFound, Refusal, refuse, said } from '../../core/refusal.ts';
import type { Passkey } from '../../records/users.ts';
import type { Needs, Principal } from '../kernel/needs.ts';
import { beginSession, busy, type SignedInNow } from './begin-session.ts';
import { changeUser } from './change-user.ts';
import { askForNew, checkMade, checkUsed, type PasskeyMade, type PasskeyUsed, personOf } from './passkey-answers.ts';
import {
  expectRecent,
  expectRemains,
  ownSession,
  recoveryCodesFor,
  replacing,
  type WithRecoveryCodes,
} from './second-factor.ts';
import type { Spent } from './second-step.ts';
import type { HasSessions } from './sessions.ts';
import type { From, OwnCall } from './sign-in-proof.ts';
import type { HasSignIns } from './turns.ts';
import { findUser, type User } from './user-store.ts';

const mostPasskeys = 10;
/** A challenge answered last that was issued later than this was issued before the clock was set back. */
const aheadMs = 60_000;

const passkeyFailed = () =>
  refuse(
    'SIGN_IN_FAILED',
    'this passkey is not known here, or its answer is wrong, was used before or came too late; try again, or sign in with e-mail and password',
  );

/** A passkey as its person sees it. */
export const passkeyResource = (p: Passkey) => ({
  passkeyId: toWire('passkey', p.id),
  name: p.name,
  createdAt: p.createdAt,
  usedAt: p.usedAt,
});

const all = (u: User): readonly Passkey[] => u.passkeys ?? [];

export async function startPasskey(s: Needs<'settings' | 'db' | 'vault'>, principal: Principal, now: number) {
  expectRecent(principal, now);
  const { user } = await ownSession(s, principal);
  return askForNew(s, user, now);
}

/** Ends all sessions of the person and starts one that has the second factor. The first one brings recovery codes. */
export async function addPasskey(
  s: Needs<'settings' | 'ids' | 'db' | 'committer' | 'vault'> & HasSessions,
  call: OwnCall,
  given: { readonly name: string; readonly passkey: PasskeyMade },
): Promise<WithRecoveryCodes> {
  const { principal, now } = call;
  expectRecent(principal, now);
  const { user, session } = await ownSession(s, principal);
  const key = await checkMade(s, user, given.passkey, now);
  if (!key)
    throw refuse(
      'FIELD_INVALID',
      "the field 'passkey' does not answer a challenge of this session and site; try again",
    );
  const codes = recoveryCodesFor(user);
  const id = s.ids.next();
  const begun = await replacing(s, call, user, session, 'PASSKEY', {
    change: 'PASSKEY_ADDED',
    passkeyId: toWire('passkey', id),
    to(u, at) {
      if (all(u).some((p) => p.credential === key.credential))
        return refuse('ALREADY_REGISTERED', 'this passkey is registered already');
      if (all(u).length >= mostPasskeys)
        return refuse('LIMIT_REACHED', said`a person has at most ${mostPasskeys} passkeys; remove one first`);
      const added: Passkey = { id, name: given.name, ...key, createdAt: at, usedAt: null, answered: 0 };
      return { passkeys: [...all(u), added], ...codes.change(u) };
    },
  });
  return { begun, recoveryCodes: codes.given() };
}

const find = (u: User, wire: string): Passkey => {
  const id = fromWire('passkey', wire);
  const found = all(u).find((p) => p.id === id);
  if (!found) throw notFound();
  return found;
};

export async function renamePasskey(
  s: Needs<'ids' | 'db' | 'committer'> & HasSessions,
  principal: Principal,
  wire: string,
  name: string,
  now: number,
): Promise<Passkey> {
  const { user } = await ownSession(s, principal);
  const { id } = find(user, wire);
  const after = await changeUser(s, principal, user, now, {
    kind: 'user.second_factor_changed',
    evidence: { change: 'PASSKEY_RENAMED', passkeyId: wire, reason: null },
    to: (u) =>
      all(u).some((p) => p.id === id && p.name !== name)
        ? { passkeys: all(u).map((p) => (p.id === id ? { ...p, name } : p)) }
        : undefined,
  });
  return find(after, wire);
}

export async function removePasskey(
  s: Needs<'settings' | 'ids' | 'db' | 'committer'> & HasSessions,
  call: OwnCall,
  wire: string,
): Promise<SignedInNow> {
  const { principal, now } = call;
  expectRecent(principal, now);
  const { user, session } = await ownSession(s, principal);
  const { id } = find(user, wire);
  const without = (u: User) => {
    const passkeys = all(u).filter((p) => p.id !== id);
    return { passkeys, ...(passkeys.length === 0 && u.totpSince === null ? { recoveryCodes: null } : {}) };
  };
  expectRemains(s, user, { ...user, ...without(user) });
  const left = without(user).passkeys.length > 0 || user.totpSince !== null ? session.secondFactor : null;
  return replacing(s, call, user, session, left, {
    change: 'PASSKEY_REMOVED',
    passkeyId: wire,
    to: (u) => (all(u).some((p) => p.id === id) ? without(u) : undefined),
  });
}

/** Checks that an answer is of a passkey of this person; each challenge is answered once by each passkey. */
export async function checkPasskey(
  s: Needs<'settings' | 'vault'>,
  user: User,
  used: PasskeyUsed,
  now: number,
): Promise<Spent | undefined> {
  const known = all(user).find((p) => p.credential === used.id);
  const answer = known && (await checkUsed(s, known, used, now));
  if (!answer) return undefined;
  const isUnused = (p: Passkey) =>
    (answer.issued > p.answered || p.answered > now + aheadMs) &&
    (answer.counter > p.counter || (answer.counter === 0 && p.counter === 0));
  return {
    secondFactor: 'PASSKEY',
    spend: (u) =>
      all(u).some((p) => p.id === known.id && isUnused(p))
        ? {
            passkeys: all(u).map((p) =>
              p.id === known.id
                ? { ...p, counter: answer.counter, usedAt: new Date(now).toISOString(), answered: answer.issued }
                : p,
            ),
          }
        : undefined,
  };
}

/**
 * Signs in with a passkey alone: it has checked its holder. It cannot be guessed, so that wrong answers lock nobody out.
 * @throws SIGN_IN_FAILED, the same for every reason; OVERLOADED
 */
export async function signInWithPasskey(
  s: Needs<'settings' | 'ids' | 'db' | 'committer' | 'vault'> & HasSessions & HasSignIns,
  used: PasskeyUsed,
  from: From,
): Promise<SignedInNow> {
  const { now } = from;
  const id = personOf(used);
  if (id === undefined) throw passkeyFailed();
  const done = s.signIns.run(`passkey ${from.network ?? ''} ${id}`, async () => {
    const user = await findUser(s.db, id, undefined);
    const spent = user?.state === 'ACTIVE' ? await checkPasskey(s, user, used, now) : undefined;
    if (!user || !spent) throw passkeyFailed();
    return beginSession(s, user, { method: 'PASSKEY', secondFactor: null }, from, spent.spend).catch((e: unknown) => {
      throw e instanceof Refusal && e.code === 'SIGN_IN_FAILED' ? passkeyFailed() : e;
    });
  });
  if (!done) throw busy();
  return done;
}
