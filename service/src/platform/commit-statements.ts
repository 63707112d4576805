// The statements of the commit function, in each of its forms: the expectations it checks under lock, and how rows of each
// kind are written. What calls it is in commit-function.ts.
import type { RecordDefinition, Write } from '../records/define.ts';

/** Name of the function that stores keys of persons at a place. */
export const storeSubjectsAt = (place: string): string => `store_subjects_${place}`;
/** Whether the rows of a record lie with those of their PSP, on one server. */
export const liesWithPsp = (r: RecordDefinition): boolean => 'psp_id' in r.columns && !r.everywhere;

const namesOf = (r: RecordDefinition): string[] => Object.keys(r.columns);
/** Rows under one name, and how they are written. */
export interface Written {
  readonly r: RecordDefinition;
  readonly name: string;
  readonly write: Write;
}
export const writesOf = (records: readonly RecordDefinition[]): Written[] =>
  records.flatMap((r) => Object.entries(r.writes).map(([name, write]) => ({ r, name, write })));

/** Whether rows are expected at a version: then the commands of the rows are a parameter of their own. */
export const expectsVersion = (write: Write): boolean => write.how === 'changeVersion';

/** The differences between the two forms. */
export interface Form {
  /** SQL: a row of the table, or of a result from it, has the PSP of a sent row. */
  readonly psp: (r: Pick<RecordDefinition, 'everywhere'>, table: string, sent: string) => string;
  readonly ofMany: boolean;
  /** SQL: the name of a table. */
  readonly at: (table: string) => string;
  /** The only place whose rows it writes. */
  readonly place?: string;
}
const sentPsp = (t: string, w: string) => `${t}.psp_id = ${w}.psp_id`;
export const many: Form = { psp: (_, t, w) => sentPsp(t, w), ofMany: true, at: (t) => t };
/** The PSP of what each server has a copy of may be another one: that of who makes the call. */
export const one: Form = {
  ...many,
  psp: (r, t, w) => (r.everywhere ? sentPsp(t, w) : `${t}.psp_id = p_psp`),
  ofMany: false,
};

/** SQL: a row of the table has the key of a sent row. */
const onKey = (r: RecordDefinition, f: Form, t: string, w: string) =>
  r.key.map((k) => (k === 'psp_id' ? f.psp(r, t, w) : `${t}.${k} = ${w}.${k}`)).join(' AND ');

/**
 * The place's tables stay where they are until the commit; if they are elsewhere, the batch is to be decided again. Rows of
 * which each server has a copy are not written at a place, where the other copies would not follow.
 */
export const heldPlace = (f: Form, writes: readonly Written[]) =>
  f.place === undefined
    ? ''
    : `  IF NOT hold_place(${f.place}) THEN
    RAISE EXCEPTION 'the rows of place ${f.place} lie on another server' USING ERRCODE = '40001';
  END IF;
  IF num_nonnulls(${writes
    .filter((w) => !liesWithPsp(w.r))
    .map((w) => `p_${w.name}`)
    .join(', ')}) > 0 THEN
    RAISE EXCEPTION 'a place has only the rows that lie with their PSP';
  END IF;
`;

export const expectedAccounts = (f: Form) => `  IF p_expected_accounts IS NOT NULL THEN
    WITH want AS (
      SELECT * FROM ROWS FROM (
        json_to_recordset(p_expected_accounts) AS (psp_id uuid, id uuid, version integer, access integer, cs integer[])
      ) WITH ORDINALITY AS x(psp_id, id, version, access, cs, n)
    ), held AS (
      SELECT w.n FROM ${f.at('accounts')} a JOIN want w
        ON a.psp_id = w.psp_id AND a.id = w.id AND a.version = w.version AND a.access = coalesce(w.access, a.access)
      ORDER BY a.psp_id, a.id FOR SHARE OF a
    )
    SELECT array_agg(c) INTO more FROM want w, unnest(w.cs) c WHERE w.n NOT IN (SELECT n FROM held);
    failed := failed || coalesce(more, '{}');
  END IF;
`;

