// Compares stored rows with the digests in the journal's entries, whatever their columns are; also finds rows that no
// entry is about.
import type { SealedEntry } from '../../core/audit/receipt.ts';
import { fromWire, type PspId } from '../../core/ids.ts';
import { readEntry } from '../../entries/read.ts';
import type { Database } from '../../platform/database.ts';
import { records } from '../../records/index.ts';
import { compareAdjustments } from '../corrections/index.ts';
import { archivedBefore, firstIdOf, isBefore } from '../kernel/archived.ts';
import { compareReports } from '../reports/index.ts';
import { compareEvents, eventsWithoutEntry } from '../webhooks/index.ts';

export interface RowFinding {
  readonly table: string;
  /** UUID; for rates, the fee's own id or the country's code. */
  readonly id: string;
  readonly seq?: number;
  readonly what: string;
}

const vouchedFor = records.filter((r) => r.vouched);
/** Tables whose rows change: an older entry's digest applies until a later entry covers the same row. */
const changing = new Set<string>(
  vouchedFor.filter((r) => Object.values(r.writes).some((w) => w.how !== 'insert')).map((r) => r.table),
);
/** Tables whose rows are archived by the month of their id. */
const byMonth: ReadonlySet<string> = new Set(['transactions', 'wagers', 'payouts', 'cdrs']);
/** Where former versions of rows are stored. */
const former = new Map<string, string>(
  vouchedFor.flatMap((r) =>
    Object.values(r.writes).flatMap((w) => ('former' in w ? [[r.table, w.former] as const] : [])),
  ),
);
/** Tables in which an entry is about each row, or has its digest. */
const journaled = records.flatMap((r) => ('journaled' in r && r.journaled ? [r.table] : []));
/** Of a webhook, entries from before there were digests have the moment only, in one about its account. */
const inOlderEntries: Readonly<Record<string, string>> = {
  webhooks: `OR j.resource_id = t.account_id AND strpos(j.body, ',"rows":{') = 0
    AND strpos(j.body, to_char(t.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) > 0`,
};

interface Held {
  readonly entry: SealedEntry;
  readonly id: string;
  /** Number of columns, a dot, SHA-256 in hex. */
  readonly digest: string;
}

const vouched = /,"rows":(\{[^{}]*\})\}$/;

/** The digests in entries, by table. */
function heldBy(entries: readonly SealedEntry[]): Map<string, Held[]> {
  const held = new Map<string, Held[]>();
  for (const entry of entries) {
    const rows = vouched.exec(entry.body)?.[1];
    if (rows === undefined) continue;
    for (const [name, digest] of Object.entries(JSON.parse(rows) as Record<string, string>)) {
      const [table, id = entry.resource] = name.split('/') as [string, string?];
      const list = held.get(table);
      if (list) list.push({ entry, id, digest });
      else held.set(table, [{ entry, id, digest }]);
    }
  }
  return held;
}

/** Rows that differ from their digests in these entries. */
export async function changedRows(db: Database, psp: PspId, entries: readonly SealedEntry[]): Promise<RowFinding[]> {
  const findings: RowFinding[] = [];
  const before = await archivedBefore(db);
  /** Rows of which the archive holds the last revision: its file has its own hash. */
  const away = (table: string, id: string) => before !== undefined && byMonth.has(table) && isBefore(id, before);
  for (const [table, held] of heldBy(entries)) {
    const stored = await digestsOf(db, psp, table, held);
    const wrong = held.filter((h) => !stored.get(h.id)?.has(h.digest));
    const superseded = changing.has(table) ? await laterEntries(db, psp, table, wrong) : new Map<string, number>();
    for (const { entry, id } of wrong) {
      if (away(table, id)) continue;
      const later = superseded.get(id) ?? 0;
      if (stored.has(id) && later > entry.seq && !former.has(table)) continue;
      const what = stored.has(id) ? 'it is not what was recorded' : 'it is missing';
      findings.push({ table, id, seq: entry.seq, what });
    }
  }
  const adjusted = await compareAdjustments(db, psp, entries);
  return [
    ...findings,
    ...adjusted.map((a) => ({ table: 'adjustments', ...a })),
    ...(await compareReports(db, psp, entries)),
    ...(await changedPortions(db, psp, entries)),
    ...(await compareEvents(db, psp, entries)),
  ];
}

