// Work in passes: one at a time, begun by whoever knows of something to do, and at regular intervals as the net under
// such words. Knows nothing of what is done in a pass.
import { setTimeout as pause } from 'node:timers/promises';
import { every, type Repeating } from './every.ts';

export interface RoundsOptions {
  /** Must not throw. */
  pass(): Promise<void>;
  /** At the start and at each interval, before the pass that follows. */
  readonly atNet: () => void;
  readonly everyMs: number;
  /** How long a pass keeps the next one waiting; `again` where that was asked for meanwhile. None without it. */
  gapMs?(again: boolean): number;
}

export class Rounds {
  readonly #o: RoundsOptions;
  #net: Repeating | undefined;
  #running: Promise<void> | undefined;
  #again = false;
  readonly #ended = new AbortController();

  constructor(options: RoundsOptions) {
    this.#o = options;
  }

  get stopped(): boolean {
    return this.#ended.signal.aborted;
  }

  start(): void {
    this.#net ??= every(this.#o.everyMs, () => this.look());
    this.look();
  }

  /** As at the end of an interval; before the start, nothing. */
  look(): void {
    if (this.stopped || !this.#net) return;
    this.#o.atNet();
    this.wake();
  }

  /** There may be something to do. Calls while a pass runs make one more pass after it; before the start, none. */
  wake(): void {
    if (this.stopped || !this.#net) return;
    this.#again = true;
    this.#running ??= this.#run();
  }

  /** Finishes the pass in hand and begins no other. */
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
