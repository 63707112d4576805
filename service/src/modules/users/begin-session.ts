// The last step of every sign-in: one commit that checks the person as they are at that moment, spends what is valid
// once, and begins the session. Counts failed attempts.
import { toWire } from '../../core/ids.ts';
import { refuse } from '../../core/refusal.ts';
import type { Database } from '../../platform/database.ts';
import { findAnyAccount, findAuthority } from '../accounts/index.ts';
import type { Needs, Principal } from '../kernel/needs.ts';
import { type ChangesUsers, changeUser } from './change-user.ts';
import { letsIn, type NewSession, newSession } from './sessions.ts';
import { isLocked, lockMs, mostFailures } from './sign-in-lock.ts';
import type { From, Proof } from './sign-in-proof.ts';
import { sessionRow, type User } from './user-store.ts';

export const failed = () =>
  refuse(
    'SIGN_IN_FAILED',
    'the e-mail or the password is wrong, or the sign-in is locked after several failures; try again in 15 minutes',
  );
export const busy = () => refuse('OVERLOADED', 'too many people are signing in; try again shortly', 1);

/** The person as the actor of changes to themselves. */
const self = (u: User): Principal => ({
  kind: 'client',
  psp: u.psp,
  account: u.account,
  actor: toWire('user', u.id),
});

/** A session of an account whose people are not let in would end with its first request. @throws SIGN_IN_FAILED */
async function expectLetIn(db: Database, user: User, now: number): Promise<void> {
  const account = await findAnyAccount(db, user.account);
  if (!account) throw failed();
  const view = account.kind === 'authority' ? await findAuthority(db, account.id) : undefined;
  if (letsIn({ kind: account.kind, standing: account.operationalStanding, view }, now)) return;
  throw refuse('SIGN_IN_FAILED', 'the account that you sign in for has ended or is suspended; ask those who run Assay');
}

export interface SignedInNow extends NewSession {
  readonly user: User;
}

/**
 * @param user as read when the proof was checked
 * @param spend what the proof changes in the person as they are at the commit; undefined if it is not valid any more
 * @throws SIGN_IN_FAILED
 */
export async function beginSession(
  s: ChangesUsers & Needs<'db'>,
  user: User,
  proof: Proof,
  from: From,
  spend: (u: User) => Partial<User> | undefined = () => ({}),
): Promise<SignedInNow> {
  const { now } = from;
  await expectLetIn(s.db, user, now);
  let made: NewSession | undefined;
  // Who signs in past a lock that others caused leaves it to them.
  const past = isLocked(user, now);
  const after = await changeUser(s, self(user), user, now, {
    kind: 'user.signed_in',
    evidence: proof,
    to(u, at) {
      // Disabled, locked out or given another password while the proof was being checked.
      if (u.state !== 'ACTIVE' || (isLocked(u, now) && !past) || u.passwordScrypt !== user.passwordScrypt)
        return failed();
      const spent = spend(u);
      return spent === undefined
        ? failed()
        : { ...spent, ...(past ? {} : { failures: 0, lockedUntil: null }), signedInAt: at };
    },
    rows(u) {
      made = newSession(s, u, proof, from);
      return [sessionRow(made.session)];
    },
  });
  return { ...(made as NewSession), user: after };
}

export function countFailure(s: ChangesUsers, user: User, now: number): Promise<User> {
  return changeUser(s, self(user), user, now, {
    kind: 'user.sign_in_failed',
    to: (u) => {
      if (isLocked(u, now)) return undefined;
      const failures = u.failures + 1;
      return failures < mostFailures
        ? { failures }
        : { failures: 0, lockedUntil: new Date(now + lockMs).toISOString() };
    },
  });
}
