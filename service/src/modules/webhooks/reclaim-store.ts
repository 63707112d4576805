// The SQL that brings deliveries back which nobody works on. What is claimed and what comes of it: attempt-store.ts.
import { longestWaitMs } from '../../core/webhooks/schedule.ts';
import type { Database } from '../../platform/database.ts';
import { backToWaiting, leaseMs } from './attempt-store.ts';
import { addressesWith } from './delivery-store.ts';

/** How far the clocks of processes may differ; a lease or a time beyond it is of a clock that was wrong. */
const differMs = 10 * 60_000;

const iso = (ms: number) => new Date(ms).toISOString();

/**
 * Takes over what a process that fell silent had in hand, and what was leased for longer than anything is; of the
 * latter not what this worker holds itself.
 * @returns how many
 */
export async function takeOver(db: Database, worker: string, now: number): Promise<number> {
  const rows = await db.query(
    `UPDATE webhook_deliveries SET ${backToWaiting} WHERE state = 'delivering'
       AND (leased_until < $1 OR (leased_until > $2 AND leased_by <> $3)) RETURNING id`,
    [iso(now), iso(now + leaseMs + differMs), worker],
  );
  return rows.length;
}

/** Gives back what is leased to a worker, but for what it knows of. Returns how many. */
export async function giveBackAllBut(db: Database, worker: string, known: readonly string[]): Promise<number> {
  const rows = await db.query(
    `UPDATE webhook_deliveries SET ${backToWaiting}
     WHERE state = 'delivering' AND leased_by = $1 AND id <> ALL ($2::uuid[]) RETURNING id`,
    [worker, known],
  );
  return rows.length;
}

/**
 * Makes due what waits for a time that no schedule names: first attempts are due when they are made, and no other waits
 * longer than the longest wait. Returns how many.
 */
export async function recallPutOff(db: Database, now: number): Promise<number> {
  const rows = await db.query(
    `WITH RECURSIVE ${addressesWith('a', "('pending', 'retrying')")}
     UPDATE webhook_deliveries d SET next_at = $1 FROM a
     WHERE d.psp_id = a.psp_id AND d.webhook_id = a.webhook_id
       AND ((d.state = 'pending' AND d.next_at > $2) OR (d.state = 'retrying' AND d.next_at > $3)) RETURNING d.id`,
    [iso(now), iso(now + differMs), iso(now + longestWaitMs + differMs)],
  );
  return rows.length;
}
