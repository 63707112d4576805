// All SQL on call detail files.
import { emptyTally, type Finding, type Place } from '../../../core/cdr/file-findings.ts';
import { type PspId, timeOfId } from '../../../core/ids.ts';
import type { Row as TableRow } from '../../../platform/committer.ts';
import type { Database } from '../../../platform/database.ts';
import { cdrFiles, type fileStates, type finalStates } from '../../../records/cdr-files.ts';
import { type RecordOf, tableOf } from '../../../records/table.ts';
import { row } from '../../kernel/journal.ts';
import type { StaffListFilter } from '../../kernel/list-filter.ts';
import type { Taken } from './folders.ts';

const table = tableOf(cdrFiles);
export type FinalState = (typeof finalStates)[number];
export type FileState = (typeof fileStates)[number];

export interface CdrFile extends Omit<RecordOf<typeof cdrFiles>, 'nextLine' | 'nextOffset'> {
  readonly next: Place;
}

function fromRecord({ nextLine, nextOffset, ...rest }: RecordOf<typeof cdrFiles>): CdrFile {
  return { ...rest, next: { line: nextLine, byteOffset: nextOffset } };
}
const read = async (db: Database, rest: string, values: readonly unknown[]): Promise<CdrFile[]> =>
  (await table.read(db, rest, values)).map(fromRecord);

