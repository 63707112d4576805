// What lets a process keep keys and accounts in memory: one small statement reads which accounts had their standing or a
// key changed, by whichever process, since it was last asked. Nothing is trusted for longer than a second after the last
// answer; the statement is sent while requests come, not without them.
import type { PspId } from '../../core/ids.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';

/** Counted from the moment the last successful reading was sent. */
const trustedMs = 1000;
/** From this age on a request has it read in the background, so that no request waits. */
const refreshMs = 500;
/** Rows are removed after a day: a reader that was away for this long starts again. */
const longestPauseSeconds = 3600;
/** More accounts than this at once: everything is dropped. */
const mostAccounts = 10_000;

/** An account whose standing or keys changed. */
export interface AccessChange {
  readonly psp: PspId;
  readonly id: string;
}

interface Reading {
  readonly snapshot: string;
  readonly place: string;
  readonly at: number;
  readonly psps: readonly PspId[];
  readonly ids: readonly string[];
}

// Exactly the changes that the snapshot of the last reading did not show, however long their transactions took. A
// database that was set back or has another primary now was started at another moment, or is another one.
const statement = `WITH changed AS (
    SELECT DISTINCT psp_id, account_id FROM access_changes
    WHERE xid >= pg_snapshot_xmin($1::pg_snapshot) AND xid < pg_snapshot_xmax(pg_current_snapshot())
      AND NOT pg_visible_in_snapshot(xid, $1::pg_snapshot)
    LIMIT ${mostAccounts + 1}
  )
  SELECT pg_current_snapshot()::text AS snapshot, extract(epoch FROM clock_timestamp())::float8 AS at,
    pg_postmaster_start_time()::text || (SELECT ' ' || oid FROM pg_database WHERE datname = current_database()) AS place,
    coalesce((SELECT array_agg(psp_id) FROM changed), '{}') AS psps,
    coalesce((SELECT array_agg(account_id) FROM changed), '{}') AS ids`;

/** Tells caches which accounts to drop. One per process. */
export class AccessChanges {
  readonly #db: Database;
  readonly #monotonic: Clock;
  readonly #followers: ((changed: readonly AccessChange[] | 'all') => void)[] = [];
  #last: Reading | undefined;
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;

  constructor(db: Database, monotonic: Clock) {
    this.#db = db;
    this.#monotonic = monotonic;
  }

  /** @param drop called before what was kept is trusted again */
  follow(drop: (changed: readonly AccessChange[] | 'all') => void): void {
    this.#followers.push(drop);
  }

  /** Whether what is kept may be trusted. */
  isFresh(): boolean {
    const age = this.#monotonic() - this.#readAt;
    if (age >= trustedMs) return false;
    // If this fails, the request that finds it too old tries again and gets the error.
    if (age > refreshMs) this.read().catch(() => undefined);
    return true;
  }

  /** Reads the changes once for all who wait. @throws if the database does not answer; nothing is trusted then */
  read(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #read(): Promise<void> {
    const readAt = this.#monotonic();
    const before = this.#last;
    const [now] = await this.#db.query<Reading>(statement, [before?.snapshot]);
    if (!now) throw new Error('the changes of access could not be read');
    const follows =
      before !== undefined &&
      before.place === now.place &&
      Math.abs(now.at - before.at) < longestPauseSeconds &&
      now.ids.length <= mostAccounts;
    const changed = now.ids.map((id, i) => ({ psp: now.psps[i] as PspId, id }));
    if (!follows || changed.length > 0) for (const drop of this.#followers) drop(follows ? changed : 'all');
    this.#last = now;
    this.#readAt = readAt;
  }

  /** Removes changes that everyone has read. */
  clear(): Promise<unknown> {
    return this.#db.query("DELETE FROM access_changes WHERE at < now() - interval '1 day'");
  }
}
