// All SQL on reports and their files.
import type { PspId } from '../../core/ids.ts';
import type { Row as TableRow } from '../../platform/committer.ts';
import type { Database } from '../../platform/database.ts';
import { reports } from '../../records/reports.ts';
import { type RecordOf, tableOf } from '../../records/table.ts';
import { row } from '../kernel/journal.ts';
import type { StaffListFilter } from '../kernel/list-filter.ts';

const table = tableOf(reports);
export type Report = RecordOf<typeof reports>;
export type ReportState = Report['state'];

export interface ReportFile {
  readonly name: string;
  readonly contentType: string;
  readonly sha256: string;
  readonly bytes: number;
  /** The text; base64 of what is no text, such as a workbook. Hash and size are those of the document itself. */
  readonly content: string;
}

/** Serialises a PSP's requests until the transaction ends, so that each sees the reports of earlier ones. */
export async function lockRequests(tx: Database, psp: PspId): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`report-request|${psp}`]);
}

/** The row of a waiting report. @param parameters in canonical form */
export const reportRow = (r: Report, parameters: string): TableRow =>
  row('report_rows', { ...table.toRow(r), parameters });

export async function countUnfinished(db: Database, psp: PspId): Promise<number> {
  const [r] = await db.query<{ n: number }>(
    "SELECT count(*) AS n FROM reports WHERE psp_id = $1 AND state IN ('QUEUED', 'RUNNING')",
    [psp],
  );
  return r?.n ?? 0;
}

/** An equal report that is waiting or running. */
export async function findUnfinished(
  db: Database,
  r: { psp: PspId; account: string; kind: string },
  parameters: string,
): Promise<Report | undefined> {
  return table.find(
    db,
    `WHERE psp_id = $1 AND account_id = $2 AND kind = $3 AND parameters = $4
       AND state IN ('QUEUED', 'RUNNING') ORDER BY id LIMIT 1`,
    [r.psp, r.account, r.kind, parameters],
  );
}

export const findReport = (db: Database, psp: PspId, id: string): Promise<Report | undefined> =>
  table.find(db, 'WHERE psp_id = $1 AND id = $2', [psp, id]);

export const listReportsOf = (db: Database, psp: PspId, ids: readonly string[]): Promise<Report[]> =>
  table.read(db, 'WHERE psp_id = $1 AND id = ANY ($2)', [psp, ids]);

/** Media type and SHA-256 of the documents that are stored, by report and name. One whose stored hash is wrong has none here. */
export async function documentsOf(
  db: Database,
  psp: PspId,
  ids: readonly string[],
): Promise<Map<string, Map<string, string>>> {
  const rows = await db.query<{ id: string; name: string; stored: string }>(
    `SELECT report_id AS id, name, content_type || ' ' || CASE WHEN sha256 = hash AND bytes = length(document) THEN hash ELSE '' END AS stored
     FROM report_files CROSS JOIN LATERAL
       (SELECT CASE WHEN content_type LIKE 'text/%' OR content_type ~ '/(json|xml)$' THEN convert_to(content, 'UTF8')
                    ELSE decode(content, 'base64') END AS document) d
       CROSS JOIN LATERAL (SELECT encode(sha256(document), 'hex') AS hash) h
     WHERE psp_id = $1 AND report_id = ANY ($2)`,
    [psp, ids],
  );
  const documents = new Map<string, Map<string, string>>();
  for (const { id, name, stored } of rows) {
    const of = documents.get(id) ?? new Map<string, string>();
    documents.set(id, of.set(name, stored));
  }
  return documents;
}

/** A report of any PSP, for the operator. */
export const findAnyReport = (db: Database, id: string): Promise<Report | undefined> =>
  table.find(db, 'WHERE id = $1', [id]);

/** All revisions, oldest first. */
export const listSeries = (db: Database, r: { psp: PspId; series: string }): Promise<Report[]> =>
  table.read(db, 'WHERE psp_id = $1 AND series_id = $2 ORDER BY revision', [r.psp, r.series]);

export interface ReportFilter extends StaffListFilter<'kind' | 'state' | 'schedule'> {
  /** Kinds the caller may see. */
  readonly kinds: readonly string[];
}

