// Processes of a database server that was killed: they hold its shared memory, and while one of them lives no new server
// starts on the same folder. Mostly they leave by themselves; one that hangs never does.
import { readdirSync, readlinkSync } from 'node:fs';
import type { Log } from './log.ts';
import { isAlive, readFile, readPid } from './process-turns.ts';

interface Seen {
  readonly name: string;
  readonly state: string;
  readonly parent: number;
}

function look(pid: number): Seen | undefined {
  const m = /^\d+ \((.*)\) (\S) (\d+)/s.exec(readFile(`/proc/${pid}/stat`) ?? '');
  return m ? { name: m[1] as string, state: m[2] as string, parent: Number(m[3]) } : undefined;
}

function worksIn(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

/**
 * Server processes that run in a data folder without a server above them. Where processes cannot be looked at, none.
 * @param pgData its true path
 */
export function leftBackends(pgData: string): number[] {
  if (readFile('/proc/self/stat') === undefined) return [];
  const server = readPid(`${pgData}/postmaster.pid`);
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      const seen = pid > 0 && pid !== server ? look(pid) : undefined;
      return (
        seen?.name === 'postgres' &&
        !/[ZX]/.test(seen.state) &&
        worksIn(pid) === pgData &&
        look(seen.parent)?.name !== 'postgres'
      );
    });
}

/**
 * Ends those of `left` that are still there: given a few seconds, they were to have left. A server that is just being
 * started by another process looks like them for a moment, never for seconds.
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
