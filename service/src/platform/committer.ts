// The one write path. Takes all commands waiting, decides each over facts with its pure `decide`, and makes
// the outcome true with one call of commit_batch: one round trip, one commit, one batch in flight. Batches
// grow by themselves under load. Knows no domain: commands bring their facts' loaders and their rows.
import type { Database, Pool } from './database.ts';
import { errorFields, type Log } from './log.ts';
import { encodeNumbers, encodeRows, type RowValues } from './row-encoder.ts';
import { type RowTypes, refColumns, type Table, tables } from './tables.ts';

export type { Table } from './tables.ts';

/** Loads one kind of fact for many commands with one query. */
export interface FactLoader<K, V> {
  readonly name: string;
  text(key: K): string;
  /** The fact where memory knows it; checked again by commit_batch, so it may be stale. */
  peek?(key: K): V | undefined;
  /** One query for all keys; facts that do not exist are absent from the map. */
  load(db: Database, keys: readonly K[]): Promise<Map<string, V>>;
  /** Called for keys of commands whose expectations failed. */
  forget?(key: K): void;
}

export interface Need<V> {
  readonly loader: FactLoader<unknown, V>;
  readonly key: unknown;
  /** Taken as absent at the first attempt, without asking: the commit finds out when it is not. */
  readonly presumeAbsent?: boolean;
}

/** Names a fact a command decides on. */
export function need<K, V>(loader: FactLoader<K, V>, key: K, presumeAbsent = false): Need<V> {
  return { loader: loader as unknown as FactLoader<unknown, V>, key, presumeAbsent };
}

/** Facts of one command; undefined means it does not exist. */
export type Facts = <V>(n: Need<V>) => V | undefined;

export interface RefKey {
  readonly psp: string;
  readonly space: string;
  readonly ref: string;
  readonly account: string;
}

export type Row = readonly [Table, RowValues];

/** What a decision expects to be still true at the commit, and writes if it is. */
export interface Writes {
  readonly accounts: readonly { psp: string; id: string; version: number }[];
  readonly subjects?: readonly { psp: string; subject: string; keySealed: string; createdAt: string }[];
  readonly refsHeld?: readonly (RefKey & { revision: number })[];
  readonly refsNew?: readonly (RefKey & { target: string; revision: number })[];
  /** Rows by column name; a column that is not named is null. */
  readonly rows: readonly Row[];
}

export interface Decided<R> {
  readonly reply: R;
  /** Absent when nothing is to be written: a repetition. */
  readonly writes?: Writes | undefined;
}

export interface Command<R = unknown> {
  /** Whose queue it waits in; queues take turns. */
  readonly account: string;
  /** Commands with a key in common never share a batch. */
  readonly keys: readonly string[];
  /** Changes the account itself: later commands of the account wait for the next batch. */
  readonly exclusive?: boolean;
  readonly needs: readonly Need<unknown>[];
  /** Further needs that only the first facts tell (a ref's record); called until it adds nothing new. */
  furtherNeeds?(facts: Facts): readonly Need<unknown>[];
  /** Pure. Returns an Error (a Refusal) for an expected no. */
  decide(facts: Facts): Decided<R> | Error;
  /** After the commit: what was written is now known. */
  committed?(): void;
}

interface Waiting {
  readonly command: Command;
  readonly since: number;
  attempt: number;
  /** All facts the last decision rested on. */
  used?: readonly Need<unknown>[];
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

export interface CommitterOptions {
  readonly pool: Pool;
  readonly rowTypes: RowTypes;
  readonly log: Log;
  readonly maxBatch: number;
  readonly maxQueue: number;
  readonly maxQueueAgeMs: number;
  /** Milliseconds, monotonic. */
  readonly monotonic: () => number;
  readonly overloaded: () => Error;
  readonly unknownOutcome: (cause: unknown) => Error;
  readonly observe?: (batch: { size: number; commitMs: number; waitedMs: number }) => void;
  /** Called after each commit that wrote journal entries. */
  readonly journalled?: () => void;
}

const names = Object.keys(tables) as Table[];
const sqlCall = `SELECT commit_batch(${Array.from({ length: 6 + names.length * 2 }, (_, i) => `$${i + 1}`).join(',')}) AS failed`;
const maxAttempts = 12;

export class Committer {
  readonly #o: CommitterOptions;
  readonly #queues = new Map<string, Waiting[]>();
  #waiting = 0;
  #running: Promise<void> | undefined;
  #closed = false;

  constructor(options: CommitterOptions) {
    this.#o = options;
  }

  /** Commands waiting for a batch. */
  get depth(): number {
    return this.#waiting;
  }

  /**
   * Decides and commits. Resolves after the commit.
   * @throws a Refusal from the decision; overloaded (nothing recorded); unknown outcome (ask again with the same ref)
   */
  submit<R>(command: Command<R>): Promise<R> {
    if (this.#closed || this.#waiting >= this.#o.maxQueue) return Promise.reject(this.#o.overloaded());
    return new Promise<R>((resolve, reject) => {
      this.#enqueue({
        command,
        since: this.#o.monotonic(),
        attempt: 1,
        resolve: resolve as (v: unknown) => void,
        reject,
      });
      // Start after the current turn, so that requests read in one go share a batch.
      this.#running ??= Promise.resolve()
        .then(() => new Promise<void>(setImmediate))
        .then(() => this.#run());
    });
  }

