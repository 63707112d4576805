// CPU time of processes, which survives a busy machine better than elapsed time does.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** CPU time used so far, from /proc (0 elsewhere). A backend that has ended is counted with its parent. */
export function cpuMs(pids: readonly number[]): number {
  let ticks = 0;
  for (const pid of pids)
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      ticks += Number(fields[11]) + Number(fields[12]) + Number(fields[13]) + Number(fields[14]);
    } catch {}
  return ticks * 10;
}

/** Of a process that runs; undefined for another. */
export function parentOf(pid: number): number | undefined {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]);
  } catch {
    return undefined;
  }
}

/** The processes of a database server, by its main one. */
export function pidsOf(postmaster: number): number[] {
  try {
    const pids = readdirSync('/proc').map(Number);
    return [postmaster, ...pids.filter((pid) => pid > 1 && parentOf(pid) === postmaster)];
  } catch {
    return [];
  }
}

/** @param dir the data folder of an embedded server */
export function postgresPids(dir: string): number[] {
  try {
    return pidsOf(Number(readFileSync(join(dir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]));
  } catch {
    return [];
  }
}
