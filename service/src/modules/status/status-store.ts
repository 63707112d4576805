// What the database knows of the service's own state: readers, connections, migrations, keys. Reads only.
import { type Database, only } from '../../platform/database.ts';

/**
 * How many entries each reader of the journal has not read yet.
 * @param except those that nothing moves
 */
export const readerLags = (db: Database, except: readonly string[]): Promise<{ reader: string; entries: number }[]> =>
  db.query(
    `SELECT r.reader, coalesce(sum(h.seq - coalesce(c.seq, 0)), 0)::bigint AS entries
     FROM (SELECT DISTINCT reader FROM journal_cursors WHERE reader <> ALL ($1)) r CROSS JOIN journal_heads h
       LEFT JOIN journal_cursors c ON c.psp_id = h.psp_id AND c.reader = r.reader
     GROUP BY r.reader ORDER BY r.reader`,
    [except],
  );

/** @param except as of `readerLags` */
export async function countSetAside(db: Database, except: readonly string[]): Promise<number> {
  const text = 'SELECT count(*) AS n FROM journal_set_aside WHERE reader <> ALL ($1)';
  return only(await db.query<{ n: number }>(text, [except])).n;
}

/** When the newest checkpoint was signed. */
export async function lastCheckpointAt(db: Database): Promise<string | null> {
  return only(await db.query<{ at: string | null }>('SELECT max(sealed_at) AS at FROM audit_checkpoints')).at;
}

/** When the key that signs checkpoints was made. */
export async function sealingKeyAt(db: Database): Promise<string | null> {
  return only(await db.query<{ at: string | null }>('SELECT max(created_at) AS at FROM audit_keys')).at;
}

export async function countScheduleProblems(db: Database): Promise<number> {
  const rows = await db.query<{ n: number }>(
    "SELECT count(*) AS n FROM report_schedules WHERE state = 'ACTIVE' AND problem IS NOT NULL",
  );
  return only(rows).n;
}

export async function databaseState(
  db: Database,
): Promise<{ version: string; bytes: number; connections: number; most: number }> {
  const state = only(
    await db.query<{ version: string; bytes: number; connections: number; most: number }>(
      `SELECT current_setting('server_version') AS version,
         pg_database_size(current_database())::bigint AS bytes,
         (SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()) AS connections,
         current_setting('max_connections')::int AS most`,
    ),
  );
  // Packagers add their own name.
  return { ...state, version: state.version.split(' ')[0] ?? '' };
}

/** @returns what the database's clock says, ISO 8601 */
export async function databaseTime(db: Database): Promise<string> {
  return only(await db.query<{ at: string }>('SELECT clock_timestamp() AS at')).at;
}

const named = 'assay/';

/** Connections of the service by its version and the mark of its settings, as each process names them. */
export async function versionsConnected(
  db: Database,
): Promise<{ version: string; mark: string; connections: number }[]> {
  const rows = await db.query<{ name: string; connections: number }>(
    `SELECT application_name AS name, count(*) AS connections FROM pg_stat_activity
     WHERE datname = current_database() AND application_name LIKE 'assay/%' GROUP BY 1 ORDER BY 1`,
  );
  return rows.map(({ name, connections }) => {
    const [version = '', mark = ''] = name.slice(named.length).split(' ');
    return { version, mark, connections };
  });
}

export async function lastMigration(db: Database): Promise<{ count: number; last: string; at: string }> {
  return only(
    await db.query<{ count: number; last: string; at: string }>(
      `SELECT count(*) AS count, max(name) AS last, max(applied_at) AS at FROM migrations`,
    ),
  );
}

/** Keys of live accounts that are in force: unused for 90 days, and ending within 30 days. @param at ISO 8601 */
export async function keyAges(db: Database, at: string): Promise<{ unused: number; expiring: number }> {
  return only(
    await db.query<{ unused: number; expiring: number }>(
      `SELECT count(*) FILTER (WHERE coalesce(last_used_at, created_at) < $1::timestamptz - interval '90 days') AS unused,
         count(*) FILTER (WHERE expires_at < $1::timestamptz + interval '30 days') AS expiring
       FROM api_keys WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $1)`,
      [at],
    ),
  );
}
