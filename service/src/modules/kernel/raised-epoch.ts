// The number that what is decided about a PSP's persons, players and wallets rests on: how it is locked and raised. Apart
// from the keys of persons, which a thread loads that knows no journal.
import type { PspId } from '../../core/ids.ts';
import type { Row, Writes } from '../../platform/committer.ts';
import type { Database } from '../../platform/database.ts';
import { untilNotGivingWay } from '../../platform/database-away.ts';
import { row } from './journal.ts';
import type { Needs } from './needs.ts';
import { recordIn } from './record-in.ts';

/**
 * Until the transaction ends nobody seals for a person of the PSP or decides about its players and wallets: a commit at
 * the same moment comes before it, or is decided again after it.
 * @returns the row that makes what was decided on the number before fail
 */
export async function raisedEpoch(tx: Database, psp: PspId): Promise<Row> {
  await tx.query('SELECT pg_advisory_xact_lock(727477, hashtext($1))', [psp]);
  // For commits on the server that has the PSP, where that lock is not seen.
  await tx.query('SELECT 1 FROM journal_heads WHERE psp_id = $1 FOR UPDATE', [psp]);
  const [found] = await tx.query<{ epoch: number }>('SELECT epoch FROM subject_epochs WHERE psp_id = $1', [psp]);
  return row('subject_epochs', { psp_id: psp, epoch: (found?.epoch ?? 0) + 1 });
}

/**
 * A transaction under that lock. A reader that has written to the journal may wait for it while this waits for the
 * journal: of the two one gives way, having done nothing, and does its work once more.
 */
export const withRaisedEpoch = <T>(
  db: Needs<'db'>['db'],
  psp: PspId,
  work: (tx: Database, raised: Row) => Promise<T>,
): Promise<T> => untilNotGivingWay(() => db.transaction(async (tx) => work(tx, await raisedEpoch(tx, psp))));

export type RaisingNeeds = Needs<'db' | 'committer' | 'subjects'>;

/**
 * Records what later decisions rest on: one commit under that lock, after which those on what was before fail.
 * @param decide reads what is in force under the lock; without rows nothing is recorded
 */
export async function recordRaised<T>(
  s: RaisingNeeds,
  psp: PspId,
  decide: (tx: Database) => Promise<{ readonly writes: Writes; readonly reply: T }>,
): Promise<T> {
  const { writes, reply } = await withRaisedEpoch(s.db, psp, async (tx, raised) => {
    const made = await decide(tx);
    const { rows } = made.writes;
    if (rows.length > 0) await recordIn(tx, s, { ...made.writes, rows: [...rows, raised] });
    return made;
  });
  if (writes.rows.length > 0) await s.subjects.refresh(s.db);
  return reply;
}
