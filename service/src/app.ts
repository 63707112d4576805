// The composition root: builds everything once and passes it on. Only main.ts, the command line and tests import it.
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { refuse } from './core/refusal.ts';
import { makeAdmission } from './entrances/http/admission.ts';
import { connectWithin } from './entrances/http/door.ts';
import { busyMessage, unknownMessage } from './entrances/http/limits.ts';
import { listen } from './entrances/http/listeners.ts';
import { cdrReadings, readerReadings } from './entrances/http/metric-readings.ts';
import { Metrics } from './entrances/http/metrics.ts';
import { operations, type Served } from './entrances/http/operations.ts';
import { extras } from './entrances/http/pages.ts';
import { type HttpOptions, type HttpServer, makeServer } from './entrances/http/server.ts';
import { makeSftp } from './entrances/sftp/server.ts';
import { makeCaches } from './modules/accounts/index.ts';
import { makeSealing } from './modules/audit/index.ts';
import { whyArchived } from './modules/kernel/archived.ts';
import { type LookedAfter, startChores } from './modules/kernel/chores.ts';
import type { Platform } from './modules/kernel/needs.ts';
import { SubjectKeys } from './modules/kernel/subjects.ts';
import { expectApproved } from './modules/proposals/index.ts';
import { RateKeeper, shippedCountries } from './modules/rates/index.ts';
import { countReports, reportKinds as kinds, type ReportNeeds, ReportRunner } from './modules/reports/index.ts';
import { makeReviewsReader } from './modules/reviews/index.ts';
import { clearPast } from './modules/subjects/retention.ts';
import { CdrIntake, makeCdrAnalysis } from './modules/telecom/index.ts';
import { makeTotalsReader } from './modules/totals/totals-reader.ts';
import { makeSignIn, passwordCost } from './modules/users/index.ts';
import { recordLookups } from './modules/wagers/index.ts';
import { WebhookDelivery, webhookFlags } from './modules/webhooks/index.ts';
import { Backfills } from './platform/backfills.ts';
import { type CommitForm, commitForm } from './platform/batch-parameters.ts';
import { bindForm } from './platform/catalogue.ts';
import { type Clock, monotonicClock, systemClock } from './platform/clock.ts';
import { Committer } from './platform/committer.ts';
import { Courtesy } from './platform/courtesy.ts';
import { loadFeeRules, loadReference } from './platform/data-files.ts';
import { Pool } from './platform/database.ts';
import { isDistributed } from './platform/distribution.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './platform/embedded-postgres.ts';
import { followersOf } from './platform/follower.ts';
import { Jobs } from './platform/jobs.ts';
import type { JournalReader } from './platform/journal-reader.ts';
import { type Log, makeLog } from './platform/log.ts';
import { ensureDatabase, migrate } from './platform/migrate.ts';
import { Outgoing } from './platform/outgoing.ts';
import type { PasswordCost } from './platform/passwords.ts';
import { IdMaker } from './platform/random.ts';
import { loadMasterKey, openVault } from './platform/sealed-secrets.ts';
import { startTracing } from './platform/tracing.ts';
import type { Settings } from './settings.ts';

/** All parts of the service, under the names other parts require them by. */
export type Parts = Platform & Served & ReportNeeds & LookedAfter;

export interface App {
  readonly services: Parts;
  readonly embedded: EmbeddedPostgres | undefined;
  readonly migrated: readonly string[];
  readonly readers: readonly JournalReader[];
  readonly delivery: WebhookDelivery;
  /** Starts the HTTP server and the other listeners; returns the HTTP address. */
  listen(): Promise<string>;
  /** Connects the command line to the service within this process. */
  connect(): ReturnType<typeof connectWithin>;
  /** Address of the file drop, as host and port, once it listens. */
  sftpAddress(): string | undefined;
  /** Not ready from here on: it still serves, and closes each connection with its next answer. */
  leave(): void;
  /** Finishes accepted requests and stops; takes at most 10 s. */
  stop(): Promise<void>;
}

export interface AppOptions {
  readonly settings: Settings;
  readonly clock?: Clock;
  /** Measures ages and rates. */
  readonly monotonic?: Clock;
  readonly log?: Log;
  /**
   * Cost of password hashing, the form of the writes, and a webhook receiver's time limit in milliseconds. For tests
   * only.
   */
  readonly passwords?: PasswordCost;
  readonly form?: CommitForm;
  readonly answerWithinMs?: number;
}