/** The accounts of the stored rows that are written again; new rows change nobody's access. */
const accountsOf = ({ r, name }: Written, f: Form) =>
  `SELECT DISTINCT t.psp_id, t.${r.changesAccessOf} AS id FROM ${f.at(r.table)} t JOIN unnest(p_${name}) w ON ${onKey(r, f, 't', 'w')}`;

const raisesAccess = ({ r, write }: Written) => r.changesAccessOf !== undefined && write.how === 'shorten';

/** Locks the accounts whose access is raised as it has to be, before others are locked less strictly. */
export const lockedAccess = (w: Written, f: Form) =>
  raisesAccess(w)
    ? `  IF p_${w.name} IS NOT NULL THEN
    PERFORM 1 FROM accounts a JOIN (${accountsOf(w, f)}) o ON ${sentPsp('a', 'o')} AND a.id = o.id
    ORDER BY a.psp_id, a.id FOR NO KEY UPDATE OF a;
  END IF;
`
    : '';

/** Raises the number that decisions by the account's keys expect, and notes for all processes that it changed. */
export const changedAccess = (w: Written, f: Form) =>
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

/** Advisory locks keep erasures out only on the server where those are decided; the heads of the journals do everywhere. */
const keepErasuresOut = (f: Form) => `    PERFORM 1 FROM ${f.at('journal_heads')} h WHERE h.psp_id IN (
      SELECT x.psp_id FROM json_to_recordset(p_expected_subjects) AS x(psp_id uuid)
    ) ORDER BY h.psp_id FOR KEY SHARE;
`;

