// The commit function's SQL, made from the definitions of records. Its name and its row types bear a hash of what they
// do, so that processes of two versions work on one database: each calls the function that it was built with, and a table
// that a later version gave a column takes the rows of the earlier one too.
import { createHash } from 'node:crypto';
import type { ColumnType, RecordDefinition, Write } from '../records/define.ts';

export interface CommitFunction {
  readonly name: string;
  /** Creates the row types and the function. */
  readonly sql: string;
  /** The name of the type that rows of a table are sent as. */
  rowType(table: string): string;
  readonly parameters: number;
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

const namesOf = (r: RecordDefinition): string[] => Object.keys(r.columns);
const writesOf = (records: readonly RecordDefinition[]) =>
  records.flatMap((r) => Object.entries(r.writes).map(([name, write]) => ({ r, name, write })));
const onKey = (r: RecordDefinition, a: string, b: string) => r.key.map((k) => `${a}.${k} = ${b}.${k}`).join(' AND ');

/**
 * @param records in the order in which they are written
 * @param refs who holds which ref; each ref is expected to be absent, or at a revision
 */
export function makeCommitFunction(records: readonly RecordDefinition[], refs: RecordDefinition): CommitFunction {
  const writes = writesOf(records);
  const types = [refs, ...records].map(
    (r) =>
      `CREATE TYPE {name}_${r.table} AS (${Object.entries(r.columns)
        .map(([n, c]) => `${n} ${sqlTypes[c.type]}`)
        .join(', ')});`,
  );
  const rowsOf = (name: string, table: string) => `  p_${name} {name}_${table}[], c_${name} integer[]`;
  const parameters = [
    '  p_expected_accounts json',
    '  p_expected_subjects json',
    rowsOf('refs_held', 'refs'),
    rowsOf('refs_new', 'refs'),
    ...writes.map((w) => rowsOf(w.name, w.r.table)),
  ].join(',\n');
  const template = `${types.join('\n')}

-- Makes a batch of decisions true, in one round trip and one commit.
--
-- Rows come as arrays, each beside an array that says which command a row belongs to. First every command's
-- expectations are checked under lock, in the order of their keys; a command that fails one is left out whole and its
-- number returned, to be decided again over fresh facts. Then the rows of the others are written, and last the journal's
-- entries, numbered from each PSP's head. Null means that there is nothing.
CREATE FUNCTION {name}(
${parameters}
) RETURNS integer[] LANGUAGE plpgsql AS $$
DECLARE
  failed integer[] := '{}';
  more integer[];
BEGIN
${expectedAccounts}
${writes.flatMap((w) => (w.write.how === 'changeVersion' ? [changeVersionOf(w.r, w.name, w.write.set)] : [])).join('\n')}
${expectedSubjects}
${expectedRefs(refs)}
  IF cardinality(failed) > 0 THEN
${writes.map((w) => `    p_${w.name} := kept(p_${w.name}, c_${w.name}, failed);`).join('\n')}
  END IF;

${writes.map((w) => sectionOf(w.r, w.name, w.write)).join('')}
  RETURN failed;
END $$;

GRANT EXECUTE ON FUNCTION {name} TO assay_app;
`;
  const name = `commit_batch_${createHash('sha256').update(template).digest('hex').slice(0, 12)}`;
  return {
    name,
    sql: template.replaceAll('{name}', name),
    rowType: (table) => `${name}_${table}`,
    parameters: 6 + writes.length * 2,
  };
}

const expectedAccounts = `  IF p_expected_accounts IS NOT NULL THEN
    WITH want AS (
      SELECT * FROM json_to_recordset(p_expected_accounts) AS x(psp_id uuid, id uuid, version integer, cs integer[])
    ), held AS (
      SELECT a.psp_id, a.id, a.version FROM accounts a JOIN want w ON w.psp_id = a.psp_id AND w.id = a.id
      ORDER BY a.psp_id, a.id FOR SHARE OF a
    )
    SELECT array_agg(c) INTO more
    FROM want w LEFT JOIN held h ON h.psp_id = w.psp_id AND h.id = w.id, unnest(w.cs) c
    WHERE h.version IS DISTINCT FROM w.version;
    failed := failed || coalesce(more, '{}');
  END IF;
`;

const expectedSubjects = `  IF p_expected_subjects IS NOT NULL THEN
    failed := failed || store_subjects(p_expected_subjects);
  END IF;
`;

/** A row that carries its new version replaces the one before it. */
function changeVersionOf(r: RecordDefinition, name: string, set: readonly string[]): string {
  return `  IF p_${name} IS NOT NULL THEN
    WITH done AS (
      UPDATE ${r.table} t SET ${assignments(set)}
      FROM unnest(p_${name}) w
      WHERE ${onKey(r, 't', 'w')} AND t.version = w.version - 1
      RETURNING t.id
    )
    SELECT array_agg(x.c) INTO more
    FROM (SELECT unnest(c_${name}) AS c, (unnest(p_${name})).id AS id) x
    WHERE x.id NOT IN (SELECT id FROM done);
    failed := failed || coalesce(more, '{}');
  END IF;
`;
}

function expectedRefs(refs: RecordDefinition): string {
  const key = (a: string) => refs.key.map((k) => `${a}.${k}`).join(', ');
  return `  IF p_refs_held IS NOT NULL THEN
    WITH want AS (
      SELECT x.c, (x.r).* FROM (SELECT unnest(c_refs_held) AS c, unnest(p_refs_held) AS r) x
    ), held AS (
      SELECT ${key('r')}, r.revision
      FROM refs r JOIN want w ON ${onKey(refs, 'w', 'r')}
      ORDER BY ${key('r')} FOR UPDATE OF r
    )
    SELECT array_agg(w.c) INTO more FROM want w LEFT JOIN held h ON ${onKey(refs, 'h', 'w')}
    WHERE h.revision IS DISTINCT FROM w.revision;
    failed := failed || coalesce(more, '{}');
  END IF;

  IF p_refs_new IS NOT NULL THEN
    IF cardinality(failed) > 0 THEN
      p_refs_new := kept(p_refs_new, c_refs_new, failed);
      SELECT coalesce(array_agg(c), '{}') INTO c_refs_new FROM unnest(c_refs_new) c WHERE c <> ALL (failed);
    END IF;
    WITH done AS (
      INSERT INTO refs (${namesOf(refs).join(', ')})
      SELECT r.* FROM unnest(p_refs_new) r ORDER BY ${key('r')}
      ON CONFLICT DO NOTHING RETURNING target_id
    )
    SELECT array_agg(x.c) INTO more
    FROM (SELECT unnest(c_refs_new) AS c, (unnest(p_refs_new)).target_id AS target_id) x
    WHERE x.target_id NOT IN (SELECT target_id FROM done);
    failed := failed || coalesce(more, '{}');
  END IF;

  IF p_refs_held IS NOT NULL THEN
    UPDATE refs r SET revision = w.revision + 1
    FROM unnest(kept(p_refs_held, c_refs_held, failed)) w
    WHERE ${onKey(refs, 'r', 'w')};
  END IF;
`;
}

const assignments = (set: readonly string[], from = 'w') => set.map((c) => `${c} = ${from}.${c}`).join(', ');

function sectionOf(r: RecordDefinition, name: string, write: Write): string {
  const statements = statementsOf(r, name, write);
  return statements === '' ? '' : `  IF p_${name} IS NOT NULL THEN\n    ${statements}\n  END IF;\n`;
}

/** The statements that write the rows of one name; none where its expectation has done so. */
function statementsOf(r: RecordDefinition, name: string, write: Write): string {
  const rows = `INSERT INTO ${r.table} (${namesOf(r).join(', ')}) SELECT w.* FROM unnest(p_${name}) w`;
  const put = (set: string) => `${rows}\n    ON CONFLICT (${r.key.join(', ')}) DO UPDATE SET ${set};`;
  switch (write.how) {
    case 'insert':
      return `${rows};`;
    case 'put':
      return put(assignments(write.set, 'excluded'));
    case 'shorten':
      return put(write.set.map((c) => `${c} = least(${r.table}.${c}, excluded.${c})`).join(', '));
    case 'revise':
      return `INSERT INTO ${write.former}
    SELECT t.* FROM ${r.table} t JOIN unnest(p_${name}) w ON ${onKey(r, 'w', 't')};
    ${put(assignments(write.set, 'excluded'))}`;
    case 'change':
      return `UPDATE ${r.table} t SET ${assignments(write.set)}
    FROM unnest(p_${name}) w WHERE ${onKey(r, 't', 'w')};`;
    case 'changeVersion':
      return '';
    case 'append':
      return appended(name);
  }
}

/** Entries of the journal, numbered from the head of their PSP, which is locked until the commit. */
const appended = (name: string) => `WITH entries AS (
      SELECT e.psp_id, row_number() OVER (PARTITION BY e.psp_id ORDER BY e.n) AS k,
        e.id, e.kind, e.account_id, e.resource_id, e.body
      FROM unnest(p_${name}) WITH ORDINALITY AS e(psp_id, seq, id, kind, account_id, resource_id, body, n)
    ), heads AS (
      INSERT INTO journal_heads AS h (psp_id, seq)
      SELECT psp_id, count(*) FROM unnest(p_${name}) GROUP BY psp_id ORDER BY psp_id
      ON CONFLICT (psp_id) DO UPDATE SET seq = h.seq + excluded.seq
      RETURNING h.psp_id, h.seq
    ), totals AS (
      SELECT psp_id, count(*) AS total FROM unnest(p_${name}) GROUP BY psp_id
    )
    INSERT INTO journal (psp_id, seq, id, kind, account_id, resource_id, body)
    SELECT e.psp_id, h.seq - t.total + e.k, e.id, e.kind, e.account_id, e.resource_id, e.body
    FROM entries e JOIN heads h USING (psp_id) JOIN totals t USING (psp_id);`;