/** Entries written before December 2026 about a decided basket vouch for these columns alone, with null for all others. */
const basketPart = ['psp_id', 'id', 'status', 'revision', 'updated_at'];

/** The first columns of a row: later versions append theirs. @param only those that are not taken as null */
async function firstColumns(db: Database, table: string, count: number, only?: readonly string[]): Promise<string> {
  const rows = await db.query<{ name: string; type: string }>(
    `SELECT quote_ident(attname) AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum LIMIT $2`,
    [table, count],
  );
  return `ROW(${rows.map((r) => (only?.includes(r.name) === false ? `NULL::${r.type}` : `t.${r.name}`)).join()})`;
}

async function digestsOf(
  db: Database,
  psp: PspId,
  table: string,
  held: readonly Held[],
): Promise<Map<string, Set<string>>> {
  const stored = new Map<string, Set<string>>();
  for (const [columns, some] of Map.groupBy(held, (h) => h.digest.split('.', 1)[0] as string)) {
    const row = await firstColumns(db, table, Number(columns));
    const from = (name: string, row: string) =>
      `SELECT id, encode(sha256(record_send(${row})), 'hex') AS sha256 FROM ${name} t WHERE psp_id = $1 AND id = ANY ($2)`;
    const all = [table, former.get(table)].filter((name) => name !== undefined).map((name) => from(name, row));
    if (table === 'baskets') all.push(from(table, await firstColumns(db, table, Number(columns), basketPart)));
    const ids = [...new Set(some.map((h) => h.id))];
    const rows = await db.query<{ id: string; sha256: string }>(all.join(' UNION ALL '), [psp, ids]);
    for (const r of rows) {
      const known = stored.get(r.id) ?? new Set();
      stored.set(r.id, known.add(`${columns}.${r.sha256}`));
    }
  }
  return stored;
}

/** The last entry with a digest of each row: an entry about the row itself, or about what the first such entry is about. */
async function laterEntries(
  db: Database,
  psp: PspId,
  table: string,
  wrong: readonly Held[],
): Promise<Map<string, number>> {
  if (wrong.length === 0) return new Map();
  const rows = await db.query<{ id: string; seq: number }>(
    `SELECT w.id, max(j.seq) AS seq
     FROM (SELECT DISTINCT * FROM unnest($2::uuid[], $3::uuid[]) AS w (id, about)) w
     JOIN journal j ON j.psp_id = $1 AND j.resource_id = w.about
       AND (j.resource_id = w.id AND (strpos(j.body, $4) > 0 OR strpos(j.body, $5) > 0)
         OR strpos(j.body, '"' || $6 || '/' || w.id || '":"') > 0)
     GROUP BY w.id`,
    [
      psp,
      wrong.flatMap((w) => [w.id, w.id]),
      wrong.flatMap((w) => [w.id, w.entry.resource]),
      // The first of an entry's digests, or a later one.
      ...[`,"rows":{"${table}":`, `","${table}":"`, table],
    ],
  );
  return new Map(rows.map((r) => [r.id, r.seq]));
}

/** Records of call detail files: one entry covers all rows of its chunk together. */
async function changedPortions(db: Database, psp: PspId, entries: readonly SealedEntry[]): Promise<RowFinding[]> {
  const findings: RowFinding[] = [];
  for (const entry of entries) {
    if (entry.kind !== 'cdr.file_portion') continue;
    const { timestamp, data } = readEntry(entry.body, ['cdr.file_portion/1']);
    const [first, last] = [data.firstCdrId, data.lastCdrId].map((wire) => fromWire('cdr', wire ?? ''));
    if (!first || !last || data.rowsSha256 === undefined) continue;
    const columns = data.rowsColumns ?? 0;
    const row = await firstColumns(db, 'cdrs', columns);
    const [r] = await db.query<{ sha256: string | null }>(
      `SELECT encode(sha256(string_agg('${columns}.' || encode(sha256(record_send(${row})), 'hex') || E'\\n', '' ORDER BY id)::bytea), 'hex')
         AS sha256 FROM cdrs t
       WHERE psp_id = $1 AND account_id = $2 AND id BETWEEN $3 AND $4 AND created_at = $5 AND right(id::text, 6) = $6`,
      [psp, entry.account, first, last, timestamp, first.slice(-6)],
    );
    if (r?.sha256 === data.rowsSha256) continue;
    const what = 'the records of this portion of a file are not those that were recorded';
    findings.push({ table: 'cdrs', id: first, seq: entry.seq, what });
  }
  return findings;
}

