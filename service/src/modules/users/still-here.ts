// Whether who asked for something may still do so when another agrees to it.
import { fromWire } from '../../core/ids.ts';
import { refuse } from '../../core/refusal.ts';
import type { Role } from '../../core/roles.ts';
import type { Database } from '../../platform/database.ts';
import { wasRevoked } from '../accounts/index.ts';
import { findUser } from './user-store.ts';

/** Why somebody may not do it any more: the key was revoked, or the person was disabled or has another role. */
async function gone(db: Database, actor: string, roles: readonly Role[]): Promise<'KEY' | 'PERSON' | undefined> {
  const key = actor.startsWith('key_') ? fromWire('key', actor) : undefined;
  if (key !== undefined) return (await wasRevoked(db, key)) ? 'KEY' : undefined;
  const id = actor.startsWith('usr_') ? fromWire('user', actor) : undefined;
  const user = id && (await findUser(db, id, undefined));
  return user && (user.state === 'DISABLED' || !roles.includes(user.role)) ? 'PERSON' : undefined;
}

/** @param actor a person, or a key; one that was replaced, or that ended by its own date, is passed over */
export const isStillHere = async (db: Database, actor: string, roles: readonly Role[]): Promise<boolean> =>
  (await gone(db, actor, roles)) === undefined;

/**
 * @param actor as for isStillHere
 * @param roles those that may ask for it
 * @throws STATE_CONFLICT if the person was disabled or has another role, or the key was revoked
 */
export async function expectStillHere(db: Database, actor: string, roles: readonly Role[]): Promise<void> {
  const who = await gone(db, actor, roles);
  if (who === 'KEY')
    throw refuse(
      'STATE_CONFLICT',
      'the key that proposed it was revoked since; reject it, and have somebody else propose it',
    );
  if (who === 'PERSON')
    throw refuse(
      'STATE_CONFLICT',
      'who proposed it was disabled since, or has a role that may not propose it; reject it, and have somebody else propose it',
    );
}
