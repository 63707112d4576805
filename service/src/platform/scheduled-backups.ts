// Makes backups at set times into the folder of BACKUP_DIR, beside the running service, and says when the last good one is
// too old. It must never end or hold up the service: what fails is logged, counted and tried again.
import { resolve } from 'node:path';
import type { Keep } from '../core/backup-retention.ts';
import type { Clock } from './clock.ts';
import type { Database } from './database.ts';
import { every, type Repeating } from './every.ts';
import { backupJob, queueJob, type TimedJob } from './jobs.ts';
import { makeKeptBackup, newestBackup } from './kept-backups.ts';
import { errorFields, type Log } from './log.ts';
import { backUp } from './take-backup.ts';
import { version } from './version.ts';

interface BackupSettings {
  readonly dir: string;
  /** Five cron fields; undefined if other processes make them. */
  readonly cron: string | undefined;
  readonly keep: Keep;
  readonly maxAgeMs: number;
}

export interface ScheduledOptions {
  readonly settings: BackupSettings;
  readonly dataDir: string;
  /** Undefined for the embedded database. */
  readonly databaseUrl: string | undefined;
  /** Connection as the database's owner. */
  readonly ownerUrl: string;
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  /** Called with how each backup ended. */
  observe(outcome: 'made' | 'failed'): void;
}

const lookEveryMs = 3_600_000;

export class ScheduledBackups {
  readonly #o: ScheduledOptions;
  readonly #folder: string;
  readonly #end = new AbortController();
  #looking: Repeating | undefined;

  constructor(o: ScheduledOptions) {
    this.#o = o;
    this.#folder = resolve(o.settings.dir);
  }

  get job(): TimedJob {
    return { name: backupJob, cron: this.#o.settings.cron, run: () => this.make() };
  }

  async start(): Promise<void> {
    this.#looking = every(lookEveryMs, () => this.look());
    await this.look();
  }

  /** Ends a backup that is being made; nothing is left of it. */
  async stop(): Promise<void> {
    this.#end.abort();
    await this.#looking?.stop();
  }

  async make(): Promise<void> {
    const { settings, clock, log, observe, ...of } = this.#o;
    const { signal } = this.#end;
    const now = new Date(clock());
    try {
      const { file, bytes, manifest, removed } = await makeKeptBackup({
        ...{ folder: this.#folder, keep: settings.keep, now, signal },
        take: (file) =>
          backUp(of.ownerUrl, { ...of, file, now, log, signal, version, withMasterKey: false, progress() {} }),
      });
      const rows = Object.values(manifest.rows).reduce((sum, n) => sum + n, 0);
      log.info({ file, bytes, rows, removed }, 'a backup was made and checked');
      observe('made');
    } catch (e) {
      // The next start makes it if it is needed.
      if (signal.aborted) return;
      log.error(errorFields(e), 'no backup was made');
      observe('failed');
    }
  }

  /** Says so in the log if the last good backup is too old, and has one made at once. */
  async look(): Promise<void> {
    const { settings, db, log } = this.#o;
    if (!(await this.overdue())) return;
    const ageS = await this.ageSeconds().catch(() => Number.NaN);
    const age = Number.isFinite(ageS) ? { ageHours: Math.floor(ageS / 3600) } : {};
    log.error(
      { folder: this.#folder, ...age, maxAgeHours: settings.maxAgeMs / 3_600_000 },
      Number.isFinite(ageS) ? 'the last good backup is too old' : 'there is no good backup',
    );
    if (settings.cron !== undefined)
      await queueJob(db, backupJob).catch((e) => log.warn(errorFields(e), 'a backup could not be queued'));
  }

  /** Seconds since the last good backup was begun; infinite if there is none. @throws if the folder cannot be read */
  async ageSeconds(): Promise<number> {
    const now = this.#o.clock();
    const newest = await newestBackup(this.#folder, now);
    return newest ? (now - newest.madeAtMs) / 1000 : Number.POSITIVE_INFINITY;
  }

  /** Size of the last good backup in bytes; 0 if there is none. @throws if the folder cannot be read */
  async bytes(): Promise<number> {
    return (await newestBackup(this.#folder, this.#o.clock()))?.bytes ?? 0;
  }

  /** Whether the last good backup is older than it may be, there is none, or the folder cannot be read. */
  async overdue(): Promise<boolean> {
    const ageS = await this.ageSeconds().catch(() => Number.POSITIVE_INFINITY);
    return ageS * 1000 > this.#o.settings.maxAgeMs;
  }
}
