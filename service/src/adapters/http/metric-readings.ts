// How gauges that share a source are read: those of call detail files, of the readers of the journal and of backups.
import { countByState, workInHand } from '../../modules/telecom/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { behindSince, entriesBehind } from '../../platform/readers-behind.ts';
import type { Reading, Readings } from './metrics.ts';

export function cdrReadings(db: Database, clock: Clock): Readings {
  // One question for the three that are read at the same time.
  let asked: ReturnType<typeof workInHand> | undefined;
  const inHand = () => {
    asked ??= workInHand(db, clock()).finally(() => {
      asked = undefined;
    });
    return asked;
  };
  return {
    assay_cdr_files: () => countByState(db),
    assay_cdr_files_bytes_left: async () => (await inHand()).bytesLeft,
    assay_cdr_files_eta_seconds: async () => (await inHand()).etaSeconds,
    assay_cdr_files_progress_ratio: async () => (await inHand()).share,
  };
}

interface MeasuredBackups {
  ageSeconds(): Promise<number>;
  bytes(): Promise<number>;
  overdue(): Promise<boolean>;
}

export const backupReadings = (backups: MeasuredBackups): Readings => ({
  assay_backup_age_seconds: () => backups.ageSeconds(),
  assay_backup_bytes: () => backups.bytes(),
  assay_backup_overdue: async () => Number(await backups.overdue()),
});

interface MeasuredReader {
  readonly name: string;
  readonly troubled: number;
  setAside(): Promise<number>;
}

const secondsSince = (at: number | undefined, clock: Clock): number =>
  at === undefined ? 0 : Math.max(0, (clock() - at) / 1000);

/** Of what is asked of one reader after another, what cannot be read of one shows as NaN. */
export function readerReadings(db: Database, readers: readonly MeasuredReader[], clock: Clock): Readings {
  const names = readers.map((r) => r.name);
  const ofEach = (read: (r: MeasuredReader) => number | Promise<number>) => async (): Promise<Reading> => {
    const values = new Map<string, number>();
    for (const r of readers) {
      const value = await Promise.try(read, r).catch(() => Number.NaN);
      values.set(r.name, value);
    }
    return values;
  };
  return {
    assay_journal_reader_lag: () => entriesBehind(db, names),
    assay_journal_reader_behind_seconds: async () =>
      new Map([...(await behindSince(db, names))].map(([name, at]) => [name, secondsSince(at, clock)])),
    assay_journal_reader_troubled: ofEach((r) => r.troubled),
    assay_journal_reader_set_aside: ofEach((r) => r.setAside()),
  };
}
