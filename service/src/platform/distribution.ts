// Spreads the tables over the servers of a Citus cluster, where the database is its coordinator: what belongs to a PSP
// lies together on one server, found by the PSP's id; what is asked for without knowing the PSP has a copy on each.
// Tables without a PSP stay on the coordinator. On any other PostgreSQL it does nothing.
import { records } from '../records/index.ts';
import type { Database } from './database.ts';

/** Tables of which each server has a copy, besides the records that say so of themselves. */
const everywhere = ['access_changes'];
/** The table with which all others of a PSP lie together. */
const first = 'journal_heads';

/** Whether the database is the coordinator of a Citus cluster. */
export async function isDistributed(db: Database): Promise<boolean> {
  return (await db.query("SELECT 1 FROM pg_extension WHERE extname = 'citus'")).length > 0;
}

/** Spreads the tables that are not spread yet. @throws if a server cannot be reached */
export async function distribute(db: Database): Promise<void> {
  // The servers connect to each other as the role that asks. It is the same in all databases, where others may start too.
  const [role] = await db.query<{ may: boolean }>(
    "SELECT rolcanlogin AS may FROM pg_roles WHERE rolname = 'assay_app'",
  );
  if (role?.may === false) await db.query('ALTER ROLE assay_app LOGIN');
  // They complete rows written by versions before the first that could be distributed.
  for (const { name, of } of await db.query<{ name: string; of: string }>(
    `SELECT quote_ident(t.tgname) AS name, t.tgrelid::regclass AS of FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
     WHERE NOT t.tgisinternal AND t.tgparentid = 0 AND c.relnamespace = 'public'::regnamespace`,
  ))
    await db.query(`DROP TRIGGER ${name} ON ${of}`);
  const copied = new Set([...records.flatMap((r) => ('everywhere' in r ? [r.table] : [])), ...everywhere]);
  const tables = await db.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND EXISTS (SELECT 1 FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'psp_id' AND NOT a.attisdropped)
       AND NOT EXISTS (SELECT 1 FROM pg_dist_partition d WHERE d.logicalrelid = c.oid)
     ORDER BY c.relname <> $1, c.relname`,
    [first],
  );
  for (const { name } of tables) {
    if (copied.has(name)) await db.query('SELECT create_reference_table($1)', [name]);
    else if (name === first) await db.query("SELECT create_distributed_table($1, 'psp_id')", [name]);
    else await db.query("SELECT create_distributed_table($1, 'psp_id', colocate_with => $2)", [name, first]);
    // Of an installation that was moved, its rows lie on the servers and, unseen, here.
    await db.query('SELECT truncate_local_data_after_distributing_table($1)', [name]);
  }
}
