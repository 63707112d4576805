// The one write path. Takes all waiting commands, decides each over facts with its pure `decide`, and commits the
// outcome with one call of the commit function: one round trip, one commit, one batch in flight. Batches grow under
// load. Contains no domain logic: commands bring their fact loaders and their rows.
import { journalsOf } from './batch-parameters.ts';
import { type Command, changesSomething, type FactLoader, factsOf, type Need, type Writes } from './command.ts';
import { CommandQueue, forget, type Waiting } from './command-queue.ts';
import { type Commits, callIn, commitOf, inParts, loadFacts } from './commit-parts.ts';
import type { Database } from './database.ts';
import { hasNoRoom } from './database-away.ts';
import { every } from './every.ts';
import { errorFields, type Log } from './log.ts';
import { apart, type Made, MadeDecisions } from './made.ts';

export * from './command.ts';

export interface CommitterOptions extends Commits {
  readonly log: Log;
  readonly maxBatch: number;
  readonly maxQueue: number;
  readonly maxQueueAgeMs: number;
  /** Milliseconds, monotonic. */
  readonly monotonic: () => number;
  readonly overloaded: () => Error;
  readonly unknownOutcome: (cause: unknown) => Error;
  /**
   * Called after each commit, and after one whose outcome is unknown, which `failed` says. What is sent again is not
   * observed before it is committed.
   */
  readonly observe?: (batch: { size: number; commitMs: number; waitedMs: number; failed: boolean }) => void;
  /** Called after each commit, with the PSPs whose journals have grown. */
  readonly journalled?: (psps: ReadonlySet<string>) => void;
  /** Why refs can neither be created nor be loaded with their records, if there is a lasting reason. */
  readonly unreachable?: (refs: NonNullable<Writes['refsNew']>) => Promise<Error | undefined>;
}

const maxAttempts = 12;

export class Committer {
  readonly #o: CommitterOptions;
  readonly #queue: CommandQueue;
  #running: Promise<void> | undefined;
  /** When the batch in flight was started. */
  #begun: number | undefined;
  #closed = false;
  /** Whether the database has had no room on its disk for a batch since `hasRoom` was called. */
  #lacksRoom = false;
  /** The last cause that was logged of batches of unknown outcome, when, and how many batches it was since then. */
  #said = { cause: '', at: 0, unsaid: 0 };

  constructor(options: CommitterOptions) {
    this.#o = options;
    this.#queue = new CommandQueue(options);
  }

  /** Number of commands waiting for a batch. */
  get depth() {
    return this.#queue.depth;
  }

  /** Milliseconds since the batch in flight was started; 0 without one. */
  get busyMs() {
    return this.#begun === undefined ? 0 : this.#o.monotonic() - this.#begun;
  }

  /** Whether the database's disk was full for a batch, and nobody has found since that it has room. */
  get lacksRoom() {
    return this.#lacksRoom;
  }

  /** Somebody has found that the disk has room. That a batch found some is not enough: on a full disk a few still do. */
  hasRoom(): void {
    this.#lacksRoom = false;
  }

  /**
   * Decides and commits. Resolves after the commit.
   * @throws a Refusal from the decision; OVERLOADED (nothing recorded); UNKNOWN_OUTCOME (retry with the same ref)
   */
  submit<R>(command: Command<R>): Promise<R> {
    if (this.#closed || this.depth >= this.#o.maxQueue) return Promise.reject(this.#o.overloaded());
    return new Promise<R>((resolve, reject) => {
      this.#queue.add({
        command,
        since: this.#o.monotonic(),
        attempt: 1,
        presumes: true,
        resolve: resolve as (v: unknown) => void,
        reject,
      });
      // Starts after the current turn, so that requests read together share a batch.
      this.#running ??= Promise.resolve()
        .then(() => new Promise<void>(setImmediate))
        .then(() => this.#run());
    });
  }

