// Says why a start takes long: what its first statements wait for in the database. Without it a standby that is missing,
// or a lock somebody forgot, looks like a service that hangs.
import type { Pool } from './database.ts';
import type { Log } from './log.ts';

const everyMs = 3000;

/** By the name PostgreSQL gives to what a session waits for. */
const meanings: Readonly<Record<string, string>> = {
  SyncRep: 'the synchronous standby, which does not answer',
  advisory: 'another start on the same database',
};

/**
 * Looks at intervals until it is ended.
 * @param db of the owner; ended with it
 * @returns its end
 */
export function watchStart(db: Pool, log: Log): () => Promise<void> {
  const look = async () => {
    const rows = await db.query(
      `SELECT DISTINCT wait_event FROM pg_stat_activity
       WHERE datname = current_database() AND state = 'active' AND pid <> pg_backend_pid()
         AND (wait_event_type = 'Lock' OR wait_event = 'SyncRep')`,
    );
    const events = rows.map((r) => r.wait_event as string);
    if (events.length === 0) return;
    const what = events.map((e) => meanings[e] ?? `a lock (${e}) of another session`).sort();
    log.warn({ waitsFor: events }, `the start waits for ${what.join(' and ')}`);
  };
  // What is wrong with the connection the start itself tells.
  const timer = setInterval(() => void look().catch(() => undefined), everyMs);
  return async () => {
    clearInterval(timer);
    await db.end();
  };
}
