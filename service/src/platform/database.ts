// Connections. `app` is the service's lesser role; `admin` is used at start-up only, for migrations and
// partitions. Records are written by the committer's function alone.
import { hash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { fromDatabase } from './database-away.ts';
import { poolOver, spent } from './database-hosts.ts';
import type { Log } from './log.ts';

export type Row = Record<string, unknown>;

/** What stores need: parametrised SQL in, rows out. */
export interface Database {
  query<R extends object = Row>(text: string, values?: readonly unknown[]): Promise<R[]>;
}

// As the definitions of records say: times are ISO 8601 in UTC, days and numerics stay text.
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (v) => new Date(v).toISOString());
pg.types.setTypeParser(pg.types.builtins.INT8, (v) => Number(v));
pg.types.setTypeParser(pg.types.builtins.JSON, (v) => v);
pg.types.setTypeParser(pg.types.builtins.DATE, (v) => v);

const byIndex = ' -c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off';
/** Hundreds of rows that a statement brings itself are joined by their hashes: a loop in a loop over them is slow. */
const hashed = ' -c enable_seqscan=off -c enable_mergejoin=off -c random_page_cost=1.1';

/** Names of statements that are prepared, by their text: for as many as the sources have, never for texts made up. */
const names = new Map<string, string>();
const mostNames = 500;

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= mostNames) return known;
  // A name is bound to one text wherever it is used.
  const name = `assay_${hash('sha256', text, 'hex').slice(0, 32)}`;
  names.set(text, name);
  return name;
}

/** The one row of a statement that always gives one. @throws where it gave none */
export function only<R>(rows: readonly R[]): R {
  const [row] = rows;
  if (row === undefined) throw new Error('the statement gave no row');
  return row;
}

/** A pattern of LIKE that means the text itself. */
export const literally = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&');

export class Pool implements Database {
  readonly #pool: pg.Pool;
  /** Longest wait for the answer to a statement; 0 for none. */
  readonly #answerMs: number;

  /**
   * @param options.byIndex for statements that touch few rows of large tables: planned once for all values, they are
   * taken to touch many, and read the tables whole where nothing forbids it; 'hashed' where they bring many rows
   * @param options.waitMs longest wait for a connection and for the answer to a statement; without it there is none for
   * statements. What is given up may still have been committed
   */
  constructor(
    url: string,
    options: { max: number; role?: string; byIndex?: boolean | 'hashed'; waitMs?: number; log: Log },
  ) {
    const { waitMs = 0 } = options;
    this.#answerMs = waitMs && waitMs + 500;
    const config: pg.PoolConfig = {
      max: options.max,
      idleTimeoutMillis: 30_000,
      connectionTimeoutMillis: waitMs || 5_000,
      // A server that lives breaks off itself, so that nothing is left behind in it; one that hangs is left.
      ...(waitMs > 0 ? { statement_timeout: waitMs } : {}),
      // A server that has lost its power says nothing any more.
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      application_name: 'assay',
      options: `-c timezone=UTC${options.role ? ` -c role=${options.role}` : ''}${options.byIndex === 'hashed' ? hashed : options.byIndex ? byIndex : ''}`,
    };
    this.#pool = poolOver(url, connection, config, options.log);
    this.#pool.on('error', (e) => options.log.warn({ error: e.message }, 'a database connection was lost'));
    // A connection that dies under a statement tells twice: the statement fails, then the connection itself. The
    // pool listens to idle connections only, and an error nobody listens to would end the process.
    this.#pool.on('connect', (c) => {
      c.on('error', () => undefined);
    });
  }

  query<R extends object = Row>(text: string, values?: readonly unknown[]): Promise<R[]> {
    return this.#on((client) => databaseOn(client, this.#answerMs).query<R>(text, values));
  }

  /**
   * The same connections for whoever says the same few statements again and again: each is parsed and planned once per
   * connection. Not for statements whose best plan depends on their values.
   */
  get prepared(): Pick<Pool, 'query' | 'transaction' | 'committing'> {
    return {
      query: <R extends object>(text: string, values?: readonly unknown[]) =>
        this.#on((client) => databaseOn(client, this.#answerMs, true).query<R>(text, values)),
      transaction: (work) =>
        this.#on((client, unusable) =>
          transactionOn(client, work, { answerMs: this.#answerMs, unusable, prepares: true }),
        ),
      committing: (name, text, values) => this.committing(name, text, values),
    };
  }

  /**
   * A prepared statement, planned once per connection, which commits by itself.
   * @throws also when the commit came with a warning (01000: a standby was not reached): its outcome is unknown
   */
  committing<R extends object = Row>(name: string, text: string, values: readonly unknown[]): Promise<R[]> {
    return this.#on(async (client) => {
      let warning: string | undefined;
      const notice = (n: { code?: string | undefined; message?: string | undefined }) => {
        if (n.code === '01000') warning = n.message ?? 'warning';
      };
      client.on('notice', notice);
      try {
        const rows = await ask<R>(client, { name, text, values: values as unknown[] }, this.#answerMs);
        if (warning !== undefined) throw new Error(`the commit was not confirmed: ${warning}`);
        return rows;
      } finally {
        client.off('notice', notice);
      }
    });
  }

  /** Whether a statement is answered now; an answer that does not come is none. */
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

  /** Several statements made true together, or none of them. */
  transaction<T>(work: (tx: Database) => Promise<T>): Promise<T> {
    return this.#on((client, unusable) => transactionOn(client, work, { answerMs: this.#answerMs, unusable }));
  }

  /** For a library that brings its own statements; nothing else may ask for it. */
  get connections(): pg.Pool {
    return this.#pool;
  }

  end(): Promise<void> {
    return this.#pool.end();
  }

  /**
   * Uses one connection. The pool closes it afterwards if it broke, and if the next one may lead to another server.
   * @param use is given what closes it for another reason
   */
  async #on<T>(use: (client: pg.PoolClient, unusable: (e: Error) => void) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect().catch((e: unknown) => {
      throw fromDatabase(e);
    });
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
    }
  }
}

