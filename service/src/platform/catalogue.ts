// Compares the definitions of records with the database at start-up, and reads the OIDs of their row types.
import type { RecordDefinition } from '../records/define.ts';
import { type BoundForm, bind, type CommitForm, commitForm, type RowTypes } from './batch-parameters.ts';
import type { Database } from './database.ts';

type Found = {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly defaulted: boolean;
};

/**
 * @param tables all tables of the form by default
 * @throws if the commit function is not installed
 */
export async function readRowTypes(
  db: Database,
  form: CommitForm = commitForm,
  tables: readonly string[] = form.definitions.map((r) => r.table),
): Promise<RowTypes> {
  const rows = await db.query<{ name: string; oid: number }>(
    'SELECT typname AS name, oid::integer AS oid FROM pg_type WHERE typnamespace = current_schema()::regnamespace AND typname = ANY ($1)',
    [tables.map((table) => form.function.rowType(table))],
  );
  const oids = new Map(rows.map((r) => [r.name, r.oid]));
  return new Map(
    tables.map((table) => {
      const oid = oids.get(form.function.rowType(table));
      if (oid === undefined) throw new Error(`the database has no commit function ${form.function.name}`);
      return [table, oid];
    }),
  );
}

export const rowTypeOf = async (db: Database, table: string): Promise<number> =>
  (await readRowTypes(db, commitForm, [table])).get(table) as number;

/**
 * The form for the committer.
 * @throws an Error naming each column in which the database differs from the definitions
 */
export async function bindForm(db: Database, form: CommitForm): Promise<BoundForm> {
  const differences = await compareCatalogue(db, form.definitions);
  if (differences.length > 0)
    throw new Error(`the database is not what this version writes: ${differences.join('; ')}`);
  return bind(form, await readRowTypes(db, form));
}

/** The differences between the tables and the definitions, each as a clause. */
export async function compareCatalogue(
  db: Database,
  definitions: readonly RecordDefinition[] = commitForm.definitions,
): Promise<string[]> {
  const tables = definitions.flatMap((d) => [d, ...formers(d)]);
  const columns = await db.query<Found>(
    `SELECT c.relname AS table, a.attname AS name, y.typname AS type, a.attnotnull AS required, a.atthasdef AS defaulted
     FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_type y ON y.oid = a.atttypid
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relname = ANY ($1) AND a.attnum > 0 AND NOT a.attisdropped
     ORDER BY c.relname, a.attnum`,
    [tables.map((d) => d.table)],
  );
  const byTable = Map.groupBy(columns, (c) => c.table);
  return tables.flatMap((d) => differencesOf(d, byTable.get(d.table) ?? []));
}

/** The tables of former revisions; their rows are read like the table's own. */
const formers = (d: RecordDefinition): RecordDefinition[] =>
  Object.values(d.writes).flatMap((w) => (w.how === 'revise' ? [{ ...d, table: w.former }] : []));

function differencesOf(d: RecordDefinition, found: readonly Found[]): string[] {
  if (found.length === 0) return [`there is no table ${d.table}`];
  const wanted = Object.entries(d.columns);
  const differences: string[] = [];
  for (const [i, [name, column]] of wanted.entries()) {
    const at = found.findIndex((f) => f.name === name);
    const f = found[at];
    if (!f) differences.push(`${d.table} has no column ${name}`);
    else if (at !== i) differences.push(`${d.table}.${name} is column ${at + 1}, not ${i + 1}`);
    else if (f.type !== column.type) differences.push(`${d.table}.${name} is ${f.type}, not ${column.type}`);
    else if (f.required === column.nullable)
      differences.push(`${d.table}.${name} ${column.nullable ? 'does not take null' : 'takes null'}`);
  }
  for (const f of found.slice(wanted.length))
    if (f.required && !f.defaulted && !(f.name in d.columns))
      differences.push(`${d.table}.${f.name} must be given a value, and this version knows no such column`);
  return differences;
}
