// Waiting for what the service does in the background.
import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicClock } from '../src/platform/clock.ts';

const longestMs = 120_000;

/** @param what for the error that says it never came */
export async function until(holds: () => Promise<boolean>, what: string): Promise<void> {
  const begin = monotonicClock();
  for (let ms = 20; !(await holds()); ms = Math.min(500, ms * 1.5)) {
    if (monotonicClock() - begin > longestMs) throw new Error(`waited ${longestMs / 1000} s for ${what}`);
    await sleep(ms);
  }
}
