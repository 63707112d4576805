// The one write path. Takes all commands waiting, decides each over facts with its pure `decide`, and makes
// the outcome true with one call of commit_batch: one round trip, one commit, one batch in flight. Batches grow
// by themselves under load. Knows no domain: commands bring their facts' loaders and their rows.
import { commitBatch, journalsOf, parameters } from './batch-parameters.ts';
import type { Command, FactLoader, Facts, Need, Writes } from './command.ts';
import type { Pool } from './database.ts';
import { errorFields, type Log } from './log.ts';
import type { RowTypes } from './tables.ts';

export * from './command.ts';

interface Waiting {
  readonly command: Command;
  readonly since: number;
  attempt: number;
  /** All facts the last decision rested on. */
  used?: readonly Need<unknown>[];
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** A decision that is to be written. */
type Made = { readonly w: Waiting; readonly reply: unknown; readonly writes: Writes };

export interface CommitterOptions {
  readonly pool: Pick<Pool, 'query' | 'committing'>;
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
  /** After each commit, with the PSPs whose journals have grown. */
  readonly journalled?: (psps: ReadonlySet<string>) => void;
}

const maxAttempts = 12;

export class Committer {
  readonly #o: CommitterOptions;
  /** Made anew for each batch: a map that lives long and changes much ties what it held before to the old heap. */
  #queues = new Map<string, Waiting[]>();
  #waiting = 0;
  #running: Promise<void> | undefined;
  #closed = false;

  constructor(options: CommitterOptions) {
    this.#o = options;
  }

  /** Commands waiting for a batch. */
  get depth() {
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
          if (!w.command.exclusive) next.push(line);
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
    // Whoever had a turn goes to the end, so that the next batch begins with those this one had no room for.
    const served = new Set(batch.map((w) => w.command.account));
    const left = [...this.#queues].filter(([, queue]) => queue.length > 0);
    this.#queues = new Map([
      ...left.filter(([account]) => !served.has(account)),
      ...left.filter(([account]) => served.has(account)),
    ]);
    return batch;
  }

  async #process(batch: Waiting[]): Promise<void> {
    const started = this.#o.monotonic();
    let decided: Made[];
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

  async #decide(batch: Waiting[]): Promise<Made[]> {
    const facts = await this.#load(batch);
    const made: Made[] = [];
    const held = new Set<string>();
    const postponed: Waiting[] = [];
    for (const w of batch) {
      try {
        w.used = [...w.command.needs, ...(w.command.furtherNeeds?.(facts) ?? [])];
        const d = w.command.decide(facts);
        if (d instanceof Error) {
          // No answer yet where a fact was only presumed absent: the ref may hold the earlier answer.
          if (w.attempt === 1 && w.used.some((n) => n.presumeAbsent)) postponed.push(w);
          else w.reject(d);
        } else if (!d.writes) w.resolve(d.reply);
        else {
          // Two changes of one ref in one call would both find it at the revision they expect.
          const refs = (d.writes.refsHeld ?? []).map((r) => `${r.psp}|${r.space}|${r.account}|${r.ref}`);
          if (refs.some((r) => held.has(r))) postponed.push(w);
          else made.push({ w, reply: d.reply, writes: d.writes });
          for (const r of refs) held.add(r);
        }
      } catch (e) {
        w.reject(e);
      }
    }
    for (const w of postponed.reverse()) this.#decideAgain(w);
    // What was decided on an account as it stands is journalled before the account's change in the same commit:
    // in the journal no approval follows the suspension it was made without.
    return [...made.filter((m) => !m.w.command.exclusive), ...made.filter((m) => m.w.command.exclusive)];
  }

  /** All facts the batch needs, one query per kind and round. */
  async #load(batch: readonly Waiting[]): Promise<Facts> {
    const loaded = new Map<string, unknown>();
    const facts: Facts = <V>(n: Need<V>) => loaded.get(n.id) as V | undefined;
    // A fact that one command presumes absent is still loaded for another that does not.
    const missingOf = (needs: (c: Command) => readonly Need<unknown>[]) =>
      batch.flatMap((w) => needs(w.command).filter((n) => !(n.presumeAbsent && w.attempt === 1) && !loaded.has(n.id)));
    for (let missing = missingOf((c) => c.needs); ; ) {
      const byLoader = new Map<FactLoader<unknown, unknown>, Map<string, unknown>>();
      for (const n of missing) {
        const known = n.loader.peek?.(n.key);
        if (known !== undefined) {
          loaded.set(n.id, known);
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
      missing = missingOf((c) => c.furtherNeeds?.(facts) ?? []);
      if (missing.length === 0) return facts;
    }
  }

  async #commit(decided: Made[], started: number): Promise<void> {
    const sent = this.#o.monotonic();
    let values: ReturnType<typeof parameters>;
    try {
      values = parameters(
        decided.map((d) => d.writes),
        this.#o.rowTypes,
      );
    } catch (e) {
      // A row that cannot even be written down: nothing was sent.
      await this.#isolate(decided, started, e);
      return;
    }
    let failed: number[];
    try {
      const rows = await this.#o.pool.committing<{ failed: number[] }>('commit_batch', commitBatch, values);
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
    this.#o.journalled?.(journalsOf(decided.map((d) => d.writes)));
    const again = new Set(failed);
    for (const [i, d] of decided.entries()) {
      if (again.has(i)) continue;
      d.w.command.committed?.();
      d.w.resolve(d.reply);
    }
    for (let i = decided.length - 1; i >= 0; i--) if (again.has(i)) this.#decideAgain((decided[i] as Made).w);
  }

  #decideAgain(w: Waiting): void {
    for (const n of w.used ?? w.command.needs) n.loader.forget?.(n.key);
    w.attempt++;
    if (w.attempt > maxAttempts) w.reject(this.#o.overloaded());
    else this.#enqueue(w, true);
  }

  async #commitFailed(decided: Made[], started: number, e: unknown): Promise<void> {
    const state = (e as { code?: string }).code ?? '';
    if (state === '40001' || state === '40P01') {
      for (const d of [...decided].reverse()) this.#decideAgain(d.w);
      return;
    }
    if (/^(22|23)/.test(state)) {
      await this.#isolate(decided, started, e);
      return;
    }
    this.#o.log.error(errorFields(e), 'the outcome of a batch is unknown');
    for (const d of decided) {
      for (const n of d.w.used ?? d.w.command.needs) n.loader.forget?.(n.key);
      d.w.reject(this.#o.unknownOutcome(e));
    }
  }

  /** A row the database will not hold: validation should have refused it. Halves, so that only it fails. */
  async #isolate(decided: Made[], started: number, e: unknown): Promise<void> {
    if (decided.length === 1) {
      this.#o.log.error(errorFields(e), 'a command was refused by the database');
      decided[0]?.w.reject(e);
      return;
    }
    const half = decided.length >> 1;
    await this.#commit(decided.slice(0, half), started);
    await this.#commit(decided.slice(half), started);
  }
}
