// The first person who can sign in: an administrator of the staff account with a one-time password, created if there is
// none. If several processes start at the same moment, one creates it.
import { nobody } from '../../core/ids.ts';
import { Refusal } from '../../core/refusal.ts';
import { createKeyless, findOperator, type HasAccounts } from '../accounts/index.ts';
import type { Needs } from '../kernel/needs.ts';
import { type Principal, system } from '../kernel/principal.ts';
import { createUser } from './change-user.ts';
import { anyUser } from './user-store.ts';

const once = (ref: string) => ({ psp: nobody, space: 'first-start', ref, account: nobody });

/** The staff account (UUID): the oldest operator's, or a new one. */
export async function staffAccount(
  s: Needs<'settings' | 'ids' | 'db' | 'committer' | 'vault' | 'subjects'> & HasAccounts,
  principal: Principal,
  now: number,
): Promise<string> {
  const known = await findOperator(s.db);
  if (known !== undefined) return known;
  const id = s.ids.next();
  try {
    await createKeyless(s, principal, { psp: id, id, kind: 'operator', name: 'Staff', once: once('operator') }, now);
    return id;
  } catch (e) {
    const made = e instanceof Refusal && e.code === 'ALREADY_REGISTERED' ? await findOperator(s.db) : undefined;
    if (made === undefined) throw e;
    return made;
  }
}

/** @returns the sign-in details, which are not stored; undefined if somebody can sign in already */
export async function firstAdministrator(
  s: Needs<'settings' | 'clock' | 'ids' | 'db' | 'committer' | 'vault' | 'passwords' | 'subjects'> & HasAccounts,
): Promise<{ email: string; password: string } | undefined> {
  if (await anyUser(s.db)) return undefined;
  const now = s.clock();
  const email = 'admin@localhost';
  try {
    const account = await staffAccount(s, system, now);
    const made = await createUser(
      s,
      system,
      { email, name: 'First administrator', role: 'administrator', account, once: once('administrator') },
      now,
    );
    return { email, password: made.password };
  } catch (e) {
    if (e instanceof Refusal && e.code === 'ALREADY_REGISTERED') return undefined;
    throw e;
  }
}
