// Commands that wait for a batch: a line per account, served by turns, so that a busy account keeps no other waiting.
// What has waited too long is turned away, at its turn or by the sweep, whichever comes first.
import type { Command, Need } from './command.ts';

export interface Waiting {
  readonly command: Command;
  readonly since: number;
  attempt: number;
  /** All facts the last decision rested on. */
  used?: readonly Need<unknown>[];
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

export interface CommandQueueOptions {
  readonly maxBatch: number;
  readonly maxQueueAgeMs: number;
  /** Milliseconds, monotonic. */
  readonly monotonic: () => number;
  readonly overloaded: () => Error;
}

export class CommandQueue {
  readonly #o: CommandQueueOptions;
  /** Made anew for each batch: a map that lives long and changes much ties what it held before to the old heap. */
  #queues = new Map<string, Waiting[]>();
  #waiting = 0;

  constructor(options: CommandQueueOptions) {
    this.#o = options;
  }

  get depth(): number {
    return this.#waiting;
  }

  /** @param front before all others of its account: it had its turn before */
  add(w: Waiting, front = false): void {
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

  /** What was decided once has its turn as long as it takes. */
  #isAged(w: Waiting, now: number): boolean {
    return w.attempt === 1 && now - w.since > this.#o.maxQueueAgeMs;
  }

  /** Fills a batch by turns over the accounts; leaves commands whose keys are in it already. */
  take(): Waiting[] {
    const now = this.#o.monotonic();
    const batch: Waiting[] = [];
    const keys = new Set<string>();
    let open = [...this.#queues.entries()].map(([account, queue]) => ({ account, queue, at: 0 }));
    while (open.length > 0 && batch.length < this.#o.maxBatch) {
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
}
