// Records decisions that need more than a command's facts: a transaction reads them under lock, and writes with one
// call of the commit function, as the committer does.
import { refuse } from '../../core/refusal.ts';
import type { Writes } from '../../platform/committer.ts';
import type { Database } from '../../platform/database.ts';
import type { Needs } from './needs.ts';

/**
 * Must be the last call in its transaction: the PSP's other writers wait from here until the commit.
 * @throws OVERLOADED if an expectation of the writes fails; the transaction must then not be committed
 */
export async function recordIn(tx: Database, s: Needs<'committer'>, writes: Writes): Promise<void> {
  const failed = await s.committer.within(tx, [writes]);
  if (failed.length > 0)
    throw refuse(
      'OVERLOADED',
      'what this rests on was changed at the same moment; nothing was recorded, send it again',
    );
}
