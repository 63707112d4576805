// What both halves of the service are built on: the database, the committer, the caches, and the services that operations
// and background work require. Starts nothing that works by itself.
import { join, resolve } from 'node:path';
import { type Admission, makeAdmission } from './adapters/http/admission.ts';
import { busyMessage, unknownMessage } from './adapters/http/limits.ts';
import { Metrics } from './adapters/http/metrics.ts';
import type { Served } from './adapters/http/operations.ts';
import { refuse } from './core/refusal.ts';
import { makeCaches } from './modules/accounts/index.ts';
import { letGo } from './modules/cases/index.ts';
import { whyArchived } from './modules/kernel/archived.ts';
import type { LookedAfter } from './modules/kernel/maintenance.ts';
import type { Platform } from './modules/kernel/needs.ts';
import { SubjectKeys } from './modules/kernel/subjects.ts';
import { expectApproved, takeApproved } from './modules/proposals/index.ts';
import { RateKeeper, shippedCountries } from './modules/rates/index.ts';
import type { ReportNeeds } from './modules/reports/index.ts';
import { reviewState } from './modules/reviews/index.ts';
import { Decliner, type HasRiskBook, RiskBook } from './modules/risk/index.ts';
import { Lists } from './modules/screening/index.ts';
import { CdrIntake } from './modules/telecom/index.ts';
import { chargingBack } from './modules/transactions/operations/charge-back.ts';
import { declining } from './modules/transactions/operations/decline-transaction.ts';
import { makeSignIn } from './modules/users/index.ts';
import { requirementsOf } from './modules/verification/index.ts';
import { webhookFlags } from './modules/webhooks/index.ts';
import { BackgroundPauses } from './platform/background-pauses.ts';
import type { CommitForm } from './platform/batch-parameters.ts';
import { bindForm } from './platform/catalogue.ts';
import type { Clock } from './platform/clock.ts';
import { Committer } from './platform/committer.ts';
import { makeDataDir } from './platform/data-dir.ts';
import { loadFeeRules, loadReference, loadRequirements, loadRiskRules } from './platform/data-files.ts';
import { only, Pool } from './platform/database.ts';
import { onServer } from './platform/database-hosts.ts';
import { diskOf } from './platform/disk.ts';
import { isDistributed } from './platform/distribution.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './platform/embedded-postgres.ts';
import type { Log } from './platform/log.ts';
import { ensureDatabase, migrate } from './platform/migrate.ts';
import { Outgoing } from './platform/outgoing.ts';
import type { PasswordCost } from './platform/passwords.ts';
import { Places } from './platform/places.ts';
import { countPresent, followerName } from './platform/presence.ts';
import { IdMaker } from './platform/random.ts';
import { masterKeyFrom, openVault } from './platform/sealed-secrets.ts';
import { markOf } from './platform/settings-mark.ts';
import { startTracing, type Tracing } from './platform/tracing.ts';
import type { Wake } from './platform/worker.ts';
import type { Settings } from './settings.ts';

/** All parts of the service, under the names other parts require them by. */
type Parts = Platform & Served & ReportNeeds & LookedAfter & HasRiskBook & { readonly cdrIntake: CdrIntake };

export interface GroundOptions {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly monotonic: Clock;
  readonly log: Log;
  readonly passwords: PasswordCost;
  readonly form: CommitForm;
  readonly answerWithinMs: number;
  readonly lookEveryMs: number;
  /** Wakes what follows. */
  readonly wake: (wake: Wake) => void;
  /** Gives the start up; the embedded server is stopped then as after any start that fails. */
  readonly ended?: AbortSignal | undefined;
}

/** Creates a pool of connections with the service's role, at most `max`. */
type Connect = (max: number, how?: { byIndex?: boolean | 'hashed'; waitMs?: number }) => Pool;

export interface Ground extends Pick<GroundOptions, 'lookEveryMs'> {
  readonly services: Parts;
  readonly embedded: EmbeddedPostgres | undefined;
  readonly migrated: readonly string[];
  readonly dataDir: string;
  readonly connect: Connect;
  readonly pool: Pool;
  /** For work that holds a connection for minutes, so that no request waits for one. */
  readonly background: Pool;
  readonly committer: Committer;
  readonly metrics: Metrics;
  readonly admission: Admission;
  readonly tracing: Tracing | undefined;
  readonly outgoing: Outgoing;
  stop(): Promise<void>;
}

export async function composeGround(o: GroundOptions): Promise<Ground> {
  const dataDir = resolve(o.settings.dataDir);
  makeDataDir(dataDir);
  const embedded = o.settings.databaseUrl ? undefined : await startEmbeddedPostgres(dataDir, o.log, o.ended);
  try {
    return await unlessEnded(compose({ ...o, dataDir, embedded }), o.ended);
  } catch (e) {
    await embedded?.stop();
    throw e;
  }
}