  /** Takes no more commands and finishes those accepted. */
  async close(): Promise<void> {
    this.#closed = true;
    while (this.#running) await this.#running;
  }

  #enqueue(w: Waiting, front = false): void {
    let q = this.#queues.get(w.command.account);
    if (!q) {
      q = [];
      this.#queues.set(w.command.account, q);
    }
    if (front) q.unshift(w);
    else q.push(w);
    this.#waiting++;
  }

  async #run(): Promise<void> {
    try {
      while (this.#waiting > 0) {
        const batch = this.#take();
        if (batch.length > 0) await this.#process(batch);
      }
    } finally {
      this.#running = undefined;
    }
  }

  /** Fills a batch by turns over the accounts; leaves commands whose keys are in it already. */
  #take(): Waiting[] {
    const now = this.#o.monotonic();
    const batch: Waiting[] = [];
    const keys = new Set<string>();
    let open = [...this.#queues.entries()].map(([account, queue]) => ({ account, queue, at: 0 }));
    while (open.length > 0 && batch.length < this.#o.maxBatch) {
      const next: typeof open = [];
      for (const line of open) {
        const w = line.queue[line.at];
        if (!w) continue;
        if (w.attempt === 1 && now - w.since > this.#o.maxQueueAgeMs) {
          line.queue.splice(line.at, 1);
          this.#waiting--;
          w.reject(this.#o.overloaded());
          next.push(line);
          continue;
        }
        if (batch.length >= this.#o.maxBatch) break;
        if (w.command.keys.some((k) => keys.has(k))) {
          // What waits keeps its place: later commands on the same key must not overtake it either.
          for (const k of w.command.keys) keys.add(k);
          line.at++;
          next.push(line);
          continue;
        }
        line.queue.splice(line.at, 1);
        this.#waiting--;
        batch.push(w);
        for (const k of w.command.keys) keys.add(k);
        if (!w.command.exclusive) next.push(line);
      }
      open = next;
    }
    for (const [account, queue] of this.#queues) if (queue.length === 0) this.#queues.delete(account);
    return batch;
  }

  async #process(batch: Waiting[]): Promise<void> {
    const started = this.#o.monotonic();
    let decided: { w: Waiting; reply: unknown; writes: Writes }[];
    try {
      decided = await this.#decide(batch);
    } catch (e) {
      // Facts could not be read: nothing was sent, nothing recorded.
      this.#o.log.error(errorFields(e), 'facts could not be loaded');
      for (const w of batch) w.reject(this.#o.unknownOutcome(e));
      return;
    }
    if (decided.length > 0) await this.#commit(decided, started);
  }

  async #decide(batch: Waiting[]): Promise<{ w: Waiting; reply: unknown; writes: Writes }[]> {
    const loaded = new Map<string, unknown>();
    const nameOf = (n: Need<unknown>) => `${n.loader.name}|${n.loader.text(n.key)}`;
    let missing = batch.flatMap((w) => w.command.needs.map((n) => ({ w, n })));
    for (let round = 0; missing.length > 0 && round < 4; round++) {
      const byLoader = new Map<FactLoader<unknown, unknown>, Map<string, unknown>>();
      for (const { w, n } of missing) {
        const name = nameOf(n);
        if (loaded.has(name)) continue;
        if (n.presumeAbsent && w.attempt === 1) {
          loaded.set(name, undefined);
          continue;
        }
        const known = n.loader.peek?.(n.key);
        if (known !== undefined) {
          loaded.set(name, known);
          continue;
        }
        let keys = byLoader.get(n.loader);
        if (!keys) byLoader.set(n.loader, (keys = new Map()));
        keys.set(n.loader.text(n.key), n.key);
      }
      await Promise.all(
        [...byLoader].map(async ([loader, keys]) => {
          const found = await loader.load(this.#o.pool, [...keys.values()]);
          for (const text of keys.keys()) loaded.set(`${loader.name}|${text}`, found.get(text));
        }),
      );
      const facts: Facts = <V>(n: Need<V>) => loaded.get(nameOf(n as Need<unknown>)) as V | undefined;
      missing = batch.flatMap((w) =>
        (w.command.furtherNeeds?.(facts) ?? []).filter((n) => !loaded.has(nameOf(n))).map((n) => ({ w, n })),
      );
    }
    const facts: Facts = <V>(n: Need<V>) => loaded.get(nameOf(n as Need<unknown>)) as V | undefined;
    const out: { w: Waiting; reply: unknown; writes: Writes }[] = [];
    for (const w of batch) {
      try {
        w.used = [...w.command.needs, ...(w.command.furtherNeeds?.(facts) ?? [])];
        const d = w.command.decide(facts);
        if (d instanceof Error) w.reject(d);
        else if (d.writes) out.push({ w, reply: d.reply, writes: d.writes });
        else w.resolve(d.reply);
      } catch (e) {
        w.reject(e);
      }
    }
    return out;
  }

  async #commit(decided: { w: Waiting; reply: unknown; writes: Writes }[], started: number): Promise<void> {
    const sent = this.#o.monotonic();
    let failed: number[];
    try {
      const rows = await this.#o.pool.committing<{ failed: number[] }>(
        'commit_batch',
        sqlCall,
        parameters(
          decided.map((d) => d.writes),
          this.#o.rowTypes,
        ),
      );
      failed = rows[0]?.failed ?? [];
    } catch (e) {
      await this.#commitFailed(decided, started, e);
      return;
    }
    this.#o.observe?.({
      size: decided.length,
      commitMs: this.#o.monotonic() - sent,
      waitedMs: started - (decided[0]?.w.since ?? started),
    });
    this.#o.journalled?.();
    const again = new Set(failed);
    for (const [i, d] of decided.entries()) {
      if (again.has(i)) continue;
      d.w.command.committed?.();
      d.w.resolve(d.reply);
    }
    for (let i = decided.length - 1; i >= 0; i--) if (again.has(i)) this.#decideAgain(decided[i] as { w: Waiting });
  }

  #decideAgain({ w }: { w: Waiting }): void {
    for (const n of w.used ?? w.command.needs) n.loader.forget?.(n.key);
    w.attempt++;
    if (w.attempt > maxAttempts) w.reject(this.#o.overloaded());
    else this.#enqueue(w, true);
  }

  async #commitFailed(
    decided: { w: Waiting; reply: unknown; writes: Writes }[],
    started: number,
    e: unknown,
  ): Promise<void> {
    const state = (e as { code?: string }).code ?? '';
    if (state === '40001' || state === '40P01') {
      for (const d of [...decided].reverse()) this.#decideAgain(d);
      return;
    }
    if (/^(22|23)/.test(state)) {
      // A row the database will not hold: validation should have refused it. Halve, so that only it fails.
      if (decided.length === 1) {
        this.#o.log.error(errorFields(e), 'a command was refused by the database');
        decided[0]?.w.reject(e);
        return;
      }
      const half = decided.length >> 1;
      await this.#commit(decided.slice(0, half), started);
      await this.#commit(decided.slice(half), started);
      return;
    }
    this.#o.log.error(errorFields(e), 'the outcome of a batch is unknown');
    for (const d of decided) {
      for (const n of d.w.used ?? d.w.command.needs) n.loader.forget?.(n.key);
      d.w.reject(this.#o.unknownOutcome(e));
    }
  }
}

