// Work in passes: one at a time, started by wake-ups and at regular intervals in case one was missed. Knows nothing
// about the work.
import { setTimeout as pause } from 'node:timers/promises';
import { every, type Repeating } from './every.ts';

export interface PollLoopOptions {
  /** Must not throw. */
  pass(): Promise<void>;
  /** Called at the start and at each interval, before the pass that follows. */
  readonly atNet: () => void;
  readonly everyMs: number;
  /** Milliseconds from one pass to the next; `again` if one was requested meanwhile. None by default. */
  gapMs?(again: boolean): number;
}

export class PollLoop {
  readonly #o: PollLoopOptions;
  #net: Repeating | undefined;
  #running: Promise<void> | undefined;
  #again = false;
  readonly #ended = new AbortController();

  constructor(options: PollLoopOptions) {
    this.#o = options;
  }

  get stopped(): boolean {
    return this.#ended.signal.aborted;
  }

  start(): void {
    this.#net ??= every(this.#o.everyMs, () => this.look());
    this.look();
  }

  /** Acts as at the end of an interval; does nothing before the start. */
  look(): void {
    if (this.stopped || !this.#net) return;
    this.#o.atNet();
    this.wake();
  }

  /** Signals that there may be work. Calls during a pass cause one more pass after it; before the start, none. */
  wake(): void {
    if (this.stopped || !this.#net) return;
    this.#again = true;
    this.#running ??= this.#run();
  }

  /** Finishes the current pass and starts no other. */
  async stop(): Promise<void> {
    this.#ended.abort();
    void this.#net?.stop();
    await this.#running;
  }

  async #run(): Promise<void> {
    try {
      while (this.#again && !this.stopped) {
        this.#again = false;
        await this.#o.pass();
        const gapMs = this.#o.gapMs?.(this.#again) ?? 0;
        if (gapMs > 0) await pause(gapMs, undefined, this.#ended).catch(() => undefined);
      }
    } finally {
      this.#running = undefined;
    }
  }
}