export async function makeApp({
  settings,
  clock = systemClock,
  monotonic = monotonicClock,
  log = makeLog(settings.logLevel),
  passwords = passwordCost,
  form = commitForm,
  answerWithinMs = 15_000,
}: AppOptions): Promise<App> {
  const dataDir = resolve(settings.dataDir);
  mkdirSync(dataDir, { recursive: true });
  const embedded = settings.databaseUrl ? undefined : await startEmbeddedPostgres(dataDir, log);
  try {
    return await compose({ settings, clock, monotonic, log, passwords, form, answerWithinMs, dataDir, embedded });
  } catch (e) {
    await embedded?.stop();
    throw e;
  }
}

/** Creates a pool of connections with the service's role, at most `max`. */
type Connect = (max: number, how?: { byIndex?: boolean | 'hashed'; waitMs?: number }) => Pool;

/** What the service is built on. */
type Ground = Required<AppOptions> & { readonly dataDir: string; readonly embedded: EmbeddedPostgres | undefined };

type Connected = Ground &
  Readonly<Record<'pool' | 'background' | 'deciding', Pool>> & {
    readonly migrated: readonly string[];
    readonly connect: Connect;
  };

async function compose(g: Ground): Promise<App> {
  const { settings, clock, log, embedded, dataDir } = g;
  const adminUrl = embedded?.adminUrl ?? (settings.databaseUrl as string);
  if (embedded)
    await ensureDatabase(adminUrl.replace('/assay?', '/postgres?').replace(/\/assay$/, '/postgres'), 'assay', log);
  const admin = new Pool(adminUrl, { max: 2, log });
  const how = { appPassword: embedded?.appPassword, log, form: g.form, dataDir };
  const [migrated, distributed] = await migrate(admin, new Date(clock()), how)
    .then(async (migrated) => [migrated, await isDistributed(admin)] as const)
    .finally(() => admin.end());

  const all = { log, distributed, ...(embedded ? {} : { role: 'assay_app' }) };
  const connect: Connect = (max, how) => new Pool(embedded?.appUrl ?? adminUrl, { max, ...all, ...how });
  const pool = connect(settings.databasePool, { waitMs: settings.databaseWaitMs });
  // Work that holds a connection for minutes has its own pool, so that no request waits for one.
  const background = connect(6);
  // Decisions and keys read few rows, always by key, and never wait behind a list.
  const deciding = connect(distributed ? 8 : 3, { byIndex: 'hashed', waitMs: settings.databaseWaitMs });
  try {
    return await composeOver({ ...g, migrated, connect, pool, background, deciding });
  } catch (e) {
    await Promise.all([pool.end(), background.end(), deciding.end()]);
    throw e;
  }
}

const longestAnswerMs = 2000;

