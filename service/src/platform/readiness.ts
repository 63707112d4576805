// Whether this process can answer and record, and if not why. A load balancer asks every few seconds, so that it asks the
// database for little.
import type { Committer } from './committer.ts';
import type { Pool } from './database.ts';
import { hasNoRoom } from './database-away.ts';

const longestAnswerMs = 2000;

/** Written to the disk of the database's tables to find out whether it has room: about 5 MB, in a file that is removed at once. */
const written = 'SELECT count(*) FROM generate_series(1, 250000)';

export class Readiness {
  readonly #pool: Pick<Pool, 'answersWithin' | 'transaction'>;
  readonly #committer: Pick<Committer, 'busyMs' | 'lacksRoom' | 'hasRoom'>;
  /** Those who ask while a file is being written wait for it. */
  #looking: Promise<boolean> | undefined;

  constructor(
    pool: Pick<Pool, 'answersWithin' | 'transaction'>,
    committer: Pick<Committer, 'busyMs' | 'lacksRoom' | 'hasRoom'>,
  ) {
    this.#pool = pool;
    this.#committer = committer;
  }

  /** Why it is not ready, in words; undefined if it is. */
  async why(): Promise<string | undefined> {
    if (this.#committer.busyMs >= longestAnswerMs) return 'a commit has taken longer than two seconds';
    if (!(await this.#pool.answersWithin(longestAnswerMs))) return 'the database does not answer';
    if (!this.#committer.lacksRoom) return undefined;
    this.#looking ??= this.#hasRoom().finally(() => {
      this.#looking = undefined;
    });
    if (!(await this.#looking)) return 'the disk of the database is full';
    this.#committer.hasRoom();
    return undefined;
  }

  /** An error other than that of a full disk says nothing of the disk: then the next batch shows it. */
  async #hasRoom(): Promise<boolean> {
    return this.#pool
      .transaction(async (tx) => {
        // The least memory, so that the rows go to a file; beside the tables, wherever the server keeps its other such files.
        await tx.query('SET LOCAL work_mem = 64');
        await tx.query("SET LOCAL temp_tablespaces = ''");
        await tx.query(written);
      })
      .then(
        () => true,
        (e: unknown) => !hasNoRoom(e),
      );
  }
}
