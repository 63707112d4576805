// All SQL on rejected lines of call detail files, and on the warnings of recorded lines.
import type { Finding } from '../../../core/cdr/file-findings.ts';
import type { PspId } from '../../../core/ids.ts';
import { type Database, valuesOf } from '../../../platform/database.ts';
import type { Vault } from '../../../platform/sealed-secrets.ts';
import type { CdrFile } from './file-store.ts';
import type { RecordedLines, SealedLine, WarnedLine } from './outcome.ts';
import { suspensePlace } from './ready.ts';

export type SuspenseState = 'OPEN' | 'CORRECTED' | 'WRITTEN_OFF';

export interface SuspendedLine {
  readonly line: number;
  readonly cdrId: string | null;
  readonly rawSealed: string | null;
  readonly findings: readonly Finding[];
  readonly state: SuspenseState;
}

export async function suspend(db: Database, file: CdrFile, lines: readonly SealedLine[]): Promise<void> {
  if (lines.length === 0) return;
  await db.query(
    `INSERT INTO cdr_suspense (psp_id, file_id, account_id, state, line, byte_offset, cdr_id, raw_sealed, findings,
       cost, currency)
     SELECT $1, $2, $3, 'OPEN', k.* FROM unnest($4::bigint[], $5::bigint[], $6::text[], $7::text[], $8::text[],
       $9::numeric[], $10::text[]) AS k`,
    [
      file.psp,
      file.id,
      file.account,
      ...valuesOf(lines, 'line', 'byteOffset', 'cdrId', 'rawSealed', 'findings'),
      lines.map((l) => l.value?.cost ?? null),
      lines.map((l) => l.value?.currency ?? null),
    ],
  );
}

/** The original line; undefined if it was closed, is past its retention, or its person was erased. */
export const rawOf = (vault: Vault, file: CdrFile, l: SuspendedLine): string | undefined =>
  l.rawSealed === null ? undefined : vault.open(l.rawSealed, suspensePlace(file, l.line));

/** Whether any rejected line of the account's files is open. */
export async function hasOpen(db: Database, { psp, account }: CdrFile): Promise<boolean> {
  const rows = await db.query(
    `SELECT 1 FROM cdr_suspense WHERE psp_id = $1 AND account_id = $2 AND state = 'OPEN' LIMIT 1`,
    [psp, account],
  );
  return rows.length > 0;
}

/** Closes earlier rejected lines, of any file of the account, that recorded lines with the same id correct. */
export async function closeCorrected(
  db: Database,
  file: CdrFile,
  { cdrIds, lines }: RecordedLines,
  at: string,
): Promise<void> {
  // Each is looked for by itself: of an account that the statistics do not know the planner assumes to have few rejected
  // lines, and would read all of them.
  await db.query(
    `UPDATE cdr_suspense s SET state = 'CORRECTED', closed_by = $3, closed_at = $4, raw_sealed = NULL
     FROM unnest($5::text[], $6::bigint[]) AS r(cdr_id, line)
     CROSS JOIN LATERAL (SELECT file_id, line FROM cdr_suspense
       WHERE psp_id = $1 AND account_id = $2 AND state = 'OPEN' AND cdr_id = r.cdr_id
         AND (file_id <> $3::uuid OR line < r.line) OFFSET 0 FOR UPDATE) o
     WHERE s.psp_id = $1 AND s.file_id = o.file_id AND s.line = o.line`,
    [file.psp, file.account, file.id, at, cdrIds, lines],
  );
}

/**
 * Closes rejected lines that a single record corrects. A line rejected for a conflict with that record stays open.
 * @param by the record's id in its wire form
 */
export async function closeCorrectedBy(
  db: Database,
  { psp, account, cdrId, by, at }: { psp: PspId; account: string; cdrId: string; by: string; at: string },
): Promise<void> {
  await db.query(
    `UPDATE cdr_suspense SET state = 'CORRECTED', closed_by = $4, closed_at = $5, raw_sealed = NULL
     WHERE psp_id = $1 AND account_id = $2 AND state = 'OPEN' AND cdr_id = $3
       AND findings NOT LIKE '%"code":"CDR_ID_CONFLICT"%'`,
    [psp, account, cdrId, by, at],
  );
}

export async function keepWarnings(db: Database, file: CdrFile, lines: readonly WarnedLine[]): Promise<void> {
  if (lines.length === 0) return;
  await db.query(
    `INSERT INTO cdr_file_warnings (psp_id, file_id, line, byte_offset, cdr_id, findings)
     SELECT $1, $2, k.* FROM unnest($3::bigint[], $4::bigint[], $5::text[], $6::text[]) AS k`,
    [file.psp, file.id, ...valuesOf(lines, 'line', 'byteOffset', 'cdrId', 'findings')],
  );
}

