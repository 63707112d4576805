// Repeats work at an interval: never twice at once, and without keeping a process alive.
import { monotonicClock } from './clock.ts';

export interface Repeating {
  /** Begins a turn at once; during one, another follows it. After the stop it does nothing. */
  wake(): void;
  /** Starts no more turns and waits for the running one. */
  stop(): Promise<void>;
}

/** What fails in each turn, such as while the database is away, is handed over at once and then so often. */
const againMs = 60_000;

/**
 * The first turn comes after `ms`; a turn that takes longer than the interval skips the next ones.
 * @param ms the interval, in milliseconds
 * @param failed gets what a turn threw, the same again after a minute at the earliest; the next turn comes all the same
 */
export function every(ms: number, work: () => unknown, failed: (e: unknown) => void = () => undefined): Repeating {
  let running: Promise<void> | undefined;
  let again = false;
  let stopped = false;
  let logged: { readonly what: string; readonly at: number } | undefined;
  const turn = async () => {
    try {
      await work();
      logged = undefined;
    } catch (e) {
      const [what, at] = [String(e), monotonicClock()];
      if (logged?.what === what && at - logged.at < againMs) return;
      logged = { what, at };
      failed(e);
    }
  };
  const begin = () => {
    if (running) return;
    again = false;
    running = turn().finally(() => {
      running = undefined;
      if (again && !stopped) begin();
    });
  };
  const timer = setInterval(begin, ms);
  timer.unref();
  return {
    wake() {
      if (stopped) return;
      if (running) again = true;
      else begin();
    },
    async stop() {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
}
