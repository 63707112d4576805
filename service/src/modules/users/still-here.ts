// Whether who asked for something may still do so when another agrees to it.
import { fromWire } from '../../core/ids.ts';
import { refuse } from '../../core/refusal.ts';
import type { Role } from '../../core/roles.ts';
import type { Database } from '../../platform/database.ts';
import { wasRevoked } from '../accounts/index.ts';
import { findUser } from './user-store.ts';

/**
 * @param actor a person, or a key; one that was replaced, or that ended by its own date, is passed over
 * @param roles those that may ask for it
 * @throws STATE_CONFLICT if the person was disabled or has another role, or the key was revoked
 */
export async function expectStillHere(db: Database, actor: string, roles: readonly Role[]): Promise<void> {
  const key = actor.startsWith('key_') ? fromWire('key', actor) : undefined;
  if (key !== undefined && (await wasRevoked(db, key)))
    throw refuse(
      'STATE_CONFLICT',
      'the key that proposed it was revoked since; reject it, and have somebody else propose it',
    );
  const id = actor.startsWith('usr_') ? fromWire('user', actor) : undefined;
  const user = id && (await findUser(db, id, undefined));
  if (user && (user.state === 'DISABLED' || !roles.includes(user.role)))
    throw refuse(
      'STATE_CONFLICT',
      'who proposed it was disabled since, or has a role that may not propose it; reject it, and have somebody else propose it',
    );
}
