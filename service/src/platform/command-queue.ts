// Commands that wait for a batch: a line per account, served by turns, so that a busy account keeps no other waiting.
// Commands with the very same keys are taken together: most often they are one request sent again and again, and all but
// the first are answered from what the first wrote. What has waited too long is turned away, at its turn or by the sweep,
// whichever comes first.
import type { Command, Need } from './command.ts';

export interface Waiting {
  readonly command: Command;
  readonly since: number;
  attempt: number;
  /** Whether facts that may be presumed absent are; never where another command of its keys was before it. */
  presumes: boolean;
  /** All facts the last decision rested on. */
  used?: readonly Need<unknown>[];
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

export interface CommandQueueOptions {
  readonly maxBatch: number;
  /** Longest wait behind a batch that does not end. */
  readonly maxQueueAgeMs: number;
  /** Milliseconds, monotonic. */
  readonly monotonic: () => number;
  readonly overloaded: () => Error;
}

/** Keys remembered on which commands met: who comes with one of them later finds it taken, most likely. */
const mostMet = 1000;
/** However batches go on, nobody waits longer than so many times what he may wait for one of them. */
const patience = 5;
/** In place of the keys of whom a key belongs to: nobody may join there. */
const closed = '';

export class CommandQueue {
  readonly #o: CommandQueueOptions;
  readonly #met = new Set<string>();
  /** Made anew for each batch: a map that lives long and changes much ties what it held before to the old heap. */
  #queues = new Map<string, Waiting[]>();
  #waiting = 0;
  #movedAt = Number.NEGATIVE_INFINITY;

  constructor(options: CommandQueueOptions) {
    this.#o = options;
  }

  get depth(): number {
    return this.#waiting;
  }

  /** @param front before all others of its account: it had its turn before */
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

  /** A batch has ended: whoever waits will have a turn. */
  moved(): void {
    this.#movedAt = this.#o.monotonic();
  }

  /** What was decided once has its turn as long as it takes. */
  #isAged(w: Waiting, now: number): boolean {
    const { maxQueueAgeMs } = this.#o;
    if (w.attempt > 1) return false;
    return now - Math.max(w.since, this.#movedAt) > maxQueueAgeMs || now - w.since > patience * maxQueueAgeMs;
  }

  /** Commands met on these keys. */
  #meet(keys: readonly string[]): void {
    if (this.#met.size >= mostMet) this.#met.clear();
    for (const k of keys) this.#met.add(k);
  }

  /**
   * Fills a batch by turns over the accounts, and has those join whose keys are the very ones of a command in it, in the
   * order they came. Leaves commands with any other key in common with it.
   */
  take(): Waiting[] {
    const now = this.#o.monotonic();
    const batch: Waiting[] = [];
    const served = new Set<string>();
    let first = 0;
    /** Keys in the batch or before it in its line, each with all keys of its command. */
    const taken = new Map<string, string>();
    let open = [...this.#queues.entries()].map(([account, queue]) => ({ account, queue, at: 0 }));
    while (open.length > 0 && first < this.#o.maxBatch) {
      const next: typeof open = [];
      for (const line of open) {
        const w = line.queue[line.at];
        if (!w) continue;
        if (this.#isAged(w, now)) {
          line.queue.splice(line.at, 1);
          this.#waiting--;
          w.reject(this.#o.overloaded());
          next.push(line);
          continue;
        }
        if (first >= this.#o.maxBatch) break;
        const { keys, exclusive } = w.command;
        const own = keys.join('\n');
        const meets = keys.some((k) => taken.has(k));
        if (meets) this.#meet(keys);
        // Those that join take no room, but there is an end to them too.
        const joins = batch.length - first < this.#o.maxBatch && keys.every((k) => taken.get(k) === own);
        if (!exclusive) next.push(line);
        if (meets && !joins) {
          // What waits keeps its place: later commands on the same key must not overtake it either.
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
      open = next;
    }
    // Whoever had a turn goes to the end, so that the next batch begins with those this one had no room for.
    const left = [...this.#queues].filter(([, queue]) => queue.length > 0);
    this.#queues = new Map([
      ...left.filter(([account]) => !served.has(account)),
      ...left.filter(([account]) => served.has(account)),
    ]);
    return batch;
  }
}