/** Waits for a part of the start no longer than until the start is given up. @throws the reason why it was */
export async function unlessEnded<T>(part: Promise<T>, ended: AbortSignal | undefined): Promise<T> {
  if (!ended) return part;
  const { promise, reject } = Promise.withResolvers<never>();
  const end = () => reject(ended.reason);
  ended.addEventListener('abort', end);
  if (ended.aborted) end();
  return Promise.race([part, promise]).finally(() => ended.removeEventListener('abort', end));
}

/** Connections that a process uses under load besides those of DATABASE_POOL, by its role. */
const further = { serve: 5, follow: 18, all: 20 } as const;

/** Logs where the server allows fewer connections than that, which shows only under load otherwise. */
async function tellOfRoom(pool: Pool, { databasePool, role }: Settings, log: Log): Promise<void> {
  const { allowed, inUse } = only(
    await pool.query<{ allowed: number; inUse: number }>(
      `SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS allowed,
         (SELECT count(*)::int FROM pg_stat_activity WHERE datname IS NOT NULL) AS "inUse"`,
    ),
  );
  const needed = databasePool + further[role ?? 'all'];
  if (allowed - inUse < needed)
    log.warn({ allowed, inUse, needed }, 'the database allows fewer connections than this process needs under load');
}

/**
 * Logs limits of the server that end what takes long, which shows much later otherwise, and without their names. Requests have
 * a limit of their own (DATABASE_WAIT_MS).
 */
async function tellOfLimits(unlimited: Pool, log: Log): Promise<void> {
  const rows = await unlimited.query<{ name: string; ms: number }>(
    `SELECT name, setting::bigint AS ms FROM pg_settings
     WHERE name IN ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')
       AND setting::bigint BETWEEN 1 AND 600000 ORDER BY name`,
  );
  if (rows.length > 0)
    log.warn(
      { limits: rows.map(({ name, ms }) => `${name}=${ms}ms`).join(' ') },
      'the database ends what takes longer than its limits: reports, backfills and readers of the journal may not come to their end. Set these to 0 for the role of DATABASE_URL',
    );
}

const pooled =
  'DATABASE_URL leads to a pooler such as PgBouncer, which does not pass on the role and the settings of a connection; name the server itself, for the service has pools of its own';

type Place = GroundOptions & Pick<Ground, 'dataDir' | 'embedded'>;
type Connected = Place &
  Pick<Ground, 'migrated' | 'connect' | 'pool' | 'background'> & {
    readonly deciding: Pool;
    readonly places: Places | undefined;
  };

async function compose(g: Place): Promise<Ground> {
  const { settings, clock, log, embedded, dataDir } = g;
  const adminUrl = embedded?.adminUrl ?? (settings.databaseUrl as string);
  if (embedded)
    await ensureDatabase(adminUrl.replace('/assay?', '/postgres?').replace(/\/assay$/, '/postgres'), 'assay', log);
  const admin = new Pool(adminUrl, { max: 2, log, connectMs: settings.databaseWaitMs });
  const how = { appPassword: embedded?.appPassword, log, form: g.form, dataDir };
  const [migrated, distributed] = await migrate(admin, new Date(clock()), how)
    .then(async (migrated) => [migrated, await isDistributed(admin)] as const)
    .catch((e: Error) => {
      throw /unsupported startup parameter/.test(e.message) ? new Error(pooled, { cause: e }) : e;
    })
    .finally(() => admin.end());

  const all = {
    ...{ log, distributed, mark: markOf(settings.alike), connectMs: settings.databaseWaitMs },
    ...(embedded ? {} : { role: 'assay_app' }),
  };
  const url = embedded?.appUrl ?? adminUrl;
  const connect: Connect = (max, how) => new Pool(url, { max, ...all, ...how });
  const pool = connect(settings.databasePool, { waitMs: settings.databaseWaitMs });
  const background = connect(6);
  // Decisions and keys read few rows, always by key, and never wait behind a list.
  const decides = { byIndex: 'hashed', waitMs: settings.databaseWaitMs } as const;
  const deciding = connect(distributed ? 8 : 3, decides);
  const places = distributed
    ? new Places({
        coordinator: deciding.prepared,
        connect: (host, port) =>
          new Pool(onServer(url, host, port), { max: 8, ...all, ...decides, distributed: false }),
        form: g.form,
        log,
        monotonic: () => performance.now(),
      })
    : undefined;
  try {
    // A pooler that ignores what it does not know would leave the service with the owner's rights.
    if (only(await pool.query<{ role: string }>('SELECT current_user AS role')).role !== 'assay_app')
      throw new Error(pooled);
    await tellOfRoom(pool, settings, log);
    await tellOfLimits(background, log);
    await places?.start();
    return await composeOver({ ...g, migrated, connect, pool, background, deciding, places });
  } catch (e) {
    await Promise.all([pool.end(), background.end(), deciding.end(), places?.end()]);
    throw e;
  }
}

