// Moves the oldest month from the tables to its file. Each step may be repeated: the tables' partitions become tables of
// their own in one commit, the file is written from these and read back, and only then are they dropped.
import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { refuse } from '../../core/refusal.ts';
import { type Database, databaseOn, type Pool } from '../../platform/database.ts';
import { withConnection } from '../../platform/take-backup.ts';
import { audit, CheckpointFolder } from '../audit/index.ts';
import { journalRow } from '../kernel/journal.ts';
import type { Needs, Principal } from '../kernel/needs.ts';
import { recordIn } from '../kernel/record-in.ts';
import {
  type ArchivedMonth,
  attachedMonths,
  begunWith,
  detachMonth,
  dropTables,
  journalsOfMonth,
  listMonths,
  lockTables,
  looseTables,
  neededBy,
  type Partitioned,
  partitionedTables,
  partOf,
  storeFile,
} from './archive-store.ts';
import { fileOf, type WrittenFile, writeMonth } from './month-file.ts';

type ArchiveNeeds = Needs<'settings' | 'ids' | 'clock' | 'committer' | 'db'>;

export interface ArchiveOptions {
  readonly services: ArchiveNeeds;
  readonly principal: Principal;
  /** Connections of the database's owner. */
  readonly owner: Pool;
  /** `YYYY-MM`. */
  readonly month: string;
  readonly signal: AbortSignal;
  /** Called before each step. */
  step?(text: string): void;
}

/** Locks the archive of a database for one command at a time. */
export async function alone<T>(owner: Pool, work: () => Promise<T>): Promise<T> {
  return owner.withClient(async (c) => {
    const db = databaseOn(c);
    const [lock] = await db.query<{ mine: boolean }>('SELECT pg_try_advisory_lock(727478) AS mine');
    if (!lock?.mine) throw refuse('STATE_CONFLICT', 'another command works on the archive; wait for its end');
    try {
      return await work();
    } finally {
      await db.query('SELECT pg_advisory_unlock(727478)');
    }
  });
}

/**
 * Archives a month, or finishes what was begun.
 * @param readers names of the journal's readers
 * @throws STATE_CONFLICT if something still needs it, or it is not the oldest
 */
export const makeArchive = (o: ArchiveOptions, readers: readonly string[]): Promise<ArchivedMonth> =>
  alone(o.owner, async () => {
    const { owner, month, step } = o;
    const tables = await partitionedTables(owner);
    let found = await findMonth(owner, month);
    if (!found) {
      await expectReady(o, readers);
      await detach(o, tables);
      found = await findMonth(owner, month);
    }
    if (found?.sha256 === null) {
      step?.('writes the file and reads it back');
      const { dataDir } = o.services.settings;
      const now = new Date(o.services.clock());
      const file = await owner.withClient((c) =>
        withConnection(c, () => writeMonth(c, dataDir, month, tables, now, o.signal)),
      );
      await expectAll(owner, month, tables, file);
      await owner.transaction(async (tx) => {
        await storeFile(tx, month, file);
        await recordIn(tx, o.services, { rows: [archiveChange(o, 'ARCHIVED', file)] });
      });
    }
    step?.('drops the tables');
    await owner.transaction(async (tx) => dropTables(tx, await looseTables(tx, month, tables)));
    return (await findMonth(owner, month)) as ArchivedMonth;
  });

const findMonth = async (db: Database, month: string): Promise<ArchivedMonth | undefined> =>
  (await listMonths(db)).find((m) => m.month === month);

async function expectReady({ services: s, owner, month, step }: ArchiveOptions, readers: readonly string[]) {
  const { archiveAfterMonths: months, dataDir } = s.settings;
  if (months === 0)
    throw refuse('STATE_CONFLICT', 'ARCHIVE_AFTER_MONTHS is 0: nothing may be archived; set the least age in months');
  const now = new Date(s.clock());
  const ends = Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5, 7)), 1);
  if (ends > Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months + 1, 1))
    throw refuse(
      'STATE_CONFLICT',
      `${month} is younger than ARCHIVE_AFTER_MONTHS, ${months} months; corrections and disputes may still come`,
    );
  const [oldest] = await attachedMonths(owner);
  if (oldest !== month)
    throw refuse(
      oldest !== undefined && oldest < month ? 'STATE_CONFLICT' : 'NOT_FOUND',
      oldest !== undefined && oldest < month
        ? `months are archived from the oldest on; archive ${oldest} first`
        : `there are no records of ${month}; the oldest month is ${oldest}`,
    );
  if (existsSync(fileOf(dataDir, month)))
    throw refuse(
      'STATE_CONFLICT',
      `${fileOf(dataDir, month)} exists already, and the database has the rows of ${month} in its tables; move the file away`,
    );
  const why = await neededBy(owner, month, readers);
  if (why !== undefined) throw refuse('STATE_CONFLICT', `${month} cannot be archived: ${why}`);
  step?.('audits the whole journal and its records');
  for await (const one of audit({ db: owner, folders: [new CheckpointFolder(`${dataDir}/checkpoints`)] })) {
    const [bad] = one.findings;
    if (bad) throw refuse('STATE_CONFLICT', `nothing is archived: ${bad.message}. Run assay audit verify`);
  }
}

/** The month's rows leave the tables in one commit, which waits for nothing: it is tried until nothing reads for long. */
async function detach({ services: s, owner, month, signal, step }: ArchiveOptions, tables: readonly Partitioned[]) {
  const journals = await journalsOfMonth(owner, month);
  step?.('takes the month out of the tables');
  for (;;) {
    try {
      await owner.transaction(async (tx) => {
        await lockTables(tx, tables);
        const why = await begunWith(tx, month);
        if (why !== undefined) throw refuse('STATE_CONFLICT', `${month} cannot be archived: ${why}`);
        await detachMonth(tx, month, tables, journals, new Date(s.clock()).toISOString());
      });
      return;
    } catch (e) {
      // 57014 and 55P03: it waited long enough; 40P01: so did somebody else.
      if (!['57014', '55P03', '40P01'].includes((e as { code?: string }).code ?? '')) throw e;
      step?.('waits for something that reads for long, such as a backup');
      await pause(1000, undefined, { signal });
    }
  }
}

/** @throws Error if the file has another number of rows than a table */
async function expectAll(db: Database, month: string, tables: readonly Partitioned[], { rows }: WrittenFile) {
  for (const { table } of tables) {
    const [r] = await db.query<{ n: number }>(`SELECT count(*) AS n FROM ${partOf(table, month)}`);
    if (r?.n !== rows[table]) throw new Error(`the file has ${rows[table]} rows of ${table}, the table ${r?.n}`);
  }
}

export const archiveChange = (
  { services: s, principal, month }: Pick<ArchiveOptions, 'services' | 'principal' | 'month'>,
  change: 'ARCHIVED' | 'RESTORED',
  { sha256, bytes, rows }: WrittenFile,
) =>
  journalRow(s, principal, new Date(s.clock()).toISOString(), {
    kind: 'archive.changed',
    psp: principal.psp,
    account: principal.account,
    resourceId: s.ids.next(),
    version: 1,
    data: { month, change, sha256, bytes, rows },
  });
