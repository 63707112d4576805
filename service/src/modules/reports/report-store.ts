// All SQL on reports and their files.
import type { Row as TableRow } from '../../platform/committer.ts';
import type { Database, Row } from '../../platform/database.ts';
import { row } from '../kernel/journal.ts';
import type { Manifest } from './manifest.ts';

export const reportStates = ['QUEUED', 'RUNNING', 'DONE', 'FAILED'] as const;
export type ReportState = (typeof reportStates)[number];
export type Parameters = Readonly<Record<string, string | number | boolean>>;

export interface Report {
  readonly psp: string;
  readonly id: string;
  /** The first report of its parameters that it is a revision of. */
  readonly series: string;
  readonly revision: number;
  readonly account: string;
  readonly kind: string;
  readonly parameters: Parameters;
  readonly state: ReportState;
  readonly percent: number;
  /** How often a process has begun it. */
  readonly begun: number;
  readonly reason: string | null;
  readonly provisional: boolean | null;
  readonly asOf: string | null;
  readonly asOfSeq: number | null;
  readonly manifest: Manifest | null;
  readonly requestedBy: string;
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
}

export interface ReportFile {
  readonly name: string;
  readonly contentType: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly content: string;
}

const fromRow = (r: Row): Report => ({
  psp: r.psp_id as string,
  id: r.id as string,
  series: r.series_id as string,
  revision: r.revision as number,
  account: r.account_id as string,
  kind: r.kind as string,
  parameters: JSON.parse(r.parameters as string),
  state: r.state as ReportState,
  percent: r.percent as number,
  begun: r.begun as number,
  reason: r.reason as string | null,
  provisional: r.provisional as boolean | null,
  asOf: r.as_of as string | null,
  asOfSeq: r.as_of_seq as number | null,
  manifest: r.manifest === null ? null : JSON.parse(r.manifest as string),
  requestedBy: r.requested_by as string,
  createdAt: r.created_at as string,
  startedAt: r.started_at as string | null,
  finishedAt: r.finished_at as string | null,
});

/** Requests of a PSP wait for each other until the transaction ends, so that each sees what the one before made. */
export async function lockRequests(tx: Database, psp: string): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`report-request|${psp}`]);
}

/** A report that waits. @param parameters in their one form */
export const reportRow = (r: Report, parameters: string): TableRow =>
  row('report_rows', {
    psp_id: r.psp,
    id: r.id,
    series_id: r.series,
    revision: r.revision,
    account_id: r.account,
    kind: r.kind,
    parameters,
    state: r.state,
    percent: r.percent,
    begun: r.begun,
    requested_by: r.requestedBy,
    created_at: r.createdAt,
  });

export async function countUnfinished(db: Database, psp: string): Promise<number> {
  const [r] = await db.query("SELECT count(*) AS n FROM reports WHERE psp_id = $1 AND state IN ('QUEUED', 'RUNNING')", [
    psp,
  ]);
  return r?.n as number;
}

/** An equal report that waits or runs. */
export async function findUnfinished(
  db: Database,
  r: { psp: string; account: string; kind: string },
  parameters: string,
): Promise<Report | undefined> {
  const [found] = await db.query(
    `SELECT * FROM reports WHERE psp_id = $1 AND account_id = $2 AND kind = $3 AND parameters = $4
       AND state IN ('QUEUED', 'RUNNING') ORDER BY id LIMIT 1`,
    [r.psp, r.account, r.kind, parameters],
  );
  return found && fromRow(found);
}

export async function findReport(db: Database, psp: string, id: string): Promise<Report | undefined> {
  const [r] = await db.query('SELECT * FROM reports WHERE psp_id = $1 AND id = $2', [psp, id]);
  return r && fromRow(r);
}

/** Of any PSP, for the operator. */
export async function findAnyReport(db: Database, id: string): Promise<Report | undefined> {
  const [r] = await db.query('SELECT * FROM reports WHERE id = $1', [id]);
  return r && fromRow(r);
}