/** Records that are found again by the caller's ref, by the space of their refs. */
const byRef = Object.entries({
  transaction: { table: 'transactions', ref: 'ref' },
  wager: { table: 'wagers', ref: 'ref' },
  payout: { table: 'payouts', ref: 'ref' },
  basket: { table: 'baskets', ref: 'ref' },
  cdr: { table: 'cdrs', ref: 'cdr_id' },
});

/** The ref of a record that was corrected, or withdrawn and recorded again, leads to the one in its place. */
const leftByRef: Readonly<Record<string, string>> = {
  cdrs: `NOT EXISTS (SELECT FROM cdr_withdrawals w WHERE w.psp_id = $1 AND w.id = t.id)`,
};

/**
 * Refs that do not lead to their record, and records without their ref: what is asked again would be decided a second
 * time, or answered with another record. At most ten per table.
 */
export async function wrongRefs(db: Database, psp: PspId): Promise<RowFinding[]> {
  const findings: RowFinding[] = [];
  const before = (await archivedBefore(db)) ?? null;
  for (const [space, { table, ref }] of byRef) {
    const rows = await db.query<{ id: string; lost: boolean }>(
      `SELECT coalesce(t.id, r.target_id) AS id, r.target_id IS NULL AS lost
       FROM (SELECT * FROM ${table} WHERE psp_id = $1 AND ${ref} IS NOT NULL) t
       FULL JOIN (SELECT * FROM refs WHERE psp_id = $1 AND space = $2 AND ($3::date IS NULL OR target_id >= ${firstIdOf('$3')})) r
         ON r.target_id = t.id AND r.ref = t.${ref} AND r.account_id = t.account_id
       WHERE ${leftByRef[table] ?? 'true'} AND (t.id IS NULL OR r.target_id IS NULL AND ($3::date IS NULL OR t.id >= ${firstIdOf('$3')})) LIMIT 10`,
      [psp, space, before],
    );
    for (const { id, lost } of rows)
      findings.push({
        table,
        id,
        what: lost ? 'its ref does not lead to it' : 'a ref leads to it that it does not have',
      });
  }
  return findings;
}

/** Exclusions and limits that would not be found by one of their players, or would be by somebody else; at most ten. */
export const wrongPlayers = (db: Database, psp: PspId): Promise<RowFinding[]> =>
  db.query<RowFinding>(
    `SELECT DISTINCT 'player_restrictions' AS "table", coalesce(r.id, k.restriction_id) AS id,
       'it is not found by its players alone' AS what
     FROM (SELECT r.id, m[1] AS hash FROM player_restrictions r
             CROSS JOIN LATERAL regexp_matches(r.subjects, '"([^"]+)"', 'g') AS m WHERE r.psp_id = $1) r
     FULL JOIN (SELECT * FROM player_keys WHERE psp_id = $1) k ON k.restriction_id = r.id AND k.hash = r.hash
     WHERE r.id IS NULL OR k.hash IS NULL LIMIT 10`,
    [psp],
  );

/** Documents and files of cases whose content is gone, in whole or in part. What is left of it opens unchanged or not at all. */
export const missingContent = (db: Database, psp: PspId): Promise<RowFinding[]> =>
  db.query<RowFinding>(
    `SELECT 'client_documents' AS "table", d.id, 'its content is not stored as a whole' AS what FROM client_documents d
     WHERE d.psp_id = $1 AND d.bytes > (SELECT coalesce(sum(length(p.sealed)), 0) * 3 / 4
       FROM client_document_parts p WHERE p.psp_id = d.psp_id AND p.document_id = d.id)
     UNION ALL
     SELECT 'case_items', i.id, 'its file is missing' FROM case_items i
     WHERE i.psp_id = $1 AND strpos(i.content, '"sha256":"') > 0
       AND NOT EXISTS (SELECT 1 FROM case_files f WHERE f.psp_id = i.psp_id AND f.id = i.id)`,
    [psp],
  );

