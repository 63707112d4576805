// Generates the commit function's SQL from the definitions of records, in two forms: for a batch of many PSPs, and for
// one of a single PSP, which each statement names, so that a distributed database runs it where that PSP's rows are.
// Names of functions and row types contain a hash of their content, so that processes of two versions can share a
// database: each calls its own functions, and a table with a column from a later version also accepts the rows of the
// earlier one.
import { createHash } from 'node:crypto';
import type { ColumnType, RecordDefinition, Write } from '../records/define.ts';

export interface CommitFunction {
  /** Function for a batch of many PSPs. */
  readonly name: string;
  /** Function for a batch of one PSP: its id comes first, then the same parameters. */
  readonly nameOfOne: string;
  /** Creates the row types and both functions. */
  readonly sql: string;
  /** Name of the type of a table's rows. */
  rowType(table: string): string;
  /** Number of parameters, without the PSP. */
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
interface Written {
  readonly r: RecordDefinition;
  readonly name: string;
  readonly write: Write;
}
const writesOf = (records: readonly RecordDefinition[]): Written[] =>
  records.flatMap((r) => Object.entries(r.writes).map(([name, write]) => ({ r, name, write })));

/** The differences between the two forms. */
interface Form {
  /** SQL: a row of the table, or of a result from it, has the PSP of a sent row. */
  readonly psp: (r: Pick<RecordDefinition, 'everywhere'>, table: string, sent: string) => string;
  readonly ofMany: boolean;
}
const sentPsp = (t: string, w: string) => `${t}.psp_id = ${w}.psp_id`;
const many: Form = { psp: (_, t, w) => sentPsp(t, w), ofMany: true };
/** The PSP of what each server has a copy of may be another one: that of who makes the call. */
const one: Form = { psp: (r, t, w) => (r.everywhere ? sentPsp(t, w) : `${t}.psp_id = p_psp`), ofMany: false };

/** SQL: a row of the table has the key of a sent row. */
const onKey = (r: RecordDefinition, f: Form, t: string, w: string) =>
  r.key.map((k) => (k === 'psp_id' ? f.psp(r, t, w) : `${t}.${k} = ${w}.${k}`)).join(' AND ');

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
  const rowsOf = (name: string, table: string) => `  p_${name} {name}_${table}[], c_${name} integer[]`;
  const parameters = [
    '  p_expected_accounts json',
    '  p_expected_subjects json',
    rowsOf('refs_held', 'refs'),
    rowsOf('refs_new', 'refs'),
    ...writes.map((w) => rowsOf(w.name, w.r.table)),
  ].join(',\n');
  const functionOf = (name: string, f: Form) => `CREATE FUNCTION ${name}(
${f.ofMany ? '' : '  p_psp uuid,\n'}${parameters}
) RETURNS integer[] LANGUAGE plpgsql AS $$
DECLARE
  failed integer[] := '{}';
  more integer[];
BEGIN
${writes.map((w) => lockedAccess(w, f)).join('')}${expectedAccounts}
${writes.map((w) => changedAccess(w, f)).join('')}${writes.flatMap((w) => (w.write.how === 'changeVersion' ? [expectedVersion(w.r, f, w.name)] : [])).join('\n')}
${expectedSubjects(f)}
${expectedRefs(refs, f)}
  IF cardinality(failed) > 0 THEN
${writes.map((w) => `    p_${w.name} := kept(p_${w.name}, c_${w.name}, failed);`).join('\n')}
  END IF;

${writes.map((w) => sectionOf(w.r, f, w.name, w.write)).join('')}
  RETURN failed;
END $$;

GRANT EXECUTE ON FUNCTION ${name} TO assay_app;
`;
  const template = `${types.join('\n')}

-- Makes a batch of decisions true, in one round trip and one commit.
--
-- Rows come as arrays, each beside an array that says which command a row belongs to. First every command's
-- expectations are checked under lock, in the order of their keys; a command that fails one is left out whole and its
-- number returned, to be decided again over fresh facts. Then the rows of the others are written, and last the journal's
-- entries, numbered from each PSP's head. Null means that there is nothing.
${functionOf('{name}', many)}
-- The same for a batch of one PSP.
${functionOf('{name}_psp', one)}`;
  const name = `commit_batch_${createHash('sha256').update(template).digest('hex').slice(0, 12)}`;
  return {
    name,
    nameOfOne: `${name}_psp`,
    sql: template.replaceAll('{name}', name),
    rowType: (table) => `${name}_${table}`,
    parameters: 6 + writes.length * 2,
  };
}

const expectedAccounts = `  IF p_expected_accounts IS NOT NULL THEN
    WITH want AS (
      SELECT * FROM ROWS FROM (
        json_to_recordset(p_expected_accounts) AS (psp_id uuid, id uuid, version integer, access integer, cs integer[])
      ) WITH ORDINALITY AS x(psp_id, id, version, access, cs, n)
    ), held AS (
      SELECT w.n FROM accounts a JOIN want w
        ON a.psp_id = w.psp_id AND a.id = w.id AND a.version = w.version AND a.access = coalesce(w.access, a.access)
      ORDER BY a.psp_id, a.id FOR SHARE OF a
    )
    SELECT array_agg(c) INTO more FROM want w, unnest(w.cs) c WHERE w.n NOT IN (SELECT n FROM held);
    failed := failed || coalesce(more, '{}');
  END IF;
`;