export const expectedSubjects = (f: Form) => {
  const store = f.place === undefined ? 'store_subjects' : storeSubjectsAt(f.place);
  return `  IF p_expected_subjects IS NOT NULL THEN
${f.place === undefined ? '' : keepErasuresOut(f)}    failed := failed || ${f.ofMany ? `${store}(` : `${store}_of(p_psp, `}p_expected_subjects);
  END IF;
`;
};

/** A row that is replaced by one with a new version is locked, and expected at the version before. */
export const expectedVersion = (r: RecordDefinition, f: Form, name: string) => `  IF p_${name} IS NOT NULL THEN
    WITH held AS (
      SELECT t.id FROM ${f.at(r.table)} t JOIN unnest(p_${name}) w ON ${onKey(r, f, 't', 'w')} AND t.version = w.version - 1
      ORDER BY ${r.key.map((k) => `t.${k}`).join(', ')} FOR NO KEY UPDATE OF t
    )
    SELECT array_agg(x.c) INTO more
    FROM (SELECT unnest(c_${name}) AS c, (unnest(p_${name})).id AS id) x
    WHERE x.id NOT IN (SELECT id FROM held);
    failed := failed || coalesce(more, '{}');
  END IF;
`;

export function expectedRefs(refs: RecordDefinition, f: Form): string {
  const key = (a: string) => refs.key.map((k) => `${a}.${k}`).join(', ');
  return `  IF p_refs_held IS NOT NULL THEN
    WITH want AS (
      SELECT x.c, (x.r).* FROM (SELECT unnest(c_refs_held) AS c, unnest(p_refs_held) AS r) x
    ), held AS (
      SELECT ${key('r')}, r.revision
      FROM ${f.at('refs')} r JOIN want w ON ${onKey(refs, f, 'r', 'w')}
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
      INSERT INTO ${f.at('refs')} (${namesOf(refs).join(', ')})
      SELECT r.* FROM unnest(p_refs_new) r ORDER BY ${key('r')}
      ON CONFLICT DO NOTHING RETURNING target_id
    )
    SELECT array_agg(x.c) INTO more
    FROM (SELECT unnest(c_refs_new) AS c, (unnest(p_refs_new)).target_id AS target_id) x
    WHERE x.target_id NOT IN (SELECT target_id FROM done);
    -- Its other refs are written and would stay without a record: the batch is decided again, over these refs.
    IF more IS NOT NULL THEN
      IF EXISTS (SELECT FROM unnest(c_refs_new) c WHERE c = ANY (more) GROUP BY c HAVING count(*) > 1) THEN
        RAISE EXCEPTION 'one of several refs of a command is taken' USING ERRCODE = '40001';
      END IF;
    END IF;
    failed := failed || coalesce(more, '{}');
  END IF;

  IF p_refs_held IS NOT NULL THEN
    UPDATE ${f.at('refs')} r SET revision = w.revision + 1, target_id = coalesce(w.target_id, r.target_id)
    FROM unnest(kept(p_refs_held, c_refs_held, failed)) w
    WHERE ${onKey(refs, f, 'r', 'w')};
  END IF;
`;
}

const assignments = (set: readonly string[], from = 'w') => set.map((c) => `${c} = ${from}.${c}`).join(', ');

/** Most batches have rows under few names: one look at several saves the looks at each. */
const lookedAtTogether = 8;

/** How the rows under each name are written, in order. */
export function sectionsOf(written: readonly Written[], f: Form): string {
  const some = written.flatMap((w) => {
    const statements = statementsOf(w.r, f, w.name, w.write);
    return statements === '' ? [] : { name: w.name, statements };
  });
  let text = '';
  for (let i = 0; i < some.length; i += lookedAtTogether) {
    const these = some.slice(i, i + lookedAtTogether);
    text += `  IF num_nonnulls(${these.map((s) => `p_${s.name}`).join(', ')}) > 0 THEN
${these.map((s) => `    IF p_${s.name} IS NOT NULL THEN\n      ${s.statements}\n    END IF;\n`).join('')}  END IF;
`;
  }
  return text;
}

/** The statements that write the rows under one name; none if its expectation writes them. */
function statementsOf(r: RecordDefinition, f: Form, name: string, write: Write): string {
  const table = f.at(r.table);
  const rows = `INSERT INTO ${table} (${namesOf(r).join(', ')}) SELECT w.* FROM unnest(p_${name}) w`;
  const put = (set: string) => `${rows}\n    ON CONFLICT (${r.key.join(', ')}) DO UPDATE SET ${set};`;
  switch (write.how) {
    case 'insert':
      return `${rows};`;
    case 'put':
      return put(assignments(write.set, 'excluded'));
    case 'shorten':
      return put(write.set.map((c) => `${c} = least(${table}.${c}, excluded.${c})`).join(', '));
    case 'revise':
      return `INSERT INTO ${f.at(write.former)}
    SELECT t.* FROM ${table} t JOIN unnest(p_${name}) w ON ${onKey(r, f, 't', 'w')};
    ${put(assignments(write.set, 'excluded'))}`;
    case 'change':
    case 'changeVersion':
      return `UPDATE ${table} t SET ${assignments(write.set)}
    FROM unnest(p_${name}) w WHERE ${onKey(r, f, 't', 'w')};`;
    case 'append':
      return f.ofMany ? appended(name, f) : appendedToOne(name);
  }
}

/** Journal entries, numbered from the head of their PSP, which is locked until the commit. */
const appended = (name: string, f: Form) => `WITH entries AS (
      SELECT e.psp_id, row_number() OVER (PARTITION BY e.psp_id ORDER BY e.n) AS k,
        e.id, e.kind, e.account_id, e.resource_id, e.body
      FROM unnest(p_${name}) WITH ORDINALITY AS e(psp_id, seq, id, kind, account_id, resource_id, body, n)
    ), heads AS (
      INSERT INTO ${f.at('journal_heads')} AS h (psp_id, seq)
      SELECT psp_id, count(*) FROM unnest(p_${name}) GROUP BY psp_id ORDER BY psp_id
      ON CONFLICT (psp_id) DO UPDATE SET seq = h.seq + excluded.seq
      RETURNING h.psp_id, h.seq
    ), totals AS (
      SELECT psp_id, count(*) AS total FROM unnest(p_${name}) GROUP BY psp_id
    )
    INSERT INTO ${f.at('journal')} (psp_id, seq, id, kind, account_id, resource_id, body)
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
