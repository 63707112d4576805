// All SQL on call detail files.
import type { Row as TableRow } from '../../../platform/committer.ts';
import type { Database, Row } from '../../../platform/database.ts';
import { row } from '../../kernel/journal.ts';
import { emptyTally, type Finding, type Place, type Tally } from './findings.ts';
import type { Taken } from './folders.ts';

export const finalStates = ['ACCEPTED', 'PARTIALLY_ACCEPTED', 'REJECTED', 'DUPLICATE_FILE'] as const;
export const fileStates = ['QUEUED', 'PROCESSING', ...finalStates] as const;
export type FinalState = (typeof finalStates)[number];
export type FileState = (typeof fileStates)[number];

export interface CdrFile {
  readonly psp: string;
  readonly id: string;
  readonly account: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly sha256: string | null;
  readonly state: FileState;
  readonly duplicateOf: string | null;
  /** Its first line. */
  readonly header: string | null;
  /** Data lines of the whole file. */
  readonly lines: number | null;
  readonly next: Place;
  /** Grows with every portion and change; each has one journal entry. */
  readonly version: number;
  readonly tally: Tally;
  /** On the file as a whole. */
  readonly findings: readonly Finding[];
  readonly receivedAt: string;
  readonly pickedUpAt: string;
  readonly completedAt: string | null;
}

const fileFromRow = (r: Row): CdrFile => ({
  psp: r.psp_id as string,
  id: r.id as string,
  account: r.account_id as string,
  name: r.name as string,
  sizeBytes: r.size_bytes as number,
  sha256: r.sha256 as string | null,
  state: r.state as FileState,
  duplicateOf: r.duplicate_of as string | null,
  header: r.header as string | null,
  lines: r.lines as number | null,
  next: { line: r.next_line as number, byteOffset: r.next_offset as number },
  version: r.version as number,
  tally: JSON.parse(r.tally as string),
  findings: JSON.parse(r.findings as string),
  receivedAt: r.received_at as string,
  pickedUpAt: r.picked_up_at as string,
  completedAt: r.completed_at as string | null,
});

/** Makes a taken file known, once. */
export async function insertFile(db: Database, psp: string, file: Taken, pickedUpAt: string): Promise<void> {
  await db.query(
    `INSERT INTO cdr_files (psp_id, id, account_id, name, size_bytes, state, next_line, next_offset, version, tally,
       findings, received_at, picked_up_at)
     VALUES ($1, $2, $3, $4, $5, 'QUEUED', 1, 0, 0, $6, '[]', $7, $8) ON CONFLICT DO NOTHING`,
    [
      psp,
      file.id,
      file.account,
      file.name,
      file.sizeBytes,
      JSON.stringify(emptyTally()),
      new Date(file.receivedMs).toISOString(),
      pickedUpAt,
    ],
  );
}

export async function findFile(db: Database, psp: string, id: string): Promise<CdrFile | undefined> {
  const [r] = await db.query('SELECT * FROM cdr_files WHERE psp_id = $1 AND id = $2', [psp, id]);
  return r && fileFromRow(r);
}

/** Of any PSP, for the operator. */
export async function findAnyFile(db: Database, id: string): Promise<CdrFile | undefined> {
  const [r] = await db.query('SELECT * FROM cdr_files WHERE id = $1', [id]);
  return r && fileFromRow(r);
}

export async function getFile(db: Database, psp: string, id: string): Promise<CdrFile> {
  const file = await findFile(db, psp, id);
  if (!file) throw new Error(`the call detail file ${id} is not known`);
  return file;
}

export interface FileFilter {
  readonly psp?: string | undefined;
  readonly account?: string | undefined;
  readonly state?: string | undefined;
  readonly before?: string | undefined;
  readonly limit: number;
}

/** Newest first. */
export async function listFiles(db: Database, f: FileFilter): Promise<CdrFile[]> {
  const rows = await db.query(
    `SELECT * FROM cdr_files WHERE ($1::uuid IS NULL OR psp_id = $1) AND ($2::uuid IS NULL OR account_id = $2)
       AND ($3::text IS NULL OR state = $3) AND ($4::uuid IS NULL OR id < $4)
     ORDER BY id DESC LIMIT $5`,
    [f.psp ?? null, f.account ?? null, f.state ?? null, f.before ?? null, f.limit],
  );
  return rows.map(fileFromRow);
}

