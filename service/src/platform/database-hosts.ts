// Several servers behind one DATABASE_URL, in libpq's form: finds the one that takes writes and connects there. The
// driver supports only one server. What one pool of the process has learned is shared by all.
import pg from 'pg';
import type { Log } from './log.ts';

type Wanted = 'any' | 'primary' | 'read-write';

interface Host {
  /** For display: without user and password. */
  readonly name: string;
  /** The same URL with only this server. */
  readonly url: string;
}

/** Timeout for each of several hosts. */
const longestTryMs = 2_000;

/** A server that was not reached or does not take writes; the next one may. */
class UnfitHost extends Error {}

/** The servers of one URL, and the one of the last connection. */
export class DatabaseHosts {
  readonly all: readonly Host[];
  readonly #wanted: Wanted;
  #current = 0;
  #connected: Host | undefined;
  /** All open connections of all pools. */
  readonly #open = new Map<pg.Client, Host>();
  /** Timeline of the newest primary seen. A promotion starts a new timeline; a primary with an older one was replaced. */
  #timeline = 0;

  constructor(url: string) {
    const [, start = '', hosts = '', rest = ''] = /^([^:]+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? [];
    const list = hosts.split(',');
    const wanted = /[?&]target_session_attrs=([^&]*)/.exec(rest)?.[1];
    const others = rest.replace(/([?&])target_session_attrs=[^&]*(&|$)/, (_, before, after) => (after ? before : ''));
    this.all = list.map((name) => ({ name, url: `${start}${name}${others}` }));
    this.#wanted = (wanted as Wanted | undefined) ?? (list.length > 1 ? 'read-write' : 'any');
  }

  /** True for a single server, which is used unchecked, as the driver does. */
  get plain(): boolean {
    return this.all.length === 1 && this.#wanted === 'any';
  }

  get current(): Host {
    return this.all[this.#current] as Host;
  }

  /** The next connection tries the server after this one. */
  failed(host: Host): void {
    if (host === this.current) this.#current = (this.#current + 1) % this.all.length;
  }

  /** Timeout for connecting to one of them: if there are others, a host that does not respond is soon abandoned. */
  patience(given: pg.ClientConfig = {}): number {
    const { connectionTimeoutMillis = 0 } = given;
    return this.all.length > 1
      ? Math.min(connectionTimeoutMillis || longestTryMs, longestTryMs)
      : connectionTimeoutMillis;
  }

  opening(client: pg.Client, host: Host): void {
    this.#open.set(client, host);
    client.once('end', () => this.#open.delete(client));
  }

  /**
   * After a new primary was reached, statements waiting for the old one would wait in vain: its connections are closed.
   * @returns true if the primary is new
   */
  reached(host: Host): boolean {
    const moved = this.#connected !== undefined && this.#connected !== host && this.#wanted !== 'any';
    this.#connected = host;
    this.#current = this.all.indexOf(host);
    if (moved) for (const [client, at] of this.#open) if (at !== host) client.connection.stream.destroy();
    return moved;
  }

  /** @throws UnfitHost if the server of a new connection does not take writes */
  async check(client: pg.ClientBase): Promise<void> {
    if (this.#wanted === 'any') return;
    const { rows } = await client.query<{ standby: boolean; read_only: boolean; timeline: string | null }>(
      `SELECT pg_is_in_recovery() AS standby, current_setting('transaction_read_only') = 'on' AS read_only,
         CASE WHEN NOT pg_is_in_recovery() THEN left(pg_walfile_name(pg_current_wal_lsn()), 8) END AS timeline`,
    );
    const [is] = rows;
    if (is?.standby !== false) throw new UnfitHost('is a standby');
    if (is.read_only && this.#wanted === 'read-write') throw new UnfitHost('takes no writes');
    const timeline = Number.parseInt(is.timeline ?? '0', 16);
    if (timeline < this.#timeline)
      throw new UnfitHost(
        `was replaced: it is on timeline ${timeline} and another server on ${this.#timeline}. Stop it; if it is the right one, restart the service`,
      );
    this.#timeline = timeline;
  }
}

/** The URL of the same database on another server of a cluster. */
export function onServer(url: string, host: string, port: number): string {
  const at = host.includes(':') ? `[${host}]` : host;
  return url
    .replace(/^([^:]+:\/\/(?:[^/?#]*@)?)[^/?#]*/, (_, start: string) => `${start}${at}:${port}`)
    .replace(/(?<=[?&])(?:target_session_attrs|host|port)=[^&]*&?/g, '')
    .replace(/[?&]$/, '');
}

type Connected = Parameters<pg.Pool['connect']>[0];

const known = new Map<string, DatabaseHosts>();

function hostsOf(url: string): DatabaseHosts {
  const hosts = known.get(url) ?? new DatabaseHosts(url);
  known.set(url, hosts);
  return hosts;
}

/**
 * A pool of connections to the server of a URL, or to the one of its servers that takes writes.
 * @param connection makes the driver's settings from a URL with one server
 */
export function poolOver(
  url: string,
  connection: (url: string) => pg.PoolConfig,
  config: pg.PoolConfig,
  log: Log,
): pg.Pool {
  const hosts = hostsOf(url);
  if (hosts.plain) return new pg.Pool({ ...connection(hosts.current.url), ...config });

  class HostClient extends pg.Client {
    readonly #host: Host;

    // The pool creates its clients itself and passes them its settings.
    constructor(given?: pg.ClientConfig) {
      const host = hosts.current;
      super({ ...given, ...connection(host.url), connectionTimeoutMillis: hosts.patience(given) });
      this.#host = host;
      hosts.opening(this, host);
      // Lost, or closed because it did not respond. While the server is being checked, nothing else listens.
      this.on('error', () => hosts.failed(host));
    }

    override connect(): Promise<pg.Client>;
    override connect(callback: (e: Error) => void): void;
    override connect(callback?: (e: Error) => void): Promise<pg.Client> | undefined {
      const connected = this.#connect();
      if (callback) connected.then(() => (callback as () => void)(), callback);
      return callback ? undefined : connected;
    }

    async #connect(): Promise<pg.Client> {
      try {
        await super.connect();
        await hosts.check(this);
      } catch (e) {
        hosts.failed(this.#host);
        this.end().catch(() => undefined);
        const why = e instanceof UnfitHost ? e.message : `gave no connection: ${(e as Error).message}`;
        throw new UnfitHost(`${this.#host.name} ${why}`, { cause: e });
      }
      if (hosts.reached(this.#host)) log.warn({ host: this.#host.name }, 'the database is another server than before');
      return this;
    }
  }

  class HostsPool extends pg.Pool {
    override connect(): Promise<pg.PoolClient>;
    override connect(callback: Connected): void;
    override connect(callback?: Connected): Promise<pg.PoolClient> | undefined {
      const connected = this.#connect();
      if (callback)
        connected.then(
          (client) => callback(undefined, client, client.release),
          (e: Error) => callback(e, undefined, () => undefined),
        );
      return callback ? undefined : connected;
    }

    async #connect(): Promise<pg.PoolClient> {
      const told = new Set<string>();
      for (const _ of hosts.all) {
        try {
          return await super.connect();
        } catch (e) {
          // The pool wraps the error of a server that did not respond in time.
          const unfit = [e, (e as Error).cause].find((x) => x instanceof UnfitHost);
          if (!unfit) throw e;
          told.add(unfit.message);
        }
      }
      throw new Error(`no server of DATABASE_URL takes writes: ${[...told].join('; ')}`);
    }
  }

  return new HostsPool({ ...config, Client: HostClient });
}

/**
 * Whether an error means that its connection must not be used again: the server takes no more writes (25006), is
 * shutting down (57P01 to 57P03) or lost the connection (08), so that the next one may lead to another server; or a
 * prepared statement outlived a change of its tables (0A000).
 */
export function spent(e: unknown): boolean {
  return /^(08...|0A000|25006|57P0[123])$/.test((e as { code?: string }).code ?? '');
}
