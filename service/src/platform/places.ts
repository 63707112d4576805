// Where on a Citus cluster the rows of each PSP lie, and commits there: one call on the server that has them, in one phase.
// What is kept is a guess, which the call checks; where there is none, commits go through the coordinator.
import type { PspId } from '../core/ids.ts';
import { type BoundForm, bind, type CommitForm } from './batch-parameters.ts';
import { readRowTypes } from './catalogue.ts';
import type { Writes } from './command.ts';
import type { Pool } from './database.ts';
import { Kept } from './kept.ts';
import { errorFields, type Log } from './log.ts';

/** The rows of some PSPs, which lie together and are moved together. */
export interface Place {
  /** @throws if a row cannot be encoded; what is returned then sends it */
  commitOf(writes: readonly Writes[]): () => Promise<readonly number[]>;
}

export interface PlacesOptions {
  readonly coordinator: Pick<Pool, 'query'>;
  readonly connect: (host: string, port: number) => Pick<Pool, 'query' | 'committing' | 'end'>;
  readonly form: CommitForm;
  readonly log: Log;
  /** Milliseconds, monotonic. */
  readonly monotonic: () => number;
}

interface Server {
  readonly name: string;
  readonly pool: Pick<Pool, 'query' | 'committing' | 'end'>;
  /** Undefined while it is not known to answer. */
  form: BoundForm | undefined;
  /** When it may be asked again. */
  askAgainAt: number;
}

/** A server that is out of reach of this process is asked again after this time; the coordinator may still reach it. */
const askAgainMs = 10_000;
const mostBytes = 16_000_000;
/** Of a PSP's id, the number of its place, and their place in the map. */
const entryBytes = 200;

export class Places {
  readonly #o: PlacesOptions;
  readonly #placeOf = new Kept<string>(mostBytes, () => entryBytes);
  readonly #servers = new Map<string, Server>();
  /** By place; undefined until it is read again. */
  #places: Promise<ReadonlyMap<string, { readonly server: Server; readonly place: Place }>> | undefined;
  /** Places without a function, as parts of a place that was split. */
  readonly #without = new Set<string>();

  constructor(options: PlacesOptions) {
    this.#o = options;
  }

  /** Waits until each server has answered or failed to. */
  async start(): Promise<void> {
    await this.#read();
    await Promise.all([...this.#servers.values()].map((s) => this.#ask(s)));
  }

  /** The places of these PSPs whose servers take commits; not of all of them, and of none if the coordinator is away. */
  async find(psps: ReadonlySet<PspId>): Promise<ReadonlyMap<PspId, Place>> {
    const found = new Map<PspId, Place>();
    try {
      const places = await this.#read();
      await this.#locate([...psps].filter((psp) => this.#placeOf.peek(psp) === undefined));
      for (const psp of psps) {
        const at = places.get(this.#placeOf.get(psp) as string);
        if (!at) continue;
        if (at.server.form !== undefined) found.set(psp, at.place);
        else if (at.server.askAgainAt <= this.#o.monotonic()) void this.#ask(at.server);
      }
    } catch (e) {
      this.#o.log.warn(
        errorFields(e),
        'where the rows of PSPs lie could not be read; commits go through the coordinator',
      );
      this.#places = undefined;
    }
    return found;
  }

  async end(): Promise<void> {
    await Promise.all([...this.#servers.values()].map((s) => s.pool.end()));
  }

  /** @returns by place, those that have a function */
  #read() {
    this.#places ??= this.#o.coordinator
      .query<{ place: string; host: string; port: number }>(
        `SELECT s.shardid::text AS place, n.nodename AS host, n.nodeport AS port
         FROM pg_dist_shard s JOIN pg_dist_placement p USING (shardid) JOIN pg_dist_node n USING (groupid)
         WHERE s.logicalrelid = 'journal_heads'::regclass AND n.noderole = 'primary' AND n.isactive`,
      )
      .then((rows) => {
        const at = rows.filter((r) => !this.#without.has(r.place));
        return new Map(
          at.map((r) => {
            const server = this.#serverAt(r.host, r.port);
            return [r.place, { server, place: this.#placeOn(server, r.place) }];
          }),
        );
      });
    return this.#places;
  }

  async #locate(psps: readonly PspId[]): Promise<void> {
    if (psps.length === 0) return;
    const rows = await this.#o.coordinator.query<{ psp: PspId; place: string }>(
      `SELECT p AS psp, get_shard_id_for_distribution_column('journal_heads', p)::text AS place
       FROM unnest($1::uuid[]) p`,
      [psps],
    );
    for (const { psp, place } of rows) this.#placeOf.set(psp, place);
  }

  #serverAt(host: string, port: number): Server {
    const name = `${host}:${port}`;
    let server = this.#servers.get(name);
    if (!server) {
      server = { name, pool: this.#o.connect(host, port), form: undefined, askAgainAt: Number.NEGATIVE_INFINITY };
      this.#servers.set(name, server);
    }
    return server;
  }

  /** Row types have other numbers on each server. */
  async #ask(server: Server): Promise<void> {
    server.askAgainAt = this.#o.monotonic() + askAgainMs;
    try {
      server.form = bind(this.#o.form, await readRowTypes(server.pool, this.#o.form));
    } catch (e) {
      this.#o.log.warn(
        { ...errorFields(e), server: server.name },
        'this server of the cluster could not be asked; commits for it go through the coordinator, which is slow',
      );
    }
  }

  #placeOn(server: Server, place: string): Place {
    return {
      commitOf: (writes) => {
        const { form } = server;
        if (form === undefined) throw new Error(`the server ${server.name} was not asked for its types`);
        const call = form.callAt(place, writes);
        return async () => {
          try {
            const [r] = await server.pool.committing<{ failed: number[] }>(call.name, call.text, call.values);
            return r?.failed ?? [];
          } catch (e) {
            throw this.#failed(place, e);
          }
        };
      },
    };
  }

  /** After an error the rows may lie elsewhere. A place without a function did nothing: what was sent is decided again. */
  #failed(place: string, e: unknown): unknown {
    const { code = '' } = e as { code?: string };
    if (code === '40P01') return e;
    this.#places = undefined;
    this.#placeOf.clear();
    if (code !== '42883') return e;
    this.#without.add(place);
    this.#o.log.warn({ place }, 'a place of the cluster has no commit function; the next start makes it');
    return Object.assign(new Error(`place ${place} has no commit function`, { cause: e }), { code: '40001' });
  }
}
