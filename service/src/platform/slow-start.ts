// Logs why a start takes long: what its first statements wait for in the database. Without it a missing standby, or a
// forgotten lock, would look like a hanging service.
import type { Pool } from './database.ts';
import { every } from './every.ts';
import type { Log } from './log.ts';

const everyMs = 3000;

/** By PostgreSQL's name of the wait event. */
const meanings: Readonly<Record<string, string>> = {
  SyncRep: 'the synchronous standby, which does not answer',
  advisory: 'another start on the same database',
};

/**
 * Checks at intervals until stopped.
 * @param db needs a connection besides the session's
 * @param session process id of its backend
 * @returns a function that stops it
 */
export function watchStart(db: Pool, session: number, log: Log): () => void {
  const look = async () => {
    const [row] = await db.query<{ wait_event: string }>(
      `SELECT wait_event FROM pg_stat_activity
       WHERE pid = $1 AND state = 'active' AND (wait_event_type = 'Lock' OR wait_event = 'SyncRep')`,
      [session],
    );
    if (!row) return;
    const waitsFor = row.wait_event;
    log.warn({ waitsFor }, `the start waits for ${meanings[waitsFor] ?? `a lock (${waitsFor}) of another session`}`);
  };
  // The start itself reports connection errors.
  const looking = every(everyMs, look);
  return () => void looking.stop();
}
