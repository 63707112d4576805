// Says why a start takes long: what its first statements wait for in the database. Without it a standby that is missing,
// or a lock somebody forgot, looks like a service that hangs.
import type { Pool } from './database.ts';
import { every } from './every.ts';
import type { Log } from './log.ts';

const everyMs = 3000;

/** By the name PostgreSQL gives to what a session waits for. */
const meanings: Readonly<Record<string, string>> = {
  SyncRep: 'the synchronous standby, which does not answer',
  advisory: 'another start on the same database',
};

/**
 * Looks at intervals until it is ended.
 * @param db with a connection beside that of the session
 * @param session the process id of its backend
 * @returns its end
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
  // What is wrong with the connection the start itself tells.
  const looking = every(everyMs, look);
  return () => void looking.stop();
}
