// Database connections. `app` is the service's restricted role; `admin` is used only at start-up, for migrations and
// partitions. Records are written only by the committer's function.
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { largeBytes, WithBytes } from './bytes-parameter.ts';
import { fromDatabase, untilNotGivingWay, withWorkersCode } from './database-away.ts';
import { poolOver, spent } from './database-hosts.ts';
import type { Log } from './log.ts';
import { OpenedInTurn } from './opened-in-turn.ts';
import { nameOf } from './statement-names.ts';
import { version } from './version.ts';

export type Row = Record<string, unknown>;

/** What stores need: runs parametrised SQL and returns rows. */
export interface Database {
  /**
   * Whether the rows are spread over several servers by PSP. A statement that locks rows, or searches step by step, then
   * names one PSP.
   */
  readonly distributed?: boolean;
  /** A value that is undefined is NULL. */
  query<R extends object = Row>(text: string, values?: readonly unknown[]): Promise<R[]>;
  /** Of a transaction: what to do once it has committed. It must not throw. */
  afterCommit?(act: () => void): void;
}

// As in the definitions of records: times become ISO 8601 in UTC, dates and numerics stay text.
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (v) => new Date(v).toISOString());
pg.types.setTypeParser(pg.types.builtins.INT8, (v) => Number(v));
pg.types.setTypeParser(pg.types.builtins.JSON, (v) => v);
pg.types.setTypeParser(pg.types.builtins.DATE, (v) => v);

/**
 * How values are written, what a transaction sees, where tables are looked for, and that a connection that waits in a pool stays:
 * the database's administrators may have set it otherwise for other programs, and a day that comes as 11/12/2026 could be read
 * as another one.
 */
const asExpected =
  '-c search_path=public -c timezone=UTC -c datestyle=ISO,MDY -c intervalstyle=postgres -c bytea_output=hex -c extra_float_digits=1 -c default_transaction_isolation=read\\ committed -c idle_session_timeout=0';
const noScan = ' -c enable_seqscan=off -c enable_mergejoin=off -c max_parallel_workers_per_gather=0';
const byIndex = `${noScan} -c enable_hashjoin=off`;
/** For statements that bring hundreds of rows: hash joins only, because nested loops over them are slow. */
const hashed = `${noScan} -c random_page_cost=1.1`;

/** The only row of a statement that always returns one. @throws if it returned none */
export function only<R>(rows: readonly R[]): R {
  const [row] = rows;
  if (row === undefined) throw new Error('the statement gave no row');
  return row;
}

/** The rows' values of each property, an array each: the parameters of `unnest`. */
export const valuesOf = <R>(rows: readonly R[], ...names: readonly (keyof R)[]): unknown[][] =>
  names.map((name) => rows.map((r) => r[name] ?? null));

/** A LIKE pattern that matches exactly the text. */
export const literally = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&');

/** Connections to a distributed database: what runs on one knows that it does. */
const toDistributed = new WeakSet<pg.ClientBase>();

export class Pool implements Database {
  readonly #pool: pg.Pool;
  readonly #turns = new OpenedInTurn();
  /** Maximum wait for the answer to a statement, in milliseconds; 0 for no limit. */
  readonly #answerMs: number;
  readonly distributed: boolean;

