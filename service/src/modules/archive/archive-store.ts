// All SQL on archived months and on the partitions that become them. Runs as the database's owner: the service's role
// can neither detach a partition nor remove a row of the journal.
import { recordKinds } from '../../core/entry-resources.ts';
import { type PspId, toWire } from '../../core/ids.ts';
import type { Database } from '../../platform/database.ts';
import { isDistributed, refuseArchived, spread } from '../../platform/distribution.ts';
import { type JournalEntry, readJournal } from '../../platform/journal-entries.ts';

/** A month, `YYYY-MM`, by the time in the ids of its records. */
export interface ArchivedMonth {
  readonly month: string;
  /** Null until its file is written and was read back. */
  readonly sha256: string | null;
  readonly bytes: number | null;
  readonly rows: Readonly<Record<string, number>> | null;
}

/** Oldest first. */
export async function listMonths(db: Database): Promise<ArchivedMonth[]> {
  const rows = await db.query<Omit<ArchivedMonth, 'rows'> & { rows: string | null }>(
    "SELECT to_char(month, 'YYYY-MM') AS month, sha256, bytes, rows FROM archived_months ORDER BY month",
  );
  return rows.map((r) => ({ ...r, rows: r.rows === null ? null : (JSON.parse(r.rows) as Record<string, number>) }));
}

/** A table that is partitioned by month. */
export interface Partitioned {
  readonly table: string;
  /** The column with the id. */
  readonly key: string;
  readonly columns: readonly string[];
}

export const partitionedTables = (db: Database): Promise<Partitioned[]> =>
  db.query<Partitioned>(
    `SELECT c.relname AS table, k.attname AS key,
       (SELECT array_agg(a.attname::text ORDER BY a.attnum) FROM pg_attribute a
        WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns
     FROM pg_partitioned_table p JOIN pg_class c ON c.oid = p.partrelid
     JOIN pg_attribute k ON k.attrelid = c.oid AND k.attnum = p.partattrs[0]
     WHERE c.relnamespace = 'public'::regnamespace ORDER BY c.relname`,
  );

export const partOf = (table: string, month: string): string => `${table}_${month.replace('-', '')}`;

/** Months that have partitions, oldest first. */
export async function attachedMonths(db: Database): Promise<string[]> {
  const rows = await db.query<{ month: string }>(
    `SELECT substr(c.relname, 9, 4) || '-' || substr(c.relname, 13, 2) AS month
     FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = 'public.journal'::regclass AND c.relname ~ '^journal_\\d{6}$' ORDER BY 1`,
  );
  return rows.map((r) => r.month);
}

/** The highest number of an entry of each PSP in a month's partition of the journal. */
export const journalsOfMonth = (db: Database, month: string): Promise<{ psp: PspId; through: number }[]> =>
  db.query(
    `SELECT psp_id AS psp, max(seq) AS through FROM ${partOf('journal', month)} GROUP BY psp_id ORDER BY psp_id`,
  );

/** Lower and upper end of a month's ids. */
async function boundsOf(db: Database, month: string): Promise<{ from: string; to: string }> {
  const [r] = await db.query<{ from: string; to: string }>(
    `SELECT uuid_floor($1::date::timestamp AT TIME ZONE 'UTC') AS from,
       uuid_floor(($1::date + interval '1 month') AT TIME ZONE 'UTC') AS to`,
    [`${month}-01`],
  );
  return r as { from: string; to: string };
}

/**
 * What still needs a month's records where they are; undefined if nothing does.
 * @param readers names of the journal's readers
 */
