// What a process does again and again beside its work: takes over what other processes changed, writes down what is not
// worth a commit of its own, makes the partitions of the time to come.
import type { Pool } from '../../platform/database.ts';
import { errorFields } from '../../platform/log.ts';
import { ensurePartitions } from '../../platform/migrate.ts';
import type { Services } from './services.ts';

export interface Chores {
  stop(): void;
  /** When keys and sessions were last used. */
  flushUse(): Promise<unknown>;
}

export function startChores(s: Services, pool: Pool): Chores {
  const { log, rateKeeper } = s;
  const flushUse = () => Promise.all([s.keys.flushUse(), s.sessions.flushUse()]);
  const timers = [
    setInterval(() => {
      flushUse().catch((e) => log.warn(errorFields(e), 'last use of keys or sessions not written'));
    }, 30_000),
    setInterval(() => {
      ensurePartitions({ query: (t, v) => pool.query(t, v) }, new Date(s.clock())).catch((e) =>
        log.error(errorFields(e), 'partitions not made'),
      );
    }, 6 * 3_600_000),
    // Rates changed by another process are taken over within a second, and persons erased by it forgotten.
    setInterval(() => {
      s.subjects.refresh(pool).catch((e) => log.warn(errorFields(e), 'erasures not read; commits check them'));
      rateKeeper
        .refresh()
        .then((changed) => changed && log.info({ dataset: rateKeeper.rates.book.version }, 'rates taken over'))
        .catch((e) => log.warn(errorFields(e), 'rates not read; those in force stay'));
    }, 750),
  ];
  for (const t of timers) t.unref();
  return {
    flushUse,
    stop() {
      for (const t of timers) clearInterval(t);
    },
  };
}
