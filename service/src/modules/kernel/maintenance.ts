// A process's periodic background work: refreshes from other processes' changes, stores what does not need a commit of
// its own, creates partitions for the future.
import type { PspId } from '../../core/ids.ts';
import { only, type Pool } from '../../platform/database.ts';
import { every } from '../../platform/every.ts';
import { errorFields } from '../../platform/log.ts';
import { ensurePartitions, knownMigrations } from '../../platform/migrate.ts';
import type { Needs } from './needs.ts';

export interface Maintenance {
  stop(): void;
  /** Stores when keys and sessions were last used. */
  flushUse(): Promise<unknown>;
}

/** The modules' caches that are refreshed here. */
export interface LookedAfter {
  readonly keys: { flushUse(): Promise<unknown> };
  readonly accessChanges: { clear(): Promise<unknown> };
  readonly sessions: { flushUse(): Promise<unknown> };
  readonly lists: Follows<void> & { readyFor(psps: Iterable<PspId>): Promise<void> };
  readonly rateKeeper: Follows<boolean> & { readonly rates: { readonly book: { readonly version: string } } };
  readonly riskBook: Follows<boolean> & { readonly inForce: { readonly declining: ReadonlyMap<PspId, unknown> } };
}

/** A cache of what other processes change too. */
interface Follows<T> {
  /** SQL of a text that changes when they change it. */
  readonly stateSql: string;
  follow(state: string): Promise<T>;
}

/** @param alone whether this process also does what one of all processes has to do */
export function startMaintenance(
  s: Needs<'clock' | 'log' | 'subjects'> & LookedAfter,
  pool: Pool,
  alone: boolean,
): Maintenance {
  const { lists, log, rateKeeper, riskBook } = s;
  const flushUse = () => Promise.all([s.keys.flushUse(), s.sessions.flushUse()]);
  // One statement for all of them: nearly always nothing has changed.
  const states = `SELECT ${lists.stateSql} AS lists, ${rateKeeper.stateSql} AS rates, ${riskBook.stateSql} AS risk`;
  const followStates = async () => {
    const state = only(await pool.prepared.query<{ lists: string; rates: string; risk: string }>(states));
    await Promise.all([
      lists
        .follow(state.lists)
        .then(() => lists.readyFor(riskBook.inForce.declining.keys()))
        .catch((e) => log.warn(errorFields(e), 'lists not read; those read before stay in use')),
      rateKeeper
        .follow(state.rates)
        .then((changed) => changed && log.info({ dataset: rateKeeper.rates.book.version }, 'rates taken over'))
        .catch((e) => log.warn(errorFields(e), 'rates not read; those in force stay')),
      riskBook
        .follow(state.risk)
        .then((changed) => changed && log.info({}, 'risk rules taken over'))
        .catch((e) => log.warn(errorFields(e), 'risk rules not read; those in force stay')),
    ]);
  };
  const refresh = () =>
    Promise.all([
      s.subjects.refresh(pool.prepared).catch((e) => log.warn(errorFields(e), 'erasures not read; commits check them')),
      followStates().catch((e) => log.warn(errorFields(e), 'changes of rates, risk rules and lists not read')),
    ]);
  // The migrations this process started with: an update may replace the files while it runs.
  const known = knownMigrations();
  let warned = false;
  const lookForNewer = async () => {
    if (warned) return;
    const newer = await pool.prepared
      .query<{ name: string }>('SELECT name FROM migrations WHERE name <> ALL ($1) ORDER BY name', [known])
      .catch(() => []);
    if (newer.length === 0) return;
    warned = true;
    log.warn(
      { migrations: newer.map((m) => m.name) },
      'a newer version of Assay has migrated the database; end this process and start that version',
    );
  };
  const once = alone
    ? [
        every(
          // Each turn waits for its locks for a moment only: where transactions are long, it takes several.
          60_000,
          async () => {
            if (!(await ensurePartitions(pool, new Date(s.clock()))))
              log.info({}, 'partitions not made while something reads for long; they are tried again');
          },
          (e) => log.error(errorFields(e), 'partitions not made'),
        ),
        every(
          3_600_000,
          () => s.accessChanges.clear(),
          (e) => log.warn(errorFields(e), 'changes of access of before yesterday not removed'),
        ),
      ]
    : [];
  const repeating = [
    every(5_000, lookForNewer),
    every(30_000, flushUse, (e) => log.warn(errorFields(e), 'last use of keys or sessions not written')),
    // Loads rates and risk rules changed by other processes, and forgets persons erased by them, within a second.
    every(750, refresh),
    ...once,
  ];
  return {
    flushUse,
    stop() {
      for (const r of repeating) void r.stop();
    },
  };
}