/**
 * One statement. Not for the driver's promise nor by its time limit: for either it assigns a function to a property of the
 * query, V8 allocates such functions in the old heap, and each then keeps its statement with all buffers until the next
 * collection of the whole heap (0068).
 * @param answerMs longest wait for the answer; then the connection is cut. 0 for none
 */
async function ask<R extends object>(client: pg.ClientBase, statement: pg.QueryConfig, answerMs: number): Promise<R[]> {
  const { stream } = (client as pg.Client).connection;
  const late = () => stream.destroy(new Error(`the database gave no answer within ${answerMs} ms`));
  const waiting = answerMs > 0 ? setTimeout(late, answerMs) : undefined;
  try {
    return await new Promise<R[]>((resolve, reject) => {
      client.query<R>(statement, (e, result) => {
        // The declaration does not say so: there is no error where all went well.
        if (e as Error | undefined) reject(e);
        else resolve(result.rows);
      });
    });
  } catch (e) {
    // Its own stack leads to the socket, this one to who asked.
    Error.captureStackTrace(e as Error);
    throw e;
  } finally {
    clearTimeout(waiting);
  }
}

/**
 * One connection, asked statement by statement, each by itself.
 * @param prepares whether statements with values are prepared
 */
export const databaseOn = (client: pg.ClientBase, answerMs = 0, prepares = false): Database => ({
  query(text, values = []) {
    const name = prepares && values.length > 0 ? nameOf(text) : undefined;
    return ask(client, { text, values: values as unknown[], ...(name === undefined ? {} : { name }) }, answerMs);
  },
});

/**
 * Several statements of one connection made true together, or none of them.
 * @param how.answerMs longest wait for the answer to each; then the connection is cut
 * @param how.prepares whether statements with values are prepared
 * @param how.unusable told of a connection that cannot even roll back: nobody may be given it with half the work in it
 */
export async function transactionOn<T>(
  client: pg.ClientBase,
  work: (tx: Database) => Promise<T>,
  how: { answerMs?: number; prepares?: boolean; unusable?: (e: Error) => void } = {},
): Promise<T> {
  const tx = databaseOn(client, how.answerMs, how.prepares);
  try {
    await tx.query('BEGIN');
    const result = await work(tx);
    await tx.query('COMMIT');
    return result;
  } catch (e) {
    await tx.query('ROLLBACK').catch((error: Error) => how.unusable?.(error));
    throw e;
  }
}

/** `pg` reads a socket directory from `host`, which a URL carries as a parameter. */
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
