// Connections. `app` is the service's lesser role; `admin` is used at start-up only, for migrations and
// partitions. Writes of records go through the committer alone.
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { poolOver, spent } from './database-hosts.ts';
import type { Log } from './log.ts';

export type Row = Record<string, unknown>;

/** What stores need: parametrised SQL in, rows out. */
export interface Database {
  query<R extends Row = Row>(text: string, values?: readonly unknown[]): Promise<R[]>;
}

// Times are handled as epoch milliseconds by us and as ISO text on the wire; numerics stay text.
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (v) => new Date(v).toISOString());
pg.types.setTypeParser(pg.types.builtins.INT8, (v) => Number(v));
pg.types.setTypeParser(pg.types.builtins.JSON, (v) => v);

const byIndex = ' -c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off';

/** A pattern of LIKE that means the text itself. */
export const literally = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&');

export class Pool implements Database {
  readonly #pool: pg.Pool;

  /**
   * @param options.byIndex for statements that touch few rows of large tables: planned once for all values, they are
   * taken to touch many, and read the tables whole where nothing forbids it
   * @param options.waitMs longest wait for a connection and for the answer to a statement; without it there is none for
   * statements. What is given up may still have been committed
   */
  constructor(url: string, options: { max: number; role?: string; byIndex?: boolean; waitMs?: number; log: Log }) {
    const { waitMs = 0 } = options;
    const config: pg.PoolConfig = {
      max: options.max,
      idleTimeoutMillis: 30_000,
      connectionTimeoutMillis: waitMs || 5_000,
      // A server that lives breaks off itself, so that nothing is left behind in it; one that hangs is left alone.
      ...(waitMs > 0 ? { statement_timeout: waitMs, query_timeout: waitMs + 500 } : {}),
      // A server that has lost its power says nothing any more.
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      application_name: 'assay',
      options: `-c timezone=UTC${options.role ? ` -c role=${options.role}` : ''}${options.byIndex ? byIndex : ''}`,
    };
    this.#pool = poolOver(url, connection, config, options.log);
    this.#pool.on('error', (e) => options.log.warn({ error: e.message }, 'a database connection was lost'));
    // A connection that dies under a statement tells twice: the statement fails, then the connection itself. The
    // pool listens to idle connections only, and an error nobody listens to would end the process.
    this.#pool.on('connect', (c) => {
      c.on('error', () => undefined);
    });
  }

  async query<R extends Row = Row>(text: string, values: readonly unknown[] = []): Promise<R[]> {
    return (await this.#pool.query<R>(text, values as unknown[])).rows;
  }

  /**
   * A prepared statement, planned once per connection, which commits by itself.
   * @throws also when the commit came with a warning (01000: a standby was not reached): its outcome is unknown
   */
  async committing<R extends Row = Row>(name: string, text: string, values: readonly unknown[]): Promise<R[]> {
    const client = await this.#pool.connect();
    let warning: string | undefined;
    const notice = (n: { code?: string | undefined; message?: string | undefined }) => {
      if (n.code === '01000') warning = n.message ?? 'warning';
    };
    client.on('notice', notice);
    let broken: Error | undefined;
    try {
      const { rows } = await client.query<R>({ name, text, values: values as unknown[] });
      if (warning !== undefined) throw new Error(`the commit was not confirmed: ${warning}`);
      return rows;
    } catch (e) {
      broken = (e as { code?: string }).code === undefined || spent(e) ? (e as Error) : undefined;
      throw e;
    } finally {
      client.off('notice', notice);
      client.release(broken);
    }
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
  async withClient<T>(use: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    let broken: Error | undefined;
    try {
      return await use(client);
    } catch (e) {
      if (spent(e)) broken = e as Error;
      throw e;
    } finally {
      client.release(broken);
    }
  }

  /** Several statements made true together, or none of them. */
  async transaction<T>(work: (tx: Database) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    let broken: Error | undefined;
    try {
      return await transactionOn(client, work, (e) => {
        broken = e;
      });
    } catch (e) {
      if (spent(e)) broken = e as Error;
      throw e;
    } finally {
      client.release(broken);
    }
  }

  /** For a library that brings its own statements; nothing else may ask for it. */
  get connections(): pg.Pool {
    return this.#pool;
  }

  end(): Promise<void> {
    return this.#pool.end();
  }
}

/**
 * Several statements of one connection made true together, or none of them.
 * @param unusable told of a connection that cannot even roll back: nobody may be given it with half the work in it
 */
export async function transactionOn<T>(
  client: Pick<pg.ClientBase, 'query'>,
  work: (tx: Database) => Promise<T>,
  unusable?: (e: Error) => void,
): Promise<T> {
  try {
    await client.query('BEGIN');
    const result = await work({
      query: async <R extends Row = Row>(text: string, values: readonly unknown[] = []) =>
        (await client.query<R>(text, values as unknown[])).rows,
    });
    await client.query('COMMIT');
    return result;
  } catch (e) {
    await client.query('ROLLBACK').catch((error: Error) => unusable?.(error));
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
