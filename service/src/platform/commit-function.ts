// Generates the commit function's SQL from the definitions of records, in two forms: for a batch of many PSPs, and for
// one of a single PSP, which each statement names, so that a distributed database runs it where that PSP's rows are. A
// third is for one place of a distributed database, on that place's own tables: to the server that has them it is a
// plain call. Names of functions and row types contain a hash of their content, so that processes of two versions can share a
// database: each calls its own functions, and a table with a column from a later version also accepts the rows of the
// earlier one.
import { createHash } from 'node:crypto';
import type { ColumnType } from '../records/column.ts';
import type { RecordDefinition } from '../records/define.ts';
import {
  changedAccess,
  expectedAccounts,
  expectedRefs,
  expectedSubjects,
  expectedVersion,
  expectsVersion,
  type Form,
  heldPlace,
  liesWithPsp,
  lockedAccess,
  many,
  one,
  sectionsOf,
  type Written,
  writesOf,
} from './commit-statements.ts';

export interface CommitFunction {
  /** Function for a batch of many PSPs. */
  readonly name: string;
  /** Function for a batch of one PSP: its id comes first, then the same parameters. */
  readonly nameOfOne: string;
  /** Creates the row types and both functions. */
  readonly sql: string;
  rowType(table: string): string;
  /** Number of parameters, without the PSP. */
  readonly parameters: number;
  /** Name of the function of a place. */
  nameAt(place: string): string;
  /**
   * Creates the function of a place, with the parameters of that for many PSPs.
   * @param at the place's own name of a table
   */
  sqlAt(place: string, at: (table: string) => string): string;
}

const sqlTypes: Record<ColumnType, string> = {
  uuid: 'uuid',
  text: 'text',
  int4: 'integer',
  int8: 'bigint',
  numeric: 'numeric',
  timestamptz: 'timestamptz',
  date: 'date',
  bool: 'boolean',
};

/** Leaves out the rows of commands that failed. `v_from` is the place in c_rows before them. */
function keptRows({ name, write }: Written): string {
  if (expectsVersion(write)) return `    p_${name} := kept(p_${name}, c_${name}, failed);`;
  return `    v_to := v_from + coalesce(cardinality(p_${name}), 0);
    p_${name} := kept(p_${name}, c_rows[v_from + 1:v_to], failed);
    v_from := v_to;`;
}

/**
 * @param records in the order of writing
 * @param refs the table of refs; each ref is expected to be absent, or at a revision
 */
export function makeCommitFunction(records: readonly RecordDefinition[], refs: RecordDefinition): CommitFunction {
  const writes = writesOf(records);
  const types = [refs, ...records].map(
    (r) =>
      `CREATE TYPE {name}_${r.table} AS (${Object.entries(r.columns)
        .map(([n, c]) => `${n} ${sqlTypes[c.type]}`)
        .join(', ')});`,
  );
  const rowsOf = (name: string, table: string) => `  p_${name} {name}_${table}[]`;
  const ownCommands = (name: string) => `, c_${name} integer[]`;
  const parameters = [
    '  p_expected_accounts json',
    '  p_expected_subjects json',
    rowsOf('refs_held', 'refs') + ownCommands('refs_held'),
    rowsOf('refs_new', 'refs') + ownCommands('refs_new'),
    ...writes.map((w) => rowsOf(w.name, w.r.table) + (expectsVersion(w.write) ? ownCommands(w.name) : '')),
    '  c_rows integer[]',
  ].join(',\n');
  const functionOf = (name: string, f: Form) => {
    const written = f.place === undefined ? writes : writes.filter((w) => liesWithPsp(w.r));
    return `CREATE FUNCTION ${name}(
${f.ofMany ? '' : '  p_psp uuid,\n'}${parameters}
) RETURNS integer[] LANGUAGE plpgsql AS $$
DECLARE
  failed integer[] := '{}';
  more integer[];
  v_from integer := 0;
  v_to integer;
BEGIN
${heldPlace(f, writes)}${written.map((w) => lockedAccess(w, f)).join('')}${expectedAccounts(f)}
${written.map((w) => changedAccess(w, f)).join('')}${written.flatMap((w) => (expectsVersion(w.write) ? [expectedVersion(w.r, f, w.name)] : [])).join('\n')}
${expectedSubjects(f)}
${expectedRefs(refs, f)}
  IF cardinality(failed) > 0 THEN
${written.map(keptRows).join('\n')}
  END IF;

${sectionsOf(written, f)}
  RETURN failed;
END $$;

GRANT EXECUTE ON FUNCTION ${name} TO assay_app;
`;
  };
  const template = `${types.join('\n')}

-- Makes a batch of decisions true, in one round trip and one commit.
--
-- Rows come as arrays, each beside an array that says which command a row belongs to, or with c_rows for all of them one
-- after another, since a function has 100 parameters at most. First every command's
-- expectations are checked under lock, in the order of their keys; a command that fails one is left out whole and its
-- number returned, to be decided again over fresh facts. Then the rows of the others are written, and last the journal's
-- entries, numbered from each PSP's head. Null means that there is nothing.
${functionOf('{name}', many)}
-- The same for a batch of one PSP.
${functionOf('{name}_psp', one)}`;
  const hashed = (sql: string) => createHash('sha256').update(sql).digest('hex').slice(0, 12);
  const name = `commit_batch_${hashed(template)}`;
  const formAt = (place: string, at: Form['at']): Form => ({ ...many, at, place });
  const templateAt = functionOf(
    '{name}',
    formAt('{place}', (t) => `{${t}}`),
  );
  const nameAt = (place: string) => `commit_at_${hashed(name + templateAt)}_${place}`;
  return {
    name,
    nameOfOne: `${name}_psp`,
    sql: template.replaceAll('{name}', name),
    rowType: (table) => `${name}_${table}`,
    parameters: 7 + writes.length + writes.filter((w) => expectsVersion(w.write)).length,
    nameAt,
    sqlAt: (place, at) => functionOf(nameAt(place), formAt(place, at)).replaceAll('{name}', name),
  };
}
