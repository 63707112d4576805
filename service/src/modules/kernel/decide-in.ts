// Decides a command within a transaction that reads and locks, where its commit needs a lock that the committer does not
// take. Commits nothing itself.
import { type Command, type Decided, factsOf, type Need } from '../../platform/command.ts';
import type { Database } from '../../platform/database.ts';

/** The decision on facts as the transaction reads them. @throws what the command refuses with */
export async function decideIn<R>(tx: Database, command: Command<R>): Promise<Decided<R>> {
  const known = new Map<string, unknown>();
  let missing: readonly Need<unknown>[] = command.needs;
  while (missing.length > 0) {
    for (const { id, loader, key } of missing) known.set(id, (await loader.load(tx, [key])).get(loader.text(key)));
    missing = (command.furtherNeeds?.(factsOf(known)) ?? []).filter((n) => !known.has(n.id));
  }
  const decided = command.decide(factsOf(known));
  if (decided instanceof Error) throw decided;
  return decided;
}
