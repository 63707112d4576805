// Whether who asked for something may still do so when another agrees to it.
import { fromWire } from '../../core/ids.ts';
import { refuse } from '../../core/refusal.ts';
import type { Role } from '../../core/roles.ts';
import type { Database } from '../../platform/database.ts';
import { findUser } from './user-store.ts';

/**
 * @param actor a person, or a key, which is passed over: keys are replaced
 * @param roles those that may ask for it
 * @throws STATE_CONFLICT if the person was disabled or has another role
 */
export async function expectStillHere(db: Database, actor: string, roles: readonly Role[]): Promise<void> {
  const id = actor.startsWith('usr_') ? fromWire('user', actor) : undefined;
  const user = id && (await findUser(db, id, undefined));
  if (user && (user.state === 'DISABLED' || !roles.includes(user.role)))
    throw refuse(
      'STATE_CONFLICT',
      'who proposed it was disabled since, or has a role that may not propose it; reject it, and have somebody else propose it',
    );
}