  /**
   * @param options.byIndex for statements that touch few rows of large tables: planned once for all values, they are
   * assumed to touch many rows, and scan whole tables unless forbidden; 'hashed' if they bring many rows
   * @param options.waitMs maximum wait for a connection and for the answer to a statement; without it statements have
   * no limit. A statement that timed out may still have been committed
   * @param options.connectMs maximum wait for a connection where statements have no limit; 5 s by default
   */
  constructor(
    url: string,
    options: {
      max: number;
      /** Of the settings, for other processes on the database. */
      mark?: string;
      role?: string;
      byIndex?: boolean | 'hashed';
      waitMs?: number;
      connectMs?: number;
      distributed?: boolean;
      log: Log;
    },
  ) {
    const { waitMs = 0, connectMs } = options;
    this.#answerMs = waitMs && waitMs + 500;
    this.distributed = options.distributed ?? false;
    const config: pg.PoolConfig = {
      max: options.max,
      idleTimeoutMillis: 30_000,
      connectionTimeoutMillis: waitMs || connectMs || 5_000,
      // A working server cancels the statement itself, so that it does not continue there; only a hanging one is
      // abandoned.
      ...(waitMs > 0 ? { statement_timeout: waitMs } : {}),
      // A server that has lost power sends nothing any more.
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      application_name: `assay/${version}${options.mark ? ` ${options.mark}` : ''}`,
      options: `${asExpected}${options.role ? ` -c role=${options.role}` : ''}${options.byIndex === 'hashed' ? hashed : options.byIndex ? byIndex : ''}`,
    };
    this.#pool = poolOver(url, connection, config, options.log);
    this.#pool.on('error', (e) => options.log.warn({ error: e.message }, 'a database connection was lost'));
    // If a connection dies during a statement, the statement fails and then the connection emits an error. The pool
    // listens only to idle connections, and an unhandled error would end the process.
    this.#pool.on('connect', (c) => {
      c.on('error', () => undefined);
      if (this.distributed) toDistributed.add(c);
      this.#turns.opened();
    });
    this.#pool.on('remove', () => this.#turns.closed());
  }

  query<R extends object = Row>(text: string, values?: readonly unknown[]): Promise<R[]> {
    return this.#alone((client) => databaseOn(client, this.#answerMs).query<R>(text, values));
  }

  /**
   * The same connections for code that repeats the same few statements: each is parsed and planned once per connection.
   * Not for statements whose best plan depends on their values.
   */
  get prepared(): Pick<Pool, 'distributed' | 'query' | 'transaction' | 'committing' | 'withClient'> {
    return {
      distributed: this.distributed,
      query: <R extends object>(text: string, values?: readonly unknown[]) =>
        this.#alone((client) => databaseOn(client, this.#answerMs, true).query<R>(text, values)),
      transaction: (work) =>
        this.#on((client, unusable) =>
          transactionOn(client, work, { answerMs: this.#answerMs, unusable, prepares: true }),
        ),
      committing: (name, text, values) => this.committing(name, text, values),
      withClient: (use) => this.withClient(use),
    };
  }

  /**
   * A prepared statement, planned once per connection, which commits by itself.
   * @throws also if the commit gave a warning (01000: a standby was not reached): its outcome is unknown
   */
  committing<R extends object = Row>(name: string, text: string, values: readonly unknown[]): Promise<R[]> {
    return this.#on((client) =>
      confirmed(client, () => ask<R>(client, { name, text, values: values as unknown[] }, this.#answerMs)),
    );
  }

  /** Whether a statement is answered within the time. */
  async answersWithin(ms: number): Promise<boolean> {
    const late = new AbortController();
    const asked = this.query('SELECT 1').then(
      () => true,
      () => false,
    );
    try {
      return await Promise.race([asked, pause(ms, false, late)]);
    } finally {
      late.abort();
    }
  }

  /** One connection for several statements, for migrations. */
  withClient<T>(use: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    return this.#on(use);
  }

  /** Commits several statements together, or none of them. */
  transaction<T>(work: (tx: Database) => Promise<T>): Promise<T> {
    return this.#on((client, unusable) => transactionOn(client, work, { answerMs: this.#answerMs, unusable }));
  }

  /** For a library with its own statements only. */
  get connections(): pg.Pool {
    return this.#pool;
  }

  end(): Promise<void> {
    return this.#pool.end();
  }

  /** Uses one connection for a statement that commits by itself. */
  #alone<T>(use: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    return untilNotGivingWay(() => this.#on(use));
  }

  /**
   * Uses one connection. The pool then closes it if it broke, or if the next one may lead to another server.
   * @param use receives a function that closes it for another reason
   */
  async #on<T>(use: (client: pg.PoolClient, unusable: (e: Error) => void) => Promise<T>): Promise<T> {
    const client = await this.#connection();
    let broken: Error | undefined;
    try {
      return await use(client, (e) => {
        broken = e;
      });
    } catch (e) {
      if (spent(e)) broken = e as Error;
      throw fromDatabase(e);
    } finally {
      client.release(broken);
      this.#turns.end();
    }
  }

  async #connection(): Promise<pg.PoolClient> {
    try {
      await this.#turns.begin();
      return await this.#pool.connect();
    } catch (e) {
      this.#turns.failed(e);
      this.#turns.end();
      throw fromDatabase(e);
    }
  }
}

