// The page's clock: the only place that reads the machine's time, and a tick shared by all relative times.
import { useSyncExternalStore } from 'react';
import { dayOf } from './days.ts';

let now = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  now = Date.now();
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const l of listeners) l();
  }, 15_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

/** Milliseconds since the epoch; updated every 15 s. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => now);

/** Today in a zone, YYYY-MM-DD. */
export const todayIn = (zone: string): string => dayOf(Date.now(), zone);

/** Today as YYYY-MM-DD in UTC, `daysAgo` days back. */
export const day = (daysAgo = 0): string => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