async function composeOver(g: Connected): Promise<Ground> {
  const { settings, clock, monotonic, log, dataDir, embedded, migrated, connect, pool, background, wake } = g;
  const { deciding, places } = g;
  const backgroundPauses = new BackgroundPauses(() => performance.now());
  const metrics = new Metrics();
  const tracing =
    settings.traceCollector === undefined ? undefined : await startTracing(settings.traceCollector, clock);
  const admission = makeAdmission(settings, monotonic);
  const committer = new Committer({
    pool: deciding.prepared,
    form: await bindForm(pool, g.form),
    places,
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
      // One that failed made no decision, and says nothing of how fast commits are.
      if (b.failed) return;
      tracing?.batch(b);
      backgroundPauses.decided();
      admission.committed(b.commitMs);
    },
    journalled: (psps) => wake({ psps }),
  });
  const vault = await openVault(background, masterKeyFrom(settings.masterKey, join(dataDir, 'secrets', 'master.key')));
  const ids = new IdMaker(clock);
  // What each process asks about once a second, for ever.
  const repeating = background.prepared;
  const reference = loadReference();
  const rateKeeper = await RateKeeper.start(
    repeating,
    { ids, clock, committer, reference },
    shippedCountries(),
    loadFeeRules(),
  );
  const subjects = new SubjectKeys(vault, clock);
  const lists = new Lists(repeating, vault, subjects, () => wake({ work: 'screening' }));
  await lists.refresh();
  const riskBook = await RiskBook.start(repeating, { ids, clock, committer, log }, loadRiskRules(), lists.listed);
  const outgoing = new Outgoing({
    allowHttp: settings.webhookAllowHttp,
    allowCidrs: settings.webhookAllowCidrs,
    totalTimeoutMs: g.answerWithinMs,
    ...(settings.webhookDns.length > 0 ? { dnsServers: settings.webhookDns } : {}),
    clock,
  });
  const requirements = loadRequirements();
  const services: Parts = {
    settings,
    clock,
    monotonic,
    log,
    vault,
    committer,
    db: pool,
    ids,
    reference,
    rates: rateKeeper.rates,
    rateKeeper,
    riskBook,
    decliner: new Decliner({ ids, log, vault }, riskBook),
    backgroundPauses,
    ...makeCaches(deciding.prepared, clock, monotonic),
    ...makeSignIn(deciding.prepared, { clock, monotonic, cost: g.passwords, settings }),
    subjects,
    lists,
    outgoing,
    furtherFlags: webhookFlags,
    requirements,
    requirementsOf: requirementsOf({ requirements, rates: rateKeeper.rates }),
    expectApproved,
    takeApproved: (call, proposalId, act) => takeApproved(services, call, proposalId, act),
    letGo: (call, user) => letGo(services, call, user),
    reviewStates: { of: (psp, transaction) => reviewState(pool, psp, transaction) },
    recordChanges: {
      decline: (call, of) => declining(services, call, of),
      chargeBack: (call, of) => chargingBack(services, call, of),
    },
    get cdrIntake() {
      return cdrIntake;
    },
    reports: { work: async () => wake({ work: 'reports' }) },
  };
  const takingIn = connect(3, { byIndex: 'hashed' });
  const cdrIntake = new CdrIntake({
    services,
    pool: takingIn,
    dataDir,
    observe: (lines) => metrics.count('assay_cdr_file_lines_total', {}, lines),
  });
  metrics.read({
    assay_queue_commands: () => committer.depth,
    assay_followers: () => countPresent(pool, followerName),
    assay_disk_free_bytes: async () => (await diskOf(dataDir)).free,
    assay_disk_bytes: async () => (await diskOf(dataDir)).total,
  });
  return {
    ...{ services, embedded, migrated, dataDir, connect, pool, background, committer },
    ...{ metrics, admission, tracing, outgoing, lookEveryMs: g.lookEveryMs },
    async stop() {
      await outgoing.close();
      await committer.close();
      await tracing?.stop();
      await Promise.all([background, deciding, takingIn, pool, places].map((p) => p?.end()));
      await embedded?.stop();
    },
  };
}
