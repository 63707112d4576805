// Scheduled work, once among all processes of a database. graphile-worker has its own schema, which is installed with
// the migrations; the service's role may only use its tables.
import { Logger, parseCrontab, type Runner, run, runMigrations } from 'graphile-worker';
import type { Database, Pool } from './database.ts';
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

/** Runs jobs at their times until stopped. */
export class Jobs {
  readonly #pool: Pool;
  readonly #log: Log;
  readonly #jobs: readonly TimedJob[];
  readonly #queued: readonly QueuedJob[];
  readonly #crontab: string;
  #runner: Promise<Runner> | undefined;

  /** @throws if a cron expression is invalid */
  constructor(pool: Pool, log: Log, jobs: readonly TimedJob[], queued: readonly QueuedJob[] = []) {
    this.#pool = pool;
    this.#queued = queued;
    this.#log = log;
    this.#jobs = jobs.filter((j) => j.cron !== undefined);
    // A job still waiting is not queued again.
    this.#crontab = this.#jobs.map((j) => `${j.cron} ${j.name} ?max=1&jobKey=${j.name}`).join('\n');
    parseCrontab(this.#crontab);
  }

  async start(): Promise<void> {
    if (this.#jobs.length === 0) return;
    this.#runner = run({
      pgPool: this.#pool.connections,
      schema,
      logger: logger(this.#log),
      noHandleSignals: true,
      // One may take long, as a backup does: the others do not wait for it. None runs twice at once.
      concurrency: 2,
      // Jobs are announced at their times; polling only finds those left by a dead process.
      pollInterval: 30_000,
      taskList: Object.fromEntries([
        ...this.#jobs.map((j) => [j.name, () => j.run()] as const),
        ...this.#queued.map((j) => [j.name, (payload: unknown) => j.run(read(payload))] as const),
      ]),
      crontab: this.#crontab,
    });
    const runner = await this.#runner;
    runner.promise.catch((e: unknown) => this.#log.error(errorFields(e), 'jobs at set times have ended'));
  }

  /** Waits for the running job. */
  async stop(): Promise<void> {
    const runner = await this.#runner?.catch(() => undefined);
    this.#runner = undefined;
    // A runner that ended by itself has nothing to stop.
    await runner?.stop().catch(() => undefined);
  }
}

/** JSON comes from the database as text. */
const read = (payload: unknown): unknown => (typeof payload === 'string' ? JSON.parse(payload) : payload);

const quiet = new Logger(() => () => undefined);

const logger = (log: Log) =>
  new Logger(() => (level, message) => {
    if (level === 'error') log.error({ jobs: message }, 'jobs');
    else if (level === 'warning') log.warn({ jobs: message }, 'jobs');
    else log.debug({ jobs: message }, 'jobs');
  });
