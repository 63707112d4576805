// Repeats work at an interval: never twice at once, and without keeping a process alive.

export interface Repeating {
  /** Starts no more turns and waits for the running one. */
  stop(): Promise<void>;
}

/**
 * The first turn comes after `ms`; a turn that takes longer than the interval skips the next ones.
 * @param ms the interval, in milliseconds
 * @param failed gets what a turn threw; the next turn comes all the same
 */
export function every(ms: number, work: () => unknown, failed: (e: unknown) => void = () => undefined): Repeating {
  let running: Promise<void> | undefined;
  const turn = async () => {
    try {
      await work();
    } catch (e) {
      failed(e);
    }
  };
  const timer = setInterval(() => {
    running ??= turn().finally(() => {
      running = undefined;
    });
  }, ms);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