/** All revisions, oldest first. */
export async function listSeries(db: Database, r: { psp: string; series: string }): Promise<Report[]> {
  const rows = await db.query('SELECT * FROM reports WHERE psp_id = $1 AND series_id = $2 ORDER BY revision', [
    r.psp,
    r.series,
  ]);
  return rows.map(fromRow);
}

export interface ReportFilter {
  readonly psp?: string | undefined;
  readonly account?: string | undefined;
  readonly kind?: string | undefined;
  /** Kinds that may be seen. */
  readonly kinds: readonly string[];
  readonly state?: string | undefined;
  readonly before?: string | undefined;
  readonly limit: number;
}

/** Newest first. */
export async function listReports(db: Database, f: ReportFilter): Promise<Report[]> {
  const rows = await db.query(
    `SELECT * FROM reports WHERE ($1::uuid IS NULL OR psp_id = $1) AND ($2::uuid IS NULL OR account_id = $2)
       AND ($3::text IS NULL OR kind = $3) AND kind = ANY ($4) AND ($5::text IS NULL OR state = $5)
       AND ($6::uuid IS NULL OR id < $6)
     ORDER BY id DESC LIMIT $7`,
    [f.psp ?? null, f.account ?? null, f.kind ?? null, f.kinds, f.state ?? null, f.before ?? null, f.limit],
  );
  return rows.map(fromRow);
}

/**
 * What waits or was left, oldest first.
 * @param kinds those this version can make; others wait for one that can
 */
export async function listUnfinished(db: Database, kinds: readonly string[]): Promise<{ psp: string; id: string }[]> {
  const rows = await db.query(
    "SELECT psp_id, id FROM reports WHERE state IN ('QUEUED', 'RUNNING') AND kind = ANY ($1) ORDER BY id",
    [kinds],
  );
  return rows.map((r) => ({ psp: r.psp_id as string, id: r.id as string }));
}

export async function beginReport(db: Database, r: Report, at: string): Promise<void> {
  await db.query(
    "UPDATE reports SET state = 'RUNNING', percent = 0, begun = begun + 1, started_at = $3 WHERE psp_id = $1 AND id = $2",
    [r.psp, r.id, at],
  );
}

/** Given back by a process that stops: as if it had not been begun. */
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

/** Holds a report that waits or runs until the transaction ends. @throws when it was ended before: it may be ended once */
export async function lockUnfinished(tx: Database, r: Report): Promise<void> {
  const rows = await tx.query(
    "SELECT 1 FROM reports WHERE psp_id = $1 AND id = $2 AND state IN ('QUEUED', 'RUNNING') FOR UPDATE",
    [r.psp, r.id],
  );
  if (rows.length === 0) throw new Error(`the report ${r.id} was ended before`);
}

export const reportEnd = (r: Report): TableRow =>
  row('report_ends', {
    psp_id: r.psp,
    id: r.id,
    state: r.state,
    percent: r.percent,
    reason: r.reason,
    provisional: r.provisional,
    as_of: r.asOf,
    as_of_seq: r.asOfSeq,
    manifest: r.manifest === null ? null : JSON.stringify(r.manifest),
    finished_at: r.finishedAt,
  });

export async function insertReportFile(tx: Database, r: Report, f: ReportFile): Promise<void> {
  await tx.query(
    `INSERT INTO report_files (psp_id, report_id, name, content_type, sha256, bytes, content)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [r.psp, r.id, f.name, f.contentType, f.sha256, f.bytes, f.content],
  );
}

export async function findReportFile(db: Database, r: Report, name: string): Promise<ReportFile | undefined> {
  const [f] = await db.query('SELECT * FROM report_files WHERE psp_id = $1 AND report_id = $2 AND name = $3', [
    r.psp,
    r.id,
    name,
  ]);
  return (
    f && {
      name: f.name as string,
      contentType: f.content_type as string,
      sha256: f.sha256 as string,
      bytes: f.bytes as number,
      content: f.content as string,
    }
  );
}

export async function countReports(db: Database): Promise<Map<ReportState, number>> {
  const rows = await db.query('SELECT state, count(*) AS n FROM reports GROUP BY state');
  return new Map(rows.map((r) => [r.state as ReportState, r.n as number]));
}
