// Names of actors: keys, and people who sign in.
import { fromWire, type PspId } from '../../core/ids.ts';
import type { Database } from '../../platform/database.ts';
import { keyNames } from '../accounts/index.ts';
import { userNames } from '../users/index.ts';

/** Names by actor, as in entries. @param psp whose keys and people; undefined for all */
export async function actorNames(
  db: Database,
  psp: PspId | undefined,
  actors: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const of = (kind: 'key' | 'user') =>
    actors.flatMap((a) => {
      const id = fromWire(kind, a);
      return id === undefined ? [] : [[id, a] as const];
    });
  const [keys, users] = [of('key'), of('user')];
  const [named, people] = await Promise.all([
    keys.length === 0
      ? new Map<string, string>()
      : keyNames(
          db,
          psp,
          keys.map(([id]) => id),
        ),
    users.length === 0
      ? new Map<string, string>()
      : userNames(
          db,
          psp,
          users.map(([id]) => id),
        ),
  ]);
  return new Map(
    [...keys, ...users].flatMap(([id, actor]) => {
      const name = named.get(id) ?? people.get(id);
      return name === undefined ? [] : [[actor, name] as const];
    }),
  );
}
