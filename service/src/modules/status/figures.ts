// Reads the figures of the service's own state, each by itself: what cannot be read leaves the others as they are. No
// path, host or secret is among them.
import { timeOfId } from '../../core/ids.ts';
import type { Figures } from '../../core/status/checks.ts';
import { diskOf } from '../../platform/disk.ts';
import { newestBackup } from '../../platform/kept-backups.ts';
import { errorFields } from '../../platform/log.ts';
import { countPresent, followerName } from '../../platform/presence.ts';
import { behindSince } from '../../platform/readers-behind.ts';
import { apart } from '../../platform/settings-mark.ts';
import { version } from '../../platform/version.ts';
import { livePsps } from '../accounts/index.ts';
import { auditorCursor, sealingLag, usualAuditorLagS } from '../audit/index.ts';
import type { Needs } from '../kernel/needs.ts';
import { sumOfWaits } from '../kernel/waits.ts';
import { countReports } from '../reports/index.ts';
import { stillSince, workInHand } from '../telecom/index.ts';
import { oldTotalsReader } from '../totals/index.ts';
import { deliveriesWaiting, webhookWaits } from '../webhooks/index.ts';
import {
  countScheduleProblems,
  countSetAside,
  databaseState,
  databaseTime,
  keyAges,
  lastCheckpointAt,
  lastMigration,
  readerLags,
  sealingKeyAt,
  versionsConnected,
} from './status-store.ts';

export async function figuresOf(s: Needs<'db' | 'settings' | 'log'>, now: number): Promise<Figures> {
  const { db, settings, log } = s;
  const secondsSince = (atMs: number) => Math.max(0, now - atMs) / 1000;
  const ageOf = (at: string | null) => (at === null ? null : secondsSince(Date.parse(at)));
  const tried = <T>(what: string, read: () => Promise<T>): Promise<T | undefined> =>
    read().catch((e: unknown) => {
      log.warn({ what, ...errorFields(e) }, 'a figure of the state could not be read');
      return undefined;
    });
  // First, since `now` is when the request came.
  const clockAheadS = await tried('clocks', async () => (now - Date.parse(await databaseTime(db))) / 1000);
  const psps = (await tried('psps', () => livePsps(db))) ?? [];
  const still = [oldTotalsReader, ...(settings.auditWebhook === undefined ? [auditorCursor] : [])];
  const versions = await tried('versions', () => versionsConnected(db));
  return {
    version,
    followers: await tried('followers', () => countPresent(db, followerName)),
    versions,
    settingsApart: versions && [...new Set(versions.flatMap((v) => apart(settings.alike, v.mark)))].sort(),
    clockAheadS,
    lags: await tried('readers', async () => {
      const lags = await readerLags(db, still);
      const since = await behindSince(
        db,
        lags.map((l) => l.reader),
      );
      return lags.map((l) => ({
        ...l,
        oldestS: secondsSince(since.get(l.reader) ?? now),
        usualS: l.reader === auditorCursor ? usualAuditorLagS : 0,
      }));
    }),
    setAside: await tried('setAside', () => countSetAside(db, still)),
    sealing: await tried('sealing', async () => {
      const { entries, oldest } = await sealingLag(db);
      return { entries, oldestS: oldest === undefined ? 0 : secondsSince(timeOfId(oldest)) };
    }),
    checkpointS: await tried('checkpoint', async () => ageOf(await lastCheckpointAt(db))),
    deliveries: await tried('deliveries', async () => {
      const waits = await webhookWaits(db, psps, undefined);
      return {
        waiting: await deliveriesWaiting(db, now),
        disabled: sumOfWaits(waits, 'disabledWebhooks'),
        exhausted: sumOfWaits(waits, 'exhaustedDeliveries'),
      };
    }),
    reports: await tried('reports', async () => {
      const states = await countReports(db);
      return { waiting: (states.get('QUEUED') ?? 0) + (states.get('RUNNING') ?? 0) };
    }),
    callFiles: await tried('callFiles', async () => {
      const { bytesLeft, etaSeconds } = await workInHand(db, now);
      const since = await stillSince(db);
      return {
        bytesLeft,
        etaS: Number.isFinite(etaSeconds) ? etaSeconds : null,
        stillS: since === undefined ? null : secondsSince(since),
      };
    }),
    scheduleProblems: await tried('schedules', () => countScheduleProblems(db)),
    database: await tried('database', () => databaseState(db)),
    migrations: await tried('migrations', () => lastMigration(db)),
    disk: await tried('disk', () => diskOf(settings.dataDir)),
    backup: await tried('backup', async () => {
      const { backups } = settings;
      if (backups === undefined) return null;
      const newest = await newestBackup(backups.dir, now);
      return { lastS: newest ? (now - newest.madeAtMs) / 1000 : null, mostS: backups.maxAgeMs / 1000 };
    }),
    sealingKeyS: await tried('sealingKey', async () => ageOf(await sealingKeyAt(db))),
    keys: await tried('keys', () => keyAges(db, new Date(now).toISOString())),
  };
}
