// SQL that recovers abandoned deliveries. Claims and results: attempt-store.ts.
import { longestWaitMs } from '../../core/webhooks/schedule.ts';
import type { Database } from '../../platform/database.ts';
import { isLockOf } from '../../platform/presence.ts';
import { backToWaiting, leaseMs } from './attempt-store.ts';
import { addressesWith, bySteps } from './delivery-store.ts';

/** Maximum clock difference between processes; a lease or time beyond it comes from a wrong clock. */
const differMs = 10 * 60_000;

const iso = (ms: number) => new Date(ms).toISOString();

/**
 * Takes over deliveries of a process that stopped reporting, and those leased for longer than any lease lasts, except
 * this worker's own.
 * @returns number of deliveries
 */
export async function takeOver(db: Database, worker: string, now: number): Promise<number> {
  const rows = await db.query(
    `UPDATE webhook_deliveries SET ${backToWaiting} WHERE state = 'delivering'
       AND (leased_until < $1 OR (leased_until > $2 AND leased_by <> $3)) RETURNING id`,
    [iso(now), iso(now + leaseMs + differMs), worker],
  );
  return rows.length;
}

/** The name under which a worker shows that it is alive. */
export const presenceOf = (worker: string) => `webhook-worker|${worker}`;

/** Other workers that have claimed deliveries but do not show that they are alive. */
export async function absentWorkers(db: Database, worker: string): Promise<string[]> {
  const others = await db.query<{ leased_by: string }>(
    "SELECT DISTINCT leased_by FROM webhook_deliveries WHERE state = 'delivering' AND leased_by <> $1",
    [worker],
  );
  if (others.length === 0) return [];
  const absent = await db.query<{ id: string }>(
    `SELECT w.id FROM unnest($1::uuid[], $2::text[]) AS w(id, name)
     WHERE NOT EXISTS (SELECT 1 FROM pg_locks l WHERE ${isLockOf('w.name')})`,
    [others.map((o) => o.leased_by), others.map((o) => presenceOf(o.leased_by))],
  );
  return absent.map((a) => a.id);
}

/** Takes over everything these workers have claimed. Returns the number of deliveries. */
export async function takeOverFrom(db: Database, workers: readonly string[]): Promise<number> {
  const rows = await db.query(
    `UPDATE webhook_deliveries SET ${backToWaiting}
     WHERE state = 'delivering' AND leased_by = ANY ($1::uuid[]) RETURNING id`,
    [workers],
  );
  return rows.length;
}

/** Releases what is leased to a worker, except what it knows of. Returns the number of deliveries. */
export async function giveBackAllBut(db: Database, worker: string, known: readonly string[]): Promise<number> {
  const rows = await db.query(
    `UPDATE webhook_deliveries SET ${backToWaiting}
     WHERE state = 'delivering' AND leased_by = $1 AND id <> ALL ($2::uuid[]) RETURNING id`,
    [worker, known],
  );
  return rows.length;
}

/**
 * Makes deliveries due whose time no schedule gives: first attempts are due when created, and retries wait no longer
 * than the longest wait. Returns the number of deliveries.
 */
export async function recallPutOff(db: Database, now: number): Promise<number> {
  const rows = await bySteps(db, "('pending', 'retrying')", (of, psp) =>
    db.query(
      `WITH RECURSIVE ${addressesWith('a', "('pending', 'retrying')", of, 4)}
     UPDATE webhook_deliveries d SET next_at = $1 FROM a
     WHERE d.psp_id = a.psp_id AND d.webhook_id = a.webhook_id ${of('d', 4)}
       AND ((d.state = 'pending' AND d.next_at > $2) OR (d.state = 'retrying' AND d.next_at > $3)) RETURNING d.id`,
      [iso(now), iso(now + differMs), iso(now + longestWaitMs + differMs), ...psp],
    ),
  );
  return rows.length;
}