  /**
   * The same call as the only writing statement of a transaction, for decisions on rows that it has locked.
   * @returns the numbers of the writes left out because an expectation failed
   */
  async within(tx: Database, writes: readonly Writes[]): Promise<readonly number[]> {
    tx.afterCommit?.(() => this.#o.journalled?.(journalsOf(writes)));
    return callIn(tx, this.#o, writes);
  }

  /** The only PSP whose records the writes change; undefined if there are several, or none. */
  pspOf(writes: Writes): string | undefined {
    return this.#o.form.pspOf(writes);
  }

  /** Accepts no more commands and finishes those accepted. */
  async close(): Promise<void> {
    this.#closed = true;
    while (this.#running) await this.#running;
  }

  async #run(): Promise<void> {
    // A batch may take long if the database hangs: commands waiting behind it still time out.
    const sweep = every(Math.max(20, this.#o.maxQueueAgeMs / 2), () => this.#queue.turnAwayAged());
    try {
      while (this.depth > 0) {
        const batch = this.#queue.take();
        this.#begun = this.#o.monotonic();
        if (batch.length > 0) await this.#process(batch);
        this.#queue.moved();
      }
    } finally {
      void sweep.stop();
      this.#begun = undefined;
      this.#running = undefined;
    }
  }

  async #process(batch: Waiting[]): Promise<void> {
    const started = this.#o.monotonic();
    let decided: Made[];
    try {
      decided = await this.#decide(batch);
    } catch (e) {
      // Facts could not be loaded: nothing was sent or recorded.
      this.#lacksRoom ||= hasNoRoom(e);
      this.#o.log.error(errorFields(e), 'facts could not be loaded');
      for (const w of batch) w.reject(this.#o.unknownOutcome(e));
      return;
    }
    const parts = this.#o.pool.distributed ? await inParts(this.#o, decided) : [decided];
    await Promise.all(parts.map((part) => part.length > 0 && this.#commit(part, started)));
  }

  async #decide(batch: Waiting[]): Promise<Made[]> {
    const loaded = await this.#load(batch);
    const facts = factsOf(loaded);
    const made = new MadeDecisions();
    const held = new Set<string>();
    const closed = new Set<string>();
    const postponed: { w: Waiting; again: boolean }[] = [];
    for (const w of batch) {
      const close = () => {
        for (const k of w.command.keys) closed.add(k);
      };
      const postpone = (again = false) => {
        close();
        postponed.push({ w, again });
      };
      // These facts lack what an earlier command with its keys writes; the next batch has it.
      if (w.command.keys.some((k) => closed.has(k))) {
        postpone();
        continue;
      }
      try {
        w.used = [...w.command.needs, ...(w.command.furtherNeeds?.(facts) ?? [])];
        const d = w.command.decide(facts);
        if (d instanceof Error) {
          // No refusal yet if a fact was only presumed absent: the ref may have the earlier answer.
          if (w.used.some((n) => n.presumeAbsent && !loaded.has(n.id))) postpone(true);
          else w.reject(d);
        } else if (!d.writes) w.resolve(d.reply);
        else if (made.isApart(w, { ...d, writes: d.writes })) postpone();
        else {
          // Two changes of one ref in one call would both find it at the expected revision.
          const refs = [...(d.writes.refsHeld ?? []), ...(d.writes.refsNew ?? [])].map(
            (r) => `${r.psp}|${r.space}|${r.account}|${r.ref}`,
          );
          if (refs.some((r) => held.has(r))) postpone();
          else {
            made.add(w, { ...d, writes: d.writes });
            for (const [n, fact] of d.together?.after ?? []) loaded.set(n.id, fact);
            if (changesSomething(d.writes)) close();
          }
          for (const r of refs) held.add(r);
        }
      } catch (e) {
        w.reject(e);
      }
    }
    for (const { w, again } of postponed.reverse()) {
      w.presumes = false;
      if (again) this.#decideAgain(w);
      else this.#queue.add(w, true);
    }
    return made.inOrder();
  }

  /** All facts the batch needs, by name, with one query per kind and round. */
  async #load(batch: readonly Waiting[]): Promise<Map<string, unknown>> {
    // Facts the commit found stale are read from the database, even if the cache was updated meanwhile.
    for (const w of batch) if (w.attempt > 1) forget(w);
    const loaded = new Map<string, unknown>();
    const facts = factsOf(loaded);
    // A fact that one command presumes absent is still loaded for another that does not.
    const missingOf = (needs: (c: Command) => readonly Need<unknown>[]) =>
      batch.flatMap((w) => needs(w.command).filter((n) => !(n.presumeAbsent && w.presumes) && !loaded.has(n.id)));
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
          const found = await loadFacts(this.#o, loader, [...keys.values()]);
          for (const text of keys.keys()) loaded.set(`${loader.name}|${text}`, found.get(text));
        }),
      );
      missing = missingOf((c) => c.furtherNeeds?.(facts) ?? []);
      if (missing.length === 0) return loaded;
    }
  }

  async #commit(decided: Made[], started: number): Promise<void> {
    const sent = this.#o.monotonic();
    let send: () => Promise<readonly number[]>;
    try {
      send = commitOf(this.#o, decided);
    } catch (e) {
      // A row that cannot even be encoded: nothing was sent.
      await this.#isolate(decided, started, e);
      return;
    }
    const observe = (failed: boolean) =>
      this.#o.observe?.({
        size: decided.reduce((n, d) => n + d.members.length, 0),
        commitMs: this.#o.monotonic() - sent,
        waitedMs: started - (decided[0]?.members[0]?.w.since ?? started),
        failed,
      });
    let failed: readonly number[];
    try {
      failed = await send();
    } catch (e) {
      await this.#commitFailed(decided, started, e, () => observe(true));
      return;
    }
    observe(false);
    this.#o.journalled?.(journalsOf(decided.map((d) => d.writes)));
    const again = new Set(failed);
    for (const [i, d] of decided.entries()) {
      if (again.has(i)) continue;
      for (const { w, reply } of d.members) {
        w.command.committed?.();
        w.resolve(reply);
      }
    }
    for (let i = decided.length - 1; i >= 0; i--) if (again.has(i)) await this.#failedExpectation(decided[i] as Made);
  }

  /** The first attempt may have presumed its ref absent; if the ref is taken again, its record is out of reach. */
  async #failedExpectation({ members, writes }: Made): Promise<void> {
    const [first] = members;
    const refs = members.length === 1 && first && first.w.attempt > 1 ? (writes.refsNew ?? []) : [];
    const why = refs.length > 0 ? await this.#o.unreachable?.(refs) : undefined;
    if (why) first?.w.reject(why);
    else this.#eachAgain(members);
  }

  #eachAgain(members: Made['members']): void {
    for (const { w } of members.toReversed()) this.#decideAgain(w);
  }

  #decideAgain(w: Waiting): void {
    w.attempt++;
    w.presumes = false;
    if (w.attempt > maxAttempts) w.reject(this.#o.overloaded());
    else this.#queue.add(w, true);
  }

  /** @param observe called if nothing of it is sent again */
  async #commitFailed(decided: Made[], started: number, e: unknown, observe: () => void): Promise<void> {
    this.#lacksRoom ||= hasNoRoom(e);
    const state = (e as { code?: string }).code ?? '';
    // A server that rejects writes (25006) has written nothing either, and its connection is not used again.
    if (state === '40001' || state === '40P01' || state === '25006') {
      for (const d of decided.toReversed()) this.#eachAgain(d.members);
      return;
    }
    if (/^(22|23)/.test(state)) {
      await this.#isolate(decided, started, e);
      return;
    }
    observe();
    this.#sayUnknown(e);
    for (const { w } of decided.flatMap((d) => d.members)) {
      forget(w);
      w.reject(this.#o.unknownOutcome(e));
    }
  }

  /** One line a second for a cause: every batch fails while the database is away, or its disk full. */
  #sayUnknown(e: unknown): void {
    const said = this.#said;
    const now = this.#o.monotonic();
    if (said.cause === String(e) && now - said.at < 1000) {
      said.unsaid++;
      return;
    }
    const more = said.unsaid > 0 ? { batchesUnsaid: said.unsaid } : {};
    this.#o.log.error({ ...errorFields(e), ...more }, 'the outcome of a batch is unknown');
    this.#said = { cause: String(e), at: now, unsaid: 0 };
  }

  /**
   * A row the database rejects, although validation should have refused it: the batch is halved until only that row
   * fails.
   */
  async #isolate(decided: Made[], started: number, e: unknown): Promise<void> {
    const [one] = decided;
    if (decided.length === 1 && one) {
      this.#o.log.error(errorFields(e), 'a command was refused by the database');
      if (one.members.length > 1) this.#eachAgain(apart(one.members));
      else one.members[0]?.w.reject(e);
      return;
    }
    const half = decided.length >> 1;
    await this.#commit(decided.slice(0, half), started);
    await this.#commit(decided.slice(half), started);
  }
}
