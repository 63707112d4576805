// Whether the system lets a process open as many files as it may have connections. One that has no file left closes
// connections without an answer and without a word.
import { readFileSync } from 'node:fs';

/** For the database, the log, sources, and files that are written. */
const besides = 300;

/**
 * Of a process's limits as Linux writes them.
 * @returns what it allows and what is needed; undefined if that is enough, or unknown
 */
export function tooFewFiles(limits: string, maxConnections: number): { allowed: number; needed: number } | undefined {
  const allowed = Number(/^Max open files +(\d+) /m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
  const needed = maxConnections + besides;
  return allowed < needed ? { allowed, needed } : undefined;
}

/** Of this process; empty where the system is another one. */
export function ownLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return '';
  }
}