/** Rows of the table whose digest is in an entry about something else. */
async function journaledElsewhere(db: Database, psp: PspId, table: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `SELECT DISTINCT m[1] AS id FROM journal j
       CROSS JOIN LATERAL regexp_matches(j.body, '"' || $2 || '/([0-9a-f-]{36})":"', 'g') AS m
     WHERE j.psp_id = $1 AND strpos(j.body, '"' || $2 || '/') > 0`,
    [psp, table],
  );
  return rows.map((r) => r.id);
}

/** Rows that no entry tells of; at most ten per table. */
export async function rowsWithoutEntry(db: Database, psp: PspId): Promise<RowFinding[]> {
  const findings: RowFinding[] = [];
  const before = await archivedBefore(db);
  for (const table of journaled) {
    const without = (known: readonly string[]) =>
      db.query<{ id: string }>(
        `SELECT id FROM ${table} t WHERE psp_id = $1 AND ($2::date IS NULL OR t.id >= ${firstIdOf('$2')}) AND t.id <> ALL ($3::uuid[])
           AND NOT EXISTS (SELECT 1 FROM journal j WHERE j.psp_id = $1 AND (j.resource_id = t.id ${inOlderEntries[table] ?? ''})) LIMIT 10`,
        [psp, before, known],
      );
    const some = await without([]);
    const named = some.length === 0 ? [] : await without(await journaledElsewhere(db, psp, table));
    // What was recorded between the two is known by then.
    const since = new Set(named.length === 0 ? [] : await journaledElsewhere(db, psp, table));
    for (const { id } of named)
      if (!since.has(id)) findings.push({ table, id, what: 'the journal has no entry about it' });
  }
  const adjusted = await db.query<{ id: string }>(
    `SELECT DISTINCT entry_id AS id FROM adjustments a WHERE psp_id = $1 AND NOT EXISTS (
       SELECT 1 FROM journal j WHERE j.psp_id = $1 AND j.resource_id = a.entry_id AND j.kind = 'tax.adjusted') LIMIT 10`,
    [psp],
  );
  for (const { id } of adjusted) findings.push({ table: 'adjustments', id, what: 'the journal has no entry about it' });
  const withdrawn = await db.query<{ id: string }>(
    `SELECT id FROM cdr_withdrawals w WHERE psp_id = $1 AND ($2::date IS NULL OR entry_id >= ${firstIdOf('$2')})
       AND NOT EXISTS (SELECT 1 FROM journal j WHERE j.psp_id = $1 AND j.id = w.entry_id
         AND (strpos(j.body, '"cdr_withdrawals/' || w.id || '":"') > 0
           OR j.resource_id = w.id AND strpos(j.body, '"cdr_withdrawals":"') > 0)) LIMIT 10`,
    [psp, before],
  );
  for (const { id } of withdrawn)
    findings.push({ table: 'cdr_withdrawals', id, what: 'the journal has no entry about it' });
  findings.push(...(await eventsWithoutEntry(db, psp)));
  // Records from files have no entry each; their total must equal the journal's.
  const [n] = await db.query<{ stored: number; journaled: number }>(
    `SELECT (SELECT count(*) FROM cdrs WHERE psp_id = $1) AS stored,
       (SELECT coalesce(sum(CASE WHEN kind = 'cdr.recorded' THEN 1 ELSE (body::jsonb->'data'->>'accepted')::integer END), 0)::bigint
        FROM journal WHERE psp_id = $1 AND kind IN ('cdr.recorded', 'cdr.file_portion')) AS journaled`,
    [psp],
  );
  if (n && n.stored > n.journaled) {
    const what = `${n.stored} are stored and the journal tells of ${n.journaled}: some were put in`;
    findings.push({ table: 'cdrs', id: '', what });
  }
  return findings;
}