/** Which of the account's files of its name it is: 1 for the first. */
export async function countOfName(db: Database, file: CdrFile): Promise<number> {
  const [r] = await db.query(
    'SELECT count(*) AS n FROM cdr_files WHERE psp_id = $1 AND account_id = $2 AND name = $3 AND id <= $4',
    [file.psp, file.account, file.name, file.id],
  );
  return r?.n as number;
}

export async function countByState(db: Database): Promise<Map<FileState, number>> {
  const rows = await db.query('SELECT state, count(*) AS n FROM cdr_files GROUP BY state');
  return new Map(rows.map((r) => [r.state as FileState, r.n as number]));
}

/** How far the files that are not completed have come, together. @param nowMs milliseconds since the epoch */
export async function workInHand(db: Database, nowMs: number) {
  const [r] = await db.query(
    `SELECT coalesce(sum(size_bytes), 0)::bigint AS bytes, coalesce(sum(next_offset), 0)::bigint AS done,
       min(picked_up_at) AS since
     FROM cdr_files WHERE state IN ('QUEUED', 'PROCESSING')`,
  );
  const bytes = r?.bytes as number;
  const done = r?.done as number;
  const share = bytes === 0 ? 1 : done / bytes;
  const elapsedS = r?.since ? Math.max(0, nowMs - Date.parse(r.since as string)) / 1000 : 0;
  const etaSeconds = share === 1 ? 0 : done === 0 ? Number.NaN : (elapsedS * (1 - share)) / share;
  return { share, bytesLeft: bytes - done, etaSeconds };
}

/**
 * Says what a file holds and begins with it, unless the account sent the same content before. A file that was kept out
 * whole may come again: what was wrong with it may have been ours, or a matter of time.
 * @param tx a transaction: of two equal files at once one is the first
 * @returns the file that came first
 */
export async function beginFile(
  tx: Database,
  file: CdrFile,
  content: { sha256: string; headerLine: string; lines: number; findings: readonly Finding[] },
): Promise<string | undefined> {
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`cdr-file|${file.account}`]);
  const [first] = await tx.query(
    `SELECT id FROM cdr_files WHERE psp_id = $1 AND account_id = $2 AND sha256 = $3 AND id <> $4
       AND duplicate_of IS NULL AND state IN ('PROCESSING', 'ACCEPTED', 'PARTIALLY_ACCEPTED') ORDER BY id LIMIT 1`,
    [file.psp, file.account, content.sha256, file.id],
  );
  await tx.query(
    `UPDATE cdr_files SET state = 'PROCESSING', sha256 = $3, lines = $4, findings = $5, duplicate_of = $6, header = $7
     WHERE psp_id = $1 AND id = $2`,
    [
      file.psp,
      file.id,
      content.sha256,
      content.lines,
      JSON.stringify(content.findings),
      first?.id ?? null,
      content.headerLine,
    ],
  );
  return first?.id as string | undefined;
}

/** A file as it is after its next version: nothing may be recorded twice. */
export const fileChange = (after: CdrFile): TableRow =>
  row('cdr_file_changes', {
    psp_id: after.psp,
    id: after.id,
    account_id: after.account,
    name: after.name,
    size_bytes: after.sizeBytes,
    sha256: after.sha256,
    state: after.state,
    duplicate_of: after.duplicateOf,
    header: after.header,
    lines: after.lines,
    next_line: after.next.line,
    next_offset: after.next.byteOffset,
    version: after.version,
    tally: JSON.stringify(after.tally),
    findings: JSON.stringify(after.findings),
    received_at: after.receivedAt,
    picked_up_at: after.pickedUpAt,
    completed_at: after.completedAt,
  });

/** A file as it is now, held against other changes until the transaction ends. */
export async function lockFile(tx: Database, { psp, id }: CdrFile): Promise<CdrFile> {
  const [r] = await tx.query('SELECT * FROM cdr_files WHERE psp_id = $1 AND id = $2 FOR UPDATE', [psp, id]);
  if (!r) throw new Error(`the call detail file ${id} is not known`);
  return fileFromRow(r);
}
