// The file of an archived month: the rows of its tables in the format of a backup (platform/backup-file.ts), with the
// journal in the order of its numbers. Writes and reads the file; decides nothing.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import pgCopy from 'pg-copy-streams';
import type { Manifest, Section, Summary } from '../../platform/backup-file.ts';
import { writeBackup } from '../../platform/backup-file.ts';
import { CopyLines, valuesOf } from '../../platform/copy-text.ts';
import { databaseOn } from '../../platform/database.ts';
import { BadBackup, readBackup, type Sink } from '../../platform/read-backup.ts';
import { syncPath } from '../../platform/sync-path.ts';
import { coverOf, named } from '../../platform/take-backup.ts';
import { version } from '../../platform/version.ts';
import { type Partitioned, partOf } from './archive-store.ts';

const folderOf = (dataDir: string): string => join(dataDir, 'archive');
export const fileOf = (dataDir: string, month: string): string => join(folderOf(dataDir), `${month}.assay`);

export interface WrittenFile {
  readonly sha256: string;
  readonly bytes: number;
  readonly rows: Readonly<Record<string, number>>;
}

/** Writes the rows of a month's tables, which must not change meanwhile, and reads the file back to its end. */
export async function writeMonth(
  c: pg.PoolClient,
  dataDir: string,
  month: string,
  tables: readonly Partitioned[],
  now: Date,
  signal: AbortSignal,
): Promise<WrittenFile> {
  const file = fileOf(dataDir, month);
  await mkdir(folderOf(dataDir), { recursive: true, mode: 0o700 });
  await syncPath(dataDir);
  const cover = await coverOf(databaseOn(c), { version, now, withMasterKey: false });
  async function* sections(): AsyncGenerator<Section, Summary> {
    const rows: Record<string, number> = {};
    for (const { table, columns } of tables) {
      const order = table === 'journal' ? ' ORDER BY psp_id, seq, id' : '';
      const from = `SELECT ${named(columns)} FROM ${partOf(table, month)}${order}`;
      const copy = c.query(pgCopy.to(`COPY (${from}) TO STDOUT`));
      yield { head: { table, columns }, content: copy as AsyncIterable<Buffer> };
      rows[table] = copy.rowCount;
    }
    return { rows, months: [`${month}-01`] };
  }
  const { rows } = await writeBackup(file, cover, sections(), signal);
  // What is on the disk has the hash of what was read from the tables, or this throws.
  await readBackup(file, {}, signal);
  const { size: bytes } = await stat(file);
  return { sha256: await sha256Of(file), bytes, rows };
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/**
 * What is wrong with a month's file; undefined if it is the one that was written.
 * @param sha256 as recorded
 */
export async function faultOf(file: string, sha256: string): Promise<string | undefined> {
  let found: string;
  try {
    found = await sha256Of(file);
  } catch (e) {
    return (e as { code?: string }).code === 'ENOENT'
      ? `${file} is missing; bring it back from where it is kept`
      : `${file} cannot be read (${(e as Error).message})`;
  }
  return found === sha256
    ? undefined
    : `${file} was changed: its SHA-256 is ${found}, recorded is ${sha256}; bring it back from where it is kept`;
}

/** Values by column, as text; null for SQL's null. */
export type RowRead = Readonly<Record<string, string | null>>;

/** @throws BadBackup if the row has no such value */
export function textIn(from: RowRead, column: string): string {
  const value = from[column];
  if (value === null || value === undefined) throw new BadBackup(`a row in the archive lacks its ${column}`);
  return value;
}

/**
 * Reads rows of some tables of a file.
 * @param tables calls with the rows of a table as they come, in the file's order
 * @throws BadBackup
 */
export function readMonth(
  file: string,
  tables: Readonly<Record<string, (rows: readonly RowRead[]) => Promise<void> | void>>,
  signal: AbortSignal,
): Promise<Manifest> {
  const section = async (head: object): Promise<Sink | undefined> => {
    if (!('table' in head)) throw new BadBackup(`${file} holds files; it is no archive of a month`);
    const { table, columns } = head as { table: string; columns: readonly string[] };
    const take = tables[table];
    if (!take) return undefined;
    const lines = new CopyLines();
    return {
      write: (chunk) =>
        take(
          lines.take(chunk).map((line) => {
            const values = valuesOf(line);
            return Object.fromEntries(columns.map((c, i) => [c, values[i] as string | null]));
          }),
        ),
      end: () => undefined,
    };
  };
  return readBackup(file, { section }, signal);
}

/** Sets a file aside whose month is back in the tables. */
export async function setAside(dataDir: string, month: string): Promise<string> {
  const to = join(folderOf(dataDir), `${month}.restored.assay`);
  await rename(fileOf(dataDir, month), to).catch((e: NodeJS.ErrnoException) => {
    if (e.code !== 'ENOENT') throw e;
  });
  await syncPath(folderOf(dataDir));
  return to;
}