async function composeOver(g: Connected): Promise<App> {
  const { settings, clock, monotonic, log, dataDir, embedded, migrated, connect, pool, background, deciding } = g;
  const courtesy = new Courtesy(() => performance.now());
  const metrics = new Metrics();
  const tracing =
    settings.traceCollector === undefined ? undefined : await startTracing(settings.traceCollector, clock);
  const admission = makeAdmission(settings, monotonic);
  const committer = new Committer({
    pool: deciding.prepared,
    form: await bindForm(pool, g.form),
    apart: pool.distributed,
    log,
    unreachable: (refs) => whyArchived(pool, refs).catch(() => undefined),
    maxBatch: settings.batchLimit,
    maxQueue: settings.queueLimit,
    maxQueueAgeMs: settings.queueAgeMs,
    monotonic: () => performance.now(),
    overloaded: () => refuse('OVERLOADED', busyMessage, 1),
    unknownOutcome: () => refuse('UNKNOWN_OUTCOME', unknownMessage, 1),
    observe: (b) => {
      metrics.batch(b);
      tracing?.batch(b);
      courtesy.decided();
      admission.committed(b.commitMs);
    },
    journalled(psps) {
      for (const f of followers) f.wake(psps);
    },
  });
  const vault = await openVault(background, loadMasterKey(settings.masterKey, join(dataDir, 'secrets', 'master.key')));
  const ids = new IdMaker(clock);
  const rateKeeper = await RateKeeper.start(background, { ids, clock, committer }, shippedCountries(), loadFeeRules());
  const outgoing = new Outgoing({
    allowHttp: settings.webhookAllowHttp,
    allowCidrs: settings.webhookAllowCidrs,
    totalTimeoutMs: g.answerWithinMs,
    ...(settings.webhookDns.length > 0 ? { dnsServers: settings.webhookDns } : {}),
    clock,
  });
  const services: Parts = {
    settings,
    clock,
    monotonic,
    log,
    vault,
    committer,
    db: pool,
    ids,
    reference: loadReference(),
    rates: rateKeeper.rates,
    rateKeeper,
    courtesy,
    ...makeCaches(deciding.prepared, clock, monotonic),
    ...makeSignIn(pool, { clock, monotonic, cost: g.passwords }),
    subjects: new SubjectKeys(vault, clock),
    outgoing,
    furtherFlags: webhookFlags,
    expectApproved,
    get cdrIntake() {
      return cdrIntake;
    },
    get reports() {
      return reports;
    },
  };
  const cdrAnalysis = makeCdrAnalysis(services, background.prepared, (records) =>
    metrics.count('assay_cdr_analysed_records_total', {}, records),
  );
  const cdrIntake = new CdrIntake({
    services,
    pool: background,
    dataDir,
    observe(lines, psp) {
      metrics.count('assay_cdr_file_lines_total', {}, lines);
      cdrAnalysis.wake(new Set([psp]));
    },
  });
  const reports = new ReportRunner({ services, pool: background, kinds, observe: (m) => metrics.report(m) });
  const jobs = new Jobs(background, log, [
    { name: 'cdr-pick-up', cron: settings.cdrPickupCron, run: () => cdrIntake.beginPickUp() },
    { name: 'cdr-archive', cron: settings.cdrPickupCron && '17 3 * * *', run: () => cdrIntake.clearArchive() },
    { name: 'retention', cron: settings.retentionCron, run: () => clearPast({ settings, clock, log, db: background }) },
  ]);
  const delivering = connect(4, { byIndex: true });
  const delivery = new WebhookDelivery({ services, pool, delivering, outgoing, observe: (a) => metrics.attempt(a) });
  const observe = (reason: string) => metrics.count('assay_auditor_attempts_total', { reason });
  const { sealer, auditor } = await makeSealing(services, { dataDir, background, outgoing, connect, observe });
  const counting = [makeTotalsReader, makeReviewsReader].map((make) => make(services, background.prepared));
  /** All readers of the journal: started, measured and stopped together. */
  const readers: readonly JournalReader[] = [delivery.reader, ...counting, cdrAnalysis, sealer];
  const followers = followersOf(readers, { pool: background.prepared, apart: pool.distributed, log, clock });
  metrics.read({
    assay_queue_commands: () => committer.depth,
    ...cdrReadings(pool, clock),
    ...readerReadings(readers),
    assay_reports: () => countReports(pool),
    assay_webhook_backlog: () => delivery.backlog(),
    assay_webhook_breakers_open: () => delivery.breakersOpen,
    assay_auditor_troubled: () => auditor?.troubled ?? 0,
    assay_sftp_connections: () => sftp?.connections ?? 0,
  });
  let server: HttpServer | undefined;
  const http: HttpOptions<Served> = {
    services,
    operations,
    metrics,
    admission,
    tracing,
    extras: extras({
      services,
      metrics,
      operations,
      ready: async () =>
        !server?.leaving && committer.busyMs < longestAnswerMs && (await pool.answersWithin(longestAnswerMs)),
    }),
  };
  const sftp = settings.cdrSftp === 'embedded' ? makeSftp(services, { observe: metrics.drop }) : undefined;
  let sftpAddress: string | undefined;
  const backfills = new Backfills({ pool: background, log, courtesy, backfills: recordLookups(services) });
  const chores = startChores(services, pool);
  return {
    services,
    embedded,
    migrated,
    readers,
    delivery,
    sftpAddress: () => sftpAddress,
    connect: () => connectWithin((server ??= makeServer(http)).app),
    async listen() {
      sftpAddress = await sftp?.listen();
      server = makeServer(http);
      const address = await listen(server.app, settings, log);
      for (const part of [...readers, backfills, delivery, auditor, jobs, reports]) await part?.start();
      // Work that a process left unfinished is continued at once.
      void cdrIntake.work();
      return address;
    },
    leave: () => server?.leave(),
    async stop() {
      chores.stop();
      await Promise.all([server?.stop(), sftp?.stop()]);
      await Promise.all([...readers, backfills].map((r) => r.stop()));
      for (const part of [delivery, cdrIntake, reports, jobs]) await part.stop();
      await Promise.all([auditor?.stop(), outgoing.close()]);
      await committer.close();
      await chores.flushUse().catch(() => undefined);
      await tracing?.stop();
      await Promise.all([background, delivering, deciding, pool].map((p) => p.end()));
      await embedded?.stop();
    },
  };
}
