// All SQL of replays: sending again what an address failed to accept or never received.
import type { PspId } from '../../core/ids.ts';
import { type Database, only } from '../../platform/database.ts';
import { type JournalEntry, readJournal } from '../../platform/journal-entries.ts';
import { fanOutName } from './fan-out.ts';
import type { Webhook } from './webhook-store.ts';

/** Time of the events, ISO 8601: from `since`, before `until`. */
export interface Period {
  readonly since: string;
  readonly until: string;
}

/**
 * Allows one replay of a PSP at a time, until the transaction ends, so that none adds what another adds.
 * @returns false if another is running: waiting would occupy a connection
 */
export async function lockReplays(tx: Database, psp: PspId): Promise<boolean> {
  const locks = await tx.query<{ ours: boolean }>('SELECT pg_try_advisory_xact_lock(727476, hashtext($1)) AS ours', [
    psp,
  ]);
  return only(locks).ours;
}

/**
 * Makes deliveries of a period due again: failed ones, or successful ones too. Those waiting or in flight are sent
 * anyway. If the address currently receives nothing, they are held.
 * @param most if there are more, nothing is changed
 * @returns their number, or more than `most`
 */
export async function retryPeriod(
  tx: Database,
  w: Webhook,
  p: Period,
  delivered: boolean,
  now: string,
  most: number,
): Promise<number> {
  const states = ['exhausted', 'retrying', ...(delivered ? ['delivered'] : [])];
  const rows = await tx.query(
    `SELECT id FROM webhook_deliveries
     WHERE psp_id = $1 AND webhook_id = $2 AND state = ANY ($3)
       AND event_id >= uuid_floor($4) AND event_id < uuid_floor($5) LIMIT $6`,
    [w.psp, w.id, states, p.since, p.until, most + 1],
  );
  if (rows.length === 0 || rows.length > most) return rows.length;
  const active = w.state === 'ACTIVE';
  const done = await tx.query(
    `UPDATE webhook_deliveries SET state = $4, next_at = $5, finished_at = NULL
     WHERE psp_id = $1 AND id = ANY ($2::uuid[]) AND state = ANY ($3) RETURNING id`,
    [w.psp, rows.map((r) => r.id), states, active ? 'retrying' : 'held', active ? now : null],
  );
  return done.length;
}

/**
 * Journal entries of a period that an address never received, oldest first: those it was not subscribed to, and those
 * from before its subscription. Entries still to be processed are not included.
 */
export const unpublished = (
  tx: Database,
  w: Webhook,
  p: Period,
  types: readonly string[],
  limit: number,
): Promise<JournalEntry[]> =>
  readJournal(
    tx,
    `JOIN journal_cursors c ON c.psp_id = journal.psp_id AND c.reader = $7 AND journal.seq <= c.seq
     WHERE journal.psp_id = $1 AND ($2::uuid IS NULL OR account_id = $2) AND kind = ANY ($3)
       AND id >= uuid_floor($4) AND id < uuid_floor($5)
       AND NOT EXISTS (
         SELECT 1 FROM webhook_deliveries d
         WHERE d.psp_id = $1 AND d.event_id = journal.id AND d.webhook_id = $6
       )
     ORDER BY journal.seq LIMIT $8`,
    [w.psp, w.account === w.psp ? null : w.account, types, p.since, p.until, w.id, fanOutName, limit],
  );

/** Which of these events exist already, because other addresses received them. */
export async function knownEvents(tx: Database, psp: PspId, ids: readonly string[]): Promise<Set<string>> {
  const rows = await tx.query<{ id: string }>(
    'SELECT id FROM webhook_events WHERE psp_id = $1 AND id = ANY ($2::uuid[])',
    [psp, ids],
  );
  return new Set(rows.map((r) => r.id));
}
