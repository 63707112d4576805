// The queue of commands: a line per account, served in turns, so that a busy account does not delay others. Commands
// with exactly the same keys are taken together: usually they are one request sent repeatedly, and all but the first
// are answered from what the first wrote. Commands that waited too long are refused, at their turn or by the sweep,
// whichever comes first.
import type { Command, Need } from './command.ts';

export interface Waiting {
  readonly command: Command;
  readonly since: number;
  attempt: number;
  /** Whether presumably absent facts are treated as absent; false if another command with its keys came before. */
  presumes: boolean;
  /** Whether it is written by itself, because it was among several that the database refused. */
  alone?: boolean;
  /** All facts of the last decision. */
  used?: readonly Need<unknown>[];
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** Drops the facts of its last decision from caches. */
export function forget(w: Waiting): void {
  for (const n of w.used ?? w.command.needs) n.loader.forget?.(n.key);
}

export interface CommandQueueOptions {
  readonly maxBatch: number;
  /** Maximum wait behind one batch, in milliseconds. */
  readonly maxQueueAgeMs: number;
  /** Milliseconds, monotonic. */
  readonly monotonic: () => number;
  readonly overloaded: () => Error;
}

/** Keys remembered because several commands had them: a later one with such a key probably finds its ref taken. */
const mostMet = 1000;
/** The total wait is limited to this multiple of the maximum wait for one batch. */
const patience = 5;
/** Replaces the keys of a command that no other may join. */
const closed = '';

/** An account's line while a batch is filled: commands before `at` stay. */
interface Line {
  readonly account: string;
  readonly queue: Waiting[];
  at: number;
}

export class CommandQueue {
  readonly #o: CommandQueueOptions;
  readonly #met = new Set<string>();
  /** Recreated after as many moves as it has lines: one that lives long keeps its former content in the old heap. */
  #queues = new Map<string, Waiting[]>();
  #moves = 0;
  #waiting = 0;
  #movedAt = Number.NEGATIVE_INFINITY;

  constructor(options: CommandQueueOptions) {
    this.#o = options;
  }

  get depth(): number {
    return this.#waiting;
  }

  /** @param front puts it first in its account's line, because it had its turn before */
  add(w: Waiting, front = false): void {
    if (w.presumes && this.#met.size > 0 && w.command.keys.some((k) => this.#met.has(k))) w.presumes = false;
    let q = this.#queues.get(w.command.account);
    if (!q) {
      q = [];
      this.#queues.set(w.command.account, q);
    }
    if (front) q.unshift(w);
    else q.push(w);
    this.#waiting++;
  }

  turnAwayAged(): void {
    const now = this.#o.monotonic();
    for (const [account, queue] of this.#queues) {
      const { aged = [], left = [] } = Object.groupBy(queue, (w) => (this.#isAged(w, now) ? 'aged' : 'left'));
      if (aged.length === 0) continue;
      this.#waiting -= aged.length;
      this.#queues.set(account, left);
      for (const w of aged) w.reject(this.#o.overloaded());
    }
  }

  /** A batch has ended: the time limit of all waiting commands starts again. */
  moved(): void {
    this.#movedAt = this.#o.monotonic();
  }

  /** A command that was decided once is kept however long it takes. */
  #isAged(w: Waiting, now: number): boolean {
    const { maxQueueAgeMs } = this.#o;
    if (w.attempt > 1) return false;
    return now - Math.max(w.since, this.#movedAt) > maxQueueAgeMs || now - w.since > patience * maxQueueAgeMs;
  }

  /** Remembers keys that several commands shared, up to a limit. */
  #meet(keys: readonly string[]): void {
    if (this.#met.size >= mostMet) this.#met.clear();
    for (const k of keys) this.#met.add(k);
  }

  /**
   * Fills a batch in turns over the accounts, and lets commands with exactly the keys of one in it join, in order of
   * arrival. Leaves commands that share only some keys with it.
   */
  take(): Waiting[] {
    const now = this.#o.monotonic();
    const batch: Waiting[] = [];
    const served = new Set<string>();
    let first = 0;
    /** Keys in the batch or earlier in the line, each with all keys of its command. */
    const taken = new Map<string, string>();
    const visited: Line[] = [];
    let open = this.#lines(visited);
    for (let left = true; left && first < this.#o.maxBatch; ) {
      const next: Line[] = [];
      for (const line of open) {
        if (first >= this.#o.maxBatch) break;
        const w = line.queue[line.at];
        if (!w) continue;
        if (this.#isAged(w, now)) {
          line.queue.splice(line.at, 1);
          this.#waiting--;
          w.reject(this.#o.overloaded());
          next.push(line);
          continue;
        }
        const { keys, exclusive } = w.command;
        const own = keys.join('\n');
        const meets = keys.some((k) => taken.has(k));
        if (meets) this.#meet(keys);
        // Joining commands take no room, but their number is limited too.
        const joins = batch.length - first < this.#o.maxBatch && keys.every((k) => taken.get(k) === own);
        if (!exclusive) next.push(line);
        if (meets && !joins) {
          // A waiting command keeps its place: later commands with the same key must not overtake it either.
          for (const k of keys) taken.set(k, closed);
          w.presumes = false;
          line.at++;
          continue;
        }
        line.queue.splice(line.at, 1);
        this.#waiting--;
        batch.push(w);
        if (meets) continue;
        first++;
        served.add(line.account);
        for (const k of keys) taken.set(k, own);
      }
      left = next.length > 0;
      open = next.values();
    }
    // Accounts that had a turn go to the end, so that the next batch begins with those that found no room.
    for (const { account, queue } of visited) {
      if (queue.length > 0 && !served.has(account)) continue;
      this.#queues.delete(account);
      if (queue.length > 0) this.#queues.set(account, queue);
    }
    this.#moves += visited.length;
    if (this.#moves >= this.#queues.size) {
      this.#queues = new Map(this.#queues);
      this.#moves = 0;
    }
    return batch;
  }

  /** The lines in turn, no further than they are asked for: thousands may wait. */
  *#lines(visited: Line[]): IterableIterator<Line> {
    for (const [account, queue] of this.#queues) {
      const line = { account, queue, at: 0 };
      visited.push(line);
      yield line;
    }
  }
}
