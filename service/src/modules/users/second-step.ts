// The second step of a sign-in: a code of the generator, a recovery code or a passkey, each accepted once. Whatever is
// wrong looks the same from outside and counts as a failed sign-in.
import { stepMs } from '../../core/one-time-code.ts';
import { Refusal, refuse } from '../../core/refusal.ts';
import { recoveryHash, stepOfCode } from '../../platform/one-time-codes.ts';
import type { SecondFactor } from '../../records/sessions.ts';
import type { Needs } from '../kernel/needs.ts';
import { beginSession, busy, countFailure, type SignedInNow } from './begin-session.ts';
import { isOpen, openChallenge } from './challenge.ts';
import { pinned } from './identities.ts';
import type { HasSessions } from './sessions.ts';
import { keepsOut } from './sign-in-lock.ts';
import type { From } from './sign-in-proof.ts';
import type { HasSignIns } from './turns.ts';
import { findUser, type User } from './user-store.ts';

/** Where a generator's secret is sealed. */
export const secretPlace = (u: User) => `users/${u.id}/totp`;

const secondFailed = () =>
  refuse(
    'SIGN_IN_FAILED',
    'this second step is wrong, was used before or came too late, or the sign-in is locked; begin again with e-mail and password',
  );

/** What a proof changes in the person as they are at the commit; undefined if it is not valid. */
export interface Spent {
  readonly secondFactor: SecondFactor;
  readonly spend: (u: User) => Partial<User> | undefined;
}

/** Checks a code of the generator, or a recovery code: they differ in form. */
export function checkCode(s: Needs<'vault'>, user: User, given: string, now: number): Spent | undefined {
  const code = given.replaceAll(/[\s-]/g, '');
  if (/^\d{6}$/.test(code)) {
    if (user.totpSecret === null) return undefined;
    const step = stepOfCode(s.vault.open(user.totpSecret, secretPlace(user)), code, now);
    return step === undefined
      ? undefined
      : {
          secondFactor: 'CODE',
          spend: (u) =>
            u.totpSecret === user.totpSecret && isLater(step, u.totpStep, now) ? { totpStep: step } : undefined,
        };
  }
  const used = recoveryHash(user.id, code);
  return (user.recoveryCodes ?? []).includes(used)
    ? {
        secondFactor: 'RECOVERY_CODE',
        spend: (u) =>
          (u.recoveryCodes ?? []).includes(used)
            ? { recoveryCodes: (u.recoveryCodes ?? []).filter((hash) => hash !== used) }
            : undefined,
      }
    : undefined;
}

/** A last step far ahead was written before the clock was set back, and its codes have not come yet. */
const isLater = (step: number, last: number | null, now: number): boolean =>
  last === null || step > last || last > now / stepMs + 3;

/**
 * The second step of a sign-in.
 * @param check what the caller was given: a code by default
 * @throws SIGN_IN_FAILED, the same for every reason; OVERLOADED
 */
export async function completeSignIn(
  s: Needs<'ids' | 'db' | 'committer' | 'vault'> & HasSessions & HasSignIns,
  challenge: string,
  check: (user: User) => Spent | undefined | Promise<Spent | undefined>,
  from: From,
): Promise<SignedInNow> {
  const { now, network = '' } = from;
  const open = openChallenge(s.vault, challenge, now);
  if (!open) throw secondFailed();
  // One attempt after another, so that a failure is counted before the next is checked.
  const done = s.signIns.run(`second ${open.user}`, async () => {
    const user = await findUser(s.db, open.user, undefined);
    if (!user || !isOpen(open, user) || (await keepsOut(s, user, network, now))) throw secondFailed();
    const spent = await check(user);
    if (spent === undefined || spent.spend(user) === undefined) {
      s.signInFailures.add(user, network, now);
      await countFailure(s, user, now);
      throw secondFailed();
    }
    const at = new Date(now).toISOString();
    const spend = (u: User) => {
      const [used, noted] = [spent.spend(u), open.identity ? pinned(u, open.identity, at) : {}];
      return isOpen(open, u) && used && noted ? { ...used, ...noted } : undefined;
    };
    const proof = { method: open.method, secondFactor: spent.secondFactor };
    return beginSession(s, user, proof, from, spend).catch((e: unknown) => {
      throw e instanceof Refusal && e.code === 'SIGN_IN_FAILED' ? secondFailed() : e;
    });
  });
  if (!done) throw busy();
  return done;
}