/** Newest first. */
export const listReports = (db: Database, f: ReportFilter): Promise<Report[]> =>
  table.read(
    db,
    `WHERE ($1::uuid IS NULL OR psp_id = $1) AND ($2::uuid IS NULL OR account_id = $2)
       AND ($3::text IS NULL OR kind = $3) AND kind = ANY ($4) AND ($5::text IS NULL OR state = $5)
       AND ($6::uuid IS NULL OR id < $6) AND ($7::uuid IS NULL OR schedule_id = $7)
     ORDER BY id DESC LIMIT $8`,
    [
      ...[f.psp ?? null, f.account ?? null, f.kind ?? null, f.kinds, f.state ?? null, f.before ?? null],
      ...[f.schedule ?? null, f.limit],
    ],
  );

/** The newest report for each set of parameters of an account, without failed ones. */
export const latestReports = (
  db: Database,
  of: { readonly psp: PspId; readonly account: string; readonly kind: string },
): Promise<Report[]> =>
  table.read(
    db,
    `WHERE (psp_id, id) IN (
       SELECT DISTINCT ON (parameters) psp_id, id FROM reports
       WHERE psp_id = $1 AND account_id = $2 AND kind = $3 AND state <> 'FAILED' ORDER BY parameters, id DESC)`,
    [of.psp, of.account, of.kind],
  );

/**
 * Reports that wait or were left unfinished, oldest first.
 * @param kinds those this version can make; others wait for a version that can
 */
export const listUnfinished = (db: Database, kinds: readonly string[]): Promise<{ psp: PspId; id: string }[]> =>
  db.query(
    "SELECT psp_id AS psp, id FROM reports WHERE state IN ('QUEUED', 'RUNNING') AND kind = ANY ($1) ORDER BY id",
    [kinds],
  );

export async function beginReport(db: Database, r: Report, at: string): Promise<void> {
  await db.query(
    "UPDATE reports SET state = 'RUNNING', percent = 0, begun = begun + 1, started_at = $3 WHERE psp_id = $1 AND id = $2",
    [r.psp, r.id, at],
  );
}

/** Returns a report to the queue when its process stops, as if it had never started. */
export async function giveBackReport(db: Database, r: Report): Promise<void> {
  await db.query(
    `UPDATE reports SET state = 'QUEUED', percent = 0, begun = begun - 1, started_at = NULL
     WHERE psp_id = $1 AND id = $2 AND state = 'RUNNING'`,
    [r.psp, r.id],
  );
}

export async function advanceReport(db: Database, r: Report, percent: number): Promise<void> {
  await db.query("UPDATE reports SET percent = $3 WHERE psp_id = $1 AND id = $2 AND state = 'RUNNING'", [
    r.psp,
    r.id,
    percent,
  ]);
}

/** Locks a waiting or running report until the transaction ends. @throws if it has already ended: it may end only once */
export async function lockUnfinished(tx: Database, r: Report): Promise<void> {
  const rows = await tx.query(
    "SELECT 1 FROM reports WHERE psp_id = $1 AND id = $2 AND state IN ('QUEUED', 'RUNNING') FOR UPDATE",
    [r.psp, r.id],
  );
  if (rows.length === 0) throw new Error(`the report ${r.id} was ended before`);
}

export const reportEnd = (r: Report): TableRow => row('report_ends', table.toRow(r));

export async function insertReportFile(tx: Database, r: Report, f: ReportFile): Promise<void> {
  await tx.query(
    `INSERT INTO report_files (psp_id, report_id, name, content_type, sha256, bytes, content)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [r.psp, r.id, f.name, f.contentType, f.sha256, f.bytes, f.content],
  );
}

export async function findReportFile(db: Database, r: Report, name: string): Promise<ReportFile | undefined> {
  const [file] = await db.query<ReportFile>(
    `SELECT name, content_type AS "contentType", sha256, bytes, content FROM report_files
     WHERE psp_id = $1 AND report_id = $2 AND name = $3`,
    [r.psp, r.id, name],
  );
  return file;
}

export async function countReports(db: Database): Promise<Map<ReportState, number>> {
  const rows = await db.query<{ state: ReportState; n: number }>(
    'SELECT state, count(*) AS n FROM reports GROUP BY state',
  );
  return new Map(rows.map((r) => [r.state, r.n]));
}
