// The half of the service that works in the background: readers of the journal, webhook deliveries, call detail files,
// reports, jobs at set times, backfills. It answers no requests. What the other half does not wake it for, it finds.
import { backupReadings, cdrReadings, readerReadings } from './adapters/http/metric-readings.ts';
import type { Ground } from './ground.ts';
import { makeSealing } from './modules/audit/index.ts';
import { endAlertsOfClosed, makeCasesReader } from './modules/cases/index.ts';
import { makeObservedAlertsReader } from './modules/observed-alerts/index.ts';
import { countReports, reportKinds as kinds, ReportRunner, requestDueReports } from './modules/reports/index.ts';
import { makeRiskReader } from './modules/risk/index.ts';
import { makeScreeningReader, Rescreening } from './modules/screening/index.ts';
import { clearPast } from './modules/subjects/retention.ts';
import { makeCdrAnalysis } from './modules/telecom/index.ts';
import { makeTotalsReader } from './modules/totals/totals-reader.ts';
import { warnOfDocuments, warnOfLicences } from './modules/verification/index.ts';
import { recordLookups } from './modules/wagers/index.ts';
import { WebhookDelivery } from './modules/webhooks/index.ts';
import { Backfills } from './platform/backfills.ts';
import { every, type Repeating } from './platform/every.ts';
import { followersOf } from './platform/follower.ts';
import { Jobs, pickUpJob } from './platform/jobs.ts';
import type { JournalReader } from './platform/journal-reader.ts';
import { followerName, Presence } from './platform/presence.ts';
import { ScheduledBackups } from './platform/scheduled-backups.ts';
import type { Wake } from './platform/worker.ts';

export interface Following {
  readonly readers: readonly JournalReader[];
  readonly delivery: WebhookDelivery;
  readonly reports: ReportRunner;
  /** Undefined without BACKUP_DIR. */
  readonly backups: ScheduledBackups | undefined;
  start(): Promise<void>;
  wake(wake: Wake): void;
  /** Finishes what is in flight, or leaves it to other processes and the next start. */
  stop(): Promise<void>;
}

export async function composeFollowing(g: Ground): Promise<Following> {
  const { services, metrics, outgoing, connect, pool, background, dataDir } = g;
  const { settings, clock, log, backgroundPauses, cdrIntake } = services;
  // What is read of the journal is read by index, however large it is.
  const reading = connect(4, { byIndex: 'hashed' });
  // Readers that stand still may hold all of theirs, and then most of all it is asked how far they are behind.
  const measuring = connect(1, { byIndex: 'hashed', waitMs: settings.databaseWaitMs });
  const cdrAnalysis = makeCdrAnalysis(services, reading.prepared, (records) =>
    metrics.count('assay_cdr_analysed_records_total', {}, records),
  );
  const reports = new ReportRunner({ services, pool: background, kinds, observe: (m) => metrics.report(m) });
  const backups = makeBackups(g);
  const jobs = new Jobs(
    background,
    log,
    [
      ...(backups ? [backups.job] : []),
      { name: pickUpJob, cron: settings.cdrPickupCron, run: () => cdrIntake.beginPickUp() },
      { name: 'cdr-archive', cron: settings.cdrPickupCron && '17 3 * * *', run: () => cdrIntake.clearArchive() },
      { name: 'licences', cron: settings.licenceCron, run: () => warnOfLicences({ ...services, db: background }) },
      { name: 'documents', cron: settings.licenceCron, run: () => warnOfDocuments({ ...services, db: background }) },
      {
        name: 'report-schedules',
        cron: settings.reportScheduleCron,
        run: () => requestDueReports({ ...services, db: background, reports }),
      },
      {
        name: 'retention',
        cron: settings.retentionCron,
        run: () => clearPast({ settings, clock, log, db: background }),
      },
    ],
    [endAlertsOfClosed(services)],
  );
  const delivering = connect(5, { byIndex: true });
  const delivery = new WebhookDelivery({
    services,
    pool,
    delivering: delivering.prepared,
    outgoing,
    observe: (a) => metrics.attempt(a),
  });
  const observe = (reason: string) => metrics.count('assay_auditor_attempts_total', { reason });
  const { sealer, auditor } = await makeSealing(services, { dataDir, reading, outgoing, connect, observe });
  const counting = [
    ...[makeTotalsReader, makeRiskReader, makeObservedAlertsReader, makeCasesReader, makeScreeningReader],
  ].map((make) => make(services, reading.prepared));
  const rescreening = new Rescreening(services, background.prepared);
  /** All readers of the journal: started, measured and stopped together. */
  const readers: readonly JournalReader[] = [delivery.reader, ...counting, cdrAnalysis, sealer];
  const followers = followersOf(readers, {
    ...{ pool: reading.prepared, log, clock },
    everyMs: g.lookEveryMs,
  });
  metrics.read({
    ...cdrReadings(pool, clock),
    ...readerReadings(measuring, readers, clock),
    ...(backups ? backupReadings(backups) : {}),
    assay_reports: () => countReports(pool),
    assay_webhook_backlog: () => delivery.backlog(),
    assay_webhook_breakers_open: () => delivery.breakersOpen,
    assay_auditor_troubled: () => auditor?.troubled ?? 0,
  });
  const backfills = new Backfills({ pool: background, log, backgroundPauses, backfills: recordLookups(services) });
  const presence = new Presence(delivering, followerName, log);
  let showing: Repeating | undefined;
  return {
    readers,
    delivery,
    reports,
    backups,
    async start() {
      showing = every(1000, () => presence.show());
      await presence.show();
      for (const part of [...readers, backfills, rescreening, delivery, auditor, jobs, reports, backups])
        await part?.start();
      // Work that a process left unfinished is continued at once.
      void cdrIntake.work();
    },
    wake(wake) {
      if ('psps' in wake) for (const f of followers) f.wake(wake.psps);
      else if (wake.work === 'screening') rescreening.wake();
      else void (wake.work === 'intake' ? cdrIntake : reports).work();
    },
    async stop() {
      await Promise.all([...readers, backfills, rescreening].map((r) => r.stop()));
      for (const part of [delivery, cdrIntake, reports, backups, jobs]) await part?.stop();
      await Promise.all([auditor?.stop(), showing?.stop()]);
      await presence.hide();
      await Promise.all([delivering, reading, measuring].map((p) => p.end()));
    },
  };
}

/** Undefined without BACKUP_DIR. */
function makeBackups({ services, metrics, embedded, background, dataDir }: Ground): ScheduledBackups | undefined {
  const { settings, clock, log } = services;
  if (settings.backups === undefined) return undefined;
  return new ScheduledBackups({
    ...{ settings: settings.backups, dataDir, clock, log, db: background },
    databaseUrl: settings.databaseUrl,
    ownerUrl: embedded?.adminUrl ?? (settings.databaseUrl as string),
    observe: (outcome) => metrics.count('assay_backups_total', { outcome }),
  });
}