export async function neededBy(db: Database, month: string, readers: readonly string[]): Promise<string | undefined> {
  const part = (table: string) => partOf(table, month);
  const has = hasRows(db);
  const begun = await begunWith(db, month);
  if (begun) return begun;
  const unread = `SELECT FROM (SELECT psp_id, max(seq) AS through FROM ${part('journal')} GROUP BY psp_id) j
    CROSS JOIN unnest($1::text[]) AS r(reader)
    LEFT JOIN journal_cursors c ON c.psp_id = j.psp_id AND c.reader = r.reader WHERE coalesce(c.seq, 0) < j.through`;
  if (await has(unread, [readers]))
    return 'a reader of the journal, or the seal, has not read to its end; the service must run until it has';
  if (await has(`SELECT FROM journal_set_aside s JOIN ${part('journal')} j ON j.psp_id = s.psp_id AND j.seq = s.seq`))
    return 'one of its entries is set aside by a reader that could not read it';
  const open = await db.query<{ psp: PspId; account: string }>(
    `SELECT psp_id AS psp, account_id AS account FROM (SELECT DISTINCT psp_id, account_id FROM ${part('cdrs')}) c
     WHERE NOT EXISTS (
       SELECT FROM cdr_periods p WHERE p.psp_id = c.psp_id AND p.account_id = c.account_id AND p.period >= $1)
     ORDER BY 1, 2`,
    [month],
  );
  const [first] = open.map((o) => toWire(o.account === o.psp ? 'psp' : 'client', o.account));
  if (first === undefined) return undefined;
  const others = open.length > 1 ? `, as ${open.length - 1} more have not` : '';
  return `${first} has call detail records in it and has not closed that month${others}; first run assay cdr close-period ${month} --client ${first}`;
}

const hasRows =
  (db: Database) =>
  async (sql: string, values: readonly unknown[] = []): Promise<boolean> =>
    (await db.query(`${sql} LIMIT 1`, values)).length > 0;

/** The part of it that may begin at any time, and is quickly looked up. */
export async function begunWith(db: Database, month: string): Promise<string | undefined> {
  const { from, to } = await boundsOf(db, month);
  const has = hasRows(db);
  if (await has("SELECT FROM reports WHERE state IN ('QUEUED', 'RUNNING')"))
    return 'a report is being made; wait for its end';
  if (await has('SELECT FROM backfills WHERE NOT ended'))
    return 'records of earlier versions are still being completed beside the service; wait for that';
  if (
    await has(
      "SELECT FROM disputes WHERE state IN ('OPEN', 'SUBMITTED') AND transaction_id >= $1 AND transaction_id < $2",
      [from, to],
    )
  )
    return 'a chargeback of one of its transactions is in dispute; wait for the outcome';
  return undefined;
}

/** Locks the tables as a whole for a moment; gives up at once where something reads or writes for long. */
export async function lockTables(tx: Database, tables: readonly Partitioned[]): Promise<void> {
  // The first has the servers of a cluster give up too.
  await tx.query("SET LOCAL citus.propagate_set_commands = 'local'");
  await tx.query("SET LOCAL statement_timeout = '100ms'");
  await tx.query("SET LOCAL lock_timeout = '100ms'");
  await tx.query(`LOCK TABLE ${tables.map((t) => `ONLY ${t.table}`).join(', ')} IN ACCESS EXCLUSIVE MODE`);
  await tx.query('SET LOCAL statement_timeout = 0');
}

/**
 * Takes a month's partitions out of the tables and records that, within the caller's transaction. Entries that are not
 * about records stay in the journal: who made a key or changed a rate is asked for years later.
 */
export async function detachMonth(
  tx: Database,
  month: string,
  tables: readonly Partitioned[],
  journals: readonly { readonly psp: PspId; readonly through: number }[],
  at: string,
): Promise<void> {
  const day = `${month}-01`;
  await tx.query(
    'INSERT INTO archived_journals (psp_id, month, through) SELECT j.psp, $1, j.through FROM unnest($2::uuid[], $3::bigint[]) AS j(psp, through)',
    [day, journals.map((j) => j.psp), journals.map((j) => j.through)],
  );
  for (const { table } of tables) await tx.query(`ALTER TABLE ${table} DETACH PARTITION ${partOf(table, month)}`);
  await tx.query(
    `INSERT INTO journal_other (psp_id, seq, id, kind, account_id, resource_id, body)
     SELECT psp_id, seq, id, kind, account_id, resource_id, body FROM ${partOf('journal', month)}
     WHERE kind NOT IN (${recordKinds.map((k) => `'${k}'`).join(', ')})`,
  );
  await tx.query('INSERT INTO archived_months (month, detached_at) VALUES ($1, $2)', [day, at]);
  // From here on the partitions of all other months refuse rows of this one.
  await tx.query('SELECT ensure_partitions(current_date, 0)');
  if (await isDistributed(tx)) await refuseArchived(tx);
}