/** The arguments of commit_batch; null where there is nothing. */
function parameters(writes: readonly Writes[], rowTypes: RowTypes): (string | Buffer | null)[] {
  const accounts = new Map<string, { psp_id: string; id: string; version: number; cs: number[] }>();
  const subjects = new Map<string, Record<string, unknown> & { cs: number[] }>();
  const held = new RowList();
  const fresh = new RowList();
  const rows = new Map<Table, RowList>();
  for (const [c, w] of writes.entries()) {
    for (const a of w.accounts) {
      const key = `${a.id}|${a.version}`;
      const known = accounts.get(key);
      if (known) known.cs.push(c);
      else accounts.set(key, { psp_id: a.psp, id: a.id, version: a.version, cs: [c] });
    }
    for (const s of w.subjects ?? []) {
      const key = `${s.psp}|${s.subject}`;
      const known = subjects.get(key);
      if (known) known.cs.push(c);
      else
        subjects.set(key, {
          psp_id: s.psp,
          subject: s.subject,
          key_sealed: s.keySealed,
          created_at: s.createdAt,
          cs: [c],
        });
    }
    for (const r of w.refsHeld ?? []) held.add(c, refRow(r, undefined));
    for (const r of w.refsNew ?? []) fresh.add(c, refRow(r, r.target));
    for (const [table, values] of w.rows) {
      let list = rows.get(table);
      if (!list) rows.set(table, (list = new RowList()));
      list.add(c, values);
    }
  }
  const encode = (list: RowList | undefined, table: string, columns: (typeof tables)[Table][1]) =>
    list && list.rows.length > 0
      ? [encodeRows(columns, rowTypes.get(table) as number, list.rows), encodeNumbers(list.commands)]
      : [null, null];
  const json = (items: unknown[]) => (items.length === 0 ? null : JSON.stringify(items));
  return [
    json([...accounts.values()]),
    json([...subjects.values()]),
    ...encode(held, 'refs', refColumns),
    ...encode(fresh, 'refs', refColumns),
    ...names.flatMap((name) => encode(rows.get(name), tables[name][0], tables[name][1])),
  ];
}

/** Rows of one table with the commands they belong to. */
class RowList {
  readonly rows: RowValues[] = [];
  readonly commands: number[] = [];

  add(command: number, row: RowValues): void {
    this.rows.push(row);
    this.commands.push(command);
  }
}

const refRow = (r: RefKey & { revision: number }, target: string | undefined): RowValues => ({
  psp_id: r.psp,
  space: r.space,
  ref: r.ref,
  account_id: r.account,
  target_id: target,
  revision: r.revision,
});
