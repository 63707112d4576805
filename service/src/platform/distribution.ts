// Spreads the tables over the servers of a Citus cluster, where the database is its coordinator: what belongs to a PSP
// lies together on one server, found by the PSP's id; what is asked for without knowing the PSP has a copy on each.
// Tables without a PSP stay on the coordinator. On any other PostgreSQL it does nothing.
import { recordKinds } from '../core/entry-resources.ts';
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
    else await spread(db, name);
    // Of an installation that was moved, its rows lie on the servers and, unseen, here.
    await db.query('SELECT truncate_local_data_after_distributing_table($1)', [name]);
  }
  await refuseArchived(db);
}

/** Has the rows of a table lie with their PSP. */
export const spread = (db: Database, table: string): Promise<unknown> =>
  db.query("SELECT create_distributed_table($1, 'psp_id', colocate_with => $2)", [table, first]);

/**
 * Has the partitions of all other months refuse records of archived months, as a trigger does on one server. The entries
 * of such months that stay in the journal pass the check, so that a place may be moved with them.
 */
export async function refuseArchived(db: Database): Promise<void> {
  const [last] = await db.query<{ name: string; live: string }>(
    `SELECT to_char(month, '"archived_"YYYYMM') AS name, uuid_floor((month + interval '1 month') AT TIME ZONE 'UTC') AS live
     FROM archived_months ORDER BY month DESC LIMIT 1`,
  );
  const others = await db.query<{ table: string; key: string; name: string | null }>(
    `SELECT p.partdefid::regclass AS table, a.attname AS key, k.conname AS name FROM pg_partitioned_table p
       JOIN pg_class c ON c.oid = p.partrelid
       JOIN pg_attribute a ON a.attrelid = p.partrelid AND a.attnum = p.partattrs[0]
       LEFT JOIN pg_constraint k ON k.conrelid = p.partdefid AND k.conname LIKE 'archived\\_%'
     WHERE c.relnamespace = 'public'::regnamespace AND p.partdefid <> 0`,
  );
  for (const { table, key, name } of others) {
    if (name === (last?.name ?? null)) continue;
    if (name !== null) await db.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
    if (!last) continue;
    const passes = table === 'journal_other' ? `kind NOT IN (${recordKinds.map((k) => `'${k}'`).join(', ')}) OR ` : '';
    const check = `CHECK (${passes}is_live(${key}, '${last.live}'))`;
    await db.query(`ALTER TABLE ${table} ADD CONSTRAINT ${last.name} ${check} NOT VALID`);
  }
}
