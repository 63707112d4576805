// Signing in and out, and changing one's own password. An unknown e-mail, a wrong password and a locked sign-in look
// the same from outside and take as long.
import { refuse, type Said, said } from '../../core/refusal.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { errorFields } from '../../platform/log.ts';
import { type PasswordCost, Passwords } from '../../platform/passwords.ts';
import type { Needs, Principal } from '../kernel/needs.ts';
import { beginSession, busy, countFailure, failed, type SignedInNow } from './begin-session.ts';
import { changeUser, hashFor } from './change-user.ts';
import { isGuessable } from './guessable.ts';
import { Providers } from './providers.ts';
import { type HasSessions, type NewSession, newSession, SessionRing } from './sessions.ts';
import { FailuresByNetwork, isLocked, keepsOut } from './sign-in-lock.ts';
import { type From, hasSecondFactor, type OwnCall } from './sign-in-proof.ts';
import { type HasSignIns, Turns } from './turns.ts';
import { findSession, findUsersByEmail, passwordGivenAt, plainEmail, sessionRow, type User } from './user-store.ts';

/** Cost of hashing chosen passwords: 16 MiB and about 250 ms each. */
export const passwordCost: PasswordCost = { N: 16384, r: 8, p: 5 };

/** An unused one-time password may remain in a mailbox. */
const oneTimeMs = 72 * 3_600_000;
export const shortestPassword = 12;

/** The services required for sign-in. */
export const makeSignIn = (
  db: Database,
  o: Needs<'settings'> & { clock: Clock; monotonic: Clock; cost: PasswordCost },
) => ({
  sessions: new SessionRing(db, o),
  passwords: new Passwords(o.cost),
  providers: new Providers(),
  signIns: new Turns(),
  signInFailures: new FailuresByNetwork(),
});

/**
 * An e-mail may belong to several accounts: the password selects the account, and among equal passwords the one signed
 * in to last.
 * @param account limits the sign-in to this account's people
 * @param network the caller's; networks take turns
 * @throws SIGN_IN_FAILED; OVERLOADED if too many are waiting
 */
export async function signIn(
  s: Needs<'ids' | 'log' | 'db' | 'committer' | 'passwords'> & HasSessions & HasSignIns,
  given: string,
  password: string,
  account: string | undefined,
  from: From,
): Promise<SignedInNow | { readonly half: User }> {
  const { now, network = '' } = from;
  const email = plainEmail(given);
  // Attempts for one e-mail from one network run one after another, so that a failure is counted before the next is
  // checked; those of other networks do not wait for them.
  const done = s.signIns.run(`${network} ${email}`, async (first) => {
    const users = await findUsersByEmail(s.db, email, account);
    const hashes = users.map((u) => u.passwordScrypt);
    const right = await s.passwords.matching(password, hashes, network);
    if (right === undefined) throw busy();
    const meant = users.filter((u) => right.has(u.passwordScrypt)).sort(lastSignedInFirst);
    for (const user of meant) {
      if (user.state !== 'ACTIVE' || (await keepsOut(s, user, network, now))) continue;
      if (user.passwordKind === 'ONE_TIME' && (await passwordGivenAt(s.db, user)) + oneTimeMs <= now) continue;
      return hasSecondFactor(user)
        ? { half: user }
        : beginSession(s, user, { method: 'PASSWORD', secondFactor: null }, from, (u) =>
            // Set up while the password was being checked.
            hasSecondFactor(u) ? undefined : {},
          );
    }
    const wrong = meant.length > 0 ? [] : users.filter((u) => u.state === 'ACTIVE');
    for (const user of wrong) s.signInFailures.add(user, network, now);
    const guessed = wrong.filter((u) => !isLocked(u, now));
    // Not awaited: the duration would reveal whether there is a user to count it for.
    first(
      Promise.all(guessed.map((user) => countFailure(s, user, now))).catch((e: unknown) =>
        s.log.error(errorFields(e), 'a failed sign-in was not counted'),
      ),
    );
    throw failed();
  });
  if (!done) throw busy();
  return done;
}

const lastSignedInFirst = (a: User, b: User): number => (b.signedInAt ?? '').localeCompare(a.signedInAt ?? '');

/** Ends the session; a repeat has no effect. */
export async function signOut(
  s: Needs<'ids' | 'db' | 'committer'> & HasSessions,
  principal: Principal,
  now: number,
): Promise<void> {
  const found = principal.session && (await findSession(s.db, principal.session.id));
  if (!found) return;
  const endedAt = new Date(now).toISOString();
  await changeUser(s, principal, found.user, now, {
    kind: 'user.signed_out',
    to: () => (found.session.endedAt === null ? {} : undefined),
    rows: () => [sessionRow({ ...found.session, endedAt })],
  });
}

/** Changes one's own password: ends every session and starts a new one. @throws FIELD_INVALID, SIGN_IN_FAILED */
export async function changePassword(
  s: Needs<'ids' | 'db' | 'committer' | 'passwords'> & HasSessions & HasSignIns,
  call: OwnCall,
  current: string,
  next: string,
): Promise<SignedInNow> {
  const { principal, now, network = '' } = call;
  const found = principal.session && (await findSession(s.db, principal.session.id));
  if (!found) throw failed();
  const { user, session } = found;
  if (await keepsOut(s, user, network, now)) throw failed();
  const right = await s.passwords.check(current, user.passwordScrypt, network);
  if (right === undefined) throw busy();
  if (!right) {
    s.signInFailures.add(user, network, now);
    await countFailure(s, user, now);
    throw refuse('FIELD_INVALID', "the field 'currentPassword' is not the password in use");
  }
  const wrong = unfit(user, current, next);
  if (wrong) throw refuse('FIELD_INVALID', said`the field 'newPassword' ${wrong}`);
  const passwordScrypt = await hashFor(s, user.email, next);
  let made: NewSession | undefined;
  const after = await changeUser(s, principal, user, now, {
    kind: 'user.password_changed',
    to: (u) =>
      u.passwordScrypt === user.passwordScrypt
        ? { passwordScrypt, passwordKind: 'OWN', failures: 0, lockedUntil: null, sessionEpoch: u.sessionEpoch + 1 }
        : refuse('VERSION_CONFLICT', 'the password was changed at the same moment; sign in again'),
    rows(u) {
      made = newSession(s, u, session, call);
      return [sessionRow(made.session)];
    },
  });
  return { ...(made as NewSession), user: after };
}

/** What is wrong with a chosen password; undefined if nothing is. */
function unfit(user: User, current: string, next: string): Said | undefined {
  if (next === current) return said`must differ from the password in use`;
  const lower = next.toLowerCase();
  const names = [user.email, user.email.split('@')[0] as string, ...user.name.toLowerCase().split(/\s+/)];
  if (names.some((n) => n.length > 3 && lower.includes(n))) return said`must not contain your name or e-mail`;
  if (new Set(next).size < 5) return said`must have more different characters`;
  if (isGuessable(next))
    return said`is among the first that anybody would try; choose words that do not belong together`;
  return undefined;
}
