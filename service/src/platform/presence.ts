// Shows other processes that one of a name is alive, by a lock in the database that ends with its connection: at once if
// the process is killed. Without the lock the process still works.
import { type Database, only, type Pool } from './database.ts';
import { errorFields, type Log } from './log.ts';

/** The name of processes that work in the background. */
export const followerName = 'follower';

/** In SQL: whether a row `l` of pg_locks is the lock of this name. */
export const isLockOf = (name: string): string =>
  `l.locktype = 'advisory' AND l.objsubid = 1 AND l.granted
   AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
   AND (l.classid::bigint << 32 | l.objid::bigint) = hashtextextended(${name}, 0)`;

export class Presence {
  readonly #pool: Pick<Pool, 'withClient'>;
  readonly #name: string;
  readonly #log: Log;
  readonly #hidden = Promise.withResolvers<'hidden'>();
  /** Set while the lock is held or requested. */
  #showing: Promise<void> | undefined;

  /** @param name shared by all processes that are to be counted together */
  constructor(pool: Pick<Pool, 'withClient'>, name: string, log: Log) {
    this.#pool = pool;
    this.#name = name;
    this.#log = log;
  }

  /** Takes the lock if it is not held, as after a lost connection. */
  async show(): Promise<void> {
    if (this.#showing) return;
    const shown = Promise.withResolvers<void>();
    this.#showing = this.#pool
      .withClient(async (client) => {
        const lost = new Promise<'lost'>((resolve) => void client.once('end', () => resolve('lost')));
        await client.query('SELECT pg_advisory_lock_shared(hashtextextended($1, 0))', [this.#name]);
        shown.resolve();
        const end = await Promise.race([lost, this.#hidden.promise]);
        if (end === 'hidden')
          await client.query('SELECT pg_advisory_unlock_shared(hashtextextended($1, 0))', [this.#name]);
      })
      .catch((e: unknown) => this.#log.debug(errorFields(e), 'the lock that shows this process is not held'))
      .finally(() => {
        this.#showing = undefined;
        shown.resolve();
      });
    await shown.promise;
  }

  /** Releases the lock permanently. */
  async hide(): Promise<void> {
    this.#hidden.resolve('hidden');
    await this.#showing;
  }
}

/** Number of processes of this name that are alive. */
export async function countPresent(db: Database, name: string): Promise<number> {
  const rows = await db.query<{ n: number }>(`SELECT count(*)::int AS n FROM pg_locks l WHERE ${isLockOf('$1')}`, [
    name,
  ]);
  return only(rows).n;
}