/** Inserts a file that was taken, unless it is stored already. */
export async function insertFile(db: Database, psp: PspId, file: Taken, pickedUpAt: string): Promise<void> {
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

export async function findFile(db: Database, psp: PspId, id: string): Promise<CdrFile | undefined> {
  const [found] = await read(db, 'WHERE psp_id = $1 AND id = $2', [psp, id]);
  return found;
}

/** Finds a file of any PSP, for the operator. */
export async function findAnyFile(db: Database, id: string): Promise<CdrFile | undefined> {
  const [found] = await read(db, 'WHERE id = $1', [id]);
  return found;
}

export async function getFile(db: Database, psp: PspId, id: string): Promise<CdrFile> {
  const file = await findFile(db, psp, id);
  if (!file) throw new Error(`the call detail file ${id} is not known`);
  return file;
}

/** Newest first. */
export const listFiles = (db: Database, f: StaffListFilter<'state'>): Promise<CdrFile[]> =>
  read(
    db,
    `WHERE ($1::uuid IS NULL OR psp_id = $1) AND ($2::uuid IS NULL OR account_id = $2)
       AND ($3::text IS NULL OR state = $3) AND ($4::uuid IS NULL OR id < $4)
     ORDER BY id DESC LIMIT $5`,
    [f.psp, f.account, f.state, f.before, f.limit],
  );

/** Files that were received in a span of time (milliseconds since the epoch), oldest first. */
export const filesWithin = (
  db: Database,
  psp: PspId,
  accounts: readonly string[],
  from: number,
  to: number,
): Promise<CdrFile[]> =>
  read(
    db,
    `WHERE psp_id = $1 AND account_id = ANY ($2::uuid[]) AND id >= uuid_floor($3::timestamptz)
       AND id < uuid_floor($4::timestamptz) ORDER BY id`,
    [psp, accounts, new Date(from).toISOString(), new Date(to).toISOString()],
  );

/** The position of the file among the account's files of the same name; 1 for the first. */
export async function countOfName(db: Database, file: CdrFile): Promise<number> {
  const [r] = await db.query<{ n: number }>(
    'SELECT count(*) AS n FROM cdr_files WHERE psp_id = $1 AND account_id = $2 AND name = $3 AND id <= $4',
    [file.psp, file.account, file.name, file.id],
  );
  return r?.n ?? 0;
}

export async function countByState(db: Database): Promise<Map<FileState, number>> {
  const rows = await db.query<{ state: FileState; n: number }>(
    'SELECT state, count(*) AS n FROM cdr_files GROUP BY state',
  );
  return new Map(rows.map((r) => [r.state, r.n]));
}

/** The total progress of the files that are not completed. @param nowMs milliseconds since the epoch */
export async function workInHand(db: Database, nowMs: number) {
  const [r] = await db.query<{ bytes: number; done: number; since: string | null }>(
    `SELECT coalesce(sum(size_bytes), 0)::bigint AS bytes, coalesce(sum(next_offset), 0)::bigint AS done,
       min(picked_up_at) AS since
     FROM cdr_files WHERE state IN ('QUEUED', 'PROCESSING')`,
  );
  const { bytes, done, since } = r as NonNullable<typeof r>;
  const share = bytes === 0 ? 1 : done / bytes;
  const elapsedS = since === null ? 0 : Math.max(0, nowMs - Date.parse(since)) / 1000;
  const etaSeconds = share === 1 ? 0 : done === 0 ? Number.NaN : (elapsedS * (1 - share)) / share;
  return { share, bytesLeft: bytes - done, etaSeconds };
}

/**
 * Since when nothing was done on a file that is not completed, where it is longest, in milliseconds; undefined if all are
 * completed. Files of a PSP are worked on in their order: it is measured of the first, since it was picked up, its last
 * portion was recorded or the one before it was completed. That later ones are completed does not move it.
 */
export async function stillSince(db: Database): Promise<number | undefined> {
  const rows = await db.query<{ pickedUpAt: string; beforeAt: string | null; portion: string | null }>(
    `SELECT f.picked_up_at AS "pickedUpAt", b.completed_at AS "beforeAt", j.id AS portion
     FROM (SELECT psp_id, min(id::text)::uuid AS id FROM cdr_files WHERE state IN ('QUEUED', 'PROCESSING')
           GROUP BY psp_id) o
     JOIN cdr_files f ON f.psp_id = o.psp_id AND f.id = o.id
     LEFT JOIN LATERAL (
       SELECT completed_at FROM cdr_files WHERE psp_id = f.psp_id AND id < f.id ORDER BY id DESC LIMIT 1
     ) b ON true
     LEFT JOIN LATERAL (
       SELECT id FROM journal WHERE psp_id = f.psp_id AND resource_id = f.id ORDER BY seq DESC LIMIT 1
     ) j ON true`,
  );
  const since = rows.map(({ pickedUpAt, beforeAt, portion }) =>
    Math.max(
      Date.parse(pickedUpAt),
      beforeAt === null ? 0 : Date.parse(beforeAt),
      portion === null ? 0 : timeOfId(portion),
    ),
  );
  return since.length === 0 ? undefined : Math.min(...since);
}

/**
 * Stores what the first reading found and starts the file, unless the account sent the same content before. A file that
 * was rejected as a whole may be sent again: the cause may have been an error of the service, or temporary.
 * @param tx a transaction, so that of two equal files at the same time exactly one is the first
 * @returns the id of the earlier file with the same content
 */
export async function beginFile(
  tx: Database,
  file: CdrFile,
  content: { sha256: string; headerLine: string; lines: number; findings: readonly Finding[] },
): Promise<string | undefined> {
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`cdr-file|${file.account}`]);
  const [first] = await tx.query<{ id: string }>(
    `SELECT id FROM cdr_files WHERE psp_id = $1 AND account_id = $2 AND sha256 = $3 AND id <> $4
       AND duplicate_of IS NULL AND state IN ('PROCESSING', 'ACCEPTED', 'PARTIALLY_ACCEPTED') ORDER BY id LIMIT 1`,
    [file.psp, file.account, content.sha256, file.id],
  );
  await tx.query(
    `UPDATE cdr_files SET state = 'PROCESSING', sha256 = $3, lines = $4, findings = $5, duplicate_of = $6, header = $7
     WHERE psp_id = $1 AND id = $2`,
    [file.psp, file.id, content.sha256, content.lines, JSON.stringify(content.findings), first?.id, content.headerLine],
  );
  return first?.id;
}

/** The row for a file's next version; the version check prevents that anything is recorded twice. */
export const fileChange = ({ next, ...after }: CdrFile): TableRow =>
  row('cdr_file_changes', table.toRow({ ...after, nextLine: next.line, nextOffset: next.byteOffset }));

/** Reads a file and locks its row until the transaction ends. */
export async function lockFile(tx: Database, { psp, id }: CdrFile): Promise<CdrFile> {
  const [file] = await read(tx, 'WHERE psp_id = $1 AND id = $2 FOR UPDATE', [psp, id]);
  if (!file) throw new Error(`the call detail file ${id} is not known`);
  return file;
}