/**
 * One statement. Uses neither the driver's promise nor its timeout: for either it assigns a function to a property of
 * the query, V8 allocates such functions in the old heap, and each then keeps its statement with all buffers until the
 * next full collection (0068).
 * @param answerMs maximum wait for the answer in milliseconds; then the connection is closed. 0 for no limit
 */
async function ask<R extends object>(client: pg.ClientBase, statement: pg.QueryConfig, answerMs: number): Promise<R[]> {
  const { stream } = (client as pg.Client).connection;
  const late = () => stream.destroy(new Error(`the database gave no answer within ${answerMs} ms`));
  const waiting = answerMs > 0 ? setTimeout(late, answerMs) : undefined;
  try {
    return await new Promise<R[]>((resolve, reject) => {
      const answered = (e: Error | undefined, result: { rows: R[] }) => {
        // Contrary to the declaration, there is no error on success.
        if (e) reject(e);
        else resolve(result.rows);
      };
      const bytes = largeBytes(statement.values);
      if (bytes) client.query(new WithBytes(statement, bytes, answered));
      else client.query<R>(statement, answered);
    });
  } catch (e) {
    // Its own stack starts at the socket, this one at the caller.
    Error.captureStackTrace(e as Error);
    throw withWorkersCode(e as Error);
  } finally {
    clearTimeout(waiting);
  }
}

/**
 * One connection that runs single statements.
 * @param prepares whether those are prepared that are planned
 */
export const databaseOn = (client: pg.ClientBase, answerMs = 0, prepares = false): Database => ({
  distributed: toDistributed.has(client),
  query(text, values = []) {
    const name = prepares ? nameOf(text) : undefined;
    return ask(client, { text, values: values as unknown[], ...(name === undefined ? {} : { name }) }, answerMs);
  },
});

/** @throws also if the commit gave a warning (01000: a standby or another server was not reached) */
async function confirmed<T>(client: pg.ClientBase, commit: () => Promise<T>): Promise<T> {
  let warning: string | undefined;
  const notice = (n: { code?: string | undefined; message?: string | undefined }) => {
    if (n.code === '01000') warning = n.message ?? 'warning';
  };
  client.on('notice', notice);
  try {
    const result = await commit();
    if (warning !== undefined) throw new Error(`the commit was not confirmed: ${warning}`);
    return result;
  } finally {
    client.off('notice', notice);
  }
}

/**
 * Commits several statements on one connection together, or none of them.
 * @param how.answerMs maximum wait for each answer; then the connection is closed
 * @param how.prepares whether statements that are planned are prepared
 * @param how.unusable called with a connection that cannot even roll back: it must not be reused with half the work in
 * it
 */
export async function transactionOn<T>(
  client: pg.ClientBase,
  work: (tx: Database) => Promise<T>,
  how: { answerMs?: number; prepares?: boolean; unusable?: (e: Error) => void } = {},
): Promise<T> {
  const acts: (() => void)[] = [];
  const tx: Database = {
    ...databaseOn(client, how.answerMs, how.prepares),
    afterCommit(act) {
      acts.push(act);
    },
  };
  let result: T;
  try {
    await tx.query('BEGIN');
    result = await work(tx);
    await confirmed(client, () => tx.query('COMMIT'));
  } catch (e) {
    await tx.query('ROLLBACK').catch((error: Error) => how.unusable?.(error));
    throw e;
  }
  for (const act of acts) act();
  return result;
}

/** `pg` reads a socket directory from `host`, which a URL can only give as a parameter. */
function connection(url: string): pg.PoolConfig {
  const socket = /[?&]host=([^&]+)/.exec(url);
  if (!socket) return { connectionString: url };
  const u = new URL(url.replace('@/', '@localhost/'));
  return {
    host: decodeURIComponent(socket[1] as string),
    port: Number(u.searchParams.get('port') ?? 5432),
    user: decodeURIComponent(u.username),
    password: decodeURIComponent(u.password),
    database: u.pathname.slice(1),
  };
}