/** Tables of a month that are no partitions: of an archive that is being made or restored. */
export async function looseTables(db: Database, month: string, tables: readonly Partitioned[]): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
       AND NOT relispartition AND relname = ANY ($1) ORDER BY relname`,
    [tables.map((t) => partOf(t.table, month))],
  );
  return rows.map((r) => r.name);
}

export const dropTables = async (tx: Database, names: readonly string[]): Promise<void> => {
  if (names.length > 0) await tx.query(`DROP TABLE ${names.join(', ')}`);
};

export async function storeFile(
  tx: Database,
  month: string,
  file: { readonly sha256: string; readonly bytes: number; readonly rows: Readonly<Record<string, number>> },
): Promise<void> {
  await tx.query('UPDATE archived_months SET sha256 = $2, bytes = $3, rows = $4 WHERE month = $1', [
    `${month}-01`,
    file.sha256,
    file.bytes,
    JSON.stringify(file.rows),
  ]);
}

/** Makes empty tables for a month's rows, as partitions are but for being attached. */
export async function makeTables(tx: Database, month: string, tables: readonly Partitioned[]): Promise<void> {
  const { from, to } = await boundsOf(tx, month);
  const distributed = await isDistributed(tx);
  for (const { table, key } of tables) {
    const part = partOf(table, month);
    await tx.query(`CREATE TABLE ${part} (LIKE ${table} INCLUDING ALL)`);
    // With it, attaching does not read the rows.
    await tx.query(`ALTER TABLE ${part} ADD CONSTRAINT ${part}_month CHECK (${key} >= '${from}' AND ${key} < '${to}')`);
    if (distributed) await spread(tx, part);
  }
}

/** Puts a month's tables back into place, within the caller's transaction. */
export async function attachMonth(tx: Database, month: string, tables: readonly Partitioned[]): Promise<void> {
  const { from, to } = await boundsOf(tx, month);
  await tx.query("SET LOCAL lock_timeout = '100ms'");
  await tx.query(
    `DELETE FROM journal_other o USING ${partOf('journal', month)} j WHERE o.psp_id = j.psp_id AND o.seq = j.seq`,
  );
  for (const { table } of tables) {
    const part = partOf(table, month);
    await tx.query(`ALTER TABLE ${table} ATTACH PARTITION ${part} FOR VALUES FROM ('${from}') TO ('${to}')`);
    await tx.query(`ALTER TABLE ${part} DROP CONSTRAINT IF EXISTS ${part}_month`);
  }
  await tx.query('DELETE FROM archived_journals WHERE month = $1', [`${month}-01`]);
  await tx.query('DELETE FROM archived_months WHERE month = $1', [`${month}-01`]);
  if (await isDistributed(tx)) await refuseArchived(tx);
}

/** What the journal says of each archived month last, by month. */
export async function filesOfEntries(db: Database, psp: PspId): Promise<ReadonlyMap<string, string>> {
  const entries: readonly JournalEntry[] = await readJournal(
    db,
    "WHERE psp_id = $1 AND kind = 'archive.changed' ORDER BY seq",
    [psp],
  );
  return new Map(
    entries.map((e) => {
      const { data } = JSON.parse(e.body) as { data: { month: string; sha256: string } };
      return [data.month, data.sha256];
    }),
  );
}

/** Ids of the records that hold a ref of a PSP. */
export async function idsOfRef(db: Database, psp: PspId, ref: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `SELECT DISTINCT target_id AS id FROM refs
     WHERE psp_id = $1 AND space IN ('transaction', 'wager', 'payout', 'cdr') AND ref = $2`,
    [psp, ref],
  );
  return rows.map((r) => r.id);
}
