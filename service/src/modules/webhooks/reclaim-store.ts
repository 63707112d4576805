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

/** Anything statements can be sent over; the lock belongs to the connection. */
interface Connection {
  query(text: string, values: unknown[]): Promise<unknown>;
}

const lockOf = (worker: string) => `'webhook-worker|' || ${worker}::text`;

/** Holds a lock that is the worker's own until the connection ends. */
export async function showPresence(connection: Connection, worker: string): Promise<void> {
  await connection.query(`SELECT pg_advisory_lock(hashtextextended(${lockOf('$1')}, 0))`, [worker]);
}

export async function hidePresence(connection: Connection, worker: string): Promise<void> {
  await connection.query(`SELECT pg_advisory_unlock(hashtextextended(${lockOf('$1')}, 0))`, [worker]);
}

/** Other workers that have deliveries in hand and do not show that they live. */
export async function absentWorkers(db: Database, worker: string): Promise<string[]> {
  const others = await db.query<{ leased_by: string }>(
    "SELECT DISTINCT leased_by FROM webhook_deliveries WHERE state = 'delivering' AND leased_by <> $1",
    [worker],
  );
  if (others.length === 0) return [];
  const absent = await db.query<{ id: string }>(
    `SELECT w.id FROM unnest($1::uuid[]) AS w(id) WHERE NOT EXISTS (
       SELECT 1 FROM pg_locks l WHERE l.locktype = 'advisory' AND l.objsubid = 1 AND l.granted
         AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
         AND (l.classid::bigint << 32 | l.objid::bigint) = hashtextextended(${lockOf('w.id')}, 0))`,
    [others.map((o) => o.leased_by)],
  );
  return absent.map((a) => a.id);
}

/** Takes over all that these workers have in hand. Returns how many. */
export async function takeOverFrom(db: Database, workers: readonly string[]): Promise<number> {
  const rows = await db.query(
    `UPDATE webhook_deliveries SET ${backToWaiting}
     WHERE state = 'delivering' AND leased_by = ANY ($1::uuid[]) RETURNING id`,
    [workers],
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