/** Lines that nobody has dealt with, in the file's order. @param after number of the last line seen */
export async function listOpenLines(
  db: Database,
  file: CdrFile,
  after: number,
  limit: number,
): Promise<SuspendedLine[]> {
  const rows = await db.query<Omit<SuspendedLine, 'findings'> & { findings: string }>(
    `SELECT line, cdr_id AS "cdrId", raw_sealed AS "rawSealed", findings, state FROM cdr_suspense
     WHERE psp_id = $1 AND file_id = $2 AND line > $3 AND state = 'OPEN' ORDER BY line LIMIT $4`,
    [file.psp, file.id, after, limit],
  );
  return rows.map((r) => ({ ...r, findings: JSON.parse(r.findings) }));
}

/** Findings of lines, rejected and recorded ones, in the file's order. */
export async function listFindings(db: Database, file: CdrFile, after: number, limit: number): Promise<Finding[][]> {
  const rows = await db.query<{ findings: string }>(
    `SELECT line, findings FROM (
       (SELECT line, findings FROM cdr_suspense WHERE psp_id = $1 AND file_id = $2 AND line > $3 ORDER BY line LIMIT $4)
       UNION ALL
       (SELECT line, findings FROM cdr_file_warnings WHERE psp_id = $1 AND file_id = $2 AND line > $3 ORDER BY line LIMIT $4)
     ) f ORDER BY line LIMIT $4`,
    [file.psp, file.id, after, limit],
  );
  return rows.map((r) => JSON.parse(r.findings));
}

export async function countSuspended(db: Database, file: CdrFile): Promise<Record<SuspenseState, number>> {
  const rows = await db.query<{ state: SuspenseState; n: number }>(
    'SELECT state, count(*) AS n FROM cdr_suspense WHERE psp_id = $1 AND file_id = $2 GROUP BY state',
    [file.psp, file.id],
  );
  const of = (state: SuspenseState) => rows.find((r) => r.state === state)?.n ?? 0;
  return { OPEN: of('OPEN'), CORRECTED: of('CORRECTED'), WRITTEN_OFF: of('WRITTEN_OFF') };
}

/** Closes open lines for good. @returns their numbers */
export async function writeOff(
  tx: Database,
  file: CdrFile,
  lines: readonly number[] | undefined,
  reason: string,
  by: string,
  at: string,
): Promise<number[]> {
  const rows = await tx.query<{ line: number }>(
    `UPDATE cdr_suspense SET state = 'WRITTEN_OFF', reason = $3, closed_by = $4, closed_at = $5, raw_sealed = NULL
     WHERE psp_id = $1 AND file_id = $2 AND state = 'OPEN' AND ($6::bigint[] IS NULL OR line = ANY ($6)) RETURNING line`,
    [file.psp, file.id, reason, by, at, lines],
  );
  return rows.map((r) => r.line).sort((a, b) => a - b);
}

/** A line by its file's id and its number. */
export interface LineKey {
  readonly file: string;
  readonly line: number;
}

interface SealedRaw extends LineKey {
  readonly rawSealed: string;
}

/** Lines of a PSP whose original text is still stored. @param after the last one seen */
export const listSealed = (db: Database, psp: PspId, after: LineKey | null, limit: number): Promise<SealedRaw[]> =>
  db.query(
    `SELECT file_id AS file, line, raw_sealed AS "rawSealed" FROM cdr_suspense
     WHERE psp_id = $1 AND raw_sealed IS NOT NULL AND ($2::uuid IS NULL OR (file_id, line) > ($2, $3))
     ORDER BY file_id, line LIMIT $4`,
    [psp, after?.file, after?.line ?? 0, limit],
  );

/** Deletes the sealed text of lines; their findings stay. @returns how many lines still had text */
export async function dropRaw(tx: Database, psp: PspId, lines: readonly LineKey[]): Promise<number> {
  if (lines.length === 0) return 0;
  const rows = await tx.query(
    `UPDATE cdr_suspense s SET raw_sealed = NULL FROM unnest($2::uuid[], $3::bigint[]) AS k(f, l)
     WHERE s.psp_id = $1 AND s.file_id = k.f AND s.line = k.l AND s.raw_sealed IS NOT NULL RETURNING 1`,
    [psp, lines.map((l) => l.file), lines.map((l) => l.line)],
  );
  return rows.length;
}

/**
 * Deletes the sealed text of lines of files received before a moment, one file at a time.
 * @param before ISO 8601
 * @returns how many lines
 */
export async function dropOldRaw(db: Database, psp: PspId, before: string): Promise<number> {
  let dropped = 0;
  for (let after: string | null = null; ; ) {
    const [next]: { id: string }[] = await db.query(
      `SELECT id FROM cdr_files WHERE psp_id = $1 AND ($2::uuid IS NULL OR id > $2) AND id < uuid_floor($3)
       ORDER BY id LIMIT 1`,
      [psp, after, before],
    );
    if (!next) return dropped;
    after = next.id;
    const rows = await db.query(
      `UPDATE cdr_suspense SET raw_sealed = NULL
       WHERE psp_id = $1 AND file_id = $2 AND raw_sealed IS NOT NULL RETURNING 1`,
      [psp, after],
    );
    dropped += rows.length;
  }
}
