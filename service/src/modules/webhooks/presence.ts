// Shows other processes that this worker is alive, by a database lock that ends with its connection: at once if the
// process is killed. Without the lock the worker still delivers.
import type { Pool } from '../../platform/database.ts';
import { errorFields, type Log } from '../../platform/log.ts';
import { hidePresence, showPresence } from './reclaim-store.ts';

export class Presence {
  readonly #pool: Pick<Pool, 'withClient'>;
  readonly #worker: string;
  readonly #log: Log;
  readonly #hidden = Promise.withResolvers<'hidden'>();
  /** Set while the lock is held or requested. */
  #showing: Promise<void> | undefined;

  constructor(pool: Pick<Pool, 'withClient'>, worker: string, log: Log) {
    this.#pool = pool;
    this.#worker = worker;
    this.#log = log;
  }

  /** Takes the lock if it is not held, as after a lost connection. */
  async show(): Promise<void> {
    if (this.#showing) return;
    const shown = Promise.withResolvers<void>();
    this.#showing = this.#pool
      .withClient(async (client) => {
        const lost = new Promise<'lost'>((resolve) => void client.once('end', () => resolve('lost')));
        await showPresence(client, this.#worker);
        shown.resolve();
        const end = await Promise.race([lost, this.#hidden.promise]);
        if (end === 'hidden') await hidePresence(client, this.#worker);
      })
      .catch((e: unknown) => this.#log.debug(errorFields(e), 'the lock that shows a webhook worker is not held'))
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
