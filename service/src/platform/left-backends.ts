// Processes of a database server that was killed: they hold its shared memory, and while one of them lives no new
// server starts on the same folder. Usually they exit by themselves; a hanging one never does.
import { readdirSync, readlinkSync } from 'node:fs';
import type { Log } from './log.ts';
import { isAlive, look, readFile, readPid } from './process-turns.ts';

function worksIn(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

/**
 * Server processes that run in a data folder without a parent server; none if processes cannot be listed.
 * @param pgData its real path
 */
export function leftBackends(pgData: string): number[] {
  if (readFile('/proc/self/stat') === undefined) return [];
  const server = readPid(`${pgData}/postmaster.pid`);
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      const seen = pid > 0 && pid !== server ? look(pid) : undefined;
      return (
        seen?.name === 'postgres' && seen.runs && worksIn(pid) === pgData && look(seen.parent)?.name !== 'postgres'
      );
    });
}

/**
 * Kills those of `left` that still exist after a few seconds, in which they should have exited. A server that another
 * process is starting looks like them for a moment, but never for seconds.
 */
export function endLeft(pgData: string, left: readonly number[], log: Log): void {
  const now = new Set(leftBackends(pgData));
  const pids = left.filter((pid) => now.has(pid) && isAlive(pid));
  if (pids.length === 0) return;
  log.warn(
    { pids },
    'processes that a killed database server left behind keep a new one from starting; they are ended',
  );
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (e) {
      log.error({ pid, error: String(e) }, 'a process of the killed database server could not be ended');
    }
  }
}
