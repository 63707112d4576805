// Scheduled work, once among all processes of a database. graphile-worker has its own schema, which is installed with
// the migrations; the service's role may only use its tables.
import { Logger, parseCrontab, type Runner, run, runMigrations } from 'graphile-worker';
import { type Clock, monotonicClock, systemClock } from './clock.ts';
import type { Database, Pool } from './database.ts';
import { every, type Repeating } from './every.ts';
import { errorFields, type Log } from './log.ts';

const schema = 'graphile_worker';

/** Installs or updates the queue's tables. @param admin connections of the owner */
export async function installJobs(admin: Pool): Promise<void> {
  await runMigrations({ pgPool: admin.connections, schema, logger: quiet, noHandleSignals: true });
  await admin.transaction(async (tx) => {
    // One process at a time: concurrent grants conflict.
    await tx.query('SELECT pg_advisory_xact_lock(727476)');
    const bare = await tx.query(
      `SELECT c.relname FROM pg_class c WHERE c.relnamespace = $1::regnamespace AND c.relkind = 'r' AND c.relrowsecurity
         AND NOT EXISTS (SELECT 1 FROM pg_policy p WHERE p.polrelid = c.oid AND p.polname = 'assay_app')`,
      [schema],
    );
    const [usable] = await tx.query("SELECT has_schema_privilege('assay_app', $1, 'USAGE') AS yes", [schema]);
    if (bare.length === 0 && usable?.yes) return;
    await tx.query(`GRANT USAGE ON SCHEMA ${schema} TO assay_app`);
    await tx.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO assay_app`);
    await tx.query(`GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${schema} TO assay_app`);
    await tx.query(`GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA ${schema} TO assay_app`);
    // Row security limits its tables to the owner.
    for (const { relname } of bare)
      await tx.query(`CREATE POLICY assay_app ON ${schema}.${relname} TO assay_app USING (true) WITH CHECK (true)`);
  });
}

/** The job that picks up call detail files, which is queued on request too. */
export const pickUpJob = 'cdr-pick-up';
/** The job that makes a backup, which is queued when the last one is too old. */
export const backupJob = 'backup';

/** Has a job run at once, by any process that runs it at its times. */
export async function queueJob(db: Database, name: string): Promise<void> {
  await db.query(`SELECT ${schema}.add_job($1, job_key := $1, max_attempts := 1)`, [name]);
}

/** Has what was begun finished later, if it was cut off. @param key of the same again, which it replaces */
export async function queueLater(db: Database, name: string, payload: object, key: string, seconds: number) {
  await db.query(
    `SELECT ${schema}.add_job($1, payload := $2::json, job_key := $3, run_at := now() + make_interval(secs => $4))`,
    [name, JSON.stringify(payload), `${name} ${key}`, seconds],
  );
}

/** What runs when it was queued; after a failure it is tried again, later each time. */
export interface QueuedJob {
  readonly name: string;
  run(payload: unknown): Promise<void>;
}

export interface TimedJob {
  readonly name: string;
  /** Five cron fields, in UTC; undefined if other processes run it. */
  readonly cron: string | undefined;
  /** Runs in one process; after a failure it runs again at the next time. */
  run(): Promise<void>;
}

/** By this much clocks differ without one of them being wrong. */
const differMs = 10 * 60_000;

interface Clocks {
  readonly wall: Clock;
  readonly monotonic: Clock;
  /** How often they are compared. */
  readonly lookEveryMs: number;
}

/** Runs jobs at their times until stopped. */
export class Jobs {
  readonly #pool: Pool;
  readonly #log: Log;
  readonly #jobs: readonly TimedJob[];
  readonly #queued: readonly QueuedJob[];
  readonly #crontab: string;
  readonly #clocks: Clocks;
  /** When each job was begun last. */
  readonly #begun = new Map<string, number>();
  #looking: Repeating | undefined;
  #aheadMs = 0;
  #runner: Promise<Runner> | undefined;
  /** Ends of runners that another one has followed. */
  readonly #former: Promise<void>[] = [];

  /** @throws if a cron expression is invalid */
  constructor(
    pool: Pool,
    log: Log,
    jobs: readonly TimedJob[],
    queued: readonly QueuedJob[] = [],
    clocks: Clocks = { wall: systemClock, monotonic: monotonicClock, lookEveryMs: 30_000 },
  ) {
    this.#pool = pool;
    this.#clocks = clocks;
    this.#queued = queued;
    this.#log = log;
    this.#jobs = jobs.filter((j) => j.cron !== undefined);
    // A job still waiting is not queued again.
    this.#crontab = this.#jobs.map((j) => `${j.cron} ${j.name} ?max=1&jobKey=${j.name}`).join('\n');
    parseCrontab(this.#crontab);
  }

  async start(): Promise<void> {
    if (this.#jobs.length === 0) return;
    await this.#begin();
    this.#looking = every(
      this.#clocks.lookEveryMs,
      () => this.#look(),
      (e) => this.#log.warn(errorFields(e), 'jobs at set times could not begin again; tried again shortly'),
    );
  }

  async #begin(): Promise<void> {
    const { wall, monotonic } = this.#clocks;
    // What ran last at a time that has not come ran by a wrong clock, and would keep the job from running until then.
    await this.#pool.query(
      'UPDATE graphile_worker._private_known_crontabs SET last_execution = $1 WHERE last_execution > $2',
      [new Date(wall()).toISOString(), new Date(wall() + differMs).toISOString()],
    );
    const aheadMs = wall() - monotonic();
    const runner = run({
      pgPool: this.#pool.connections,
      schema,
      logger: logger(this.#log),
      noHandleSignals: true,
      // One may take long, as a backup does: the others do not wait for it.
      concurrency: 2,
      // Jobs are announced at their times; polling only finds those left by a dead process.
      pollInterval: 30_000,
      taskList: Object.fromEntries([
        ...this.#jobs.map((j) => [j.name, (payload: unknown) => this.#runTimed(j, read(payload))] as const),
        ...this.#queued.map((j) => [j.name, (payload: unknown) => j.run(read(payload))] as const),
      ]),
      crontab: this.#crontab,
    });
    this.#runner = runner;
    (await runner).promise.catch((e: unknown) => this.#log.error(errorFields(e), 'jobs at set times have ended'));
    this.#aheadMs = aheadMs;
  }

  /** Begins again where the clock was set back: the runner would wait until the clock is where it was. */
  async #look(): Promise<void> {
    const aheadMs = this.#clocks.wall() - this.#clocks.monotonic();
    const backMs = this.#aheadMs - aheadMs;
    if (backMs < differMs) {
      this.#aheadMs = Math.max(this.#aheadMs, aheadMs);
      return;
    }
    this.#log.warn({ minutes: Math.round(backMs / 60_000) }, 'the clock was set back; jobs at set times begin again');
    const former = this.#runner;
    await this.#begin();
    // What it runs it finishes.
    this.#former.push(stopped(former));
  }

  /**
   * Each time that a clock set forward has skipped, as after a machine slept, is queued: what began after them all does their
   * work once.
   */
  async #runTimed(job: TimedJob, payload: unknown): Promise<void> {
    const now = this.#clocks.wall();
    const begun = this.#begun.get(job.name);
    const time = Date.parse((payload as { _cron?: { ts?: string } } | null)?._cron?.ts ?? '');
    if (begun !== undefined && time <= begun && begun <= now) return;
    this.#begun.set(job.name, now);
    await job.run();
  }

  /** Waits for the running job. */
  async stop(): Promise<void> {
    await this.#looking?.stop();
    const runner = this.#runner;
    this.#runner = undefined;
    await Promise.all([...this.#former, stopped(runner)]);
  }
}

/** A runner that ended by itself has nothing to stop. */
async function stopped(runner: Promise<Runner> | undefined): Promise<void> {
  await (await runner?.catch(() => undefined))?.stop().catch(() => undefined);
}

/** JSON comes from the database as text. */
const read = (payload: unknown): unknown => (typeof payload === 'string' ? JSON.parse(payload) : payload);

const quiet = new Logger(() => () => undefined);

const logger = (log: Log) =>
  new Logger(() => (level, message) => {
    if (level === 'error') log.error({ jobs: message }, 'the runner of background jobs reports an error');
    else if (level === 'warning') log.warn({ jobs: message }, 'the runner of background jobs gives a warning');
    else log.debug({ jobs: message }, 'jobs');
  });