/** The accounts of the stored rows that are written again; new rows change nobody's access. */
const accountsOf = ({ r, name }: Written, f: Form) =>
  `SELECT DISTINCT t.psp_id, t.${r.changesAccessOf} AS id FROM ${r.table} t JOIN unnest(p_${name}) w ON ${onKey(r, f, 't', 'w')}`;

const raisesAccess = ({ r, write }: Written) => r.changesAccessOf !== undefined && write.how === 'shorten';

/** Locks the accounts whose access is raised as it has to be, before others are locked less strictly. */
const lockedAccess = (w: Written, f: Form) =>
  raisesAccess(w)
    ? `  IF p_${w.name} IS NOT NULL THEN
    PERFORM 1 FROM accounts a JOIN (${accountsOf(w, f)}) o ON ${sentPsp('a', 'o')} AND a.id = o.id
    ORDER BY a.psp_id, a.id FOR NO KEY UPDATE OF a;
  END IF;
`
    : '';

/** Raises the number that decisions by the account's keys expect, and notes for all processes that it changed. */
const changedAccess = (w: Written, f: Form) =>
  w.r.changesAccessOf === undefined || w.write.how === 'insert'
    ? ''
    : `  IF p_${w.name} IS NOT NULL THEN
${
  raisesAccess(w)
    ? `    UPDATE accounts a SET access = a.access + 1 FROM (${accountsOf(w, f)}) o
    WHERE ${sentPsp('a', 'o')} AND a.id = o.id;
`
    : ''
}    INSERT INTO access_changes (psp_id, account_id) ${accountsOf(w, f)} ON CONFLICT DO NOTHING;
  END IF;
`;

const expectedSubjects = (f: Form) => `  IF p_expected_subjects IS NOT NULL THEN
    failed := failed || ${f.ofMany ? 'store_subjects(' : 'store_subjects_of(p_psp, '}p_expected_subjects);
  END IF;
`;

/** A row that is replaced by one with a new version is locked, and expected at the version before. */
const expectedVersion = (r: RecordDefinition, f: Form, name: string) => `  IF p_${name} IS NOT NULL THEN
    WITH held AS (
      SELECT t.id FROM ${r.table} t JOIN unnest(p_${name}) w ON ${onKey(r, f, 't', 'w')} AND t.version = w.version - 1
      ORDER BY ${r.key.map((k) => `t.${k}`).join(', ')} FOR NO KEY UPDATE OF t
    )
    SELECT array_agg(x.c) INTO more
    FROM (SELECT unnest(c_${name}) AS c, (unnest(p_${name})).id AS id) x
    WHERE x.id NOT IN (SELECT id FROM held);
    failed := failed || coalesce(more, '{}');
  END IF;
`;

function expectedRefs(refs: RecordDefinition, f: Form): string {
  const key = (a: string) => refs.key.map((k) => `${a}.${k}`).join(', ');
  return `  IF p_refs_held IS NOT NULL THEN
    WITH want AS (
      SELECT x.c, (x.r).* FROM (SELECT unnest(c_refs_held) AS c, unnest(p_refs_held) AS r) x
    ), held AS (
      SELECT ${key('r')}, r.revision
      FROM refs r JOIN want w ON ${onKey(refs, f, 'r', 'w')}
      ORDER BY ${key('r')} FOR UPDATE OF r
    )
    SELECT array_agg(w.c) INTO more FROM want w LEFT JOIN held h ON ${onKey(refs, f, 'h', 'w')}
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
    WHERE ${onKey(refs, f, 'r', 'w')};
  END IF;
`;
}

const assignments = (set: readonly string[], from = 'w') => set.map((c) => `${c} = ${from}.${c}`).join(', ');

function sectionOf(r: RecordDefinition, f: Form, name: string, write: Write): string {
  const statements = statementsOf(r, f, name, write);
  return statements === '' ? '' : `  IF p_${name} IS NOT NULL THEN\n    ${statements}\n  END IF;\n`;
}

/** The statements that write the rows under one name; none if its expectation writes them. */
function statementsOf(r: RecordDefinition, f: Form, name: string, write: Write): string {
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
    SELECT t.* FROM ${r.table} t JOIN unnest(p_${name}) w ON ${onKey(r, f, 't', 'w')};
    ${put(assignments(write.set, 'excluded'))}`;
    case 'change':
    case 'changeVersion':
      return `UPDATE ${r.table} t SET ${assignments(write.set)}
    FROM unnest(p_${name}) w WHERE ${onKey(r, f, 't', 'w')};`;
    case 'append':
      return f.ofMany ? appended(name) : appendedToOne(name);
  }
}

/** Journal entries, numbered from the head of their PSP, which is locked until the commit. */
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

const appendedToOne = (name: string) => `WITH head AS (
      INSERT INTO journal_heads AS h (psp_id, seq) VALUES (p_psp, cardinality(p_${name}))
      ON CONFLICT (psp_id) DO UPDATE SET seq = h.seq + excluded.seq
      RETURNING h.seq
    )
    INSERT INTO journal (psp_id, seq, id, kind, account_id, resource_id, body)
    SELECT p_psp, head.seq - cardinality(p_${name}) + e.n, e.id, e.kind, e.account_id, e.resource_id, e.body
    FROM head, unnest(p_${name}) WITH ORDINALITY AS e(psp_id, seq, id, kind, account_id, resource_id, body, n);`;
